import type { Issue } from 'sales-order-intake';
import type { FILE_CODES } from './order-issue.js';
import type { Part, Position, Span } from './position.js';
import type { IdSource } from './csv-mapping.js';
import { fileProblem, usageProblem } from '../problem.js';
import { CALLED } from '../arguments/program.js';
import { jsonOrders, ndjsonOrders } from './json-orders.js';
import { STDIN, type Stream, textChunks, wholeText } from './text-chunks.js';

/** An order of a file. */
export interface SourceOrder {
  /** As `-` for standard input. */
  file: string;
  /** JSON, with every digit as the file has it. */
  json: string;
  /** The value of the mapping's key, which identifies the order in its file; null without a mapping, or if the cell is empty. */
  key: string | null;
  /** Where the Id comes from; null if the file has it as a member of the order. */
  idSource: IdSource | null;
  /** Where the order begins. */
  start: Position;
  /** Issues of the file rather than of the order. An order with an error among them is not sent. */
  fileIssues: readonly FileIssue[];
  /** Finds the value at a path, or the nearest record that contains it. */
  spanOf(path: readonly (string | number)[], part: Part): Span;
  /** Finds a character of `json` by its line and its code points in that line. */
  spanInJson(position: Position): Span;
  /** Replaces the hint of an issue if the file has another notation than JSON. */
  hintOf?(issue: Issue): string | undefined;
}

/** An issue that only files can have. */
export interface FileIssue {
  code: keyof typeof FILE_CODES;
  message: string;
  hint?: string | undefined;
  span: Span;
}

/**
 * Reads the orders of a file, one at a time.
 *
 * @param map The file of the mapping of CSV.
 * @throws Problem if it can't be read as orders.
 */
export async function* ordersOf(file: string, map?: string, format = formatOf(file, map)): Stream<SourceOrder> {
  const chunks = notEmpty(file, textChunks(file));
  if (format === 'ndjson') return yield* ndjsonOrders(file, chunks);
  if (format === 'json') return yield* jsonOrders(file, chunks);
  if (map === undefined) {
    const hint = `Name the columns in a mapping: --map mapping.json. ${CALLED} check --help describes it.`;
    throw usageProblem(`${file} is CSV, and there is no mapping`, hint);
  }
  // The parser of CSV is only loaded if it is needed.
  const [{ parseMapping }, { csvOrders }] = await Promise.all([import('./csv-mapping.js'), import('./csv-orders.js')]);
  yield* csvOrders(file, chunks, parseMapping(map, await wholeText(map)));
}

/** The white space of JSON. */
const BLANK = /^[ \t\r\n]*$/;

/** Throws for an empty or blank file, which is more likely a failed export than one without orders. */
async function* notEmpty(file: string, chunks: Stream<string>): Stream<string> {
  let isEmpty = true;
  for await (const chunk of chunks) {
    isEmpty &&= BLANK.test(chunk);
    yield chunk;
  }
  if (isEmpty) throw fileProblem(`${file === STDIN ? 'standard input' : `the file ${file}`} is empty`);
}

function formatOf(file: string, map: string | undefined): string {
  const extension = /\.(\w+)$/.exec(file)?.[1]?.toLowerCase() ?? '';
  if (extension === 'csv' || extension === 'tsv' || (file === STDIN && map !== undefined)) return 'csv';
  return ['ndjson', 'jsonl'].includes(extension) ? 'ndjson' : 'json';
}
