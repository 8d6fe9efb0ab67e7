/** Writes the members of records by their type. record-writers.ts, which is generated, lists the members of each record. */
import { enter, isObject, isSpent, jsonOf, placeholderJson, quote, started, withMember } from './json.js';
import type { Writing } from './json.js';
import { memberNames, NOT_JSON, read, resolve, TOO_DEEP } from './resolve.js';

/**
 * JSON of an order that is being written. Checking each string for characters to escape takes longer than all the rest, so
 * most strings are written *raw*: between quotes as they are.
 */
export interface OrderWriting extends Writing {
  /** The prototype of plain records; undefined if a program added members to it, which would seem to be those of a record. */
  readonly plain: object | undefined;
  /** Where the raw strings are ({@link RAW_UNIT}); undefined if every string is escaped at once. */
  raw: number[] | undefined;
  rawCount: number;
  /** Whether long texts are written raw too. */
  readonly hasRawTexts: boolean;
  /** The position in the JSON of the record that is being written. */
  at: number;
  /** Whether the records that are not published are written as any value, because they are sent unread. */
  readonly passesThrough: boolean;
}

export type Members = Record<string, unknown>;

/**
 * Returns the JSON of a record. `members` are those of the object, or of a copy of it; `end` closes the record, before a comma
 * in a list.
 */
export type RecordWriter = (writing: OrderWriting, members: Members, object: object, end: string) => string;

/** Unknown members: names and values alternate. */
export type Others = unknown[] | undefined;

/** Adds a member of a type that needs no function of its own. All functions here add nothing if the value is undefined. */
export function member(writing: OrderWriting, json: string, key: string, value: unknown): string {
  if (value === undefined) return json;
  let text: string;
  if (typeof value === 'string') {
    text = quote(writing, value);
    writing.spent += value.length;
  } else if (isNumber(value) || typeof value === 'boolean' || value === null) text = `${value}`;
  else {
    const resolved = resolve(value, nameOf(key), false);
    if (resolved === undefined) return json;
    text = jsonOf(writing, resolved);
  }
  writing.marks += 2;
  return started(json, key) + text;
}

/** Adds a string, raw if possible. The key ends with the first quote of the value. */
export function string(writing: OrderWriting, json: string, key: string, value: unknown): string {
  if (!isRaw(writing, value)) return member(writing, json, key.slice(0, -1), value);
  const text = started(json, key);
  addRaw(writing, writing.at + text.length, value.length);
  writing.marks += 4;
  return `${text}${value}"`;
}

/** Adds a string that may have line breaks and quotes. */
export function text(writing: OrderWriting, json: string, key: string, value: unknown): string {
  return writing.hasRawTexts ? string(writing, json, key, value) : member(writing, json, key.slice(0, -1), value);
}

/** Returns true for a string that is written raw. */
export function isRaw(writing: OrderWriting, value: unknown): value is string {
  return typeof value === 'string' && writing.raw !== undefined && value.length < RAW_UNIT;
}

/** A raw string is shorter than this, and stored as `position * RAW_UNIT + length`: two numbers take longer. */
export const RAW_UNIT = 1024;

/** Stores where a raw string is. */
export function addRaw(writing: OrderWriting, start: number, length: number): void {
  const { raw, rawCount } = writing;
  if (!raw) return;
  raw[rawCount] = start * RAW_UNIT + length;
  writing.rawCount = rawCount + 1;
}

/** Adds a decimal. */
export function decimal(writing: OrderWriting, json: string, key: string, value: unknown): string {
  const resolved = typeof value === 'number' ? value : resolve(value, nameOf(key), true);
  if (resolved === undefined) return json;
  writing.marks += 2;
  return `${started(json, key)}${bare(resolved) ?? jsonOf(writing, resolved)}`;
}

const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?$/;

/** Returns a decimal that is written without quotes, as the service expects it; undefined for any other value. */
export function bare(value: unknown): number | string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  // The digits of a longer string are intended, those of a longer number may come from floating-point arithmetic.
  return typeof value === 'string' && value.length < 16 && NUMBER.test(value) ? value : undefined;
}

export function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

/** Adds a record. */
export function record(writing: OrderWriting, json: string, key: string, value: unknown, write: RecordWriter): string {
  if (value === undefined) return json;
  const resolved = isPlain(writing, value) ? value : resolve(value, nameOf(key), false);
  if (resolved === undefined) return json;
  const start = started(json, key);
  const { at } = writing;
  writing.at = at + start.length;
  const added = resolvedJson(writing, resolved, write, '}');
  writing.at = at;
  writing.marks += 2;
  return start + added;
}

/** Adds a list of records. */
export function list(writing: OrderWriting, json: string, key: string, value: unknown, write: RecordWriter): string {
  if (value === undefined) return json;
  const resolved = isPlainList(value) ? value : resolve(value, nameOf(key), false);
  const length = lengthOf(resolved);
  if (length === undefined) return member(writing, json, key, resolved);
  const start = `${started(json, key)}[`;
  writing.marks += 2;
  const { at } = writing;
  writing.at = at + start.length;
  const entries = entriesJson(writing, resolved as readonly unknown[], length, write);
  writing.at = at;
  return `${start}${entries}]`;
}

/** The number of entries after which the pieces of the JSON are joined. */
const PIECE = 100;

/** Returns the JSON of the entries of a list, with commas between them. */
function entriesJson(writing: OrderWriting, entries: readonly unknown[], length: number, write: RecordWriter): string {
  const start = writing.at;
  reserve(writing, length);
  let done = '';
  let json = '';
  // It can't be among its ancestors, which are all records.
  writing.ancestors.push(entries);
  for (let i = 0; i < length; i++) {
    if (i > 0 && i % PIECE === 0) {
      // Makes the engine join the pieces, so that they don't all live until the order is complete.
      // The result is used, because a minifier may remove a call without effect.
      if (json.charCodeAt(0) === 0) break;
      done += json;
      json = '';
    }
    const size = done.length + json.length;
    if (isSpent(writing, size)) break;
    writing.at = start + size;
    json += recordJson(writing, read(entries, i), i, write, i + 1 < length ? '},' : '}');
  }
  writing.ancestors.pop();
  return done + json;
}

/** The most entries to reserve for: a list may report a greater length than it has. */
const MAX_RESERVED = 100_000;

/** Makes room for the raw strings of a list: growing the array bit by bit would take a third of the time of an item. */
function reserve(writing: OrderWriting, length: number): void {
  const { raw, rawCount } = writing;
  const size = rawCount + 2 * Math.min(Math.ceil(length), MAX_RESERVED);
  if (!raw || size <= raw.length) return;
  const larger = new Array<number>(size);
  for (let i = 0; i < rawCount; i++) larger[i] = raw[i] as number;
  writing.raw = larger;
}

/** Returns the JSON of a top-level record or of an entry of a list, or of another value in its place. */
export function recordJson(
  writing: OrderWriting,
  value: unknown,
  key: string | number,
  write: RecordWriter,
  end: string,
): string {
  return isPlain(writing, value)
    ? write(writing, value, value, end)
    : resolvedJson(writing, resolve(value, key, false), write, end);
}

function resolvedJson(writing: OrderWriting, value: unknown, write: RecordWriter, end: string): string {
  if (isPlain(writing, value)) return write(writing, value, value, end);
  const members = isObject(value) && copyOf(value);
  return members ? write(writing, members, value, end) : jsonOf(writing, value) + end.slice(1);
}

/** Returns true for an object literal or an object as plain: `for in` enumerates exactly its own members. */
function isPlain({ plain }: OrderWriting, value: unknown): value is Members {
  try {
    return typeof value === 'object' && value !== null && isLiteral(value, plain) && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** Returns true for an array literal or an array as plain. */
function isPlainList(value: unknown): boolean {
  try {
    return Array.isArray(value) && isLiteral(value, Array.prototype);
  } catch {
    return false;
  }
}

function isLiteral(value: object, prototype: object | undefined): boolean {
  return Object.getPrototypeOf(value) === prototype && (value as { toJSON?: unknown }).toJSON === undefined;
}

/** Copies the own members of an object; returns undefined for a list, and if they can't be read. */
function copyOf(value: object): Members | undefined {
  const names = memberNames(value);
  if (!Array.isArray(names)) return undefined;
  const copy = Object.create(null) as Members;
  for (const name of names) copy[name] = read(value, name);
  return copy;
}

/** Returns the length of a list; undefined if the value is not a list, or can't be read. */
function lengthOf(value: unknown): number | undefined {
  const length = isObject(value) ? memberNames(value) : undefined;
  return typeof length === 'number' ? length : undefined;
}

/** Adds unknown members to a record and leaves it. */
export function closed(writing: OrderWriting, json: string, others: Others, end: string): string {
  let text = json;
  if (others) {
    for (let i = 0; i < others.length && !isSpent(writing, 0); i += 2)
      text = withMember(writing, text, others[i] as string, others[i + 1]);
  }
  writing.ancestors.pop();
  return text + end;
}

/** Returns what is written for a record whose members can't be read. */
export function unreadable(writing: OrderWriting, end: string): string {
  return placeholderJson(writing, NOT_JSON) + end.slice(1);
}

/** Enters a record. Returns what is written in its place if it is too deep. */
export function tooDeep(writing: OrderWriting, object: object, end: string): string | undefined {
  return enter(writing, object) ? undefined : placeholderJson(writing, TOO_DEEP) + end.slice(1);
}

function nameOf(key: string): string {
  return key.slice(2, -2);
}
