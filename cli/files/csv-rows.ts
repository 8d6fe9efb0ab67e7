import { type CsvError, parse } from 'csv-parse';
import { Readable } from 'node:stream';
import { fileProblem, Problem, usageProblem } from '../problem.js';
import { type Span, spanIn } from './position.js';
import { columnsOf, type CsvMapping } from './csv-mapping.js';
import { MOST_CHARACTERS } from './text-chunks.js';

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

/** The text of a CSV file, from the row that names the columns on. */
interface CsvInput {
  chunks: AsyncIterable<string>;
  delimiter: string;
  /** The line of the file in which the text begins. */
  line: number;
}

/** A cell takes memory even if it is empty. */
const MOST_CELLS = 1 << 20;
const LONG = 1 << 20;
const LINE_BREAK = /\r\n|\n|\r/;
/** Excel writes and reads this line in front of the first row; it is not a part of the table. */
const EXCEL = /^sep=([^\r\n])(?:\r\n|\n|\r|$)/i;

/**
 * Reads the beginning of a CSV file: which delimiter it has. The first line is checked before the parser reads on: with the
 * wrong delimiter, quotes of later lines would be in the middle of a cell.
 */
export async function csvInput(
  file: string,
  chunks: AsyncGenerator<string, void, void>,
  mapping: CsvMapping,
): Promise<CsvInput> {
  const { head, rest } = await begun(chunks);
  const [excel = '', named] = EXCEL.exec(head) ?? [];
  if (named !== undefined && mapping.delimiter !== undefined && named !== mapping.delimiter) {
    throw usageProblem(
      `${file}:1:1: the first line says sep=${named}, but the delimiter of the mapping is ${JSON.stringify(mapping.delimiter)}`,
      'Correct "delimiter" in the mapping, or leave it out.',
    );
  }
  const delimiter = mapping.delimiter ?? named ?? ',';
  const text = head.slice(excel.length);
  const line = excel === '' ? 1 : 2;
  checkDelimiter(file, text, mapping, delimiter);
  return { chunks: bounded(file, text, rest, { line, delimiter }), delimiter, line };
}

/** Reads the first row and a line of Excel before it, or what is too long for a row. */
async function begun(
  chunks: AsyncGenerator<string, void, void>,
): Promise<{ head: string; rest: AsyncGenerator<string, void, void> }> {
  const pieces: string[] = [];
  let length = 0;
  let start = '';
  let breaks = 0;
  // A line break may be two characters.
  while (breaks < (start.toLowerCase() === 'sep=' ? 3 : 1) && length <= MOST_CHARACTERS) {
    const { value, done } = await chunks.next();
    if (done) break;
    start = (start + value.slice(0, 4)).slice(0, 4);
    pieces.push(value);
    length += value.length;
    breaks += value.match(/[\r\n]/g)?.length ?? 0;
  }
  return { head: pieces.join(''), rest: chunks };
}

function checkDelimiter(file: string, head: string, mapping: CsvMapping, delimiter: string): void {
  const [line = ''] = head.split(LINE_BREAK, 1);
  const missing = columnsOf(mapping).filter((column) => column !== line.trim());
  const other = [';', '\t', ','].find((each) => line.includes(each));
  if (missing.length === 0 || other === undefined || line.includes(delimiter)) return;
  throw missingColumns(file, missing, `Set "delimiter": ${JSON.stringify(other)} in the mapping.`);
}

export function missingColumns(file: string, columns: readonly string[], hint: string): Problem {
  const names = columns.map((name) => `"${name}"`).join(', ');
  return usageProblem(`${file} has no column ${names}, which the mapping names`, hint);
}

/** Passes the text on, and ends with an error at a row that is longer than the core reads: the parser would collect it. */
async function* bounded(
  file: string,
  head: string,
  rest: AsyncGenerator<string, void, void>,
  { line, delimiter }: Pick<CsvInput, 'line' | 'delimiter'>,
): AsyncGenerator<string, void, void> {
  const length = new RowLength(line, delimiter);
  const check = (chunk: string) => {
    length.add(chunk);
    const { characters, cells, line } = length;
    if (characters <= MOST_CHARACTERS && cells <= MOST_CELLS) return chunk;
    const most = cells > MOST_CELLS ? `${MOST_CELLS} cells` : `${MOST_CHARACTERS} characters`;
    throw fileProblem(
      `${file}:${line}:1: the row that begins here has more than ${most}`,
      'Look for a quote that is not closed, or for line breaks that are missing.',
    );
  };
  yield check(head);
  for await (const chunk of rest) yield check(chunk);
}

/** Measures the current row. Blank lines before a row count with it, because the parser collects them too. */
class RowLength {
  characters = 0;
  /** Where the row begins. */
  line: number;
  #lines: number;
  /** Counted in long rows only, and not in text in quotes. */
  cells = 0;
  readonly #delimiter: string;
  #isBlank = true;
  #isQuoted = false;
  /** The last chunk ended with a carriage return: a line feed after it belongs to the same line break. */
  #isReturned = false;

  constructor(line: number, delimiter: string) {
    this.#delimiter = delimiter;
    this.line = line;
    this.#lines = line;
  }

  add(chunk: string): void {
    let rowStart = 0;
    let lineStart = 0;
    for (const { 0: found, index } of chunk.matchAll(/"|\r\n|\n|\r/g)) {
      if (found === '"') {
        this.#isQuoted = !this.#isQuoted;
        continue;
      }
      if (index > 0 || found !== '\n' || !this.#isReturned) this.#lines++;
      if (this.#isQuoted) continue;
      const isBlank = this.#isBlank && index === lineStart;
      lineStart = index + found.length;
      this.#isBlank = true;
      this.line = this.#lines;
      if (isBlank) continue;
      this.characters = 0;
      this.cells = 0;
      rowStart = lineStart;
    }
    this.characters += chunk.length - rowStart;
    if (this.characters > LONG && !this.#isQuoted && !chunk.includes('"')) {
      for (let at = rowStart; (at = chunk.indexOf(this.#delimiter, at) + 1) > 0; ) this.cells++;
    }
    if (chunk.length > lineStart) this.#isBlank = false;
    this.#isReturned = chunk.endsWith('\r');
  }
}
