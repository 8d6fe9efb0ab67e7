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

/** A line of a text, by offsets. */
interface Line {
  start: number;
  /** Without the line break. */
  end: number;
  /** Where the next line begins; undefined if there is none. */
  next: number | undefined;
}

/** A line with its number in the text, counted from 0, and the lines that are shown before and after it. */
interface LineView {
  line: Line;
  index: number;
  before: readonly Line[];
  after: readonly Line[];
}

/** A text that begins at a position of its file. */
export class PlacedText {
  readonly #text: string;
  readonly #origin: Position;
  readonly #neighbours: Neighbours;
  /** The last one: the next value is often in the same line, and a line may be very long. */
  #view: LineView | undefined;

  constructor(text: string, origin: Position, neighbours: Neighbours = { before: '', after: '' }) {
    this.#text = text;
    this.#origin = origin;
    this.#neighbours = neighbours;
  }

  /** Returns the span of a part of the text. */
  span(start: number, end: number): Span {
    const { line, index, before, after } = this.#viewOf(start);
    const column = start - line.start + this.#indent(line);
    const leftOut = Math.max(0, column - REACH);
    const number = this.#origin.line + index;
    return {
      line: number,
      column: column + 1,
      length: Math.max(1, Math.min(end, line.end) - start),
      lines: [...before, line, ...after].map((each) => this.#window(each, leftOut, column + REACH)),
      firstLine: number - before.length,
      leftOut,
    };
  }

  /** Returns the span of a character. Its line and column are those in the text; the column counts code points. */
  spanOfCharacter({ line, column }: Position): Span {
    let at = 0;
    for (let left = line - 1; left > 0; left--) at = this.#lineAt(at).next ?? at;
    for (let left = column - 1; left > 0 && at < this.#text.length; left--) {
      at += (this.#text.codePointAt(at) as number) > 0xffff ? 2 : 1;
    }
    return this.span(at, at + 1);
  }

  #viewOf(offset: number): LineView {
    const last = this.#view;
    if (last && offset >= last.line.start && offset < (last.line.next ?? Number.POSITIVE_INFINITY)) return last;
    const line = this.#lineAt(offset);
    // Counts from the last line: values are mostly looked up in order.
    let [at, index] = last && last.line.start < line.start ? [last.line.start, last.index] : [0, 0];
    for (; at < line.start; index++) at = this.#text.indexOf('\n', at) + 1;
    const before: Line[] = [];
    for (let { start } = line; start > 0 && before.length < LINES_BEFORE; start = before[0]?.start ?? 0) {
      before.unshift(this.#lineAt(start - 1));
    }
    const after = line.next === undefined ? [] : [this.#lineAt(line.next)];
    this.#view = { line, index, before, after };
    return this.#view;
  }

  /** Returns the line that has an offset. */
  #lineAt(offset: number): Line {
    const text = this.#text;
    const start = offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
    const lineBreak = text.indexOf('\n', offset);
    if (lineBreak < 0) return { start, end: text.length, next: undefined };
    return { start, end: text[lineBreak - 1] === '\r' ? lineBreak - 1 : lineBreak, next: lineBreak + 1 };
  }

  /** Columns of a line that come before the text. */
  #indent({ start }: Line): number {
    return start === 0 ? this.#origin.column - 1 : 0;
  }

  /** Returns the part of a line between two columns, counted from 0. Columns that are not known are blank. */
  #window(line: Line, from: number, to: number): string {
    const { start, end, next } = line;
    const indent = this.#indent(line);
    const text = this.#text.slice(start + Math.max(0, from - indent), Math.min(end, start + Math.max(0, to - indent)));
    const after = next === undefined ? this.#neighbours.after : '';
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
