import { OptionError } from 'sales-order-intake';
import { builtinModule } from '../../pkg-template/src/platform/builtin-module.js';
import { OutboxError } from '../errors.js';

/** A value that a statement takes or returns. */
export type SqliteValue = string | number | bigint | null;

/** The DatabaseSync of `node:sqlite`, as far as the store uses it: the types of Node need not be installed. */
export interface SqliteDatabase {
  /** Runs statements without parameters. */
  exec(sql: string): unknown;
  /** Prepares a statement. */
  prepare(sql: string): SqliteStatement;
  /**
   * Opens the database. Not used: other SQLite libraries, whose connections can't be taken, lack it or have a flag of its name.
   * The compiler's error then shows this type.
   */
  open: (() => void) | 'pass a DatabaseSync of node:sqlite, not the connection of another library';
  /** Closes the database. */
  close(): void;
  /** Whether a transaction is open. Missing in Node 22.13 to 22.15. */
  readonly isTransaction?: boolean | undefined;
}

/** The StatementSync of `node:sqlite`, as far as the store uses it. */
export interface SqliteStatement {
  /** Runs the statement. */
  run(...values: SqliteValue[]): SqliteResult;
  /** Returns the first row, or undefined if there is none. */
  get(...values: SqliteValue[]): unknown;
  /** Returns all rows. */
  all(...values: SqliteValue[]): unknown[];
  /** Makes the statement return integers as BigInts. Missing in early versions. */
  setReadBigInts?(isEnabled: boolean): void;
}

/** The result of a statement of `node:sqlite` that changes rows. */
export interface SqliteResult {
  /** The number of changed rows. */
  changes: number | bigint;
}

interface Sqlite {
  DatabaseSync?: new (path: string, options?: { readOnly: boolean }) => SqliteDatabase;
}

const BUSY = 5;
/** The file is damaged, or no database. */
const DAMAGE = [11, 26];

/** Opens a file; errors are SQLite's own. @throws OutboxError if this Node has no SQLite. */
export function openDatabase(path: string, isReadOnly = false): SqliteDatabase {
  const { DatabaseSync } = builtinModule<Sqlite>('node:sqlite') ?? {};
  if (DatabaseSync) return new DatabaseSync(path, { readOnly: isReadOnly });
  const { process } = globalThis as { process?: { version?: string } };
  const here = process?.version ? `this is Node ${process.version}` : 'this platform has no node:sqlite';
  throw new OutboxError('unsupported', `sqliteStore needs Node 22.13 or later; ${here}`);
}

/** Returns true while a transaction is open on this connection. Has no effect on it. */
export function isInTransaction(database: SqliteDatabase): boolean {
  if (typeof database.isTransaction === 'boolean') return database.isTransaction;
  try {
    // Fails, without effect, in a transaction; takes no lock otherwise.
    database.exec('BEGIN');
  } catch (error) {
    if (error instanceof Error && /within a transaction/.test(error.message)) return true;
    throw error;
  }
  database.exec('COMMIT');
  return false;
}

/** Returns the path of the file as SQLite names it; empty for a database in memory. */
export function pathOf(database: SqliteDatabase): string {
  const files = database.prepare('PRAGMA database_list').all() as { name: string; file: string | null }[];
  return files.find(({ name }) => name === 'main')?.file ?? '';
}

/** Runs work; its errors become an {@link OutboxError} without values (D45). */
export function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw storeError(error);
  }
}

const UNCERTAIN = 'It is not certain whether the call took effect; it can be repeated';

/** Returns an {@link OutboxError} whose cause is the error of the database. */
export function storeError(error: unknown, subject = 'The database of the outbox failed', advice = UNCERTAIN): Error {
  if (error instanceof OutboxError || error instanceof OptionError) return error;
  const { errcode, errstr, name, code } = (error ?? {}) as {
    [member in 'errstr' | 'name' | 'code']?: string;
  } & { errcode?: number };
  const [problem, ownCode] =
    typeof errcode === 'number'
      ? [`${errstr ?? 'unknown error'} (SQLite ${errcode})`, `SQLITE_${errcode}`]
      : [name ?? 'unknown error', code];
  return new OutboxError('store', `${subject}: ${problem}. ${advice}`, { code: ownCode, cause: error });
}

/** Returns true for "database is locked", with any extended code. */
export function isBusy(error: unknown): boolean {
  return primaryCode(error) === BUSY;
}

/** Returns true if a file is no sound database. */
export function isDamage(error: unknown): boolean {
  return DAMAGE.includes(primaryCode(error));
}

function primaryCode(error: unknown): number {
  const { errcode } = (error ?? {}) as { errcode?: number };
  return typeof errcode === 'number' ? errcode & 0xff : 0;
}
