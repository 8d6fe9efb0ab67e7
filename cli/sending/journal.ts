import { chmodSync, closeSync, existsSync, openSync, readSync, realpathSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { createOutbox, type ErrorEvent, type Outbox, OutboxError, type OutboxOptions } from 'sales-order-intake/outbox';
import { type SqliteDatabase, sqliteStore } from 'sales-order-intake/outbox/sqlite';
import { builtinModule } from '../../www/platform/builtin-module.js';
import { counted } from '../output/printable-text.js';
import { PRIVATE } from '../files/distinct-files.js';
import { EXIT, Problem, usageProblem } from '../problem.js';
import { CALLED } from '../arguments/program.js';
import { SendTables } from './send-tables.js';
import { meaningOf } from './store-failure.js';
import type { IdSource } from '../files/csv-mapping.js';

const MAGIC = 'SQLite format 3\0';
const BUSY = 5;
/** A disk that fails or is full. */
const DISK_ERRORS = [10, 13];
const CENTURY_MS = 36_525 * 86_400_000;
const LOCK = '.outbox-lock';

export function journalOf(file: string): string {
  return `${file}.outbox.sqlite`;
}

/** Returns the journal, and the files that SQLite and the outbox keep beside it. */
export function filesOfJournal(journal: string): string[] {
  return ['', '-wal', '-shm', '-journal', LOCK].map((end) => journal + end);
}

/** Deleted data is overwritten, because it is personal. */
const SET_UP = `
PRAGMA busy_timeout = 500;
PRAGMA page_size = 8192;
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
PRAGMA secure_delete = ON;
`;

/** Opens a journal. Call {@link assertSqlite} before. @throws Problem if another process has the file, or it can't be used. */
export async function openJournal(file: string, options: Omit<OutboxOptions, 'store'>): Promise<Journal> {
  let database: SqliteDatabase | undefined;
  try {
    createPrivately(file);
    database = new (sqlite() as Sqlite).DatabaseSync(file);
    database.exec(SET_UP);
    const store = sqliteStore(database);
    // Entries are never deleted by default: a created order must not be sent again, however late the file is.
    return new Journal(file, database, createOutbox({ keepCreatedMs: CENTURY_MS, ...options, store }));
  } catch (error) {
    database?.close();
    throw openProblem(file, error);
  }
}

/** The journal of a file: its outbox, and tables about its orders. */
export class Journal {
  readonly outbox: Outbox;
  readonly tables: SendTables;
  readonly #file: string;
  readonly #database: SqliteDatabase;

  constructor(file: string, database: SqliteDatabase, outbox: Outbox) {
    this.outbox = outbox;
    this.tables = new SendTables(database);
    this.#file = file;
    this.#database = database;
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
    let doubled = 0;
    if (known) {
      for await (const { orderId, state, outcome } of this.outbox.list({ contents: false })) {
        // Waiting orders are sent by this run, with their old Ids.
        if (this.tables.keyOf(orderId) !== null && (state === 'waiting' || outcome !== 'not-created')) doubled++;
      }
    }
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
    this.#database.close();
  }
}

/** Describes a source, for a sentence. */
function sourceText({ namespace, columns }: IdSource): string {
  const names = columns.map((name) => `"${name}"`).join(', ');
  if (namespace !== null) return `the key ${names} in the namespace ${namespace}`;
  return columns.length > 0 ? `the column ${names}` : 'a constant';
}

/**
 * Creates the files that do not exist yet, and makes those of earlier versions private. SQLite gives the files that it
 * creates later the mode of the database.
 */
function createPrivately(file: string): void {
  try {
    createOne(file);
    const real = realpathSync(file);
    createOne(`${real}${LOCK}`);
    for (const each of filesOfJournal(real)) if (existsSync(each)) chmodSync(each, PRIVATE);
  } catch {
    // Opening the database reports the reason.
  }
}

function createOne(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, 'a', PRIVATE));
}

function openProblem(file: string, error: unknown): unknown {
  const { errcode, errstr } = sqliteError(error);
  const isLocked = error instanceof OutboxError ? error.reason === 'locked' : primary(errcode) === BUSY;
  if (isLocked) return usageProblem(`${file} is in use by another process`, 'Wait until that has ended.');
  if (DISK_ERRORS.includes(primary(errcode))) return unwritable(file, errcode, errstr);
  if (error instanceof OutboxError) return usageProblem(`${file} can't be used: ${error.message}`);
  return errcode === undefined ? error : usageProblem(`${file} can't be used as a journal: ${errstr}`);
}

/** Returns a Problem with exit code 5 if an open journal can't be written, on a full disk for example; else the error (D62). */
export function writeProblem(file: string, error: unknown): unknown {
  const { errcode, errstr } = sqliteError(error);
  const isOfStore = error instanceof OutboxError ? error.reason === 'store' : errcode !== undefined;
  return isOfStore ? unwritable(file, errcode, errstr) : error;
}

/** As {@link writeProblem}, for errors that the outbox retries for ever. Returns null if another process has locked the file. */
export function retriedProblem(file: string, { operation, code }: ErrorEvent): Problem | null {
  const [, digits] = /^SQLITE_(\d+)$/.exec(code ?? '') ?? [];
  const errcode = digits === undefined ? undefined : Number(digits);
  const isOfStore = operation !== 'handler' && operation !== 'send' && primary(errcode) !== BUSY;
  return isOfStore ? unwritable(file, errcode) : null;
}

/** Returns a Problem for a failure of the disk or the file, not of the command: the next run may find space. */
function unwritable(file: string, errcode: number | undefined, text?: string): Problem {
  const other = errcode === undefined ? 'it may have been deleted or replaced' : `SQLite ${errcode}`;
  const meaning = meaningOf(`SQLITE_${primary(errcode)}`) ?? text ?? other;
  return new Problem(`${file} can't be written: ${meaning}`, EXIT.unknown);
}

/** Returns the error of SQLite, which may be the cause of an error of the outbox. */
function sqliteError(error: unknown): { errcode?: number; errstr?: string } {
  return ((error instanceof OutboxError ? error.cause : error) ?? {}) as ReturnType<typeof sqliteError>;
}

/** Returns the primary code of an extended one. */
function primary(errcode = 0): number {
  return errcode & 0xff;
}

/** Returns the journal that a user names by its own name, or by that of the file that was sent. */
export function existingJournal(file: string): string {
  if (existsSync(file) && isDatabase(file)) return file;
  if (existsSync(journalOf(file))) return journalOf(file);
  if (!existsSync(file)) throw usageProblem(`there is no file ${file}`, 'send makes the journal: FILE.outbox.sqlite.');
  throw usageProblem(`${file} is not a journal of send, and there is no ${journalOf(file)}`);
}

/** Read before the database is opened: reading it afterwards would break its lock. */
function isDatabase(file: string): boolean {
  const bytes = Buffer.alloc(MAGIC.length);
  const descriptor = openSync(file, 'r');
  try {
    return readSync(descriptor, bytes, 0, bytes.length, 0) === bytes.length && bytes.toString('latin1') === MAGIC;
  } finally {
    closeSync(descriptor);
  }
}

/** @throws Problem if this Node has no SQLite; the commands that need no journal run without. */
export function assertSqlite(command: string): void {
  silenceExperimentalWarning();
  if (sqlite()) return;
  const problem = `${command} needs Node 22.13 or later, for its journal in SQLite; this is Node ${process.version.slice(1)}`;
  throw new Problem(problem, EXIT.usage, 'check, preview, request, serve, id, explain and completion run here.');
}

type Sqlite = { DatabaseSync: new (file: string) => SqliteDatabase };

const sqlite = () => builtinModule<Sqlite>('node:sqlite');

/** Hides the warning of Node 22 about SQLite, which the user can't act on. */
function silenceExperimentalWarning(): void {
  const original = process.emitWarning;
  process.emitWarning = ((warning: string | Error, ...rest: unknown[]) => {
    if (!String(warning).includes('SQLite')) Reflect.apply(original, process, [warning, ...rest]);
  }) as typeof process.emitWarning;
}
