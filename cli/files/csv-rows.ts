import { parse, type CsvError } from 'csv-parse';
import { Readable } from 'node:stream';
import { fileProblem, Problem } from '../problem.js';
import { spanIn, type Span } from './position.js';
import type { CsvInput } from './csv-input.js';

/** A row of a CSV file: its cells, and how they are written. */
export interface CsvRow {
  cells: readonly string[];
  raw: string;
  line: number;
}

/** Reads rows; quoted cells may have line breaks. Empty lines are left out. */
export async function* csvRows(
  file: string,
  { chunks, delimiter, line }: CsvInput,
): AsyncGenerator<CsvRow, void, void> {
  const parser = parse({
    delimiter,
    raw: true,
    info: true,
    // Reported with the row, not as the end of the file.
    relax_column_count: true,
    skip_empty_lines: true,
    record_delimiter: ['\r\n', '\n', '\r'],
  });
  const source = Readable.from(chunks);
  // The parser does not hear of errors of its source.
  source.on('error', (error) => parser.destroy(error));
  try {
    for await (const { record, raw, info } of source.pipe(parser) as AsyncIterable<Parsed>) {
      const text = trimmedBreaks(raw);
      const lines = info.lines - (text.match(/\n/g)?.length ?? 0);
      yield { cells: record, raw: text, line: line - 1 + lines };
    }
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw parseProblem(file, error as CsvError & { lines?: number }, line);
  }
}

function trimmedBreaks(raw: string): string {
  let [start, end] = [0, raw.length];
  while (start < end && '\r\n'.includes(raw.charAt(start))) start++;
  while (start < end && '\r\n'.includes(raw.charAt(end - 1))) end--;
  return raw.slice(start, end);
}

interface Parsed {
  record: string[];
  raw: string;
  info: { lines: number };
}

/** Returns where a cell is; its row if it has no such cell. */
export function spanOfCell({ raw, line }: CsvRow, index: number | undefined, delimiter: string): Span {
  const { start, end } = index === undefined ? { start: 0, end: raw.length } : cellIn(raw, index, delimiter);
  return spanIn(raw, { line, column: 1 }, start, end);
}

function cellIn(raw: string, index: number, delimiter: string): { start: number; end: number } {
  let start = 0;
  let isQuoted = false;
  let cell = 0;
  for (let at = 0; at < raw.length; at++) {
    if (raw[at] === '"') isQuoted = !isQuoted;
    if (raw[at] !== delimiter || isQuoted) continue;
    if (cell === index) return { start, end: at };
    cell++;
    start = at + 1;
  }
  return cell === index ? { start, end: raw.length } : { start: raw.length, end: raw.length };
}

function parseProblem(
  file: string,
  { code, message, lines }: CsvError & { lines?: number },
  firstLine: number,
): Problem {
  const where = lines === undefined ? file : `${file}:${firstLine - 1 + lines}:1`;
  const problems: Record<string, string> = {
    CSV_QUOTE_NOT_CLOSED: 'a quoted cell that begins here has no closing quote',
    CSV_INVALID_CLOSING_QUOTE: 'a quote ends a cell that goes on; write a quote inside a quoted cell twice: ""',
    INVALID_OPENING_QUOTE: 'a quote begins in the middle of a cell; put the whole cell into quotes',
  };
  return fileProblem(`${where}: ${problems[code ?? ''] ?? message}`);
}
