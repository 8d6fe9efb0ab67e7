/** Which orders of a shop's own list are not created. */
import { deriveOrderId, parseGuid } from 'sales-order-intake';
import type { EntryReason, EntryState } from 'sales-order-intake/outbox';
import type { SqliteDatabase } from 'sales-order-intake/outbox/sqlite';
import type { Invocation } from '../arguments/invocation.js';
import { openCsv, SCIENTIFIC } from '../files/csv-rows.js';
import { type CsvMapping, type IdSource, parseMapping } from '../files/csv-mapping.js';
import { type Stream, textChunks, wholeText } from '../files/text-chunks.js';
import { counted, nonZero, printable } from '../output/printable-text.js';
import { EXIT, type ExitCode, fileProblem, usageProblem } from '../problem.js';
import { referenceOf } from '../sending/changes.js';
import type { JournalReader } from '../sending/journal.js';
import { idSourceIn } from '../sending/send-tables.js';

/** What is printed of each state, in the order of the summary. If several orders have a key, the first of their states counts. */
const WORDS: Record<EntryState | 'missing', string> = {
  created: 'created',
  sending: 'being sent',
  waiting: 'waiting',
  stalled: 'stalled',
  invalid: 'invalid',
  refused: 'refused',
  cancelled: 'cancelled',
  missing: 'never added',
};
const STATES = Object.keys(WORDS) as (keyof typeof WORDS)[];

/** An order of the journal. */
interface Found {
  orderId: string | null;
  state: keyof typeof WORDS;
  reason: EntryReason | null;
  status: number | null;
}

const NEVER: Found = { orderId: null, state: 'missing', reason: null, status: null };

/** Compares the keys or Ids in a file with the orders of a journal. Prints those that are not created. */
export async function missing(invocation: Invocation, { database }: JournalReader, file: string): Promise<ExitCode> {
  const { out, err } = invocation.terminal;
  const map = invocation.text('map');
  const mapping = map === undefined ? undefined : parseMapping(map, await wholeText(map));
  const source = idSourceIn(database);
  const find = finder(database, (mapping?.idSource ?? source)?.namespace ?? null);
  const numbers = Object.fromEntries(STATES.map((state) => [state, 0])) as Record<keyof typeof WORDS, number>;
  let keys = 0;
  const given = invocation.text('column');
  const columns = given === undefined ? mapping?.key : [given];
  for await (const { key, line } of keysIn(
    file,
    columnsFor(invocation, columns, source),
    mapping,
    columns ?? source?.columns,
  )) {
    const found = find(key);
    keys++;
    numbers[found.state]++;
    if (found.state === 'created') continue;
    if (invocation.has('json')) out.json({ file, line, key, ...found });
    else out.line(printable(`${file}:${line}: ${key}: ${describe(found)}`));
    await out.ready();
  }
  if (keys === 0) throw fileProblem(`${file} has no keys`);
  const parts = nonZero(Object.fromEntries(STATES.map((state) => [WORDS[state], numbers[state]])));
  (invocation.has('json') ? err : out).line(`${counted(keys, 'key')}: ${parts.join(', ')}.`);
  return numbers.created === keys ? EXIT.done : EXIT.invalid;
}

function describe({ state, orderId, reason, status }: Found): string {
  const why = [reason, status].filter((part) => part !== null).join(' ');
  return `${WORDS[state]}${why && ` (${why})`}${orderId === null ? '' : `, order ${orderId}`}`;
}

/** Returns a function that finds the order with a key: by its Id, or else by its reference. */
function finder(database: SqliteDatabase, namespace: string | null): (key: string) => Found {
  const select = 'SELECT order_id AS orderId, state, reason, status FROM outbox_entry';
  const byId = database.prepare(`${select} WHERE order_id = ?`);
  const byReference = database.prepare(`${select} WHERE reference = ?`);
  return (key) => {
    const id = parseGuid(key) ?? (namespace === null ? null : deriveOrderId(namespace, key));
    const found = id === null ? undefined : byId.get(id);
    // The reference of a long key is its beginning, which others may share.
    const all = (found ? [found] : key === referenceOf(key) ? byReference.all(key) : []) as Found[];
    const [first = NEVER] = all.sort((a, b) => STATES.indexOf(a.state) - STATES.indexOf(b.state));
    return { ...first };
  };
}

/** Returns the columns of the key, of those that a file has; null for a file without names of columns. */
type ColumnsOf = ((names: readonly string[]) => readonly string[]) | null;

function columnsFor(
  invocation: Invocation,
  given: readonly string[] | undefined,
  source: IdSource | undefined,
): ColumnsOf {
  const [, , file = ''] = invocation.operands;
  if (!given && !/\.[ct]sv$/i.test(file)) return null;
  return (names) => {
    const known = names.map((name) => `"${name}"`).join(', ');
    const unknown = given?.find((name) => !names.includes(name));
    if (unknown !== undefined) throw usageProblem(`${file} has no column "${unknown}"`, `The columns are ${known}.`);
    if (given) return given;
    const ofSource = source?.columns ?? [];
    const columns = ofSource.length > 0 && ofSource.every((name) => names.includes(name)) ? ofSource : names;
    if (columns !== names || (names.length === 1 && !/[;\t|]/.test(known))) {
      const which = columns.map((name) => `"${name}"`).join(', ');
      invocation.terminal.err.line(
        printable(`The keys are in the column ${which}, which the first line of ${file} names.`),
      );
      return columns;
    }
    throw usageProblem(`${file} has several columns: ${known}`, '--column names the one with the keys.');
  };
}

/** Reads the keys of a file. Rows of one order follow each other. */
async function* keysIn(
  file: string,
  columnsOf: ColumnsOf,
  mapping: CsvMapping | undefined,
  expected: readonly string[] = [],
): Stream<{ key: string; line: number }> {
  const { delimiter, encoding, quote = '"' } = mapping ?? {};
  const options = { delimiter, quote, columns: expected, findsDelimiter: !mapping };
  const { pieces } = await openCsv(file, textChunks(file, { encoding }), options);
  let indexes = columnsOf ? undefined : [0];
  let last: string | undefined;
  for await (const piece of pieces) {
    for (const { cells, line } of piece) {
      if (!indexes) {
        indexes = columnsOf?.(cells).map((name) => cells.indexOf(name)) ?? [];
        continue;
      }
      if (!columnsOf && cells.length > 1)
        throw usageProblem(`${file}:${line}:1: the line has several columns`, '--column names the one with the keys.');
      const values = indexes.map((index) => cells[index] ?? '');
      if (values.includes('')) throw fileProblem(`${file}:${line}:1: the row has no key`);
      const rounded = values.find((value) => SCIENTIFIC.test(value));
      if (rounded) throw fileProblem(`${file}:${line}:1: a spreadsheet has dropped digits of the key ${rounded}`);
      const key = values.length === 1 ? (values[0] as string) : JSON.stringify(values);
      if (key !== last) yield { key, line };
      last = key;
    }
  }
}
