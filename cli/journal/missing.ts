/** Which orders of a shop's own list are not created. */
import type { EntryReason, EntryState, EntrySummary, Outbox } from 'sales-order-intake/outbox';
import type { Invocation } from '../arguments/invocation.js';
import { type Condition, conditionsIn, isMet } from '../files/csv-conditions.js';
import { CsvKeys } from '../files/csv-keys.js';
import { openCsv } from '../files/csv-rows.js';
import { type CsvMapping, parseMapping } from '../files/csv-mapping.js';
import { type Stream, textChunks, wholeText } from '../files/text-chunks.js';
import { counted, nonZero, printableName } from '../output/printable-text.js';
import { showReading } from '../output/progress.js';
import { EXIT, type ExitCode, fileProblem, usageProblem } from '../problem.js';
import { referenceOf } from '../sending/changes.js';
import { idSourceIn } from '../sending/send-tables.js';
import { idsOf, type OpenOutbox } from './selection.js';

/** What is printed of each state, in the order of the summary. If several orders have a key, the first of their states counts. */
const WORDS: Readonly<Record<EntryState | 'missing', string>> = {
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

/** The states in which an order may have been forgotten. */
const FORGETTABLE: EntryState[] = ['created', 'refused', 'stalled', 'cancelled', 'invalid'];

/** An order of the journal. */
interface Found {
  orderId: string | null;
  state: keyof typeof WORDS;
  reason: EntryReason | null;
  status: number | null;
}

const NEVER: Found = { orderId: null, state: 'missing', reason: null, status: null };

/** Compares the keys or Ids in a file with the orders of an outbox. Prints those that are not created. */
export async function missing(invocation: Invocation, opened: OpenOutbox, file: string): Promise<ExitCode> {
  const { out, err } = invocation.terminal;
  showReading(invocation.terminal);
  const map = invocation.text('map');
  const mapping = map === undefined ? undefined : parseMapping(map, await wholeText(map));
  const source = opened.database && idSourceIn(opened.database);
  const namespace = (mapping?.idSource ?? source)?.namespace ?? null;
  const find = finder(opened, namespace);
  let words = WORDS;
  const numbers = Object.fromEntries(STATES.map((state) => [state, 0])) as Record<keyof typeof WORDS, number>;
  let keys = 0;
  const column = invocation.text('column');
  const columns = column === undefined ? mapping?.key : [column];
  const onGuess = (line: string) => err.line(printableName(line));
  let skipped = 0;
  for await (const { key, line, isSkipped } of keysIn(file, { mapping, columns, known: source?.columns, onGuess })) {
    const found = await find(key);
    keys++;
    if (isSkipped && found.state === 'missing') {
      skipped++;
      continue;
    }
    if (found.state === 'missing' && numbers.missing === 0 && (await mayBeForgotten(opened, namespace)))
      words = { ...WORDS, missing: 'never added or forgotten' };
    numbers[found.state]++;
    if (found.state === 'created') continue;
    if (invocation.has('json')) out.json({ file, line, key, ...found });
    else out.line(`${printableName(file)}:${line}: ${printableName(key)}: ${describe(found, words)}`);
    await out.ready();
  }
  if (keys === 0) throw fileProblem(`${file} has no keys`);
  const parts = nonZero({ ...Object.fromEntries(STATES.map((state) => [words[state], numbers[state]])), skipped });
  (invocation.has('json') ? err : out).line(`${counted(keys, 'key')}: ${parts.join(', ')}.`);
  return numbers.created + skipped === keys ? EXIT.done : EXIT.invalid;
}

/** Returns true if an order could have been found only by a reference that `forget` has deleted. */
async function mayBeForgotten({ outbox, database }: OpenOutbox, namespace: string | null): Promise<boolean> {
  if (namespace !== null) return false;
  const sql = 'SELECT 1 FROM outbox_entry WHERE body IS NULL AND reference IS NULL LIMIT 1';
  if (database) return database.prepare(sql).get() !== undefined;
  // Whether a body was deleted would be known only of entries with their contents.
  for await (const { reference } of outbox.list({ states: FORGETTABLE, contents: false }))
    if (reference === null) return true;
  return false;
}

function describe({ state, orderId, reason, status }: Found, words: typeof WORDS): string {
  const why = [reason, status].filter((part) => part !== null).join(' ');
  return `${words[state]}${why && ` (${why})`}${orderId === null ? '' : `, order ${orderId}`}`;
}

/** Returns a function that finds the order with a key: by its Id, or else by its reference. */
function finder({ outbox, database }: OpenOutbox, namespace: string | null): (key: string) => Promise<Found> {
  // The functions of an outbox read the contents, or all references that begin with a key.
  const queryOf = (column: string) => {
    const columns = 'order_id AS orderId, state, reason, status';
    const query = database?.prepare(`SELECT ${columns} FROM outbox_entry WHERE ${column} = ?`);
    return query && ((value: string) => query.all(value) as unknown as Found[]);
  };
  const byId = queryOf('order_id') ?? ((id) => outbox.get(id).then((entry) => (entry ? [foundOf(entry)] : [])));
  const byReference = queryOf('reference') ?? ((reference) => referredTo(reference, outbox));
  return async (key) => {
    for (const id of idsOf(key, namespace)) {
      const [found] = await byId(id);
      if (found) return found;
    }
    // The reference of a long key is its beginning, which others may share.
    const all = key === referenceOf(key) ? await byReference(key) : [];
    const [first = NEVER] = all.sort((a, b) => STATES.indexOf(a.state) - STATES.indexOf(b.state));
    return first;
  };
}

async function referredTo(reference: string, outbox: Outbox): Promise<Found[]> {
  const all: Found[] = [];
  for await (const entry of outbox.list({ reference, contents: false }))
    if (entry.reference === reference) all.push(foundOf(entry));
  return all;
}

function foundOf({ orderId, state, reason, status }: EntrySummary): Found {
  return { orderId, state, reason, status };
}

/** What is known about the keys of a file. */
interface KeyOptions {
  mapping: CsvMapping | undefined;
  /** The columns of the key, if the user names them. */
  columns: readonly string[] | undefined;
  /** The columns that `send` has taken the keys of the journal from. */
  known: readonly string[] | undefined;
  /** Called with a sentence if the user has named no column. */
  onGuess(line: string): void;
}

/** A key of a file, where its rows begin, and whether the mapping skips the order. */
interface Key {
  key: string;
  line: number;
  isSkipped: boolean;
}

/** Reads the keys of a file: of a column, or of a list without columns. Rows of one order follow each other. */
async function* keysIn(file: string, options: KeyOptions): Stream<Key> {
  const { mapping, columns, known = [] } = options;
  const { delimiter, encoding, quote = '"' } = mapping ?? {};
  const expected = { delimiter, quote, columns: columns ?? known, findsDelimiter: !mapping };
  const { pieces } = await openCsv(file, textChunks(file, { encoding }), expected);
  const isList = !columns && !/\.[ct]sv$/i.test(file);
  let keys = isList ? new CsvKeys([{ name: '', index: 0 }]) : undefined;
  let skip: readonly Condition[] = [];
  let current: Key | undefined;
  for await (const piece of pieces) {
    for (const row of piece) {
      const { cells, line } = row;
      if (!keys) {
        keys = new CsvKeys(columnsIn(file, cells, options).map((name) => ({ name, index: cells.indexOf(name) })));
        skip = conditionsIn(cells, mapping?.skip ?? {});
        continue;
      }
      if (isList && cells.length > 1) throw severalColumns(file, cells);
      const key = keys.of(row);
      if (key === '') throw fileProblem(`${file}:${line}:1: the row has no key`);
      const [rounded] = keys.roundedIn(row);
      if (rounded) throw fileProblem(`${file}:${line}:1: a spreadsheet has dropped digits of the key ${rounded.text}`);
      if (key !== current?.key) {
        if (current) yield current;
        current = { key, line, isSkipped: false };
      }
      current.isSkipped ||= skip.some((condition) => isMet(condition, row));
    }
  }
  if (current) yield current;
}

/** Returns the columns of the key. @throws Problem if it is not clear which they are. */
function columnsIn(file: string, names: readonly string[], { columns, known = [], onGuess }: KeyOptions) {
  const missing = columns?.filter((name) => !names.includes(name)) ?? [];
  if (missing.length > 0)
    throw usageProblem(`${file} has no column ${missing.join(', ')}`, `The columns are ${names.join(', ')}.`);
  if (columns) return columns;
  const guess = known.length > 0 && known.every((name) => names.includes(name)) ? known : names;
  if (guess === names && (names.length > 1 || /[;\t|]/.test(names.join()))) throw severalColumns(file, names);
  onGuess(`The keys are in the column ${guess.join(', ')}, which the first line of ${file} names.`);
  return guess;
}

function severalColumns(file: string, cells: readonly string[]) {
  return usageProblem(`${file} has several columns: ${cells.join(', ')}`, '--column names the one with the keys.');
}
