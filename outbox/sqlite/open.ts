import { check, checkMs, checkNames, copyOptions } from '../../www/options/check.js';
import type { Platform } from '../../www/platform/platform.js';
import { OutboxError } from '../errors.js';
import { isBusy, isInTransaction, openDatabase, pathOf, storeError, type SqliteDatabase } from './database.js';
import { lockFile, lockedError } from './file.js';
import { type FileStore, SqliteStore } from './store.js';

/** Options of {@link sqliteStore}. */
export interface SqliteOptions {
  /**
   * Milliseconds that a write waits while another connection locks the database or the shop has a transaction open on its
   * connection. After that it rejects with an OutboxError with the reason `store`.
   * @default 5000
   */
  busyTimeoutMs?: number | undefined;
  /**
   * Whether the store only reads the file, which another process writes: for a back office in a process of its own. `get`, `list`,
   * `page` and `counts` of its outbox work, `counts().pause` is that of the process that delivers, and everything else rejects.
   * @default false
   */
  readOnly?: boolean | undefined;
}

/** Makes a commit survive a power cut on macOS too; other systems ignore it. */
const FLUSH = 'PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON;';
/** The settings of the store's own connection. */
const OWN_FILE = `
PRAGMA busy_timeout = 500;
PRAGMA page_size = 8192;
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
${FLUSH}
`;
const MEMORY = ':memory:';
const FULL = 2;

/** Opens the store with another clock, for tests. Documented at sqliteStore. */
export function sqliteStoreOn(
  platform: Platform,
  database: string | SqliteDatabase,
  options: SqliteOptions = {},
): FileStore {
  const isFile = typeof database === 'string' && database !== '';
  check('/database', !isFile || !/^file:/i.test(database), 'a path such as orders.sqlite, not a file: URL');
  check('/database', isFile || typeof Object(database).prepare === 'function', 'a path, or an open DatabaseSync');
  const given = copyOptions(options);
  checkNames('', Object.keys(given), ['busyTimeoutMs', 'readOnly']);
  const { busyTimeoutMs = 5000, readOnly = false } = given;
  check('/readOnly', typeof readOnly === 'boolean' && (isFile || !readOnly), 'true or false; only for a file');
  checkMs('/busyTimeoutMs', busyTimeoutMs, 0);
  if (readOnly) return openReader(platform, database as string, busyTimeoutMs);
  return isFile
    ? openFile(platform, database, busyTimeoutMs)
    : useDatabase(platform, database as SqliteDatabase, busyTimeoutMs);
}

function openFile(platform: Platform, path: string, busyTimeoutMs: number): FileStore {
  let database: SqliteDatabase | undefined;
  let unlock: (() => void) | undefined;
  try {
    database = openDatabase(path);
    // The file itself, whatever link leads to it: with the name of a link, a second process would have another lock.
    const file = path === MEMORY ? '' : pathOf(database);
    if (file) {
      unlock = lockFile(file);
      database.exec(OWN_FILE);
    }
    return new SqliteStore({ platform, database, unlock, isOwn: true, path: file, busyTimeoutMs, isReadOnly: false });
  } catch (error) {
    database?.close();
    unlock?.();
    throw isBusy(error) ? lockedError() : storeError(error);
  }
}

function openReader(platform: Platform, path: string, busyTimeoutMs: number): FileStore {
  let database: SqliteDatabase | undefined;
  try {
    database = openDatabase(path, true);
    database.exec(`PRAGMA busy_timeout = ${Math.round(busyTimeoutMs)}`);
    return new SqliteStore({ platform, database, isOwn: true, path, busyTimeoutMs, isReadOnly: true });
  } catch (error) {
    database?.close();
    throw storeError(error, 'The database of the outbox cannot be read', 'Nothing was read');
  }
}

function useDatabase(platform: Platform, database: SqliteDatabase, busyTimeoutMs: number): FileStore {
  let unlock: (() => void) | undefined;
  try {
    check('/database', !isInTransaction(database), 'without an open transaction: call sqliteStore before BEGIN');
    const { synchronous } = database.prepare('PRAGMA main.synchronous').get() as { synchronous: number };
    if (synchronous < FULL) throw notDurable(`synchronous is ${synchronous}`, 'FULL');
    const path = pathOf(database);
    const { journal_mode: mode } = database.prepare('PRAGMA main.journal_mode').get() as { journal_mode: string };
    // A database in memory, for tests, has no other mode.
    if (path && ['off', 'memory'].includes(mode)) throw notDurable(`journal_mode is ${mode}`, 'WAL or DELETE');
    if (path) unlock = lockFile(path);
    database.exec(FLUSH);
    return new SqliteStore({ platform, database, unlock, isOwn: false, path, busyTimeoutMs, isReadOnly: false });
  } catch (error) {
    unlock?.();
    throw storeError(error);
  }
}

function notDurable(problem: string, advice: string): OutboxError {
  const effect = 'an order that was accepted could be lost';
  return new OutboxError('unsupported', `PRAGMA ${problem}: ${effect}. Set it to ${advice}`);
}
