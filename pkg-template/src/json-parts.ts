/** Offsets in a text. */
export interface Extent {
  start: number;
  end: number;
}

/** A member of a record, or an entry of an array, which has an index and no name. */
export interface JsonPart {
  key: string | number;
  name: Extent | undefined;
  value: Extent;
}

/**
 * Returns the members of the record, or the entries of the array, that begins at an offset; empty for another value. JSON with
 * errors is followed as far as possible.
 */
export function partsOf(json: string, start: number): JsonPart[] {
  const parts: JsonPart[] = [];
  const isRecord = json[start] === '{';
  if (!isRecord && json[start] !== '[') return parts;
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
    const key = name ? unquoted(json.slice(name.start, name.end)) : parts.length;
    if (key !== undefined) parts.push({ key, name, value });
    at = spaceEnd(json, value.end);
  } while (json[at] === ',');
  return parts;
}

function unquoted(key: string): string | undefined {
  try {
    return JSON.parse(key) as string;
  } catch {
    return undefined;
  }
}

/** Returns the offset behind white space, and behind a byte order mark. */
export function spaceEnd(json: string, start: number): number {
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
