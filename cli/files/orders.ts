import type { PreviewOptions } from 'sales-order-intake';
import { CALLED } from '../arguments/program.js';
import { fileProblem, usageProblem } from '../problem.js';
import { jsonOrders, ndjsonOrders } from './json-orders.js';
import type { CsvMapping } from './csv-mapping.js';
import type { SourceOrder } from './source-order.js';
import { STDIN, type Stream, textChunks, wholeText } from './text-chunks.js';

/**
 * Reads the orders of a file, one at a time.
 *
 * @param options With `strict`, warnings about the file are errors.
 * @param map The file of the mapping of CSV.
 * @throws Problem if it can't be read as orders.
 */
export async function ordersOf(
  file: string,
  options: PreviewOptions,
  map?: string,
  format = formatOf(file, map),
): Promise<Stream<SourceOrder>> {
  if (format === 'ndjson') return ndjsonOrders(file, notEmpty(file, textChunks(file)));
  if (format === 'json') return jsonOrders(file, notEmpty(file, textChunks(file)));
  if (map === undefined) {
    const hint = `Name the columns in a mapping: --map mapping.json. ${CALLED} check --help describes it.`;
    throw usageProblem(`${file} is CSV, and there is no mapping`, hint);
  }
  // The parser of CSV is only loaded if it is needed.
  const [{ csvOrders }, { readLookups }] = await Promise.all([import('./csv-orders.js'), import('./csv-lookups.js')]);
  const mapping = await mappingIn(map);
  await readLookups(mapping.lookups);
  const chunks = notEmpty(file, textChunks(file, mapping));
  return closing(chunks, csvOrders(file, chunks, mapping, options));
}

/** Closes the file after an error, too: standard input that goes on would keep the process alive. */
async function* closing(chunks: Stream<string>, orders: Stream<SourceOrder>): Stream<SourceOrder> {
  try {
    yield* orders;
  } finally {
    await chunks.return();
  }
}

/** Reads a mapping. @throws Problem with the position of what is wrong. */
async function mappingIn(file: string): Promise<CsvMapping> {
  const { parseMapping } = await import('./csv-mapping.js');
  return parseMapping(file, await wholeText(file));
}

/** Returns the files that a mapping looks values up in. */
export async function filesOfMapping(file: string): Promise<string[]> {
  return [...new Set((await mappingIn(file)).lookups.map((lookup) => lookup.file))];
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
  if (['ndjson', 'jsonl'].includes(extension)) return 'ndjson';
  return extension === 'csv' || extension === 'tsv' || (extension !== 'json' && map !== undefined) ? 'csv' : 'json';
}
