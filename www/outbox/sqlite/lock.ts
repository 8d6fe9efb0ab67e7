import { OutboxError } from '../errors.js';
import { isBusy, openDatabase, storeError, type SqliteDatabase } from './database.js';

/**
 * Makes sure that one process uses the file: holds an exclusive transaction on a database of its own beside it. The lock
 * ends with the process, however that ends.
 *
 * @throws OutboxError if another process has the file.
 */
export function lockFile(path: string): SqliteDatabase {
  const lock = openDatabase(`${path}.outbox-lock`);
  try {
    // Shorter than a person waits, longer than a process takes that is just ending.
    lock.exec('PRAGMA busy_timeout = 500');
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock.close();
    throw isBusy(error) ? lockedError() : storeError(error);
  }
}

export function lockedError(): OutboxError {
  const advice = 'Use one process for a file, or the store for PostgreSQL';
  return new OutboxError('locked', `The database of the outbox is in use by another process. ${advice}`);
}
