import { OutboxError } from '../errors.js';
import { isBusy, openDatabase, pathOf, storeError, type SqliteDatabase } from './database.js';

/** The files that stores of this process have. */
const OPEN = new Set<string>();

/** Held as long as the store is open. */
export interface FileLock {
  release(): void;
}

/**
 * Makes sure that one process uses the file: holds an exclusive transaction on a database of its own beside it. The lock
 * ends with the process, however that ends.
 *
 * @throws OutboxError if another process, or another store of this one, has the file, or the lock can't be taken.
 */
export function lockFile(path: string): FileLock {
  const lockPath = `${path}.outbox-lock`;
  let lock: SqliteDatabase | undefined;
  try {
    lock = openDatabase(lockPath);
    const name = pathOf(lock);
    if (OPEN.has(name)) throw lockedError('another store of this process');
    // Shorter than a person waits, longer than a process takes that is just ending.
    lock.exec('PRAGMA busy_timeout = 500');
    lock.exec('BEGIN EXCLUSIVE');
    return locked(name, lock);
  } catch (error) {
    lock?.close();
    throw isBusy(error) ? lockedError() : lockError(error, lockPath);
  }
}

function locked(name: string, lock: SqliteDatabase): FileLock {
  OPEN.add(name);
  const release = () => {
    OPEN.delete(name);
    lock.close();
  };
  return { release };
}

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
