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
export interface JournalOptions extends Omit<OutboxOptions, 'store'> {
  /** Accepts a file that was put back from a backup (D68). */
  restored?: boolean;
  /** False for the outbox of another command or program, which gets no tables of `send`. @default true */
  isOfSend?: boolean;
}

/**
 * Opens a journal, or creates it. Call `assertSqlite` before.
 *
 * @throws Problem if the file is something else, which is then not changed; if another process has it, or it can't be used.
 */
export async function openJournal(
  file: string,
  { restored = false, isOfSend, ...options }: JournalOptions,
): Promise<Journal> {
  let store: FileStore | undefined;
  try {
    assertJournal(file);
    // It looks at the file before it is opened, and creates it.
    store = sqliteStore(file, { restored });
    const database = openDatabase(file);
    database.exec(SET_UP);
    // Entries are never deleted by default: a created order must not be sent again, however late the file is.
    const tables = new SendTables(database, { isOfSend });
    return new Journal(file, database, tables, createOutbox({ keepCreatedMs: CENTURY_MS, ...options, store }));
  } catch (error) {
    await store?.close();
    throw openProblem(file, error);
  }
}

/** A journal that is only read. */
export interface JournalReader extends Pick<Journal, 'outbox'> {
  /** For what the outbox has no function. */
  database: SqliteDatabase;
  close(): Promise<void>;
}

/**
 * Opens a journal, or another outbox in a file, and changes nothing of it, also while another process uses it. Call
 * `existingJournal` before.
 *
 * @throws Problem if it can't be read.
 */
export async function openReader(file: string, client: OutboxOptions['client']): Promise<JournalReader> {
  let store: FileStore | undefined;
  try {
    // It looks at the file before it is opened.
    store = sqliteStore(file, { readOnly: true });
    // Until after the store is closed.
    const [database, outbox] = [openQuietly(file), createOutbox({ client, store })];
    // SQLite opens the files with the first query.
    database.exec('PRAGMA schema_version');
    return { outbox, database, close: () => outbox.stop().then(() => database.close()) };
  } catch (error) {
    await store?.close();
    throw openProblem(file, error);
  }
}

/** The journal of a file: its outbox, and tables about its orders. */
export class Journal {
  readonly outbox: Outbox;
  readonly tables: SendTables;
  readonly #file: string;
  readonly database: SqliteDatabase;

  constructor(file: string, database: SqliteDatabase, tables: SendTables, outbox: Outbox) {
    this.outbox = outbox;
    this.tables = tables;
    this.#file = file;
    this.database = database;
  }

  /**
   * Notes where the orders are sent, and where their Ids come from (null if the orders have them). An order that is created
   * at one service is not sent to another, and the orders of a journal keep their Ids.
   *
   * @throws Problem if orders would be sent a second time, or not at all, because one of them has changed.
   */
  async use(baseUrl: string, idSource: IdSource | null): Promise<void> {
    await this.#useService(baseUrl);
    if (idSource) await this.#useIds(idSource);
  }

  async #useService(baseUrl: string): Promise<void> {
    const known = this.tables.baseUrl;
    if (known === baseUrl) return;
    const { sent } = this.tables;
    if (known !== undefined && sent > 0) {
      const problem = `${this.#file} has orders that were sent to ${known}, not to ${baseUrl}`;
      const effect = `${counted(sent, 'order')} that may be at the first one would not be sent, or be sent a second time`;
      const move = `If the service has moved: ${CALLED} outbox FILE move --base-url URL.`;
      throw usageProblem(`${problem}: ${effect}`, `For another service use another journal: --outbox FILE. ${move}`);
    }
    await this.tables.setBaseUrl(baseUrl);
  }

  async #useIds(idSource: IdSource): Promise<void> {
    const known = this.tables.idSource;
    if (isDeepStrictEqual(known, idSource)) return;
    // Waiting orders are sent by this run, with their old Ids.
    const doubled = this.tables.mapped;
    if (known && doubled > 0) {
      const problem = `${this.#file} has orders whose Ids come from ${sourceText(known)}, not from ${sourceText(idSource)}`;
      const effect = `${counted(doubled, 'order')} would be sent a second time under new Ids`;
      const hint = 'Restore the mapping. If these are other orders, use another journal: --outbox FILE.';
      throw usageProblem(`${problem}: ${effect}`, hint);
    }
    await this.tables.setIdSource(idSource);
  }

  /** Waits for the orders in flight. */
  async close(): Promise<void> {
    await this.outbox.stop();
    this.database.close();
  }
}

/** Describes a source, for a sentence. */
function sourceText({ namespace, columns }: IdSource): string {
  const names = columns.map((name) => `"${name}"`).join(', ');
  if (namespace !== null) return `the key ${names} in the namespace ${namespace}`;
  return columns.length > 0 ? `the column ${names}` : 'a constant';
}
