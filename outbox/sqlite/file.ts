/** Makes sure that no other process uses the file of a store, and that the file is still in its place. */
import { OutboxError } from '../errors.js';
import { isBusy, openDatabase, pathOf, storeError, type SqliteDatabase } from './database.js';
import { createPrivately, fileSystem, statsOf } from './file-system.js';

/** The files that stores of this process have. */
const OPEN = new Set<string>();

/** Releases the lock of a file. */
export type Unlock = (isInVain?: boolean) => void;

/**
 * Makes sure that one process uses the file: holds an exclusive transaction on a database of its own beside it. The lock
 * ends with the process, however that ends.
 *
 * @returns a function that releases the lock. It deletes a lock that is new, if the file turns out not to be one of the outbox.
 * @throws OutboxError if another process, or another store of this one, has the file, or the lock can't be taken.
 */
export function lockFile(path: string): Unlock {
  const lockPath = lockOf(path);
  let opened: SqliteDatabase | undefined;
  try {
    const isNew = createPrivately(lockPath);
    const lock = openDatabase(lockPath);
    opened = lock;
    const name = pathOf(lock);
    if (OPEN.has(name)) throw lockedError('another store of this process');
    // Shorter than a person waits, longer than an ending process takes.
    lock.exec('PRAGMA busy_timeout = 500');
    lock.exec('BEGIN EXCLUSIVE');
    OPEN.add(name);
    return (isInVain = false) => {
      OPEN.delete(name);
      lock.close();
      if (isInVain && isNew) fileSystem().rmSync(lockPath, { force: true });
    };
  } catch (error) {
    opened?.close();
    throw isBusy(error) ? lockedError() : lockError(error, lockPath);
  }
}

/** Returns true if a process has locked the file. Changes nothing. */
export function isLocked(path: string): boolean {
  if (!statsOf(lockOf(path))) return false;
  const lock = openDatabase(lockOf(path), true);
  try {
    if (OPEN.has(pathOf(lock))) return true;
    lock.prepare('SELECT 1 FROM sqlite_schema').get();
    return false;
  } catch (error) {
    // A process that was killed leaves a journal, which is not for readers.
    return isBusy(error);
  } finally {
    lock.close();
  }
}

const lockOf = (path: string) => `${path}.outbox-lock`;

const NOT_A_DATABASE = 26;

function lockError(error: unknown, path: string): Error {
  const { errcode } = (error ?? {}) as { errcode?: number };
  const advice =
    errcode === NOT_A_DATABASE
      ? 'It has no data: delete it while no process uses the outbox'
      : 'The outbox was not opened';
  return storeError(error, `The lock file of the outbox, ${path}, cannot be used`, advice);
}

export function lockedError(owner = 'another process'): OutboxError {
  const advice = 'Use one store for a file, in one process, or the store for PostgreSQL';
  return new OutboxError('locked', `The database of the outbox is in use by ${owner}. ${advice}`);
}

/**
 * Notices that the database file has been deleted or replaced while it is open. The system keeps such a file until it is
 * closed, and SQLite goes on writing to it; its orders would be lost. The write-ahead log has the latest orders, so it is
 * compared too. Only `stat` is used: opening and closing the file would release the locks of this process.
 *
 * @param path As SQLite names the file; empty for a database in memory.
 * @returns a function that throws an OutboxError if the file is not the one that was opened.
 */
export function fileCheck(database: SqliteDatabase, path: string): () => void {
  const file = idOf(path);
  let log: string | undefined;
  return () => {
    if (file === undefined || (idOf(path) === file && hasSameLog())) return;
    const problem = 'The file of the outbox has been deleted or replaced since it was opened, so nothing was written';
    throw new OutboxError('store', `${problem}. backup(path) still writes a copy of what the store holds`);
  };

  function hasSameLog(): boolean {
    const found = idOf(`${path}-wal`);
    log ??= found;
    if (found === log) return true;
    // The shop may have changed the mode of its database, which deletes the log.
    const { journal_mode: mode } = database.prepare('PRAGMA main.journal_mode').get() as { journal_mode: string };
    if (mode === 'wal') return false;
    log = undefined;
    return true;
  }

  /** Returns the identity of a file, which a new file of the same name does not have; undefined if there is none. */
  function idOf(name: string): string | undefined {
    const found = name ? statsOf(name) : undefined;
    return found && `${found.dev} ${found.ino}`;
  }
}
