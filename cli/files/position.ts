/** Counted from 1; columns are UTF-16 code units, as editors count them. */
export interface Position {
  line: number;
  column: number;
}

/** The position of a value in a file, and the lines around it. */
export interface Span extends Position {
  /** Columns of the value in its first line. */
  length: number;
  /** The line of the value and those beside it, as far as they are known; each is cut to the part near the value. */
  lines: readonly string[];
  /** The number of the first of these lines. */
  firstLine: number;
  /** How much of the beginning of each line is left out, in columns. */
  leftOut: number;
}

/** The value itself, or the name of the member that it is the value of. */
export type Part = 'value' | 'name';

/** Lines that are shown before that of a value; one is shown after it. */
const LINES_BEFORE = 2;
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

/** A text that begins at a position of its file. */
export class PlacedText {
  readonly #text: string;
  readonly #origin: Position;
  readonly #neighbours: Neighbours;
  /** The offsets at which its lines begin. */
  readonly #starts = [0];

  constructor(text: string, origin: Position, neighbours: Neighbours = { before: '', after: '' }) {
    this.#text = text;
    this.#origin = origin;
    this.#neighbours = neighbours;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1);
  }

  /** Returns the span of a part of the text. */
  span(start: number, end: number): Span {
    const index = this.#lineAt(start);
    const first = Math.max(0, index - LINES_BEFORE);
    const shown = this.#starts.slice(first, index + 2);
    const column = start - this.#startOf(index) + this.#indent(index);
    const leftOut = Math.max(0, column - REACH);
    return {
      line: this.#origin.line + index,
      column: column + 1,
      length: Math.max(1, Math.min(end, this.#endOf(index)) - start),
      lines: shown.map((_, n) => this.#window(first + n, leftOut, column + REACH)),
      firstLine: this.#origin.line + first,
      leftOut,
    };
  }

  /** Returns the span of a character. Its line and column are those in the text; the column counts code points. */
  spanOfCharacter({ line, column }: Position): Span {
    let at = this.#startOf(Math.min(line, this.#starts.length) - 1);
    for (let left = column - 1; left > 0 && at < this.#text.length; left--) {
      at += (this.#text.codePointAt(at) as number) > 0xffff ? 2 : 1;
    }
    return this.span(at, at + 1);
  }

  /** Returns the index of the line that has an offset. */
  #lineAt(offset: number): number {
    let [low, high] = [0, this.#starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.#startOf(middle) <= offset) low = middle;
      else high = middle;
    }
    return low;
  }

  #startOf(index: number): number {
    return this.#starts[index] ?? this.#text.length;
  }

  /** Returns the offset of the line break, or of the end of the text. */
  #endOf(index: number): number {
    const next = this.#starts[index + 1];
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
    const [start, end] = [this.#startOf(index), this.#endOf(index)];
    const text = this.#text.slice(start + Math.max(0, from - indent), Math.min(end, start + Math.max(0, to - indent)));
    const after = index === this.#starts.length - 1 ? this.#neighbours.after : '';
    if (from >= indent) return (text + after).slice(0, to - from);
    const { before } = this.#neighbours;
    const known = before.slice(Math.max(0, before.length - (indent - from)));
    return (known.padStart(indent - from) + text + after).slice(0, to - from);
  }
}

/** Returns the span of a part of a text. */
export function spanIn(text: string, origin: Position, start: number, end: number): Span {
  return new PlacedText(text, origin).span(start, end);
}
