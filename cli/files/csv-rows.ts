import { CsvError, parse } from 'csv-parse';
import { fileProblem, type Problem, usageProblem } from '../problem.js';
import { type Span, spanIn } from './position.js';
import { CORE_LIMIT, countOf, type Stream } from './text-chunks.js';

/** A cell takes memory even if it is empty. */
const MOST_CELLS = 1 << 20;
/** Excel writes and reads this line in front of the first row; it is not a part of the table. */
const EXCEL = /^sep=([^\r\n])(?:\r\n|\n|\r|$)/i;

/** Matches a number as spreadsheets write one with more digits than they keep: 1.00025E+17. */
export const SCIENTIFIC = /^[+-]?\d+(?:[.,]\d*e[+-]?\d+|e[+-]\d+)$/i;
/** Those that are looked for first if the delimiter is not known. */
const DELIMITERS = [',', ';', '\t', '|'];

/** What is known about a file before it is read. */
interface CsvOptions {
  /** Undefined if it is the default, or named by the file itself. */
  delimiter: string | undefined;
  quote: string | false;
  /** The columns that the mapping names. */
  columns: readonly string[];
  /** Takes the delimiter that separates the columns, as for a file of a look-up. */
  findsDelimiter?: boolean;
}

/** A row of a CSV file: its cells, and how they are written. */
export interface CsvRow {
  /** Without spaces around them. */
  cells: readonly string[];
  /** As the file has it, with the line breaks before and after it. */
  raw: string;
  line: number;
}

/** A cell of a row. */
export interface Cell {
  row: CsvRow;
  /** Undefined for all of the row. */
  index: number | undefined;
}

/** A CSV file with its columns. */
export interface CsvTable {
  /** The names of the columns: some may be empty, or the same. */
  names: readonly string[];
  /** Returns where a cell is; its row if it has no such cell. */
  spanOf(cell: Cell): Span;
  /** The other rows of each piece of the file, without those whose cells are all empty. */
  pieces: Stream<CsvRow[]>;
}

/**
 * Reads the beginning of a CSV file: which delimiter it has. The first line is checked before the parser reads on: with the
 * wrong delimiter, quotes of later lines would be in the middle of a cell.
 *
 * @returns also the rows of each piece of the file, without those whose cells are all empty.
 */
export async function openCsv(file: string, chunks: Stream<string>, options: CsvOptions) {
  const { columns, findsDelimiter, quote } = options;
  const head = await begun(chunks);
  const [excel = '', named] = EXCEL.exec(head) ?? [];
  if (named !== undefined && options.delimiter !== undefined && named !== options.delimiter) {
    const problem = `the first line says sep=${named}, but the delimiter of the mapping is ${JSON.stringify(options.delimiter)}`;
    throw usageProblem(`${file}:1:1: ${problem}`, 'Correct "delimiter" in the mapping, or leave it out.');
  }
  const text = head.slice(excel.length);
  const [line = ''] = text.split(/[\r\n]/, 1);
  const delimiter = options.delimiter ?? named ?? (findsDelimiter ? delimiterIn(line, columns) : ',');
  const other = [';', '\t', ','].find((each) => line.includes(each));
  const unseen = columns.filter((column) => column !== line.trim());
  if (!findsDelimiter && unseen.length > 0 && other !== undefined && !line.includes(delimiter))
    throw noColumns(file, unseen, `Set "delimiter": ${JSON.stringify(other)} in the mapping.`);
  async function* all(): Stream<string> {
    yield text;
    yield* chunks;
  }
  return { delimiter, pieces: rowsOf(file, all(), delimiter, quote, excel === '' ? 1 : 2) };
}

/** Opens a CSV file whose first row names the columns. @throws Problem if one of those that the mapping names is missing, or there twice. */
export async function openTable(file: string, chunks: Stream<string>, options: CsvOptions): Promise<CsvTable> {
  const { columns, findsDelimiter, quote } = options;
  const { delimiter, pieces } = await openCsv(file, chunks, options);
  let [header, ...rows]: CsvRow[] = [];
  while (!header) {
    const { value, done } = await pieces.next();
    if (done) throw fileProblem(`${file} is empty; the first row must name the columns`);
    [header, ...rows] = value;
  }
  const names = header.cells;
  const missing = columns.filter((column) => !names.includes(column));
  if (missing.length > 0) {
    const known = [...new Set(names)].filter((name) => name !== '').map((name) => `"${name}"`);
    throw noColumns(file, missing, `The columns are ${known.join(', ')}.`);
  }
  const spanOf = ({ row, index }: Cell) => spanOfCell(row, index, delimiter, quote);
  const twice = columns.find((column) => names.indexOf(column) !== names.lastIndexOf(column));
  if (twice !== undefined) {
    const [first, last] = [names.indexOf(twice), names.lastIndexOf(twice)];
    const { line, column } = spanOf({ row: header, index: last });
    const problem = `${file}:${line}:${column}: columns ${first + 1} and ${last + 1} are both named "${twice}", which the mapping names`;
    throw (findsDelimiter ? fileProblem : usageProblem)(problem, 'Rename one of them in the file, or delete it.');
  }
  async function* others(): Stream<CsvRow[]> {
    yield rows;
    yield* pieces;
  }
  return { names, spanOf, pieces: others() };
}

/** Reads up to the end of the first row, including a line of Excel before it, or up to the maximum length of a row. */
async function begun(chunks: Stream<string>): Promise<string> {
  const pieces: string[] = [];
  let length = 0;
  let start = '';
  let breaks = 0;
  // A line break may be two characters.
  while (breaks < (start.toLowerCase() === 'sep=' ? 3 : 1) && length <= CORE_LIMIT) {
    const { value, done } = await chunks.next();
    if (done) break;
    start = (start + value.slice(0, 4)).slice(0, 4);
    pieces.push(value);
    length += value.length;
    breaks += value.match(/[\r\n]/g)?.length ?? 0;
  }
  return pieces.join('');
}

/** Returns the delimiter with which the first line has all columns; a comma if there is none. */
function delimiterIn(line: string, columns: readonly string[]): string {
  const names = (delimiter: string) => line.split(delimiter).map((name) => name.trim().replace(/^"(.*)"$/, '$1'));
  // A single column may be a part of a name, such as Order-Id.
  const others = columns.length > 1 ? [...new Set(line)].filter((each) => /[^\p{L}\p{N}\s"]/u.test(each)) : [];
  return [...DELIMITERS, ...others].find((each) => columns.every((column) => names(each).includes(column))) ?? ',';
}

function noColumns(file: string, columns: readonly string[], hint: string): Problem {
  const names = columns.map((name) => `"${name}"`).join(', ');
  return usageProblem(`${file} has no column ${names}, which the mapping names`, hint);
}

/** Reads rows; quoted cells may have line breaks. Each piece of the file is parsed before the next one is asked for. */
async function* rowsOf(
  file: string,
  chunks: Stream<string>,
  delimiter: string,
  quote: string | false,
  firstLine: number,
): Stream<CsvRow[]> {
  const parser = parse({
    delimiter,
    quote,
    ...(quote !== false && { escape: quote }),
    raw: true,
    // Reported with the row, not as the end of the file.
    relax_column_count: true,
    skip_empty_lines: true,
    record_delimiter: ['\r\n', '\n', '\r'],
  });
  // Thrown below.
  parser.on('error', () => {});
  const reader = new RowReader(firstLine);
  /** Of the pieces since the end of a row. */
  let bytes = 0;
  let delimiters = 0;
  try {
    for await (const chunk of chunks) {
      const { line } = reader;
      parser.write(chunk);
      const rows: CsvRow[] = [];
      for (let row = parser.read(); row !== null; row = parser.read()) reader.add(row, rows);
      yield rows;
      if (parser.errored) throw parser.errored;
      const isUnfinished = reader.line === line;
      bytes = isUnfinished ? bytes + new TextEncoder().encode(chunk).length : 0;
      delimiters = isUnfinished ? delimiters + countOf(delimiter, chunk) : 0;
      if (bytes <= CORE_LIMIT && delimiters < MOST_CELLS) continue;
      const most = bytes > CORE_LIMIT ? `${CORE_LIMIT} bytes` : `${MOST_CELLS} cells`;
      const problem = `${file}:${line}:1: the row that begins here has more than ${most}`;
      throw fileProblem(problem, 'Look for a quote that is not closed, or for line breaks that are missing.');
    }
    parser.end();
    const rows: CsvRow[] = [];
    for await (const row of parser) reader.add(row, rows);
    yield rows;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { code, message } = error;
    const raw = `${error.raw}`;
    const before = code === 'CSV_QUOTE_NOT_CLOSED' ? emptyLines(raw) : raw;
    const hint = 'If quotes have no meaning in the file, set "quote": false in the mapping.';
    throw fileProblem(`${file}:${reader.line + breaksIn(before)}:1: ${PROBLEMS[code] ?? message}`, hint);
  }
}

/** A row as the parser has it. */
interface ParsedRow {
  record: string[];
  raw: string;
}

/** Counts lines: the parser counts a line break in a quoted cell twice if it is two characters. */
class RowReader {
  /** The line after the last row. */
  line: number;

  constructor(firstLine: number) {
    this.line = firstLine;
  }

  /** Adds a row, unless all its cells are empty: spreadsheets write rows of delimiters only. */
  add({ record, raw }: ParsedRow, rows: CsvRow[]): void {
    const line = this.line + breaksIn(emptyLines(raw));
    this.line += breaksIn(raw);
    const cells = record.map((cell) => cell.trim());
    if (cells.some((cell) => cell !== '')) rows.push({ cells, raw, line });
  }
}

/** Returns the empty lines in front of a row, which the parser leaves there. */
function emptyLines(raw: string): string {
  return raw.slice(0, Math.max(0, raw.search(/[^\r\n]/)));
}

function breaksIn(text: string): number {
  if (text === '') return 0;
  return countOf('\n', text) + countOf('\r', text) - countOf('\r\n', text);
}

const PROBLEMS: Record<string, string> = {
  CSV_QUOTE_NOT_CLOSED: 'a quoted cell that begins here has no closing quote',
  CSV_INVALID_CLOSING_QUOTE: 'a quote ends a cell that goes on; write a quote inside a quoted cell twice: ""',
  INVALID_OPENING_QUOTE: 'a quote begins in the middle of a cell; put the whole cell into quotes',
};

function spanOfCell({ raw, line }: CsvRow, index: number | undefined, delimiter: string, quote: string | false): Span {
  const first = emptyLines(raw).length;
  let last = raw.length;
  while (last > first && /[\r\n]/.test(raw.charAt(last - 1))) last--;
  const text = raw.slice(first, last);
  const { start, end } = index === undefined ? { start: 0, end: text.length } : cellIn(text, index, delimiter, quote);
  return spanIn(text, { line, column: 1 }, start, end);
}

function cellIn(raw: string, index: number, delimiter: string, quote: string | false): { start: number; end: number } {
  let start = 0;
  let isQuoted = false;
  let cell = 0;
  for (let at = 0; at < raw.length; at++) {
    if (raw[at] === quote) isQuoted = !isQuoted;
    if (raw[at] !== delimiter || isQuoted) continue;
    if (cell === index) return { start, end: at };
    cell++;
    start = at + 1;
  }
  return cell === index ? { start, end: raw.length } : { start: raw.length, end: raw.length };
}
