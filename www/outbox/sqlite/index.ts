import { check } from '../../client/option-error.js';
import { guarded, isBusy, openDatabase, storeError, type SqliteDatabase } from './database.js';
import { lockFile, lockedError } from './lock.js';
import { OutboxError } from '../errors.js';
import { type FileStore, SqliteStore } from './store.js';

export type { FileStore } from './store.js';
export type { SqliteDatabase } from './database.js';

/** The settings of the store's own connection; the shop sets those of its connection. */
const OWN_FILE = `
PRAGMA busy_timeout = 500;
PRAGMA page_size = 8192;
PRAGMA locking_mode = EXCLUSIVE;
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
`;
const MEMORY = ':memory:';
const FULL = 2;

/**
 * Keeps an outbox in an SQLite file, for one process. Nothing to install: uses `node:sqlite`, of Node 22.13 and later.
 *
 * Given the shop's own open DatabaseSync, keeps it in a table of that database, and `add(order, { transaction: database })`
 * takes part in the transaction that is open there: call it between BEGIN and COMMIT. Its `synchronous` must be FULL, and its
 * `journal_mode` not OFF or MEMORY.
 *
 * Do not open or copy the file by other means while it is in use: see `backup`. `':memory:'` is for tests.
 *
 * @throws OutboxError with `reason` `unsupported` if this Node has no `node:sqlite` or the database is not durable;
 * `locked` if another process uses the file.
 *
 * @example
 * ```js
 * import { sqliteStore } from 'sales-order-intake/outbox/sqlite';
 *
 * const store = sqliteStore('orders.sqlite');
 * await store.backup('orders-copy.sqlite');
 * await store.close();
 * ```
 */
export function sqliteStore(database: string | SqliteDatabase): FileStore {
  const isFile = typeof database === 'string' && database !== '';
  check('/database', isFile || typeof Object(database).prepare === 'function', 'a path, or an open DatabaseSync');
  return isFile ? openFile(database) : useDatabase(database as SqliteDatabase);
}

function openFile(path: string): FileStore {
  if (path === MEMORY) return new SqliteStore(openDatabase(path), undefined, true);
  const lock = lockFile(path);
  let database: SqliteDatabase | undefined;
  try {
    database = openDatabase(path);
    // The lock is taken by the first write.
    database.exec(`${OWN_FILE} BEGIN IMMEDIATE; COMMIT;`);
    return new SqliteStore(database, lock, true);
  } catch (error) {
    database?.close();
    lock.close();
    throw isBusy(error) ? lockedError() : storeError(error);
  }
}

function useDatabase(database: SqliteDatabase): FileStore {
  const { synchronous } = guarded(() => database.prepare('PRAGMA main.synchronous').get()) as { synchronous: number };
  if (synchronous < FULL) throw notDurable(`synchronous is ${synchronous}`, 'FULL');
  const files = guarded(() => database.prepare('PRAGMA database_list').all()) as { name: string; file: string }[];
  const path = files.find(({ name }) => name === 'main')?.file;
  const { journal_mode: mode } = guarded(() => database.prepare('PRAGMA main.journal_mode').get()) as {
    journal_mode: string;
  };
  // A database in memory, for tests, has no other mode.
  if (path && ['off', 'memory'].includes(mode)) throw notDurable(`journal_mode is ${mode}`, 'WAL or DELETE');
  const lock = path ? lockFile(path) : undefined;
  try {
    return new SqliteStore(database, lock, false);
  } catch (error) {
    lock?.close();
    throw storeError(error);
  }
}

function notDurable(problem: string, advice: string): OutboxError {
  const effect = 'an order that was accepted could be lost';
  return new OutboxError('unsupported', `PRAGMA ${problem}: ${effect}. Set it to ${advice}`);
}
