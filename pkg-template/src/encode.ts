/**
 * Values of the caller → JSON text for the core.
 *
 * JSON.stringify is not enough: it throws on bigint, cycles and getters that throw, turns NaN and holes silently into
 * null, which the service would read as 0, and can't be stopped. Here every value that JSON has no form for becomes a
 * *fault*, `{"\u0000":"KIND"}`, where it stood, and the core makes it an issue with code and pointer.
 */

/** The core reads no longer text (`too_large`). */
const MAX_LENGTH = 33_554_432;
/** Well beyond what the core takes (`too_deep`), which counts by itself; here it only keeps recursion short. */
const MAX_DEPTH = 128;

const ORDER_DECIMALS: ReadonlySet<string> = new Set(['Quantity', 'SellAtPricePerUnit', 'TaxAmount', 'Value']);
const OPTION_DECIMALS: ReadonlySet<string> = new Set(['rate']);

const FAULT_START = '{"\\u0000":';

/** One of the four below and nothing else: a caller's object can't be taken for one, and isn't asked. */
interface Fault {
  readonly text: string;
}

function fault(kind: string): Fault {
  return { text: `${FAULT_START}"${kind}"}` };
}

const NOT_FINITE = /* @__PURE__ */ fault('not_finite');
const NOT_JSON = /* @__PURE__ */ fault('not_json');
const TOO_DEEP = /* @__PURE__ */ fault('too_deep');
const TOO_LARGE = /* @__PURE__ */ fault('too_large');

function isFault(value: unknown): value is Fault {
  return value === NOT_JSON || value === NOT_FINITE || value === TOO_DEEP || value === TOO_LARGE;
}

/** JSON text of an order. A string is JSON text already. */
export function encodeOrder(order: unknown): string {
  return typeof order === 'string' ? encodeText(order) : encoded(ORDER_DECIMALS, order);
}

/** JSON text of one item of an order. */
export function encodeItem(item: unknown, index: number): string {
  return encoded(ORDER_DECIMALS, item, index);
}

/** One member of an order with its name, `""` where it is absent. */
export function encodeMember(name: string, value: unknown): string {
  const resolved = resolve(value, name, ORDER_DECIMALS.has(name));
  return resolved === undefined ? '' : `${quote(name)}:${encoded(ORDER_DECIMALS, resolved)}`;
}

/** The members of an order, undefined where it is no object; a value that could not be read is a fault, to be encoded. */
export function membersOf(order: unknown): Record<string, unknown> | undefined {
  const value = resolve(order, '', false);
  if (typeof value !== 'object' || value === null || isFault(value)) return undefined;
  const names = memberNames(value);
  return Array.isArray(names) ? Object.fromEntries(names.map((name) => [name, read(value, name)])) : undefined;
}

/** The entries of a list, undefined where it is none. */
export function entriesOf(list: unknown): unknown[] | undefined {
  const value = resolve(list, '', false);
  if (!Array.isArray(value)) return undefined;
  const length = memberNames(value);
  return typeof length === 'number' ? Array.from({ length }, (_, index) => read(value, index)) : undefined;
}

/** JSON text of an options object, `""` for none. */
export function encodeOptions(options: unknown): string {
  if (options === undefined) return '';
  const text = encoded(OPTION_DECIMALS, options);
  // The core would take a fault for an option of a strange name; null it refuses for not being an object.
  return text.startsWith(FAULT_START) ? 'null' : text;
}

/** JSON text as the caller has it, but halves of surrogate pairs escaped: in UTF-8 they would become other text. */
export function encodeText(text: string): string {
  if (text.length > MAX_LENGTH) return TOO_LARGE.text;
  return text.replace(/[\ud800-\udfff]/gu, (half, at: number) =>
    // After an open escape the text is no JSON, and a backslash more would hide that.
    endsInOpenEscape(text, at) ? '\ufffd' : `\\u${half.charCodeAt(0).toString(16)}`,
  );
}

function endsInOpenEscape(text: string, end: number): boolean {
  let start = end;
  while (start > 0 && text[start - 1] === '\\') start--;
  return (end - start) % 2 === 1;
}

/** One text that is being written. Functions and not a class: this is most of the time that a call takes outside the core. */
interface Writing {
  readonly decimals: ReadonlySet<string>;
  readonly ancestors: object[];
  /** Characters of the text so far, and work that left none: absent members, text too long to take. Else it had no bound. */
  spent: number;
}

function encoded(decimals: ReadonlySet<string>, value: unknown, key: string | number = ''): string {
  const writing: Writing = { decimals, ancestors: [], spent: 0 };
  const text = textOf(writing, resolve(value, key, false));
  return writing.spent > MAX_LENGTH || text.length > MAX_LENGTH ? TOO_LARGE.text : text;
}

function textOf(writing: Writing, value: unknown): string {
  if (typeof value === 'object' && value !== null && !isFault(value)) return objectText(writing, value);
  const text = leafText(writing, value);
  writing.spent += text.length;
  return text;
}

function leafText(writing: Writing, value: unknown): string {
  switch (typeof value) {
    case 'string':
      if (value.length <= MAX_LENGTH) return quote(value);
      writing.spent += value.length;
      return '';
    case 'number':
      return Number.isFinite(value) ? `${value}` : NOT_FINITE.text;
    case 'boolean':
    case 'bigint':
      return `${value}`;
    case 'object':
      return value === null ? 'null' : (value as Fault).text;
    default: // undefined as a list entry or as the whole: null in its place would be a value nobody gave
      return NOT_JSON.text;
  }
}

function objectText(writing: Writing, value: object): string {
  const { ancestors } = writing;
  if (ancestors.length >= MAX_DEPTH || ancestors.includes(value)) return TOO_DEEP.text;
  const names = memberNames(value);
  if (isFault(names)) return names.text;
  ancestors.push(value);
  const text =
    typeof names === 'number'
      ? listText(writing, value as unknown[], names)
      : recordText(writing, value as Record<string, unknown>, names);
  ancestors.pop();
  return text;
}

function listText(writing: Writing, list: unknown[], length: number): string {
  let text = '[';
  for (let i = 0; i < length && writing.spent <= MAX_LENGTH; i++) {
    const entry = textOf(writing, resolve(read(list, i), i, false));
    text += i > 0 ? `,${entry}` : entry;
    writing.spent++;
  }
  return `${text}]`;
}

function recordText(writing: Writing, record: Record<string, unknown>, names: string[]): string {
  let text = '';
  for (const name of names) {
    if (writing.spent > MAX_LENGTH) break;
    let value = read(record, name);
    // Most values are written as they are: only others need a look.
    if (typeof value !== 'string' && typeof value !== 'number')
      value = resolve(value, name, writing.decimals.has(name));
    writing.spent += name.length;
    if (value !== undefined) text += startOf(name, text === '' ? FIRST : NEXT) + textOf(writing, value);
  }
  return text === '' ? '{}' : `${text}}`;
}

/**
 * Names as they stand in a text, so that those of an order are not searched anew each time for what is to be escaped. With
 * what stands before them: of a text made from fewer pieces fewer are to be put together.
 */
interface Starts {
  readonly before: string;
  readonly known: Map<string, string>;
}

const FIRST: Starts = /* @__PURE__ */ { before: '{', known: /* @__PURE__ */ new Map() };
const NEXT: Starts = /* @__PURE__ */ { before: ',', known: /* @__PURE__ */ new Map() };
/** Far more than the specification has. */
const MOST_STARTS = 200;

function startOf(name: string, { before, known }: Starts): string {
  const start = known.get(name);
  if (start !== undefined) return start;
  const made = `${before}${quote(name)}:`;
  if (known.size < MOST_STARTS && name.length < 40) known.set(name, made);
  return made;
}

/** Names of the members, or the length of a list; a proxy may refuse both. */
function memberNames(value: object): string[] | number | Fault {
  try {
    return Array.isArray(value) ? value.length : Object.keys(value);
  } catch {
    return NOT_JSON;
  }
}

/** A getter or proxy may throw. */
function read(holder: object, key: string | number): unknown {
  try {
    return (holder as Record<string | number, unknown>)[key];
  } catch {
    return NOT_JSON;
  }
}

/** What is to be written for a value: a primitive, an object to walk, a fault, or undefined for "absent". */
function resolve(value: unknown, key: string | number, decimal: boolean): unknown {
  switch (typeof value) {
    case 'function':
    case 'symbol':
      return NOT_JSON;
    case 'bigint':
      return decimal ? String(value) : value;
    case 'object':
      if (value === null || isFault(value)) return value;
      try {
        return resolveObject(value, key, decimal);
      } catch {
        return NOT_JSON; // toJSON, toString, valueOf or a proxy threw
      }
    default:
      return value;
  }
}

function resolveObject(value: object, key: string | number, decimal: boolean): unknown {
  const own = unwrap(value);
  if (own !== value) return own;
  if (decimal && printsItself(value)) return String(value);
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON !== 'function') return refuse(value);
  const json: unknown = ArrayBuffer.isView(value) ? value : toJSON.call(value, String(key));
  if (typeof json === 'object' && json !== null) return refuse(unwrap(json));
  return resolve(json, key, decimal);
}

/** Boxed primitives as JSON.stringify has them; a date without a time is a fault, not its null. */
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

/** Objects whose content is not in members: they would be written as an empty record. */
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

/** decimal.js, big.js, an own Money class: their text is their value (D8). */
function printsItself(value: object): boolean {
  return (
    !Array.isArray(value) &&
    !ArrayBuffer.isView(value) &&
    typeof value.toString === 'function' &&
    value.toString !== Object.prototype.toString
  );
}

/** Most values are: they need no further look. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === Array.prototype || prototype === null;
}

function tag(value: object): string {
  return Object.prototype.toString.call(value).slice('[object '.length, -1);
}

/** What JSON.stringify is needed for: the rest is quoted as it is. Made once, a literal in the function is made anew each time. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON escapes them
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/;

function quote(text: string): string {
  return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`;
}
