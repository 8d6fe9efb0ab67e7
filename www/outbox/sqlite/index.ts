import { check, checkNames, copyOptions } from '../../options/check.js';
import { LONGEST_TIMER_MS } from '../../platform/platform.js';
import { guarded, isBusy, isInTransaction, openDatabase, storeError, type SqliteDatabase } from './database.js';
import { lockFile, lockedError } from './lock.js';
import { OutboxError } from '../errors.js';
import { type FileStore, SqliteStore } from './store.js';

export type { FileStore } from './store.js';
export type { SqliteDatabase, SqliteResult, SqliteStatement, SqliteValue } from './database.js';

/** Options of {@link sqliteStore}. */
export interface SqliteOptions {
  /**
   * Milliseconds that a write waits while another connection locks the database or the shop has a transaction open on its
   * connection. After that it is an OutboxError with the reason `store`.
   * @default 5000
   */
  busyTimeoutMs?: number | undefined;
}

/** Makes a commit survive a power cut on macOS too; other systems ignore it. */
const FLUSH = 'PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON;';
/** The settings of the store's own connection. */
const OWN_FILE = `
PRAGMA busy_timeout = 500;
PRAGMA page_size = 8192;
PRAGMA locking_mode = EXCLUSIVE;
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
${FLUSH}
`;
const MEMORY = ':memory:';
const FULL = 2;

/**
 * Keeps an outbox in an SQLite file, for one process. Nothing to install: uses `node:sqlite`, of Node 22.13 and later.
 *
 * Given the shop's own open DatabaseSync, keeps it in a table of that database, and `add(order, { transaction: database })`
 * takes part in the transaction that is open there: call it between BEGIN and COMMIT. Its `synchronous` must be FULL, and its
 * `journal_mode` not OFF or MEMORY; `fullfsync` is set. While a transaction is open there, `add` and `replace` without
 * `transaction` are an OptionError, and other writes of the outbox wait for its end.
 *
 * Do not open or copy the file by other means while it is in use: see `backup`. `':memory:'` is for tests.
 *
 * @throws OptionError if an option is wrong, or a transaction is open on `database`.
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
export function sqliteStore(database: string | SqliteDatabase, options: SqliteOptions = {}): FileStore {
  const isFile = typeof database === 'string' && database !== '';
  check('/database', isFile || typeof Object(database).prepare === 'function', 'a path, or an open DatabaseSync');
  const given = copyOptions(options);
  checkNames('', Object.keys(given), ['busyTimeoutMs']);
  const { busyTimeoutMs = 5000 } = given;
  const isValid = typeof busyTimeoutMs === 'number' && busyTimeoutMs >= 0 && busyTimeoutMs <= LONGEST_TIMER_MS;
  check('/busyTimeoutMs', isValid, `milliseconds, 0 to ${LONGEST_TIMER_MS}`);
  return isFile ? openFile(database, busyTimeoutMs) : useDatabase(database as SqliteDatabase, busyTimeoutMs);
}

function openFile(path: string, busyTimeoutMs: number): FileStore {
  const isMemory = path === MEMORY;
  const lock = isMemory ? undefined : lockFile(path);
  let database: SqliteDatabase | undefined;
  try {
    database = openDatabase(path);
    // The lock is taken by the first write.
    if (!isMemory) database.exec(`${OWN_FILE} BEGIN IMMEDIATE; COMMIT;`);
    return new SqliteStore({ database, lock, isOwn: true, path: isMemory ? '' : pathOf(database), busyTimeoutMs });
  } catch (error) {
    database?.close();
    lock?.close();
    throw isBusy(error) ? lockedError() : storeError(error);
  }
}

function useDatabase(database: SqliteDatabase, busyTimeoutMs: number): FileStore {
  const isTaken = guarded(() => isInTransaction(database));
  check('/database', !isTaken, 'without an open transaction: call sqliteStore before BEGIN');
  const { synchronous } = guarded(() => database.prepare('PRAGMA main.synchronous').get()) as { synchronous: number };
  if (synchronous < FULL) throw notDurable(`synchronous is ${synchronous}`, 'FULL');
  const path = guarded(() => pathOf(database));
  const { journal_mode: mode } = guarded(() => database.prepare('PRAGMA main.journal_mode').get()) as {
    journal_mode: string;
  };
  // A database in memory, for tests, has no other mode.
  if (path && ['off', 'memory'].includes(mode)) throw notDurable(`journal_mode is ${mode}`, 'WAL or DELETE');
  const lock = path ? lockFile(path) : undefined;
  try {
    database.exec(FLUSH);
    return new SqliteStore({ database, lock, isOwn: false, path, busyTimeoutMs });
  } catch (error) {
    lock?.close();
    throw storeError(error);
  }
}

/** Returns the path of the file as SQLite names it; empty for a database in memory. */
function pathOf(database: SqliteDatabase): string {
  const files = database.prepare('PRAGMA database_list').all() as { name: string; file: string | null }[];
  return files.find(({ name }) => name === 'main')?.file ?? '';
}

function notDurable(problem: string, advice: string): OutboxError {
  const effect = 'an order that was accepted could be lost';
  return new OutboxError('unsupported', `PRAGMA ${problem}: ${effect}. Set it to ${advice}`);
}
