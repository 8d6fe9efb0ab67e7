/** The items of an edited order, and what the core returned for each. */
import { Fields } from './boundary.js';
import { type FoundIssue, foundIssuesOf, issuesOf as issuesInFull } from './issue-texts.js';
import { call } from './loader.js';
import { type Frame, writeItem } from './order-writer.js';
import type { Issue } from './types.js';

interface Item {
  readonly json: string;
  /** The core's evaluation of the item alone; undefined until it is needed. */
  alone: EvaluatedItem | undefined;
}

interface EvaluatedItem {
  /** As the core wrote them; they are only passed back. */
  readonly totals: string;
  readonly issues: readonly FoundIssue[];
}

/** Items at consecutive positions. A change of one item copies one chunk and the list of chunks, however many there are. */
interface Chunk {
  readonly items: readonly Item[];
  /** Undefined as long as its items have not been evaluated. */
  hasIssues: boolean | undefined;
  readonly characters: number;
}

/** The items of chunks never change: an evaluation refers to those of its own order. */
export type Chunks = readonly Chunk[];

const CHUNK = 64;

export interface Items {
  readonly chunks: Chunks;
  /** The caller's values, to compare them with those of the next version. The next list takes this array over. */
  readonly values: unknown[];
}

export const NO_ITEMS: Items = { chunks: [], values: [] };

/** A list of items, and the items that were added to and removed from the previous list. */
interface Change {
  readonly items: Items;
  readonly added: readonly Item[];
  readonly removed: readonly Item[];
}

/** Returns the items of a new order; reads only values that the previous one does not have. */
export function changeItems(previous: Items, { items: list, ancestors }: Frame): Change {
  const hasLength = previous.values.length === list.length;
  const [start, end] = changedRange(previous.values, list);
  const changed = list.slice(start, end);
  const left = itemsLeft(previous, start, hasLength ? end : previous.values.length, changed);
  const added: Item[] = [];
  const changedItem = (index: number): Item => {
    if (index < start || index >= end) return itemAt(previous, index);
    const value = changed[index - start];
    if (index < previous.values.length && value === previous.values[index]) return itemAt(previous, index);
    const moved = left.get(value);
    if (moved) {
      // Below 0 if the same object is in the list more often than before.
      moved.count--;
      return moved.item;
    }
    const item = { json: writeItem(value, index, ancestors), alone: undefined };
    added.push(item);
    return item;
  };

  const first = Math.floor(start / CHUNK);
  const last = hasLength && start === end ? first : Math.ceil(end / CHUNK);
  const chunks = previous.chunks.slice(0, first);
  for (let from = first * CHUNK; from < last * CHUNK; from += CHUNK) {
    const items: Item[] = [];
    for (let index = from; index < Math.min(from + CHUNK, list.length); index++) items.push(changedItem(index));
    const characters = items.reduce((sum, { json }) => sum + json.length, 0);
    chunks.push({ items, hasIssues: undefined, characters });
  }
  if (hasLength) chunks.push(...previous.chunks.slice(last));

  const removed: Item[] = [];
  for (const { item, count } of left.values()) {
    for (let i = 0; i < count; i++) removed.push(item);
    for (let i = 0; i > count; i--) added.push(item);
  }
  // Nothing throws from here on, so that `previous` is whole if reading has thrown.
  if (hasLength) for (let i = start; i < end; i++) previous.values[i] = changed[i - start];
  const values = hasLength ? previous.values : [...previous.values.slice(0, start), ...changed];
  return { items: { chunks, values }, added, removed };
}

/** Returns the JSON of all items, with commas between them. */
export function itemsJson(chunks: Chunks): string {
  let all = '';
  for (const { items } of chunks) for (const { json } of items) all += all === '' ? json : `,${json}`;
  return all;
}

/** Returns the number of characters of all items. */
export function charactersOf(chunks: Chunks): number {
  return chunks.reduce((sum, { characters }) => sum + characters, 0);
}

/** Returns the terms to add to the totals of the previous list to get those of the changed one. */
export function termsOfChange({ added, removed }: Change, options: string): string[] {
  return [...terms('+', added, options), ...terms('-', removed, options)];
}

/** Returns the totals of all items as terms. */
export function termsOf(chunks: Chunks, options: string): string[] {
  return chunks.flatMap(({ items }) => terms('+', items, options));
}

function terms(sign: '+' | '-', items: readonly Item[], options: string): string[] {
  return items.map((item) => sign + evaluated(item, options).totals);
}

/** Returns the issues of all items. */
export function issuesOf(chunks: Chunks, options: string): Issue[] {
  const issues: Issue[] = [];
  chunks.forEach((chunk, position) => {
    chunk.hasIssues ??= chunk.items.some((item) => evaluated(item, options).issues.length > 0);
    if (!chunk.hasIssues) return;
    chunk.items.forEach((item, i) => {
      const found = evaluated(item, options).issues;
      if (found.length === 0) return;
      const index = position * CHUNK + i;
      // The item may have moved. An issue of the item itself has its index in the key.
      const moved = found.some((issue) => issue.index < 0)
        ? ask(item, index, options).issues
        : found.map(({ text }) => ({ text, index }));
      issues.push(...issuesInFull(moved));
    });
  });
  return issues;
}

/** Returns the range of positions in which the lists differ; up to the end if their lengths differ. */
function changedRange(before: readonly unknown[], after: readonly unknown[]): [start: number, end: number] {
  const common = Math.min(before.length, after.length);
  let start = 0;
  while (start < common && before[start] === after[start]) start++;
  let end = after.length;
  if (before.length === end) while (end > start && before[end - 1] === after[end - 1]) end--;
  return [start, end];
}

function itemAt({ chunks }: Items, index: number): Item {
  // biome-ignore lint/style/noNonNullAssertion: callers stay within the list
  return chunks[Math.floor(index / CHUNK)]!.items[index % CHUNK]!;
}

/** Finds the previous items of a range that are no longer at the same position, and counts how often each occurs. */
function itemsLeft(previous: Items, start: number, end: number, changed: readonly unknown[]) {
  const left = new Map<unknown, { item: Item; count: number }>();
  for (let index = start; index < end; index++) {
    const value = previous.values[index];
    if (index - start < changed.length && value === changed[index - start]) continue;
    const known = left.get(value);
    if (known) known.count++;
    else left.set(value, { item: itemAt(previous, index), count: 1 });
  }
  return left;
}

/** Returns the core's evaluation of an item, whatever its position. */
function evaluated(item: Item, options: string): EvaluatedItem {
  return (item.alone ??= ask(item, 0, options));
}

function ask({ json }: Item, index: number, options: string): EvaluatedItem {
  const fields = new Fields(call('evaluateItem', json, '', options, index));
  const totals = fields.text();
  const whole = () => JSON.parse(call('issuesOfItem', json, '', options, index)) as Issue[];
  return { totals, issues: foundIssuesOf(fields, whole) };
}
