/**
 * Writes values of the caller as JSON for the core.
 *
 * JSON.stringify does not do: it throws for bigint, cycles and getters that throw, turns NaN and holes silently into null,
 * which the service would read as 0, and can't be stopped. Here every value that JSON cannot represent becomes a
 * *placeholder*, `{"\u0000":"KIND"}`, and the core reports it as an issue with code and pointer.
 */
import { DECIMALS } from './decimal-members.js';
import { ofJson, type Written } from './order-writer.js';

/** The maximum length of JSON that the core reads (`too_large`). */
const MAX_LENGTH = 33_554_432;
/** More than the core accepts (`too_deep`), which counts by itself; here it only keeps recursion short. */
const MAX_DEPTH = 128;

const ORDER_DECIMALS: ReadonlySet<string> = new Set(DECIMALS);
const OPTION_DECIMALS: ReadonlySet<string> = new Set(['rate']);

const PLACEHOLDER_START = '{"\\u0000":';

/** One of the four below and nothing else, so that no object of a caller is mistaken for one. */
interface Placeholder {
  readonly json: string;
}

function placeholder(kind: string): Placeholder {
  return { json: `${PLACEHOLDER_START}"${kind}"}` };
}

const NOT_FINITE = /* @__PURE__ */ placeholder('not_finite');
const NOT_JSON = /* @__PURE__ */ placeholder('not_json');
const TOO_DEEP = /* @__PURE__ */ placeholder('too_deep');
const TOO_LARGE = /* @__PURE__ */ placeholder('too_large');

function isPlaceholder(value: unknown): value is Placeholder {
  return value === NOT_JSON || value === NOT_FINITE || value === TOO_DEEP || value === TOO_LARGE;
}

/** Returns the JSON of an order. A string is JSON already. */
export function encodeOrder(order: unknown): Written {
  return ofJson(typeof order === 'string' ? encodeText(order) : encoded(ORDER_DECIMALS, order));
}

/** Returns the JSON of one item of an order. */
export function encodeItem(item: unknown, index: number): string {
  return encoded(ORDER_DECIMALS, item, index);
}

/** Returns one member of an order with its name, `""` if it is absent. */
export function encodeMember(name: string, value: unknown): string {
  const resolved = resolve(value, name, ORDER_DECIMALS.has(name));
  return resolved === undefined ? '' : `${quote(name)}:${encoded(ORDER_DECIMALS, resolved)}`;
}

/** Returns the object that is written for an order, undefined if it is not an object. */
export function objectOf(order: unknown): object | undefined {
  const value = resolve(order, '', false);
  return typeof value === 'object' && value !== null && !isPlaceholder(value) ? value : undefined;
}

/** Returns the members of an object, undefined if it is a list. Values that can't be read are placeholders. */
export function membersOf(value: object): Map<string, unknown> | undefined {
  const names = memberNames(value);
  return Array.isArray(names) ? new Map(names.map((name) => [name, read(value, name)])) : undefined;
}

/** Returns one member of an object, undefined if it has none of its own that is written. */
export function memberOf(value: object, name: string): unknown {
  try {
    return Object.prototype.propertyIsEnumerable.call(value, name) ? read(value, name) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns a list, undefined if the value is not a list or longer than `max`. Reading its entries may throw. */
export function listOf(value: unknown, max: number): readonly unknown[] | undefined {
  const list = resolve(value, '', false);
  if (!Array.isArray(list)) return undefined;
  const length = memberNames(list);
  return typeof length === 'number' && length <= max ? list : undefined;
}

/** Returns the JSON of an options object, `""` for undefined. */
export function encodeOptions(options: unknown): string {
  if (options === undefined) return '';
  const json = encoded(OPTION_DECIMALS, options);
  // The core would read a placeholder as an unknown option; it rejects null because it is not an object.
  return json.startsWith(PLACEHOLDER_START) ? 'null' : json;
}

/** Returns JSON as the caller has it, with lone surrogates escaped: in UTF-8 they would become other characters. */
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

/** JSON that is being written. Functions and not a class: most of the time of a call outside the core is spent here. */
interface Writing {
  readonly decimals: ReadonlySet<string>;
  readonly ancestors: object[];
  /**
   * Characters of the JSON so far, and work that leaves none: absent members, strings that are too long. This bounds the
   * time for an object that is in the order many times over, or that pretends to be longer than it is.
   */
  spent: number;
}

/** What an object costs beside its members: most of the time for an empty one. */
const OBJECT_COST = 10;

function encoded(decimals: ReadonlySet<string>, value: unknown, key: string | number = ''): string {
  const writing: Writing = { decimals, ancestors: [], spent: 0 };
  const json = jsonOf(writing, resolve(value, key, false));
  return writing.spent > MAX_LENGTH || json.length > MAX_LENGTH ? TOO_LARGE.json : json;
}

function jsonOf(writing: Writing, value: unknown): string {
  const isObject = typeof value === 'object' && value !== null && !isPlaceholder(value);
  if (isObject && writing.ancestors.length < MAX_DEPTH && !writing.ancestors.includes(value))
    return objectJson(writing, value);
  const json = isObject ? TOO_DEEP.json : leafJson(writing, value);
  writing.spent += json.length;
  return json;
}

function leafJson(writing: Writing, value: unknown): string {
  switch (typeof value) {
    case 'string':
      if (value.length <= MAX_LENGTH) return quote(value);
      writing.spent += value.length;
      return '';
    case 'number':
      return Number.isFinite(value) ? `${value}` : NOT_FINITE.json;
    case 'boolean':
    case 'bigint':
      return `${value}`;
    case 'object':
      return value === null ? 'null' : (value as Placeholder).json;
    default: // undefined as an entry of a list, or as a whole: null would be a value that nobody gave
      return NOT_JSON.json;
  }
}

function objectJson(writing: Writing, value: object): string {
  const { ancestors } = writing;
  writing.spent += OBJECT_COST;
  const names = memberNames(value);
  if (isPlaceholder(names)) return names.json;
  ancestors.push(value);
  const json =
    typeof names === 'number'
      ? listJson(writing, value as unknown[], names)
      : recordJson(writing, value as Record<string, unknown>, names);
  ancestors.pop();
  return json;
}

function listJson(writing: Writing, list: unknown[], length: number): string {
  let json = '[';
  for (let i = 0; i < length && writing.spent <= MAX_LENGTH; i++) {
    const entry = jsonOf(writing, resolve(read(list, i), i, false));
    json += i > 0 ? `,${entry}` : entry;
    writing.spent++;
  }
  return `${json}]`;
}

function recordJson(writing: Writing, record: Record<string, unknown>, names: string[]): string {
  let json = '';
  for (const name of names) {
    if (writing.spent > MAX_LENGTH) break;
    let value = read(record, name);
    // Most values are written as they are.
    if (typeof value !== 'string' && typeof value !== 'number')
      value = resolve(value, name, writing.decimals.has(name));
    writing.spent += name.length + 1;
    if (value !== undefined) json += startOf(name, json === '' ? FIRST : NEXT) + jsonOf(writing, value);
  }
  return json === '' ? '{}' : `${json}}`;
}

/** Caches names with their quotes and the separator before them, so that there are fewer searches and concatenations. */
interface Starts {
  readonly before: string;
  readonly known: Map<string, string>;
}

const FIRST: Starts = /* @__PURE__ */ { before: '{', known: /* @__PURE__ */ new Map() };
const NEXT: Starts = /* @__PURE__ */ { before: ',', known: /* @__PURE__ */ new Map() };
/** More than the specification has. */
const MOST_STARTS = 200;

function startOf(name: string, { before, known }: Starts): string {
  const start = known.get(name);
  if (start !== undefined) return start;
  const made = `${before}${quote(name)}:`;
  if (known.size < MOST_STARTS && name.length < 40) known.set(name, made);
  return made;
}

/** Returns the names of the members, or the length of a list; a proxy may throw, or lie about its length. */
function memberNames(value: object): string[] | number | Placeholder {
  try {
    if (!Array.isArray(value)) return Object.keys(value);
    const length: unknown = value.length;
    return typeof length === 'number' && length >= 0 ? length : NOT_JSON;
  } catch {
    return NOT_JSON;
  }
}

/** Reads a member or an entry; returns a placeholder if a getter or a proxy throws. */
function read(holder: object, key: string | number): unknown {
  try {
    return (holder as Record<string | number, unknown>)[key];
  } catch {
    return NOT_JSON;
  }
}

/** Returns what is written for a value: a primitive, an object to walk, a placeholder, or undefined for an absent one. */
function resolve(value: unknown, key: string | number, decimal: boolean): unknown {
  switch (typeof value) {
    case 'function':
    case 'symbol':
      return NOT_JSON;
    case 'bigint':
      return decimal ? String(value) : value;
    case 'object':
      if (value === null || isPlaceholder(value)) return value;
      try {
        return resolveObject(value, key, decimal);
      } catch {
        return NOT_JSON; // toJSON, toFixed, valueOf or a proxy threw
      }
    default:
      return value;
  }
}

function resolveObject(value: object, key: string | number, decimal: boolean): unknown {
  const own = unwrap(value);
  if (own !== value) return own;
  if (decimal && isDecimal(value)) return resolve(value.toFixed(), key, false);
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON !== 'function') return refuse(value);
  const json: unknown = ArrayBuffer.isView(value) ? value : toJSON.call(value, String(key));
  if (typeof json === 'object' && json !== null) return refuse(unwrap(json));
  return resolve(json, key, decimal);
}

/** Unwraps boxed primitives as JSON.stringify does; an invalid date is a placeholder, not null. */
function unwrap(value: object): unknown {
  if (isPlain(value)) return value;
  switch (tag(value)) {
    case 'Number':
      return Number(value);
    case 'String':
      return String(value);
    case 'Boolean':
    case 'BigInt':
      return value.valueOf();
    case 'Date':
      return Number.isNaN(Number(value)) ? NOT_JSON : value;
    default:
      return value;
  }
}

/** Rejects objects whose content is not in members: they would be written as an empty record. */
function refuse(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || isPlain(value)) return value;
  return ArrayBuffer.isView(value) || CONTAINERS.has(tag(value)) ? NOT_JSON : value;
}

const CONTAINERS: ReadonlySet<string> = new Set([
  'Map',
  'Set',
  'WeakMap',
  'WeakSet',
  'WeakRef',
  'Promise',
  'ArrayBuffer',
  'SharedArrayBuffer',
]);

/** Returns true for a decimal of decimal.js, big.js or bignumber.js (D8). */
function isDecimal(value: object): value is { toFixed(): unknown } {
  return 'toFixed' in value && typeof value.toFixed === 'function';
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === Array.prototype || prototype === null;
}

function tag(value: object): string {
  return Object.prototype.toString.call(value).slice('[object '.length, -1);
}

/** Characters that only JSON.stringify escapes. A literal inside the function would be created at each call. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON escapes them
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/;

function quote(text: string): string {
  return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`;
}
