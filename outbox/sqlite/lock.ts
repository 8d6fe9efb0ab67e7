import { OutboxError } from '../errors.js';
import { isBusy, openDatabase, storeError, type SqliteDatabase } from './database.js';

/**
 * Makes sure that one process uses the file: holds an exclusive transaction on a database of its own beside it. The lock
 * ends with the process, however that ends.
 *
 * @throws OutboxError if another process has the file, or the lock can't be taken.
 */
export function lockFile(path: string): SqliteDatabase {
  const lockPath = `${path}.outbox-lock`;
  let lock: SqliteDatabase | undefined;
  try {
    lock = openDatabase(lockPath);
    // Shorter than a person waits, longer than a process takes that is just ending.
    lock.exec('PRAGMA busy_timeout = 500');
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock?.close();
    throw isBusy(error) ? lockedError() : lockError(error, lockPath);
  }
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

export function lockedError(): OutboxError {
  const advice = 'Use one process for a file, or the store for PostgreSQL';
  return new OutboxError('locked', `The database of the outbox is in use by another process. ${advice}`);
}
