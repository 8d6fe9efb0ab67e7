import type { Platform } from '../../pkg-template/src/platform/platform.js';
import { Batches } from '../../pkg-template/src/platform/batches.js';
import { OutboxError } from '../errors.js';
import { isBusy, storeError, type SqliteDatabase } from './database.js';

interface Work {
  run(): unknown;
  /** When it fails if the database is still busy, by the monotonic clock. */
  endsAt: number;
}

type Result = { value: unknown } | { error: unknown };

export interface CommitOptions {
  platform: Platform;
  busyTimeoutMs: number;
  /** Returns true while the caller has a transaction open on this connection. */
  isTaken(): boolean;
  /** Throws if the writes would not be durable. */
  beforeCommit(): void;
  afterCommit(): void;
  onRollback(): void;
}

/** The first and the longest wait while the database is busy, or the caller's transaction is open. */
const FIRST_WAIT_MS = 2;
const LAST_WAIT_MS = 16;

/** Writes batches, each in one transaction. While the database is busy they wait, each request for `busyTimeoutMs` at most. */
export class GroupCommit {
  readonly #database: SqliteDatabase;
  readonly #options: CommitOptions;
  readonly #batches: Batches<Work, Result>;

  constructor(database: SqliteDatabase, options: CommitOptions) {
    this.#database = database;
    this.#options = options;
    this.#batches = new Batches({ platform: options.platform, write: (batch) => this.#writeAll(batch) });
  }

  /** `run` is called again if its transaction had to be rolled back. */
  async write<T>(run: () => T, patienceMs: number): Promise<T> {
    const endsAt = this.#options.platform.now() + this.#options.busyTimeoutMs;
    const result = await this.#batches.run({ run, endsAt }, patienceMs);
    if ('error' in result) throw storeError(result.error);
    return result.value as T;
  }

  /** Writes everything without delay from now on. */
  hurry(): void {
    this.#batches.hurry();
  }

  /** Waits until all requests are written, or have failed. */
  drain(): Promise<void> {
    return this.#batches.drain();
  }

  async #writeAll(batch: readonly Work[]): Promise<Result[]> {
    const { platform } = this.#options;
    const results = new Map<Work, Result>();
    let left = batch;
    for (let waitMs = FIRST_WAIT_MS; left.length > 0; waitMs = Math.min(LAST_WAIT_MS, waitMs * 2)) {
      const written = this.#tryAll(left);
      for (const [index, result] of written.entries()) if (result) results.set(left[index] as Work, result);
      left = left.filter((work) => !results.has(work));
      if (left.length > 0) await new Promise<void>((resolve) => void platform.after(waitMs, resolve));
    }
    return batch.map((work) => results.get(work) as Result);
  }

  /** Returns the result of each request, or null if it has to wait because the database is busy. */
  #tryAll(batch: readonly Work[]): (Result | null)[] {
    const now = this.#options.platform.now();
    const delayed = (error: Error) => batch.map(({ endsAt }) => (endsAt <= now ? { error } : null));
    try {
      // A write in the caller's transaction would be lost if the caller rolls back.
      return this.#options.isTaken() ? delayed(this.#takenTooLong()) : this.#write(batch);
    } catch (error) {
      return isBusy(error) ? delayed(this.#busyTooLong(error)) : batch.map(() => ({ error }));
    }
  }

  #write(batch: readonly Work[]): Result[] {
    try {
      return this.#commit(batch, ({ run }) => ({ value: run() }));
    } catch (error) {
      if (batch.length === 1 || isBusy(error)) throw error;
      // One request of the batch may be wrong on its own: then only that one fails.
      return this.#commit(batch, (work) => this.#inSavepoint(work));
    }
  }

  #commit(batch: readonly Work[], run: (work: Work) => Result): Result[] {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      const results = batch.map(run);
      this.#options.beforeCommit();
      this.#database.exec('COMMIT');
      this.#options.afterCommit();
      return results;
    } catch (error) {
      this.#rollBack('ROLLBACK');
      throw error;
    }
  }

  #inSavepoint({ run }: Work): Result {
    this.#database.exec('SAVEPOINT outbox_write');
    try {
      const value = run();
      this.#database.exec('RELEASE outbox_write');
      return { value };
    } catch (error) {
      const isUndone = this.#rollBack('ROLLBACK TO outbox_write; RELEASE outbox_write');
      if (!isUndone || isBusy(error)) throw error;
      return { error };
    }
  }

  /** Returns false if SQLite has rolled back the transaction itself, because of a full disk for example. */
  #rollBack(sql: string): boolean {
    this.#options.onRollback();
    try {
      this.#database.exec(sql);
      return true;
    } catch {
      return false;
    }
  }

  #takenTooLong(): Error {
    const problem = `The transaction that is open on the connection of the outbox has lasted ${this.#limit}`;
    return new OutboxError('store', `${problem}. Nothing was written; the call can be repeated`);
  }

  #busyTooLong(error: unknown): Error {
    const problem = `Another connection has locked the database of the outbox for ${this.#limit}`;
    return storeError(error, problem, 'Nothing was written; the call can be repeated');
  }

  get #limit(): string {
    return `longer than busyTimeoutMs (${this.#options.busyTimeoutMs} ms)`;
  }
}
