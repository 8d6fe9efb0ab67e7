import { fileProblem, usageProblem } from '../problem.js';
import { CALLED } from '../arguments/program-name.js';
import type { SourceOrder } from './source-order.js';
import { jsonOrders, ndjsonOrders } from './json-orders.js';
import { STDIN, textChunks, wholeText } from './text-chunks.js';

export interface SourceOptions {
  /** The mapping of a CSV file. */
  map: string | undefined;
  format: string | undefined;
}

/** Reads the orders of a file, one at a time. @throws Problem if it can't be read as orders. */
export async function* ordersOf(file: string, options: SourceOptions): AsyncGenerator<SourceOrder, void, void> {
  const format = formatOf(file, options);
  const chunks = notEmpty(file, textChunks(file));
  if (format === 'ndjson') return yield* ndjsonOrders(file, chunks);
  if (format === 'json') return yield* jsonOrders(file, chunks);
  if (options.map === undefined) {
    const hint = `Name the columns in a mapping: --map mapping.json. ${CALLED} check --help describes it.`;
    throw usageProblem(`${file} is CSV, and there is no mapping`, hint);
  }
  // The parser of CSV is only loaded if it is needed.
  const [{ parseMapping }, { csvOrders }] = await Promise.all([import('./csv-mapping.js'), import('./csv-orders.js')]);
  yield* csvOrders(file, chunks, parseMapping(options.map, await wholeText(options.map)));
}

/** The white space of JSON. */
const BLANK = /^[ \t\r\n]*$/;

/** An empty file, or one of blanks, is more likely an export that has failed than one without orders. */
async function* notEmpty(file: string, chunks: AsyncIterable<string>): AsyncGenerator<string, void, void> {
  let isEmpty = true;
  for await (const chunk of chunks) {
    isEmpty &&= BLANK.test(chunk);
    yield chunk;
  }
  if (isEmpty) throw fileProblem(`${file === STDIN ? 'standard input' : `the file ${file}`} is empty`);
}

function formatOf(file: string, { format, map }: SourceOptions): string {
  if (format) return format;
  const extension = /\.(\w+)$/.exec(file)?.[1]?.toLowerCase() ?? '';
  if (extension === 'csv' || extension === 'tsv' || (file === STDIN && map !== undefined)) return 'csv';
  return ['ndjson', 'jsonl'].includes(extension) ? 'ndjson' : 'json';
}
