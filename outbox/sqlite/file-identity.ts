import { OutboxError } from '../errors.js';
import { builtinModule } from '../../www/platform/builtin-module.js';
import type { SqliteDatabase } from './database.js';

interface FileSystem {
  statSync(path: string, options: { bigint: true; throwIfNoEntry: false }): { dev: bigint; ino: bigint } | undefined;
}

/**
 * Notices that the database file has been deleted or replaced while it is open. The system keeps such a file until it is
 * closed, and SQLite goes on writing to it; its orders would be lost. The write-ahead log has the latest orders, so it is
 * compared too. Only `stat` is used: opening and closing the file would release the locks of this process.
 */
export class FileIdentity {
  readonly #database: SqliteDatabase;
  readonly #path: string;
  readonly #files = builtinModule<FileSystem>('node:fs');
  readonly #file: string | undefined;
  #log: string | undefined;

  /** @param path As SQLite names the file; empty for a database in memory. */
  constructor(database: SqliteDatabase, path: string) {
    this.#database = database;
    this.#path = path;
    this.#file = this.#idOf(path);
  }

  /** @throws OutboxError if the file is not the one that was opened. */
  check(): void {
    if (this.#file === undefined) return;
    if (this.#idOf(this.#path) !== this.#file || !this.#hasSameLog()) throw fileLost();
  }

  #hasSameLog(): boolean {
    const log = this.#idOf(`${this.#path}-wal`);
    this.#log ??= log;
    if (log === this.#log) return true;
    // The shop may have changed the mode of its database, which deletes the log.
    const { journal_mode: mode } = this.#database.prepare('PRAGMA main.journal_mode').get() as { journal_mode: string };
    if (mode === 'wal') return false;
    this.#log = undefined;
    return true;
  }

  /** Returns what a new file of the same name does not have; undefined if there is no such file. */
  #idOf(path: string): string | undefined {
    const found = path ? this.#files?.statSync(path, { bigint: true, throwIfNoEntry: false }) : undefined;
    return found && `${found.dev} ${found.ino}`;
  }
}

function fileLost(): OutboxError {
  const problem = 'The file of the outbox has been deleted or replaced since it was opened, so nothing was written';
  return new OutboxError('store', `${problem}. backup(path) still writes a copy of what the store holds`);
}
