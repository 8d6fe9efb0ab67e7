import { isNested, storeError, type SqliteDatabase } from './database.js';

interface Work {
  run(): unknown;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** The number of queued writes at which they are written without waiting. */
const ENOUGH = 64;
/** How long to wait while the caller has a transaction open on this connection. */
const NESTED_WAIT_MS = 2;

/**
 * Writes everything that is requested in one turn of the event loop in one transaction: a commit costs more than many
 * inserts. The requests settle after the commit.
 */
export class GroupCommit {
  readonly #database: SqliteDatabase;
  readonly #onRollback: () => void;
  #queue: Work[] = [];
  #isImmediate = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(database: SqliteDatabase, onRollback: () => void) {
    this.#database = database;
    this.#onRollback = onRollback;
  }

  write<T>(run: () => T, patienceMs: number): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ run, resolve: resolve as (value: unknown) => void, reject });
      this.#schedule(this.#queue.length >= ENOUGH ? 0 : patienceMs);
    });
  }

  /** Waits until all requests are written. */
  async drain(): Promise<void> {
    while (this.#queue.length > 0) await this.write(() => undefined, 0).catch(() => undefined);
  }

  #schedule(ms: number): void {
    if (ms > 0) {
      this.#timer ??= setTimeout(() => this.#flush(), ms);
    } else if (!this.#isImmediate) {
      this.#isImmediate = true;
      (globalThis as unknown as { setImmediate(callback: () => void): void }).setImmediate(() => this.#flush());
    }
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isImmediate = false;
    if (this.#queue.length === 0) return;
    try {
      this.#database.exec('BEGIN IMMEDIATE');
    } catch (error) {
      // Written into the caller's transaction, it would be lost if that is rolled back.
      if (isNested(error)) this.#schedule(NESTED_WAIT_MS);
      else this.#fail(this.#take(), error);
      return;
    }
    const batch = this.#take();
    const values: unknown[] = [];
    try {
      for (const { run } of batch) values.push(run());
      this.#database.exec('COMMIT');
    } catch (error) {
      this.#rollBack();
      this.#fail(batch, error);
      return;
    }
    for (const [index, { resolve }] of batch.entries()) resolve(values[index]);
  }

  #take(): Work[] {
    const batch = this.#queue;
    this.#queue = [];
    return batch;
  }

  #rollBack(): void {
    try {
      this.#database.exec('ROLLBACK');
    } catch {
      // SQLite has done so itself, after a full disk for example.
    }
    this.#onRollback();
  }

  #fail(batch: readonly Work[], error: unknown): void {
    const reported = storeError(error);
    for (const { reject } of batch) reject(reported);
  }
}
