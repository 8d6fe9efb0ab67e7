import { usageProblem } from '../problem.js';
import { type Part, type Span, spanIn } from './position.js';

/** Offsets in a text. */
interface Extent {
  start: number;
  end: number;
}

/** A member of a record, or an entry of an array, which has no name. */
interface Child {
  name: Extent | undefined;
  value: Extent;
}

/** Finds a value in JSON by its path; see `ValueLocator`. */
export function spanOfValue(json: string, path: readonly (string | number)[], part: Part): Span {
  const { start, end } = new ValueLocator(json).locate(path, part);
  return spanIn(json, { line: 1, column: 1 }, start, end);
}

/** Returns `file:line:column` of a value in the JSON of a file. */
export function positionIn(file: string, json: string, path: readonly (string | number)[], part: Part): string {
  const { line, column } = spanOfValue(json, path, part);
  return `${file}:${line}:${column}`;
}

/** Returns a member of flat JSON that appears more than once; undefined if there are `count` members. */
export function repeatedMember(json: string, count: number): string | undefined {
  const strings = /("(?:[^"\\]|\\.)*")(\s*:)?/g;
  let left = count;
  for (let found = strings.exec(json); found && left >= 0; found = strings.exec(json)) if (found[2]) left--;
  if (left >= 0) return undefined;
  strings.lastIndex = 0;
  const names = new Set<string>();
  for (const [, text = '', colon] of json.matchAll(strings)) {
    const name = colon === undefined ? undefined : unquoted(text);
    if (name !== undefined && names.has(name)) return name;
    if (name !== undefined) names.add(name);
  }
  return undefined;
}

/** Parses the JSON of a file that a flag names. @throws Problem if it is not JSON. */
export function parsedJson(file: string, json: string, revive?: Parameters<typeof JSON.parse>[1]): unknown {
  try {
    return JSON.parse(json, revive);
  } catch (error) {
    throw usageProblem(`${file} is not valid JSON: ${(error as Error).message}`);
  }
}

/** Finds values in JSON. It remembers where the members of a record are, so that many values are found in one pass. */
export class ValueLocator {
  readonly #json: string;
  /** By the offset of their record or array. */
  readonly #children = new Map<number, Map<string | number, Child>>();

  constructor(json: string) {
    this.#json = json;
  }

  /**
   * Finds a value by its path: the record if a member is missing, the last one if it is repeated.
   * JSON with errors is followed as far as possible.
   */
  locate(path: readonly (string | number)[], part: Part): Extent {
    let start = spaceEnd(this.#json, 0);
    for (const [depth, segment] of path.entries()) {
      const children = this.#children.get(start) ?? childrenOf(this.#json, start);
      this.#children.set(start, children);
      const found = children.get(segment);
      // The member is missing: returns the beginning of the record, not all of it.
      if (!found) break;
      if (depth === path.length - 1) return (part === 'name' && found.name) || found.value;
      start = found.value.start;
    }
    return { start, end: Math.min(start + 1, this.#json.length) };
  }
}

/** Returns the children of the record or array that begins at an offset, by name or index. */
function childrenOf(json: string, start: number): Map<string | number, Child> {
  const children = new Map<string | number, Child>();
  const isRecord = json[start] === '{';
  if (!isRecord && json[start] !== '[') return children;
  let at = start;
  do {
    at = spaceEnd(json, at + 1);
    let name: Extent | undefined;
    if (isRecord) {
      if (json[at] !== '"') break;
      name = { start: at, end: valueEnd(json, at) };
      at = spaceEnd(json, name.end);
      if (json[at] !== ':') break;
      at = spaceEnd(json, at + 1);
    } else if (at >= json.length || json[at] === ']') break;
    const value = { start: at, end: valueEnd(json, at) };
    const key = name ? unquoted(json.slice(name.start, name.end)) : children.size;
    if (key !== undefined) children.set(key, { name, value });
    at = spaceEnd(json, value.end);
  } while (json[at] === ',');
  return children;
}

function unquoted(key: string): string | undefined {
  try {
    return JSON.parse(key) as string;
  } catch {
    return undefined;
  }
}

function spaceEnd(json: string, start: number): number {
  let at = start;
  while (at < json.length && ' \t\r\n\ufeff'.includes(json.charAt(at))) at++;
  return at;
}

function valueEnd(json: string, start: number): number {
  const extent = new ValueExtent();
  for (let at = start; at < json.length; at++) {
    const char = json.charAt(at);
    if (extent.isLast(char)) return at + 1;
    if (!extent.isInside && /[\s,\]}]/.test(char)) return at;
  }
  return json.length;
}

/** Follows a value, character by character. Does not parse its contents, which may be long and deeply nested. */
export class ValueExtent {
  #depth = 0;
  #isString = false;
  #isEscaped = false;

  /** The next character belongs to the value: this is inside a string, a record or an array. */
  get isInside(): boolean {
    return this.#isString || this.#depth > 0;
  }

  /** Takes the next character. Returns true if a string, a record or an array ends with it; never for a number. */
  isLast(char: string): boolean {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (this.#isString && char === '\\') this.#isEscaped = true;
    else if (char === '"') {
      this.#isString = !this.#isString;
      return !this.isInside;
    } else if (this.#isString) return false;
    else if (char === '{' || char === '[') this.#depth++;
    else if (this.#depth > 0 && (char === '}' || char === ']')) return --this.#depth === 0;
    return false;
  }
}
