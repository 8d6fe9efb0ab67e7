import type { Part } from './position.js';

/** Offsets in a text. */
interface Extent {
  start: number;
  end: number;
}

/** Finds a value in JSON by its path; see `ValueLocator`. */
export function locate(json: string, path: readonly (string | number)[], part: Part): Extent {
  return new ValueLocator(json).locate(path, part);
}

/** Finds values in JSON. It remembers where the members of a record are, so that many values are found in one pass. */
export class ValueLocator {
  readonly #json: string;
  readonly #records = new Map<number, Map<string, Member>>();
  readonly #arrays = new Map<number, Entries>();

  constructor(json: string) {
    this.#json = json;
  }

  /**
   * Finds a value by its path: the record if a member is missing, the last one if it is repeated.
   * In JSON with errors it finds what it can.
   */
  locate(path: readonly (string | number)[], part: Part): Extent {
    const cursor = new Cursor(this.#json);
    cursor.skipSpace();
    let at = cursor.at;
    for (const [depth, segment] of path.entries()) {
      const found = typeof segment === 'number' ? this.#entry(at, segment) : this.#members(at).get(segment);
      // The record, not all that is in it.
      if (!found) break;
      if (depth === path.length - 1) return part === 'name' && found.name ? found.name : found.value;
      at = found.value.start;
    }
    return { start: at, end: Math.min(at + 1, this.#json.length) };
  }

  #members(at: number): Map<string, Member> {
    const known = this.#records.get(at) ?? membersOf(new Cursor(this.#json, at));
    this.#records.set(at, known);
    return known;
  }

  #entry(at: number, index: number): Member | undefined {
    const { starts, ends } = this.#arrays.get(at) ?? entriesOf(new Cursor(this.#json, at));
    this.#arrays.set(at, { starts, ends });
    const [start, end] = [starts[index], ends[index]];
    return start === undefined || end === undefined ? undefined : { value: { start, end } };
  }
}

interface Member {
  name?: Extent;
  value: Extent;
}

/** Offsets of the entries of an array. */
interface Entries {
  starts: readonly number[];
  ends: readonly number[];
}

function membersOf(cursor: Cursor): Map<string, Member> {
  const members = new Map<string, Member>();
  if (cursor.peek() !== '{') return members;
  do {
    cursor.at++;
    cursor.skipSpace();
    if (cursor.peek() !== '"') break;
    const key = cursor.skipString();
    cursor.skipSpace();
    if (cursor.peek() !== ':') break;
    cursor.at++;
    cursor.skipSpace();
    const value = cursor.skipValue();
    const name = unquoted(cursor.text.slice(key.start, key.end));
    if (name !== undefined) members.set(name, { name: key, value });
    cursor.skipSpace();
  } while (cursor.peek() === ',');
  return members;
}

function entriesOf(cursor: Cursor): Entries {
  const starts: number[] = [];
  const ends: number[] = [];
  if (cursor.peek() !== '[') return { starts, ends };
  do {
    cursor.at++;
    cursor.skipSpace();
    if (cursor.isAtEnd || cursor.peek() === ']') break;
    const { start, end } = cursor.skipValue();
    starts.push(start);
    ends.push(end);
    cursor.skipSpace();
  } while (cursor.peek() === ',');
  return { starts, ends };
}

function unquoted(key: string): string | undefined {
  try {
    return JSON.parse(key) as string;
  } catch {
    return undefined;
  }
}

/** Goes through JSON without reading its values. */
class Cursor {
  readonly text: string;
  at: number;

  constructor(text: string, at = 0) {
    this.text = text;
    this.at = at;
  }

  peek(): string {
    return this.text.charAt(this.at);
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  skipSpace(): void {
    while (' \t\r\n\ufeff'.includes(this.peek()) && !this.isAtEnd) this.at++;
  }

  skipString(): Extent {
    const start = this.at++;
    while (!this.isAtEnd && this.peek() !== '"') this.at += this.peek() === '\\' ? 2 : 1;
    this.at = Math.min(this.at + 1, this.text.length);
    return { start, end: this.at };
  }

  skipValue(): Extent {
    const start = this.at;
    if (this.peek() === '"') return this.skipString();
    if (this.peek() !== '{' && this.peek() !== '[') {
      while (!this.isAtEnd && !/[\s,\]}]/.test(this.peek())) this.at++;
      return { start, end: this.at };
    }
    let depth = 0;
    do {
      if (this.peek() === '"') {
        this.skipString();
        continue;
      }
      if (this.peek() === '{' || this.peek() === '[') depth++;
      if (this.peek() === '}' || this.peek() === ']') depth--;
      this.at++;
    } while (depth > 0 && !this.isAtEnd);
    return { start, end: this.at };
  }
}
