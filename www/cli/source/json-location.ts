import type { Part } from './position.js';

/** Offsets in a text. */
export interface Extent {
  start: number;
  end: number;
}

/**
 * Finds a value in JSON by its path: the record if a member is missing, the last one if it is repeated.
 * In JSON with errors it finds what it can.
 */
export function locate(json: string, path: readonly (string | number)[], part: Part): Extent {
  const cursor = new Cursor(json);
  cursor.skipSpace();
  let extent: Extent = { start: cursor.at, end: Math.min(cursor.at + 1, json.length) };
  for (const [depth, segment] of path.entries()) {
    const found = typeof segment === 'number' ? entryAt(cursor, segment) : memberNamed(cursor, segment);
    // The record, not all that is in it.
    if (!found) return extent;
    const isLast = depth === path.length - 1;
    if (isLast) return part === 'name' && found.name ? found.name : found.value;
    cursor.at = found.value.start;
    extent = { start: cursor.at, end: cursor.at + 1 };
  }
  return extent;
}

interface Found {
  name?: Extent;
  value: Extent;
}

function memberNamed(cursor: Cursor, name: string): Found | undefined {
  let found: Found | undefined;
  if (cursor.peek() !== '{') return found;
  cursor.at++;
  for (;;) {
    cursor.skipSpace();
    if (cursor.peek() !== '"') return found;
    const key = cursor.skipString();
    cursor.skipSpace();
    if (cursor.peek() !== ':') return found;
    cursor.at++;
    cursor.skipSpace();
    const value = cursor.skipValue();
    if (unquoted(cursor.text.slice(key.start, key.end)) === name) found = { name: key, value };
    if (!cursor.skipComma()) return found;
  }
}

function entryAt(cursor: Cursor, index: number): Found | undefined {
  if (cursor.peek() !== '[') return undefined;
  cursor.at++;
  for (let i = 0; ; i++) {
    cursor.skipSpace();
    if (cursor.isAtEnd || cursor.peek() === ']') return undefined;
    const value = cursor.skipValue();
    if (i === index) return { value };
    if (!cursor.skipComma()) return undefined;
  }
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
  at = 0;

  constructor(text: string) {
    this.text = text;
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

  skipComma(): boolean {
    this.skipSpace();
    if (this.peek() !== ',') return false;
    this.at++;
    return true;
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
