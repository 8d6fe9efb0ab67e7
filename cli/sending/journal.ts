import { isDeepStrictEqual } from 'node:util';
import { createOutbox, type Outbox, type OutboxOptions } from 'sales-order-intake/outbox';
import { type FileStore, type SqliteDatabase, sqliteStore } from 'sales-order-intake/outbox/sqlite';
import { counted } from '../output/printable-text.js';
import { usageProblem } from '../problem.js';
import { CALLED } from '../arguments/program.js';
import { assertJournal, openQuietly, openDatabase } from './journal-file.js';
import { openProblem } from './journal-problem.js';
import { SendTables } from './send-tables.js';
import type { IdSource } from '../files/csv-mapping.js';

const CENTURY_MS = 36_525 * 86_400_000;

const SET_UP = 'PRAGMA busy_timeout = 500; PRAGMA synchronous = FULL';

/** Options of {@link openJournal}. */
interface JournalOptions extends Omit<OutboxOptions, 'store'> {
  /** Accepts a file that was put back from a backup (D68). */
  restored?: boolean;
  /** False for the outbox of another command or program, which gets no tables of `send`. @default true */
  isOfSend?: boolean;
}

/** A journal that is only read, or another outbox in a file. */
export interface JournalReader {
  outbox: Outbox;
  /** For what the outbox has no function. */
  database: SqliteDatabase;
  /** Waits for the orders in flight. */
  close(): Promise<void>;
}

/** The journal of a file: its outbox, and tables about its orders. */
export interface Journal extends JournalReader {
  tables: SendTables;
}

/**
 * Opens a journal, or creates it. Call `assertSqlite` before.
 *
 * @throws Problem if the file is something else, which is then not changed; if another process has it, or it can't be used.
 */
export function openJournal(
  file: string,
  { restored = false, isOfSend, ...options }: JournalOptions,
): Promise<Journal> {
  // The store looks at the file before it is opened, and creates it.
  const open = () => {
    assertJournal(file);
    return sqliteStore(file, { restored });
  };
  return opened(file, open, (store) => {
    const database = openDatabase(file);
    database.exec(SET_UP);
    const tables = new SendTables(database, { isOfSend });
    // Entries are never deleted by default: a created order must not be sent again, however late the file is.
    return { tables, ...readerOf(database, { keepCreatedMs: CENTURY_MS, ...options, store }) };
  });
}

/**
 * Opens a journal, or another outbox in a file, and changes nothing of it, also while another process uses it. Call
 * `existingJournal` before.
 *
 * @throws Problem if it can't be read.
 */
export function openReader(file: string, client: OutboxOptions['client']): Promise<JournalReader> {
  const open = () => sqliteStore(file, { readOnly: true });
  return opened(file, open, (store) => {
    const reader = readerOf(openQuietly(file), { client, store });
    // SQLite opens the files with the first query.
    reader.database.exec('PRAGMA schema_version');
    return reader;
  });
}

async function opened<Opened>(file: string, open: () => FileStore, use: (store: FileStore) => Opened): Promise<Opened> {
  let store: FileStore | undefined;
  try {
    store = open();
    return use(store);
  } catch (error) {
    await store?.close();
    throw openProblem(file, error);
  }
}

function readerOf(database: SqliteDatabase, options: OutboxOptions): JournalReader {
  const outbox = createOutbox(options);
  return { outbox, database, close: () => outbox.stop().then(() => database.close()) };
}

/**
 * Notes where the orders are sent, and where their Ids come from (null if the orders have them). An order that is created
 * at one service is not sent to another, and the orders of a journal keep their Ids.
 *
 * @throws Problem if orders would be sent a second time, or not at all, because one of them has changed.
 */
export async function useJournal(
  file: string,
  { tables }: Journal,
  baseUrl: string,
  idSource: IdSource | null,
): Promise<void> {
  const [service, ids] = [tables.baseUrl, tables.idSource];
  if (service !== baseUrl) {
    const { sent } = tables;
    if (service !== undefined && sent > 0) {
      const problem = `${file} has orders that were sent to ${service}, not to ${baseUrl}`;
      const effect = `${counted(sent, 'order')} that may be at the first one would not be sent, or be sent a second time`;
      const move = `If the service has moved: ${CALLED} outbox FILE move --base-url URL.`;
      throw usageProblem(`${problem}: ${effect}`, `For another service use another journal: --outbox FILE. ${move}`);
    }
    await tables.setBaseUrl(baseUrl);
  }
  if (!idSource || isDeepStrictEqual(ids, idSource)) return;
  // Waiting orders are sent by this run, with their old Ids.
  const doubled = tables.mapped;
  if (ids && doubled > 0) {
    const problem = `${file} has orders whose Ids come from ${sourceText(ids)}, not from ${sourceText(idSource)}`;
    const effect = `${counted(doubled, 'order')} would be sent a second time under new Ids`;
    const hint = 'Restore the mapping. If these are other orders, use another journal: --outbox FILE.';
    throw usageProblem(`${problem}: ${effect}`, hint);
  }
  await tables.setIdSource(idSource);
}

/** Describes a source, for a sentence. */
function sourceText({ namespace, columns }: IdSource): string {
  const names = columns.map((name) => `"${name}"`).join(', ');
  if (namespace !== null) return `the key ${names} in the namespace ${namespace}`;
  return columns.length > 0 ? `the column ${names}` : 'a constant';
}
