import { type CsvError, parse } from 'csv-parse';
import { fileProblem, Problem, usageProblem } from '../problem.js';
import { type Span, spanIn } from './position.js';
import type { CsvMapping } from './csv-mapping.js';
import { CORE_LIMIT, type Stream } from './text-chunks.js';

/** A cell takes memory even if it is empty. */
const MOST_CELLS = 1 << 20;
const LINE_BREAKS = /\r\n|\n|\r/g;
/** Excel writes and reads this line in front of the first row; it is not a part of the table. */
const EXCEL = /^sep=([^\r\n])(?:\r\n|\n|\r|$)/i;

/** A row of a CSV file: its cells, and how they are written. */
export interface CsvRow {
  cells: readonly string[];
  raw: string;
  line: number;
}

/**
 * Reads the beginning of a CSV file: which delimiter it has. The first line is checked before the parser reads on: with the
 * wrong delimiter, quotes of later lines would be in the middle of a cell.
 *
 * @returns also the rows, without those whose cells are all empty. The first one has the names of the columns.
 */
export async function openCsv(file: string, chunks: Stream<string>, mapping: CsvMapping) {
  const head = await begun(chunks);
  const [excel = '', named] = EXCEL.exec(head) ?? [];
  if (named !== undefined && mapping.delimiter !== undefined && named !== mapping.delimiter) {
    const problem = `the first line says sep=${named}, but the delimiter of the mapping is ${JSON.stringify(mapping.delimiter)}`;
    throw usageProblem(`${file}:1:1: ${problem}`, 'Correct "delimiter" in the mapping, or leave it out.');
  }
  const delimiter = mapping.delimiter ?? named ?? ',';
  const text = head.slice(excel.length);
  checkDelimiter(file, text, mapping, delimiter);
  async function* all(): Stream<string> {
    yield text;
    yield* chunks;
  }
  return { delimiter, rows: filled(rowsOf(file, all(), delimiter, excel === '' ? 1 : 2)) };
}

/** Leaves out rows of delimiters only, which spreadsheets write. */
async function* filled(rows: Stream<CsvRow>): Stream<CsvRow> {
  for await (const row of rows) if (row.cells.some((cell) => cell.trim() !== '')) yield row;
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

function checkDelimiter(file: string, head: string, mapping: CsvMapping, delimiter: string): void {
  const [line = ''] = head.split(LINE_BREAKS, 1);
  const missing = mapping.columns.filter((column) => column !== line.trim());
  const other = [';', '\t', ','].find((each) => line.includes(each));
  if (missing.length === 0 || other === undefined || line.includes(delimiter)) return;
  throw missingColumns(file, missing, `Set "delimiter": ${JSON.stringify(other)} in the mapping.`);
}

export function missingColumns(file: string, columns: readonly string[], hint: string): Problem {
  const names = columns.map((name) => `"${name}"`).join(', ');
  return usageProblem(`${file} has no column ${names}, which the mapping names`, hint);
}

/** The row that the parser is reading: the part of its state that is used. Its types lack it. */
interface Reading {
  state: { record: readonly string[]; rawBuffer: { length: number; toString(encoding: string): string } };
}

/** Reads rows; quoted cells may have line breaks. Each piece is parsed before the next one is asked for. */
async function* rowsOf(file: string, chunks: Stream<string>, delimiter: string, firstLine: number): Stream<CsvRow> {
  const parser = parse({
    delimiter,
    raw: true,
    // Reported with the row, not as the end of the file.
    relax_column_count: true,
    skip_empty_lines: true,
    record_delimiter: ['\r\n', '\n', '\r'],
  });
  const { state } = parser as unknown as Reading;
  // Thrown below.
  parser.on('error', () => {});
  let line = firstLine;
  const placed = ({ record: cells, raw }: { record: string[]; raw: string }): CsvRow => {
    // The parser leaves empty lines before the row.
    const [empty = ''] = /^[\r\n]*/.exec(raw) ?? [];
    let end = raw.length;
    while (end > empty.length && '\r\n'.includes(raw.charAt(end - 1))) end--;
    const row = { cells, raw: raw.slice(empty.length, end), line: line + breaksIn(empty) };
    line += breaksIn(raw);
    return row;
  };
  try {
    for await (const chunk of chunks) {
      parser.write(chunk);
      for (let row = parser.read(); row !== null; row = parser.read()) yield placed(row);
      if (parser.errored) throw parser.errored;
      const isLong = state.rawBuffer.length > CORE_LIMIT;
      if (!isLong && state.record.length <= MOST_CELLS) continue;
      const { line } = placed({ record: [], raw: state.rawBuffer.toString('utf8') });
      const most = isLong ? `${CORE_LIMIT} bytes` : `${MOST_CELLS} cells`;
      const problem = `${file}:${line}:1: the row that begins here has more than ${most}`;
      throw fileProblem(problem, 'Look for a quote that is not closed, or for line breaks that are missing.');
    }
    parser.end();
    for await (const row of parser) yield placed(row);
  } catch (error) {
    if (error instanceof Problem) throw error;
    const { code = '', message } = error as CsvError;
    const raw = state.rawBuffer.toString('utf8');
    const isOpen = code === 'CSV_QUOTE_NOT_CLOSED';
    const at = isOpen ? placed({ record: [], raw }).line : line + breaksIn(raw);
    throw fileProblem(`${file}:${at}:1: ${PROBLEMS[code] ?? message}`);
  }
}

const PROBLEMS: Record<string, string> = {
  CSV_QUOTE_NOT_CLOSED: 'a quoted cell that begins here has no closing quote',
  CSV_INVALID_CLOSING_QUOTE: 'a quote ends a cell that goes on; write a quote inside a quoted cell twice: ""',
  INVALID_OPENING_QUOTE: 'a quote begins in the middle of a cell; put the whole cell into quotes',
};

function breaksIn(text: string): number {
  let breaks = 0;
  // A loop, because an array of the matches may be larger than the text.
  while (LINE_BREAKS.test(text)) breaks++;
  return breaks;
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
