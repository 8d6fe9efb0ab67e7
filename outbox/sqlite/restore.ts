/** Puts a backup in the place of the file of an outbox (D68). */
import { platform } from '../../pkg-template/src/platform/platform.js';
import { OutboxError } from '../errors.js';
import { checkPath, remove, writeBackup } from './backup.js';
import { isDamage, openDatabase, type SqliteDatabase } from './database.js';
import { fileSystem, flush, folderOf, markerOf, type Stats, statsOf } from './file-system.js';
import { lockFile } from './file.js';
import { FileHeader, hasLog } from './log.js';
import { assertOwnLog, assertSound, guardedOpening, openFile } from './open.js';
import { tablesIn } from './schema.js';

/**
 * Puts a backup in the place of the file of an outbox that does not run, and accepts it (D68): whatever waits in it becomes `stalled`,
 * with the reason `restored` and the outcome `unknown`. Checks the backup first, and leaves it as it is. If this process dies, the
 * file is the previous one or the restored one: restore it again.
 *
 * @returns the path of the previous file, which now has the time in its name; null if there was none.
 * @throws OutboxError with `reason` `unsupported` if the backup is not that of an outbox alone, or of another version; `locked`
 * if the outbox runs; `store` if the backup is damaged or can't be copied. Nothing has changed then. All errors are rejections.
 *
 * @example
 * ```js
 * import { restoreFile, sqliteStore } from 'sales-order-intake/outbox/sqlite';
 *
 * const store = sqliteStore('shop-orders.sqlite');
 * await store.backup('night.sqlite');
 * await store.close();
 * await restoreFile('shop-orders.sqlite', 'night.sqlite');
 * ```
 */
export async function restoreFile(path: string, backup: string): Promise<string | null> {
  checkPath('/path', path);
  checkPath('/backup', backup);
  const file = statsOf(path) ? fileSystem().realpathSync(path) : path;
  const unlock = guardedOpening(path, () => lockFile(file));
  const copy = `${file}.restoring`;
  try {
    remove(copy);
    guardedOpening(backup, () => copyBackup(backup, copy));
    // What waits in it stalls before it takes the place of the file.
    await openFile(platform, copy, { busyTimeoutMs: 0, restored: true }).close();
    return guardedOpening(path, () => replaceFile(file, copy));
  } finally {
    remove(copy);
    unlock();
  }
}

/** @throws OutboxError if the backup is not a sound file of an outbox alone. */
function copyBackup(backup: string, copy: string): void {
  if (!statsOf(backup)?.isFile()) throw refusal(backup, 'is not a file');
  const header = new FileHeader(backup);
  header.close();
  if (!header.value) throw refusal(backup, 'is not an SQLite database');
  assertOwnLog(backup);
  const database = openDatabase(backup, hasLog(backup));
  try {
    if (!tablesIn(database).hasOutbox) throw refusal(backup, 'has no outbox');
    assertAlone(database, backup);
    assertSound(database, backup, 'integrity_check');
    writeBackup(database, copy);
  } finally {
    database.close();
  }
}

function refusal(backup: string, problem: string): OutboxError {
  return new OutboxError('unsupported', `${backup} ${problem}, so nothing was changed. Name a backup of an outbox`);
}

/** @throws OutboxError if the database has tables that an outbox does not know, whose users it can't keep out. */
function assertAlone(database: SqliteDatabase, path: string): void {
  if (!tablesIn(database).hasOthers) return;
  const problem = `${path} also has tables of another program, so nothing was changed`;
  const advice = 'Restore the file as that program says, then open the outbox once with { restored: true }';
  throw new OutboxError('unsupported', `${problem}. ${advice}`);
}

/**
 * Puts the successor in the place of a file. The one or the other is there, complete, at any time, whatever ends this process.
 *
 * @returns the new name of the previous file; null if there was none.
 */
function replaceFile(file: string, successor: string): string | null {
  const { renameSync, rmSync } = fileSystem();
  const time = new Date(platform.date()).toISOString().replace(/[:.]/g, '-');
  const aside = `${file}.${time}`;
  const old = statsOf(file);
  if (old) {
    completeFile(file);
    for (const each of [successor, markerOf(successor)]) giveRights(each, old);
    removeOtherNames(file);
  }
  if (old) addName(file, aside);
  for (const end of ['-wal', '-journal']) {
    // It belongs to another file, or to one that is damaged. It may have orders that are nowhere else.
    if (statsOf(file + end)) renameSync(file + end, `${file}${end}.${time}`);
  }
  rmSync(`${file}-shm`, { force: true });
  renameSync(successor, file);
  flush(file);
  // Until then, the successor is refused as a backup that was put back.
  renameSync(markerOf(successor), markerOf(file));
  return old ? aside : null;
}

function giveRights(path: string, { mode, uid, gid }: Stats): void {
  const { chmodSync, chownSync } = fileSystem();
  chmodSync(path, Number(mode & 0o777n));
  try {
    chownSync(path, Number(uid), Number(gid));
  } catch {
    // Only root may give a file to another user.
  }
}

/** Writes the log of a file into it, and deletes the log, unless that belongs to another file or the file is damaged. */
function completeFile(file: string): void {
  const header = new FileHeader(file);
  header.close();
  if (!header.value || !header.hasOwnLog()) return;
  const database = openDatabase(file);
  try {
    assertAlone(database, file);
    database.exec('PRAGMA busy_timeout = 500');
    // Fails if another process has the file open.
    database.exec('PRAGMA journal_mode = DELETE');
  } catch (error) {
    if (!isDamage(error)) throw error;
  } finally {
    database.close();
  }
}

/** Gives a file a second name, or copies it if the file system has no hard links. */
function addName(file: string, name: string): void {
  const { linkSync, copyFileSync, rmSync } = fileSystem();
  try {
    linkSync(file, name);
  } catch {
    try {
      copyFileSync(file, name);
    } catch (error) {
      rmSync(name, { force: true });
      throw error;
    }
  }
  flush(name);
}

/** Deletes what a process that was killed in {@link replaceFile} has left: further names of a file that is still in its place. */
function removeOtherNames(file: string): void {
  const folder = folderOf(file);
  const { dev, ino } = statsOf(file) ?? {};
  for (const name of fileSystem().readdirSync(folder)) {
    const other = folder + name;
    const stats = other.startsWith(`${file}.`) ? statsOf(other) : undefined;
    if (stats && stats.dev === dev && stats.ino === ino) fileSystem().rmSync(other, { force: true });
  }
}
