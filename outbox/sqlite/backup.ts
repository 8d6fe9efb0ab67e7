import { check } from '../../pkg-template/src/options/check.js';
import { storeError, type SqliteDatabase } from './database.js';
import { createPrivately, fileSystem, flush, markerOf, statsOf } from './file-system.js';
import { lockFile } from './file.js';

/** What SQLite and the outbox keep beside a file. */
const BESIDE = ['-wal', '-shm', '-journal', '.outbox-lock'];

/**
 * Writes a copy of a database, complete in itself, into a new file. A copy that is not complete has another name.
 *
 * @throws OptionError if there is such a file; OutboxError if the copy can't be written: then there is none.
 */
export function writeBackup(database: SqliteDatabase, path: string): void {
  checkPath('/path', path);
  const assertNew = () => check('/path', !statsOf(path), 'a file that does not exist yet');
  assertNew();
  // Also keeps a second backup with this name out.
  const unlock = lockFile(path);
  const partial = `${path}.partial`;
  const { renameSync } = fileSystem();
  try {
    remove(partial);
    // SQLite writes into an empty file, whose mode then stays.
    createPrivately(partial);
    database.prepare('VACUUM INTO ?').run(partial);
    flush(partial);
    assertNew();
    renameSync(partial, path);
    flush(path);
  } catch (error) {
    remove(partial);
    throw storeError(error, `The backup ${path} can't be written`, 'There is no such file');
  } finally {
    unlock(true);
  }
}

export function checkPath(option: string, path: unknown): void {
  check(option, typeof path === 'string' && path !== '', 'the path of a file');
}

/** Deletes a file and what is beside it. */
export function remove(file: string): void {
  for (const each of [...['', ...BESIDE].map((end) => file + end), markerOf(file)])
    fileSystem().rmSync(each, { force: true });
}
