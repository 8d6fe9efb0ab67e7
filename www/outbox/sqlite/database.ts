import { OutboxError } from '../errors.js';

/** What this store uses of the DatabaseSync of `node:sqlite`. */
export interface SqliteDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): {
    run(...values: (string | number | null)[]): { changes: number | bigint };
    get(...values: (string | number | null)[]): unknown;
    all(...values: (string | number | null)[]): unknown[];
  };
  close(): void;
}

interface Sqlite {
  DatabaseSync: new (path: string) => SqliteDatabase;
}

const BUSY = 5;

/** Opens a file. @throws OutboxError if this Node has no SQLite, or the file can't be opened. */
export function openDatabase(path: string): SqliteDatabase {
  const { DatabaseSync } = sqlite();
  return guarded(() => new DatabaseSync(path));
}

function sqlite(): Sqlite {
  const { process } = globalThis as {
    process?: { version?: string; getBuiltinModule?: (name: string) => unknown };
  };
  const found = process?.getBuiltinModule?.('node:sqlite') as Sqlite | undefined;
  if (found?.DatabaseSync) return found;
  const here = process?.version ? `this is Node ${process.version}` : 'this platform has no node:sqlite';
  throw new OutboxError('unsupported', `sqliteStore needs Node 22.13 or later; ${here}`);
}

/** Runs work; its errors become an {@link OutboxError} without values (D45). */
export function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw storeError(error);
  }
}

export function storeError(error: unknown): unknown {
  const { errcode, errstr } = (error ?? {}) as { errcode?: number; errstr?: string };
  if (typeof errcode !== 'number') return error;
  const problem = `The database of the outbox failed: ${errstr ?? 'unknown error'} (SQLite ${errcode})`;
  const message = `${problem}. It is not certain whether the call took effect; it can be repeated`;
  return new OutboxError('store', message, { code: `SQLITE_${errcode}` });
}

/** Returns true for "database is locked", with any extended code. */
export function isBusy(error: unknown): boolean {
  const { errcode } = (error ?? {}) as { errcode?: number };
  return typeof errcode === 'number' && (errcode & 0xff) === BUSY;
}

/** Returns true if a transaction could not begin because the caller has one open on this connection. */
export function isNested(error: unknown): boolean {
  return error instanceof Error && /within a transaction/.test(error.message);
}
