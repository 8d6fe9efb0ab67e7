import type { Platform } from '../../pkg-template/src/platform/platform.js';
import { OutboxError } from '../errors.js';
import { isBusy, storeError, type SqliteDatabase } from './database.js';

interface Work {
  run(): unknown;
  resolve(value: unknown): void;
  reject(error: unknown): void;
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

/** The number of queued writes at which they are written without waiting. */
const ENOUGH = 64;
/** The first and the longest wait while the database is busy. */
const FIRST_WAIT_MS = 2;
const LAST_WAIT_MS = 32;

/**
 * Writes everything that is requested in one turn of the event loop in one transaction: a commit costs more than many
 * inserts. The requests settle after the commit. While the database is busy they wait, each for `busyTimeoutMs` at most.
 */
export class GroupCommit {
  readonly #database: SqliteDatabase;
  readonly #options: CommitOptions;
  #queue: Work[] = [];
  #isImmediate = false;
  #isHurried = false;
  #waitMs = FIRST_WAIT_MS;
  #cancelTimer: (() => void) | undefined;

  constructor(database: SqliteDatabase, options: CommitOptions) {
    this.#database = database;
    this.#options = options;
  }

  /** `run` is called again if its transaction had to be rolled back. */
  write<T>(run: () => T, patienceMs: number): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const endsAt = this.#options.platform.now() + this.#options.busyTimeoutMs;
      this.#queue.push({ run, resolve: resolve as (value: unknown) => void, reject, endsAt });
      this.#schedule(this.#isHurried || this.#queue.length >= ENOUGH ? 0 : patienceMs);
    });
  }

  /** Writes everything without delay from now on. */
  hurry(): void {
    this.#isHurried = true;
    if (this.#queue.length > 0) this.#schedule(0);
  }

  /** Waits until all requests are written, or have failed. */
  async drain(): Promise<void> {
    while (this.#queue.length > 0) await this.write(() => undefined, 0).catch(() => undefined);
  }

  #schedule(ms: number): void {
    if (ms > 0) {
      this.#cancelTimer ??= this.#options.platform.after(ms, () => this.#flush());
    } else if (!this.#isImmediate) {
      this.#isImmediate = true;
      this.#options.platform.soon(() => this.#flush());
    }
  }

  #flush(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#isImmediate = false;
    const batch = this.#queue;
    this.#queue = [];
    if (batch.length === 0) return;
    let results: Result[];
    try {
      // A write in the caller's transaction would be lost if the caller rolls back.
      if (this.#options.isTaken()) {
        this.#wait(batch, this.#takenTooLong());
        return;
      }
      results = this.#write(batch);
    } catch (error) {
      if (isBusy(error)) this.#wait(batch, this.#busyTooLong(error));
      else fail(batch, storeError(error));
      return;
    }
    this.#waitMs = FIRST_WAIT_MS;
    for (const [index, work] of batch.entries()) {
      const result = results[index] as Result;
      if ('error' in result) work.reject(storeError(result.error));
      else work.resolve(result.value);
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

  /** Retries the requests that have time left later, ahead of requests that are made meanwhile. */
  #wait(batch: readonly Work[], error: Error): void {
    const now = this.#options.platform.now();
    const waiting = batch.filter(({ endsAt }) => endsAt > now);
    const late = batch.filter(({ endsAt }) => endsAt <= now);
    fail(late, error);
    if (waiting.length === 0) return;
    this.#queue = [...waiting, ...this.#queue];
    this.#schedule(this.#waitMs);
    this.#waitMs = Math.min(LAST_WAIT_MS, this.#waitMs * 2);
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

function fail(batch: readonly Work[], error: Error): void {
  for (const { reject } of batch) reject(error);
}
