/** Writes values of the caller as JSON for the core. Values that JSON cannot represent become placeholders (resolve.ts). */
import { DECIMALS } from './decimal-members.js';
import {
  isPlaceholder,
  memberNames,
  NOT_FINITE,
  NOT_JSON,
  type Placeholder,
  PLACEHOLDER_START,
  read,
  resolve,
  TOO_DEEP,
  TOO_LARGE,
} from './resolve.js';

/** The maximum length of JSON that the core reads (`too_large`). */
const MAX_LENGTH = 33_554_432;
/** More than the core accepts (`too_deep`): the core counts itself, and this only bounds the recursion here. */
const MAX_DEPTH = 128;

export const OPTION_DECIMALS: ReadonlySet<string> = /* @__PURE__ */ new Set(['rate']);

/** JSON that is being written. */
export interface Writing {
  /** The names of members that are decimals, in any record. */
  readonly decimals: ReadonlySet<string>;
  /** The objects around the value that is being written. */
  readonly ancestors: object[];
  /**
   * The cost so far: characters of the JSON, and work that writes none (absent members, strings that are too long). This
   * bounds the time for an object that occurs in the order many times, or that reports a greater length than it has.
   */
  spent: number;
}

/** The last options and their JSON: most calls have the same. */
let last: { readonly options: Copy; readonly json: string } = { options: undefined, json: '' };

/** A primitive, a list of copies, or a copied object. */
type Copy = unknown;
/** Names and values are in separate arrays: comparing them takes a third of the time. */
interface CopiedObject {
  readonly names: readonly string[];
  readonly values: readonly Copy[];
}

/** Returns the JSON of an options object, `""` for undefined: the same string again if the options are the same. */
export function encodeOptions(options: unknown): string {
  let copy: Copy;
  try {
    if (isSame(last.options, options)) return last.json;
    copy = copyOf(options, 0);
  } catch {
    return options === undefined ? '' : optionsJson(options);
  }
  // The copy is written, because a getter may return another value when it is read again.
  last = { options: copy, json: copy === undefined ? '' : optionsJson(copied(copy)) };
  return last.json;
}

function optionsJson(options: unknown): string {
  const writing: Writing = { decimals: OPTION_DECIMALS, ancestors: [], spent: 0 };
  const json = limited(valueJson(writing, options, ''), writing);
  // The core would read a placeholder as an unknown option; it rejects null because it is not an object.
  return json.startsWith(PLACEHOLDER_START) ? 'null' : json;
}

/** Options are never as deep, and their lists are rarely as long. */
const MAX_COPIED_DEPTH = 4;
const MAX_COPIED_LENGTH = 1_000;

/** Copies a value whose JSON depends only on its members. Throws for any other value. */
function copyOf(value: unknown, depth: number): Copy {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_COPIED_DEPTH || !isPlain(value)) throw new TypeError('not plain');
  if (!Array.isArray(value)) {
    const entries = Object.entries(value);
    const values = entries.map(([, member]) => copyOf(member, depth + 1));
    return { names: entries.map(([name]) => name), values } satisfies CopiedObject;
  }
  if (value.length > MAX_COPIED_LENGTH) throw new TypeError('too long');
  return Array.from({ length: value.length }, (_, i) => copyOf(value[i], depth + 1));
}

/** Returns the value that was copied. */
function copied(copy: Copy): unknown {
  if (typeof copy !== 'object' || copy === null) return copy;
  if (Array.isArray(copy)) return copy.map(copied);
  const { names, values } = copy as CopiedObject;
  return Object.fromEntries(names.map((name, i) => [name, copied(values[i])]));
}

/** Returns true if the copy of the value would be the same. */
function isSame(copy: Copy, value: unknown): boolean {
  if (typeof copy !== 'object' || copy === null) return copy === value;
  if (typeof value !== 'object' || value === null || !isPlain(value)) return false;
  if (Array.isArray(copy))
    return Array.isArray(value) && copy.length === value.length && copy.every((each, i) => isSame(each, value[i]));
  if (Array.isArray(value)) return false;
  const { names, values } = copy as CopiedObject;
  let count = 0;
  for (const name in value) {
    if (name !== names[count] || !isSame(values[count], value[name as never])) return false;
    count++;
  }
  return count === names.length;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return (
    (prototype === Object.prototype || prototype === Array.prototype) &&
    (value as { toJSON?: unknown }).toJSON === undefined
  );
}

const ORDER_DECIMALS: ReadonlySet<string> = /* @__PURE__ */ new Set(DECIMALS);

/** Returns the JSON of the order that a caller passes: JSON already, or any other value. */
export function orderJson(order: unknown): string {
  if (typeof order === 'string') return encodeText(order);
  try {
    left = MAX_LENGTH;
    if (isJson(order, 0)) return limited(JSON.stringify(order));
  } catch {
    // A getter has thrown, for example: the code below finds out where.
  }
  const writing: Writing = { decimals: ORDER_DECIMALS, ancestors: [], spent: 0 };
  return limited(valueJson(writing, order, ''), writing);
}

/** What is left of the cost that {@link isJson} may have: an object may occur in the order many times. */
let left = 0;
/** The cost of a value besides its characters. */
const VALUE_COST = 10;

/**
 * Returns true if `JSON.stringify` loses nothing of a value: if it is a string, a finite number, true, false or null, or a plain object
 * or list of these.
 */
function isJson(value: unknown, depth: number): boolean {
  left -= VALUE_COST;
  if (left < 0) return false;
  switch (typeof value) {
    case 'string':
      left -= value.length;
      return true;
    case 'number':
      return Number.isFinite(value);
    case 'boolean':
      return true;
    case 'object':
      if (value === null) return true;
      return depth < MAX_DEPTH && isPlain(value) && hasJson(value, depth + 1);
    default:
      return false;
  }
}

function hasJson(value: object, depth: number): boolean {
  if (Array.isArray(value)) {
    const length: unknown = value.length;
    // A proxy may return anything.
    if (typeof length !== 'number' || !(length >= 0)) return false;
    for (let i = 0; i < length; i++) if (!isJson(value[i], depth)) return false;
    return true;
  }
  for (const name in value) {
    left -= name.length;
    const member: unknown = value[name as never];
    if (member === undefined ? (left -= VALUE_COST) < 0 : !isJson(member, depth)) return false;
  }
  return true;
}

/** Returns the caller's JSON with lone surrogates escaped: in UTF-8 they would become other characters. */
export function encodeText(text: string): string {
  if (text.length > MAX_LENGTH) return TOO_LARGE.json;
  return text.replace(/[\ud800-\udfff]/gu, (half, at: number) =>
    // After an open escape the text is not JSON, and another backslash would hide that.
    endsInOpenEscape(text, at) ? '\ufffd' : `\\u${half.charCodeAt(0).toString(16)}`,
  );
}

function endsInOpenEscape(text: string, end: number): boolean {
  let start = end;
  while (start > 0 && text[start - 1] === '\\') start--;
  return (end - start) % 2 === 1;
}

/** Returns the JSON, or a placeholder if it is too large. */
export function limited(json: string, writing?: Writing): string {
  return json.length > MAX_LENGTH || (writing && isSpent(writing, 0)) ? TOO_LARGE.json : json;
}

/** Returns true if the limit is spent, or `length` alone exceeds it. */
function isSpent(writing: Writing, length: number): boolean {
  return writing.spent > MAX_LENGTH || length > MAX_LENGTH;
}

/** Returns the JSON of a top-level value or of an entry of a list. */
function valueJson(writing: Writing, value: unknown, key: string | number): string {
  return jsonOf(writing, resolve(value, key, false));
}

/** Returns the JSON of a value that has been resolved. */
export function jsonOf(writing: Writing, value: unknown): string {
  if (isObject(value) && enter(writing, value)) return objectJson(writing, value);
  const json = isObject(value) ? TOO_DEEP.json : leafJson(writing, value);
  writing.spent += json.length;
  return json;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !isPlaceholder(value);
}

/** Adds an object to the ancestors of the values to write next. Returns false if it is too deep or contains itself. */
function enter({ ancestors }: Writing, value: object): boolean {
  if (ancestors.length >= MAX_DEPTH || ancestors.includes(value)) return false;
  ancestors.push(value);
  return true;
}

function leafJson(writing: Writing, value: unknown): string {
  switch (typeof value) {
    case 'string':
      return quote(writing, value);
    case 'number':
      return Number.isFinite(value) ? `${value}` : NOT_FINITE.json;
    case 'boolean':
    case 'bigint':
      return `${value}`;
    case 'object':
      return value === null ? 'null' : (value as Placeholder).json;
    default: // undefined at the top level or in a list: null would be a value that the caller did not give
      return NOT_JSON.json;
  }
}

/** The cost of an object besides its members, which is most of the time that an empty one takes. */
const OBJECT_COST = 10;

/** Writes an object that has been entered, and leaves it. */
function objectJson(writing: Writing, value: object): string {
  writing.spent += OBJECT_COST;
  const names = memberNames(value);
  let json: string;
  if (isPlaceholder(names)) json = names.json;
  else if (typeof names === 'number') json = listJson(writing, value as unknown[], names);
  else json = recordJson(writing, value, names);
  writing.ancestors.pop();
  return json;
}

function listJson(writing: Writing, list: unknown[], length: number): string {
  let json = '[';
  for (let i = 0; i < length && !isSpent(writing, 0); i++) {
    const entry = valueJson(writing, read(list, i), i);
    json += i > 0 ? `,${entry}` : entry;
    writing.spent++;
  }
  return `${json}]`;
}

function recordJson(writing: Writing, record: object, names: string[]): string {
  let json = '{';
  for (const name of names) {
    if (isSpent(writing, 0)) break;
    json = withMember(writing, json, name, read(record, name));
  }
  return `${json}}`;
}

/** Adds a member to the JSON of a record. */
function withMember(writing: Writing, json: string, name: string, value: unknown): string {
  const resolved = resolve(value, name, writing.decimals.has(name));
  writing.spent += name.length + 1;
  if (resolved === undefined) return json;
  return `${json}${json.length > 1 ? ',' : ''}${quote(writing, name)}:${jsonOf(writing, resolved)}`;
}

/** Returns a string with quotes and escapes, `""` if the limit is spent. */
function quote(writing: Writing, text: string): string {
  if (!isSpent(writing, text.length)) return JSON.stringify(text);
  writing.spent += text.length;
  return '';
}
