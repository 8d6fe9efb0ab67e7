/** Recognises a file that is older than the one that was last open in its place (D68). */
import type { Platform } from '../../pkg-template/src/platform/platform.js';
import type { SqliteDatabase, SqliteStatement } from './database.js';
import { createPrivately, fileSystem, markerOf } from './file-system.js';

/** What was last open in the place of a file: its identity, and its sequence after the last commit. */
export interface LastOpen {
  identity: string;
  sequence: number;
}

const MARKER = /^(\S{1,64}) (\d{10})\n$/;

/** In the place of an identity, and as long as one. */
const OVERWRITTEN = 'overwritten'.padEnd(36, '-');

/**
 * A file of the outbox has an identity, and a sequence that each transaction increases: `user_version`, which is in the first page,
 * so that a log can be compared with its file. A marker beside the file has both as they were after the last commit. It is
 * written after each commit, so it is never ahead of the file, whatever crashes.
 */
export class Lineage {
  readonly #database: SqliteDatabase;
  readonly #marker: Marker;
  readonly #changes: SqliteStatement;
  /** That of the file, once it is open. */
  #identity = '';
  /** The sequence after the last commit, and in the open transaction. */
  #committed: number;
  #sequence: number;
  /** The number of rows that this connection had changed at the last commit. */
  #changed: number;

  constructor(database: SqliteDatabase, path: string) {
    this.#database = database;
    this.#marker = new Marker(path);
    this.#changes = database.prepare('SELECT total_changes() AS changes');
    this.#changed = this.#changesUntilNow();
    this.#committed = sequenceOf(database);
    this.#sequence = this.#committed;
  }

  /** Gives a new file its first sequence: a random one, so that a log of another file is recognised. */
  static begin(database: SqliteDatabase, platform: Platform): void {
    database.exec(`PRAGMA user_version = ${Math.floor(platform.random() * 2 ** 31)}`);
  }

  /**
   * Returns false if the marker has another identity, or a later sequence, than the file; null if there is no marker to compare
   * the file with.
   */
  isContinued(): boolean | null {
    const last = this.#marker.read();
    return last && continues(this.#database, last);
  }

  /** Forgets the file that was last open here, before a new one takes its place. */
  forgetLast(): void {
    this.#marker.clear();
  }

  /** Notes that the file is open, once its identity is durable. */
  open(): void {
    this.#identity = identityOf(this.#database) ?? '';
    this.#committed = this.#sequence;
    this.#note();
    this.#marker.flush();
  }

  /** Increases the sequence if the open transaction has changed anything. */
  increase(): void {
    const changed = this.#changesUntilNow();
    this.#sequence = this.#committed;
    if (changed === this.#changed) return;
    this.#changed = changed;
    this.#sequence = (this.#committed + 1) | 0;
    this.#database.exec(`PRAGMA user_version = ${this.#sequence}`);
  }

  /** Called after a commit. */
  committed(): void {
    if (this.#sequence === this.#committed) return;
    this.#committed = this.#sequence;
    this.#note();
  }

  /** Makes the next opening recognise the file, which has been overwritten: SQLite will write the log into it. */
  end(): void {
    this.#identity = OVERWRITTEN;
    this.#note();
  }

  close(): void {
    this.#marker.flush();
    this.#marker.close();
  }

  #note(): void {
    this.#marker.write(this.#identity, this.#committed);
  }

  #changesUntilNow(): number {
    return (this.#changes.get() as { changes: number }).changes;
  }
}

/** Returns what was last open in the place of a file; null if there is no marker that can be read. Changes nothing. */
export function lastOpenAt(path: string): LastOpen | null {
  const { openSync, closeSync } = fileSystem();
  let marker: number;
  try {
    marker = openSync(markerOf(path), 'r');
  } catch {
    return null;
  }
  try {
    return readMarker(marker);
  } finally {
    closeSync(marker);
  }
}

/** Returns false if the file that was last open has another identity, or a later sequence, than a database. */
export function continues(database: SqliteDatabase, { identity, sequence }: LastOpen): boolean {
  // A file of an earlier version has none.
  const isSame = identity === (identityOf(database) ?? identity);
  return isSame && identity !== OVERWRITTEN && ((sequence - sequenceOf(database)) | 0) <= 0;
}

function sequenceOf(database: SqliteDatabase): number {
  return (database.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;
}

/** Returns the identity in a file; null if it has none. */
export function identityOf(database: SqliteDatabase): string | null {
  const hasSettings = database.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'outbox_setting'`).get();
  if (!hasSettings) return null;
  const sql = `SELECT value FROM outbox_setting WHERE name = 'identity'`;
  const row = database.prepare(sql).get() as { value: unknown } | undefined;
  return row ? String(row.value) : null;
}

/** The file beside the database that says what was last open there. What can't be written only makes it less precise. */
class Marker {
  readonly #file: number;

  constructor(path: string) {
    const marker = markerOf(path);
    createPrivately(marker);
    this.#file = fileSystem().openSync(marker, 'r+');
  }

  read(): LastOpen | null {
    return readMarker(this.#file);
  }

  write(identity: string, sequence: number): void {
    const digits = String(sequence >>> 0).padStart(10, '0');
    this.#attempt(({ writeSync }) => writeSync(this.#file, `${identity} ${digits}\n`, 0));
  }

  clear(): void {
    fileSystem().ftruncateSync(this.#file, 0);
    fileSystem().fsyncSync(this.#file);
  }

  flush(): void {
    this.#attempt(({ fsyncSync }) => fsyncSync(this.#file));
  }

  close(): void {
    fileSystem().closeSync(this.#file);
  }

  /** The orders are durable already, and the marker is only behind. */
  #attempt(write: (files: ReturnType<typeof fileSystem>) => void): void {
    try {
      write(fileSystem());
    } catch {
      // On a full disk, for example.
    }
  }
}

/** Returns null if there is nothing in a marker that can be read. */
function readMarker(file: number): LastOpen | null {
  const bytes = new Uint8Array(100);
  const length = fileSystem().readSync(file, bytes, 0, bytes.length, 0);
  const [, identity, sequence] = MARKER.exec(String.fromCharCode(...bytes.subarray(0, length))) ?? [];
  return identity && sequence ? { identity, sequence: Number(sequence) | 0 } : null;
}
