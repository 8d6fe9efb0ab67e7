import { existsSync, openSync, readSync, closeSync } from 'node:fs';
import { isOutboxError, type Outbox, type OutboxOptions } from 'sales-order-intake/outbox';
import type { SqliteDatabase } from 'sales-order-intake/outbox/sqlite';
import { EXIT } from './exit-code.js';
import { Problem, usageProblem } from './problem.js';

const MAGIC = 'SQLite format 3\0';
const BUSY = 5;
const CENTURY_MS = 36_525 * 86_400_000;

export function journalOf(file: string): string {
  return `${file}.outbox.sqlite`;
}

/** The journal, and what SQLite and the outbox keep beside it. */
export function filesOfJournal(journal: string): string[] {
  return ['', '-wal', '-shm', '-journal', '.outbox-lock'].map((end) => journal + end);
}

/** The journal of a file: its outbox, and where its orders are sent. */
export interface Journal {
  outbox: Outbox;
  /**
   * Notes the service that the orders are sent to. An order that is created at one service is not sent to another.
   *
   * @throws Problem if orders of the journal were sent to another service.
   */
  sendTo(baseUrl: string): Promise<void>;
  /** Finishes what is in flight. */
  close(): Promise<void>;
}

const SET_UP = `
PRAGMA busy_timeout = 500;
PRAGMA page_size = 8192;
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
`;
const TARGET = 'CREATE TABLE IF NOT EXISTS send_target (base_url TEXT NOT NULL)';

/** Opens a journal. @throws Problem if this Node has no SQLite, or another process has the file. */
export async function openJournal(file: string, options: Omit<OutboxOptions, 'store'>): Promise<Journal> {
  const [{ createOutbox }, { sqliteStore }] = await Promise.all([
    import('sales-order-intake/outbox'),
    import('sales-order-intake/outbox/sqlite'),
  ]);
  let database: SqliteDatabase | undefined;
  try {
    database = new (sqlite().DatabaseSync)(file);
    database.exec(SET_UP);
    const store = sqliteStore(database);
    database.exec(TARGET);
    // Never deleted: an order that is created is not to be sent again however late the file is.
    const outbox = createOutbox({ ...options, store, keepCreatedMs: CENTURY_MS });
    return journalOn(file, database, outbox);
  } catch (error) {
    database?.close();
    throw openProblem(file, error);
  }
}

function journalOn(file: string, database: SqliteDatabase, outbox: Outbox): Journal {
  return {
    outbox,
    async sendTo(baseUrl) {
      const known = database.prepare('SELECT base_url FROM send_target').get() as { base_url: string } | undefined;
      if (known?.base_url === baseUrl) return;
      for await (const { outcome } of known ? outbox.list() : []) {
        if (outcome === 'not-created') continue;
        const problem = `${file} has orders that were sent to ${known?.base_url}, not to ${baseUrl}`;
        throw usageProblem(problem, 'For another service use another journal: --outbox FILE.');
      }
      database.exec('DELETE FROM send_target');
      database.prepare('INSERT INTO send_target (base_url) VALUES (?)').run(baseUrl);
    },
    async close() {
      await outbox.stop();
      database.close();
    },
  };
}

function openProblem(file: string, error: unknown): unknown {
  const { errcode, errstr } = (error ?? {}) as { errcode?: number; errstr?: string };
  const isLocked = isOutboxError(error)
    ? error.reason === 'locked'
    : errcode !== undefined && (errcode & 0xff) === BUSY;
  if (isLocked) return usageProblem(`${file} is in use by another process`, 'Wait until that has ended.');
  if (isOutboxError(error)) return usageProblem(`${file} can't be used: ${error.message}`);
  return errcode === undefined ? error : usageProblem(`${file} can't be used as a journal: ${errstr}`);
}

/** Returns the journal that is meant by its own name, or by that of the file that was sent. */
export function existingJournal(file: string): string {
  if (existsSync(file) && isDatabase(file)) return file;
  if (existsSync(journalOf(file))) return journalOf(file);
  if (!existsSync(file)) throw usageProblem(`there is no file ${file}`, 'send makes the journal: FILE.outbox.sqlite.');
  throw usageProblem(`${file} is not a journal of send, and there is no ${journalOf(file)}`);
}

/** @throws Problem if this Node has no SQLite; the commands that need no journal run without. */
export function assertSqlite(command: string): void {
  silenceExperimentalWarning();
  if (sqliteModule()) return;
  const problem = `${command} needs Node 22.13 or later, for its journal in SQLite; this is Node ${process.version.slice(1)}`;
  throw new Problem(problem, EXIT.usage, 'check, preview, request, serve, id, explain and completion run here.');
}

interface Sqlite {
  DatabaseSync: new (file: string) => SqliteDatabase;
}

function sqlite(): Sqlite {
  return sqliteModule() as Sqlite;
}

function sqliteModule(): Sqlite | undefined {
  const { getBuiltinModule } = process as { getBuiltinModule?: (name: string) => unknown };
  return getBuiltinModule?.('node:sqlite') as Sqlite | undefined;
}

/** Node 22 warns of SQLite, which is nothing that the user can act on. */
function silenceExperimentalWarning(): void {
  const original = process.emitWarning;
  process.emitWarning = ((warning: string | Error, ...rest: unknown[]) => {
    if (!String(warning).includes('SQLite')) Reflect.apply(original, process, [warning, ...rest]);
  }) as typeof process.emitWarning;
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
