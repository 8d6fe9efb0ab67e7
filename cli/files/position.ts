/** Counted from 1; columns are UTF-16 code units, as editors count them. */
export interface Position {
  line: number;
  column: number;
}

/** Where a value is in a file, and the lines around it. */
export interface Span extends Position {
  /** Columns of the value in its first line. */
  length: number;
  /** The line of the value and those beside it, as far as they are known; each is cut to what is near the value. */
  lines: readonly string[];
  /** The number of the first of these lines. */
  firstLine: number;
  /** How much of the beginning of each line is left out, in columns. */
  leftOut: number;
}

/** The value itself, or the name of the member that it is the value of. */
export type Part = 'value' | 'name';

/** Lines that are shown before and after that of a value. */
const LINES_BEFORE = 2;
const LINES_AFTER = 1;
/** Columns that are known on each side of the beginning of a value: more than is shown. */
export const REACH = 1000;

/** Returns the position after a text that begins at another position. */
export function advanced({ line, column }: Position, text: string): Position {
  let lines = 0;
  let last = -1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    lines++;
    last = at;
  }
  return lines === 0 ? { line, column: column + text.length } : { line: line + lines, column: text.length - last };
}

/** The text before and after a part of a file, in its first and its last line, as far as it is known. */
export interface Neighbours {
  before: string;
  after: string;
}

/** A text that begins at a position of its file. Knows where its lines begin, however many values are looked up. */
export class PlacedText {
  readonly #text: string;
  readonly #origin: Position;
  readonly #neighbours: Neighbours;
  /** Offsets of the lines up to `#searched`, where the search for line breaks goes on; infinite if all are known. */
  readonly #lineStarts = [0];
  #searched = 0;

  constructor(text: string, origin: Position, neighbours: Neighbours = { before: '', after: '' }) {
    this.#text = text;
    this.#origin = origin;
    this.#neighbours = neighbours;
  }

  /** Returns where a part of the text is. */
  span(start: number, end: number): Span {
    this.#findLines((starts) => (starts.at(-1 - LINES_AFTER) ?? 0) > start);
    const index = this.#lineAt(start);
    const column = start - this.#startOf(index) + this.#indent(index);
    const lineLength = this.#endOf(index) - this.#startOf(index) + this.#indent(index);
    const leftOut = Math.max(0, column - REACH);
    const [first, last] = [
      Math.max(0, index - LINES_BEFORE),
      Math.min(this.#lineStarts.length - 1, index + LINES_AFTER),
    ];
    return {
      line: this.#origin.line + index,
      column: column + 1,
      length: Math.max(1, Math.min(end - start, lineLength - column)),
      lines: Array.from({ length: last - first + 1 }, (_, n) => this.#window(first + n, leftOut, column + REACH)),
      firstLine: this.#origin.line + first,
      leftOut,
    };
  }

  /** Returns where a character is, whose line and column are those of the text; this column counts code points. */
  spanOfCharacter({ line, column }: Position): Span {
    this.#findLines((starts) => starts.length >= line);
    let at = this.#startOf(Math.min(line, this.#lineStarts.length) - 1);
    for (let left = column - 1; left > 0 && at < this.#text.length; left--) {
      at += (this.#text.codePointAt(at) as number) > 0xffff ? 2 : 1;
    }
    return this.span(at, at + 1);
  }

  /** Looks for line breaks until enough of them are known: a text may have millions. */
  #findLines(isEnough: (starts: readonly number[]) => boolean): void {
    while (this.#searched < Number.POSITIVE_INFINITY && !isEnough(this.#lineStarts)) {
      const at = this.#text.indexOf('\n', this.#searched);
      this.#searched = at < 0 ? Number.POSITIVE_INFINITY : at + 1;
      if (at >= 0) this.#lineStarts.push(at + 1);
    }
  }

  /** The index of the line that has an offset. */
  #lineAt(offset: number): number {
    let [low, high] = [0, this.#lineStarts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#lineStarts[middle] as number) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #startOf(index: number): number {
    return this.#lineStarts[index] ?? 0;
  }

  /** Without the line break. */
  #endOf(index: number): number {
    const next = this.#lineStarts[index + 1];
    if (next === undefined) return this.#text.length;
    return this.#text[next - 2] === '\r' ? next - 2 : next - 1;
  }

  /** Columns of a line that come before the text. */
  #indent(index: number): number {
    return index === 0 ? this.#origin.column - 1 : 0;
  }

  /** Returns the part of a line between two columns, counted from 0. Columns that are not known are blank. */
  #window(index: number, from: number, to: number): string {
    const indent = this.#indent(index);
    const start = this.#startOf(index);
    const slice = (begin: number, end: number) =>
      this.#text.slice(start + Math.max(0, begin - indent), Math.max(start, end));
    const text = slice(from, Math.min(this.#endOf(index), start + to - indent));
    const isLast = this.#lineStarts[index + 1] === undefined;
    const after = isLast ? this.#neighbours.after : '';
    if (from >= indent) return (text + after).slice(0, to - from);
    const { before } = this.#neighbours;
    const known = before.slice(Math.max(0, before.length - (indent - from)));
    return (known.padStart(indent - from) + text + after).slice(0, to - from);
  }
}

/** Returns where a part of a text is. */
export function spanIn(text: string, origin: Position, start: number, end: number): Span {
  return new PlacedText(text, origin).span(start, end);
}
