/** Counted from 1; columns are UTF-16 code units, as editors count them. */
export interface Position {
  line: number;
  column: number;
}

/** Where a value is in a file, and the lines around it. */
export interface Span extends Position {
  /** Columns of the value in its first line. */
  length: number;
  /** The lines that are known, from `firstLine` on. */
  lines: readonly string[];
  firstLine: number;
}

/** The value itself, or the name of the member that it is the value of. */
export type Part = 'value' | 'name';

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

/** What is beside a text in its first and last line, as far as it is known. */
export interface Neighbours {
  before: string;
  after: string;
}

/** Returns where a part of a text is, if the text begins at a position of its file. */
export function spanIn(
  text: string,
  origin: Position,
  start: number,
  end: number,
  { before, after }: Neighbours = { before: '', after: '' },
): Span {
  const { line, column } = advanced(origin, text.slice(0, start));
  const lines = `${before.padStart(origin.column - 1)}${text}${after}`.split(/\r?\n/);
  const first = lines[line - origin.line] ?? '';
  const isOneLine = !text.slice(start, end).includes('\n');
  return {
    ...{ line, column },
    length: Math.max(1, isOneLine ? end - start : first.length - column + 1),
    lines,
    firstLine: origin.line,
  };
}
