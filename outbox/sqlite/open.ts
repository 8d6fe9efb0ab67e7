import { check, checkMs, checkNames, copyOptions } from '../../pkg-template/src/options/check.js';
import type { Platform } from '../../pkg-template/src/platform/platform.js';
import { OutboxError } from '../errors.js';
import { isBusy, isInTransaction, openDatabase, pathOf, storeError, type SqliteDatabase } from './database.js';
import { createPrivately, fileSystem, markerOf, obstacleOf, statsOf } from './file-system.js';
import { isLocked, lockFile, lockedError, type Unlock } from './file.js';
import { Lineage, continues, identityOf, lastOpenAt } from './lineage.js';
import { FileHeader, hasLog } from './log.js';
import { tablesIn } from './schema.js';
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
   * Whether the store only reads the file, which another process writes: for a back office in a process of its own. What
   * reads its outbox works, `counts().pause` is that of the process that delivers, and what writes rejects.
   * @default false
   */
  readOnly?: boolean | undefined;
  /**
   * Accepts a backup that was put back (D68). Whatever waits in it becomes `stalled`, with the reason `restored` and the outcome
   * `unknown`: since the backup it may have been sent, cancelled or corrected. A log that belongs to another file is put aside.
   * Without the option, `sqliteStore` throws an OutboxError with the reason `restored`.
   *
   * Has no effect on a file that is known as the one that was last open in its place. Nothing is known about a file without its marker,
   * `.orders.sqlite.outbox-marker`, such as a backup on another machine, and about the shop's own DatabaseSync: they are accepted as
   * restored each time, so set the option for one start only.
   * @default false
   */
  restored?: boolean | undefined;
}

interface Settings {
  busyTimeoutMs: number;
  restored: boolean;
}

/** Makes a commit survive a power cut on macOS too; other systems ignore it. */
const FLUSH = 'PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON;';
/** The settings of the store's own connection. Deleted data is overwritten, because it is personal. */
const OWN_FILE = `
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
PRAGMA secure_delete = ON;
${FLUSH}
`;
const MEMORY = ':memory:';
const FULL = 2;
/** A database has at least a page. SQLite takes a file of one byte for an empty one. */
const SMALLEST_PAGE = 512;
/** The file can't be opened, or not be written. */
const NO_ACCESS = [14, 8];

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
  checkNames('', Object.keys(given), ['busyTimeoutMs', 'readOnly', 'restored']);
  const { busyTimeoutMs = 5000, readOnly = false, restored = false } = given;
  check('/readOnly', typeof readOnly === 'boolean' && (isFile || !readOnly), 'true or false; only for a file');
  check('/restored', typeof restored === 'boolean' && !(restored && readOnly), 'true or false; not with readOnly');
  checkMs('/busyTimeoutMs', busyTimeoutMs, 0);
  const settings = { busyTimeoutMs, restored };
  if (readOnly) return openReader(platform, database as string, settings);
  if (database === MEMORY) return openMemory(platform, settings);
  return isFile ? openFile(platform, database, settings) : useDatabase(platform, database as SqliteDatabase, settings);
}

function openMemory(platform: Platform, { busyTimeoutMs }: Settings): FileStore {
  const database = guardedOpening(MEMORY, () => openDatabase(MEMORY));
  const opening = { restoredAt: null, identity: null };
  return new SqliteStore({ platform, database, isOwn: true, path: '', busyTimeoutMs, opening });
}

/** Opens a file that this process alone may write. */
export function openFile(platform: Platform, path: string, { busyTimeoutMs, restored }: Settings): FileStore {
  const ends: (() => void)[] = [];
  let isForeign = false;
  const refuse = (problem: string): never => {
    isForeign = true;
    const advice = "Name a file for the outbox alone, or pass the shop's own database as a DatabaseSync";
    throw new OutboxError('unsupported', `${path} ${problem}, so nothing was changed. ${advice}`);
  };
  return guardedOpening(path, () => {
    try {
      const file = placeOf(path, refuse);
      const unlock = lockFile(file);
      ends.push(() => unlock(isForeign));
      const header = new FileHeader(file);
      ends.push(() => header.close());
      const isEmpty = !header.value;
      if (isEmpty && (statsOf(file)?.size ?? 0) > 0) refuse('is not an SQLite database');
      let isRestored = false;
      if (!header.hasOwnLog()) {
        if (!restored) throw logError(path);
        putAside(`${file}-wal`, platform);
        isRestored = true;
      }
      const database = openDatabase(file);
      ends.push(() => database.close());
      const { hasOutbox, hasOthers } = tablesIn(database);
      if (hasOthers && !hasOutbox) refuse('has tables of another program, and none of an outbox');
      database.exec('PRAGMA busy_timeout = 500; PRAGMA page_size = 8192');
      if (isEmpty) Lineage.begin(database, platform);
      const isLineal = !hasOthers || identityOf(database) !== null;
      const lineage = isLineal ? new Lineage(database, file) : undefined;
      if (lineage) ends.push(() => lineage.close());
      if (!hasOutbox) lineage?.forgetLast();
      const isContinued = lineage?.isContinued() ?? null;
      if (isContinued === false && !isRestored && !restored) throw olderError(path);
      if (restored && hasOutbox && !isContinued) isRestored = true;
      if (isRestored) assertSound(database, path);
      database.exec(OWN_FILE);
      return new SqliteStore({
        ...{ platform, database, isOwn: true, path: file, busyTimeoutMs, header, lineage },
        opening: { restoredAt: isRestored ? platform.date() : null, identity: lineage ? platform.uuid() : null },
        unlock,
      });
    } catch (error) {
      for (const end of ends.reverse()) end();
      throw error;
    }
  });
}

/**
 * Returns the file itself, whatever link leads to it: with the name of a link, a second process would have another lock. Creates the
 * file if there is none.
 */
function placeOf(path: string, refuse: (problem: string) => never): string {
  createPrivately(path);
  const stats = statsOf(path);
  if (!stats) return path;
  if (!stats.isFile()) refuse('is not a file');
  if (stats.size > 0 && stats.size < SMALLEST_PAGE) refuse('is not an SQLite database');
  return fileSystem().realpathSync(path);
}

/** Renames a log that belongs to another file. It may have orders that are nowhere else. */
function putAside(log: string, platform: Platform): void {
  const time = new Date(platform.date()).toISOString().replace(/[:.]/g, '-');
  fileSystem().renameSync(log, `${log}.${time}`);
}

/** @throws OutboxError if the file is damaged. */
export function assertSound(database: SqliteDatabase, path: string, check = 'quick_check'): void {
  const [result] = Object.values(database.prepare(`PRAGMA ${check}(1)`).get() as object);
  if (result === 'ok') return;
  throw new OutboxError('store', `${path} is damaged, so it is not accepted. Put another backup in its place`);
}

const NOTHING_DONE = 'Nothing was sent or written';
const ACCEPT = 'open it once with { restored: true }, or run: npx sales-order-intake outbox FILE restore';

function olderError(path: string): OutboxError {
  const problem = `${path} is older than the file that was last open here: a backup seems to have been put back`;
  const doubt = 'What waits in it may have been sent, cancelled or corrected since';
  return new OutboxError('restored', `${problem}. ${doubt}. ${NOTHING_DONE}. If it is meant, ${ACCEPT}`);
}

function logError(path: string): OutboxError {
  const problem = `${path} was deleted or replaced, and ${path}-wal is the log of the previous file`;
  const damage = 'SQLite would write that log into the file and damage it';
  const advice = `Put the previous file back. If the new one is meant, ${ACCEPT}; the log is then put aside`;
  return new OutboxError('restored', `${problem}: ${damage}. ${NOTHING_DONE}. ${advice}`);
}

function openReader(platform: Platform, path: string, { busyTimeoutMs }: Settings): FileStore {
  let database: SqliteDatabase | undefined;
  try {
    const file = statsOf(path)?.isFile() ? fileSystem().realpathSync(path) : path;
    // Only a file of the outbox alone has a marker, and numbers that a log can be compared by. It is read first: it is never ahead.
    const last = lastOpenAt(file);
    if (statsOf(markerOf(file))) assertOwnLog(file);
    database = openDatabase(path, true);
    database.exec(`PRAGMA busy_timeout = ${Math.round(busyTimeoutMs)}`);
    if (last && !continues(database, last) && !isLocked(file)) throw olderError(path);
    return new SqliteStore({ platform, database, isOwn: true, path, busyTimeoutMs });
  } catch (error) {
    database?.close();
    throw storeError(error, 'The database of the outbox cannot be read', obstacleIn(error, path) ?? 'Nothing was read');
  }
}

/** Changes nothing. @throws OutboxError if the log of a file belongs to another one. An outbox that runs has made sure of that. */
export function assertOwnLog(path: string): void {
  if (!hasLog(path) || !statsOf(path)?.isFile() || isLocked(fileSystem().realpathSync(path))) return;
  const header = new FileHeader(path);
  const isOwn = header.hasOwnLog();
  header.close();
  if (!isOwn) throw logError(path);
}

function useDatabase(platform: Platform, database: SqliteDatabase, { busyTimeoutMs, restored }: Settings): FileStore {
  let unlock: Unlock | undefined;
  return guardedOpening('', () => {
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
      const opening = { restoredAt: restored ? platform.date() : null, identity: null };
      return new SqliteStore({ platform, database, unlock, isOwn: false, path, busyTimeoutMs, opening });
    } catch (error) {
      unlock?.();
      throw error;
    }
  });
}

/** Runs `open`; its errors say what keeps the process from writing the file. */
export function guardedOpening<T>(path: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    if (isBusy(error)) throw lockedError();
    const cause = causeOf(error);
    const obstacle = obstacleIn(cause, path);
    throw obstacle ? storeError(cause, `The outbox can't use ${path}`, obstacle) : storeError(error);
  }
}

/** Returns the error of SQLite or of the file system, which may be the cause of another one. */
function causeOf(error: unknown): unknown {
  return error instanceof OutboxError ? error.cause : error;
}

/** Returns what the error means for the files, and what to do; null if it is not about the right to use them. */
function obstacleIn(error: unknown, path: string): string | null {
  const { errcode, syscall } = Object(error) as { errcode?: number; syscall?: string };
  const isAccess = errcode === undefined ? syscall === 'open' : NO_ACCESS.includes(errcode & 0xff);
  return isAccess && path ? obstacleOf(path) : null;
}

function notDurable(problem: string, advice: string): OutboxError {
  const effect = 'an order that was accepted could be lost';
  return new OutboxError('unsupported', `PRAGMA ${problem}: ${effect}. Set it to ${advice}`);
}
