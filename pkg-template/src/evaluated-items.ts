/** The items of an evaluated order. Lists never change: an evaluation keeps the list that it is about. */
import { encodeItem } from './encode.js';
import { call } from './loader.js';
import type { Issue } from './types.js';

/** An item, its JSON, and what the core returned for it. */
interface EvaluatedItem {
  readonly json: string;
  /** As the core wrote them; they are only passed back. */
  readonly totals: string;
  /** With the index that the item had when it was evaluated. */
  readonly issues: readonly Issue[];
}

/** Items at consecutive positions. A change of one item copies one chunk and the list of chunks, however many there are. */
interface Chunk {
  /** The caller's values, to compare them with those of the next version. */
  readonly values: readonly unknown[];
  readonly items: readonly EvaluatedItem[];
  readonly hasIssues: boolean;
  readonly characters: number;
}

export type Items = readonly Chunk[];

export const NO_ITEMS: Items = [];

const CHUNK = 64;

/** A list of items, and the terms that lead from the totals of the list before to its own. */
interface Change {
  items: Items;
  added: string[];
  removed: string[];
}

/** Returns the list for new values; evaluates only values that the previous list does not have. */
export function changeItems(previous: Items, values: readonly unknown[], options: string): Change {
  const isKept = previous.map((chunk, position) => isSame(chunk, values, position * CHUNK));
  const removed = removedItems(previous, isKept, values);
  const added: string[] = [];
  const evaluated = (value: unknown, index: number): EvaluatedItem => {
    const moved = removed.get(value);
    if (moved) {
      // Below 0 if the same object comes to be in the list more often than before.
      moved.count--;
      return moved.item;
    }
    const item = evaluateItem(value, index, options);
    added.push(`+${item.totals}`);
    return item;
  };

  const items: Chunk[] = [];
  for (let start = 0; start < values.length; start += CHUNK) {
    const chunk = previous[items.length];
    const kept = isKept[items.length] ? chunk : undefined;
    items.push(kept ?? newChunk(chunk, values, start, evaluated));
  }
  const terms: string[] = [];
  for (const { item, count } of removed.values()) {
    for (let i = 0; i < count; i++) terms.push(`-${item.totals}`);
    for (let i = 0; i > count; i--) added.push(`+${item.totals}`);
  }
  return { items, added, removed: terms };
}

/** Returns the JSON of all items, with commas between them. */
export function itemsJson(items: Items): string {
  return items.flatMap((chunk) => chunk.items.map(({ json }) => json)).join(',');
}

/** Returns the number of characters of all items. */
export function charactersOf(items: Items): number {
  return items.reduce((sum, { characters }) => sum + characters, 0);
}

/** Returns the totals of all items as terms. */
export function totalsOf(items: Items): string[] {
  return items.flatMap((chunk) => chunk.items.map(({ totals }) => `+${totals}`));
}

/** Returns the issues of all items, each with the index that its item has now. */
export function issuesOf(items: Items): Issue[] {
  const issues: Issue[] = [];
  items.forEach((chunk, position) => {
    if (!chunk.hasIssues) return;
    chunk.items.forEach((item, index) => {
      for (const issue of item.issues) issues.push(movedTo(issue, position * CHUNK + index));
    });
  });
  return issues;
}

/** Finds the previous items that are not at the same position any more, with the number of their positions. */
function removedItems(previous: Items, isKept: readonly boolean[], values: readonly unknown[]) {
  const removed = new Map<unknown, { item: EvaluatedItem; count: number }>();
  previous.forEach((chunk, position) => {
    if (isKept[position]) return;
    chunk.items.forEach((item, i) => {
      const value = chunk.values[i];
      const index = position * CHUNK + i;
      if (index < values.length && value === values[index]) return;
      const known = removed.get(value);
      if (known) known.count++;
      else removed.set(value, { item, count: 1 });
    });
  });
  return removed;
}

/** Returns true if the chunk at `start` has the same values. */
function isSame(chunk: Chunk, values: readonly unknown[], start: number): boolean {
  if (chunk.values.length !== Math.min(CHUNK, values.length - start)) return false;
  return chunk.values.every((value, i) => value === values[start + i]);
}

function newChunk(
  previous: Chunk | undefined,
  values: readonly unknown[],
  start: number,
  evaluated: (value: unknown, index: number) => EvaluatedItem,
): Chunk {
  const own = values.slice(start, start + CHUNK);
  const items = own.map((value, i) => {
    const same = previous?.values[i] === value ? previous?.items[i] : undefined;
    return same ?? evaluated(value, start + i);
  });
  const hasIssues = items.some(({ issues }) => issues.length > 0);
  const characters = items.reduce((sum, { json }) => sum + json.length, 0);
  return { values: own, items, hasIssues, characters };
}

function evaluateItem(value: unknown, index: number, options: string): EvaluatedItem {
  const json = encodeItem(value, index);
  const response = call('evaluateItem', json, String(index), options);
  const end = response.indexOf('\n');
  if (end < 0) return { json, totals: response, issues: [] };
  return { json, totals: response.slice(0, end), issues: JSON.parse(response.slice(end + 1)) as Issue[] };
}

/** Returns an issue of an item with the item's present index. It is a copy: a caller may change it. */
function movedTo(issue: Issue, index: number): Issue {
  const [list, before, ...rest] = issue.path;
  const pointer = `/${list}/${index}${issue.pointer.slice(`/${list}/${before}`.length)}`;
  return { ...issue, pointer, path: [list as string, index, ...rest] };
}
