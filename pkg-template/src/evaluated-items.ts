/** The items of an evaluated order, and what the core returned for each. */
import { Fields } from './boundary.js';
import { type FoundIssue, foundIssuesOf, issuesOf as issuesInFull } from './issue-texts.js';
import { call } from './loader.js';
import { writeItem } from './order-writer.js';
import type { Issue } from './types.js';

/** An item, its JSON, and what the core returned for it. */
interface EvaluatedItem {
  readonly json: string;
  /** As the core wrote them; they are only passed back. */
  readonly totals: string;
  readonly issues: readonly FoundIssue[];
}

/** Items at consecutive positions. A change of one item copies one chunk and the list of chunks, however many there are. */
interface Chunk {
  readonly items: readonly EvaluatedItem[];
  readonly hasIssues: boolean;
  readonly characters: number;
}

/** Chunks never change: an evaluation refers to those of its own order. */
export type Chunks = readonly Chunk[];

const CHUNK = 64;

export interface Items {
  readonly chunks: Chunks;
  /** The caller's values, to compare them with those of the next version. The next list takes this array over. */
  readonly values: unknown[];
}

export const NO_ITEMS: Items = { chunks: [], values: [] };

/** A list of items, and the terms that lead from the totals of the list before to its own. */
interface Change {
  items: Items;
  added: string[];
  removed: string[];
}

/** Returns the items of a new list; evaluates only values that the previous list does not have. */
export function changeItems(previous: Items, list: readonly unknown[], options: string): Change {
  const hasLength = previous.values.length === list.length;
  const [start, end] = changedRange(previous.values, list);
  const changed = list.slice(start, end);
  const removed = removedItems(previous, start, hasLength ? end : previous.values.length, changed);
  const added: string[] = [];
  const evaluated = (index: number): EvaluatedItem => {
    if (index < start || index >= end) return itemAt(previous, index);
    const value = changed[index - start];
    if (isAt(previous, index, value)) return itemAt(previous, index);
    const moved = removed.get(value);
    if (moved) {
      // Below 0 if the same object is in the list more often than before.
      moved.count--;
      return moved.item;
    }
    const item = evaluateItem(value, index, options);
    added.push(`+${item.totals}`);
    return item;
  };

  const first = Math.floor(start / CHUNK);
  const last = hasLength && start === end ? first : Math.ceil(end / CHUNK);
  const chunks = previous.chunks.slice(0, first);
  for (let from = first * CHUNK; from < last * CHUNK; from += CHUNK) {
    const items: EvaluatedItem[] = [];
    for (let index = from; index < Math.min(from + CHUNK, list.length); index++) items.push(evaluated(index));
    chunks.push(newChunk(items));
  }
  if (hasLength) chunks.push(...previous.chunks.slice(last));

  const terms: string[] = [];
  for (const { item, count } of removed.values()) {
    for (let i = 0; i < count; i++) terms.push(`-${item.totals}`);
    for (let i = 0; i > count; i--) added.push(`+${item.totals}`);
  }
  // Nothing throws from here on, so that `previous` is whole if evaluating has thrown.
  if (hasLength) for (let i = start; i < end; i++) previous.values[i] = changed[i - start];
  const values = hasLength ? previous.values : [...previous.values.slice(0, start), ...changed];
  return { items: { chunks, values }, added, removed: terms };
}

/** Returns the JSON of all items, with commas between them. */
export function itemsJson(chunks: Chunks): string {
  return chunks.flatMap(({ items }) => items.map(({ json }) => json)).join(',');
}

/** Returns the number of characters of all items. */
export function charactersOf(chunks: Chunks): number {
  return chunks.reduce((sum, { characters }) => sum + characters, 0);
}

/** Returns the totals of all items as terms. */
export function totalsOf(chunks: Chunks): string[] {
  return chunks.flatMap(({ items }) => items.map(({ totals }) => `+${totals}`));
}

/** Returns the issues of all items. */
export function issuesOf(chunks: Chunks, options: string): Issue[] {
  const issues: Issue[] = [];
  chunks.forEach(({ items, hasIssues }, position) => {
    if (!hasIssues) return;
    items.forEach(({ json, issues: found }, i) => {
      if (found.length === 0) return;
      const index = position * CHUNK + i;
      // The item may have moved. An issue of the item itself has its index in the key.
      const moved = found.some((issue) => issue.index < 0)
        ? ask(json, index, options).issues
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

function isAt({ values }: Items, index: number, value: unknown): boolean {
  return index < values.length && value === values[index];
}

function itemAt({ chunks }: Items, index: number): EvaluatedItem {
  // biome-ignore lint/style/noNonNullAssertion: callers stay within the list
  return chunks[Math.floor(index / CHUNK)]!.items[index % CHUNK]!;
}

/** Finds the previous items of a range that are not at the same position any more, with the number of their positions. */
function removedItems(previous: Items, start: number, end: number, changed: readonly unknown[]) {
  const removed = new Map<unknown, { item: EvaluatedItem; count: number }>();
  for (let index = start; index < end; index++) {
    const value = previous.values[index];
    if (index - start < changed.length && value === changed[index - start]) continue;
    const known = removed.get(value);
    if (known) known.count++;
    else removed.set(value, { item: itemAt(previous, index), count: 1 });
  }
  return removed;
}

function newChunk(items: readonly EvaluatedItem[]): Chunk {
  const hasIssues = items.some(({ issues }) => issues.length > 0);
  const characters = items.reduce((sum, { json }) => sum + json.length, 0);
  return { items, hasIssues, characters };
}

function evaluateItem(value: unknown, index: number, options: string): EvaluatedItem {
  return ask(writeItem(value, index).text, index, options);
}

function ask(json: string, index: number, options: string): EvaluatedItem {
  const fields = new Fields(call('evaluateItem', json, '', options, index));
  const totals = fields.text();
  const whole = () => JSON.parse(call('issuesOfItem', json, '', options, index)) as Issue[];
  return { json, totals, issues: foundIssuesOf(fields, whole) };
}
