import type { Platform } from '../../pkg-template/src/platform/platform.js';
import { failureOf, isRefusal, isRepeatable, NOTHING_WRITTEN, SilenceError, UNCERTAIN } from './failure.js';

/** One statement at a time, on a connection or a pool. */
export interface Executor {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
}

/** The part of a node-postgres client that this store uses. */
export interface PgClient {
  query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
  release(error?: Error | boolean): void;
  on(event: 'error' | 'end' | 'notification', listener: () => void): unknown;
  removeListener(event: 'error', listener: () => void): unknown;
}

/** The part of a node-postgres pool that this store uses. */
export interface PgPool {
  /** Takes a connection out of the pool, or opens one. */
  connect(): Promise<PgClient>;
  /** Reports each connection that is opened. */
  on?(event: 'connect', listener: (client: PgClient) => void): unknown;
  removeListener?(event: 'connect', listener: (client: PgClient) => void): unknown;
}

/** A transaction of this process that hangs would keep its locks. */
const IDLE_IN_TRANSACTION_MS = 3000;

/** Sets `synchronous_commit` to `on` for the transaction, unless the setting is sufficient: a lost commit would lose an order. */
export const DURABLE = `CASE current_setting('synchronous_commit') WHEN 'off' THEN set_config('synchronous_commit', 'on', true) END`;

// Settings of the transaction, not of the session: behind a pooler such as PgBouncer, the next transaction may run in another
// session, and settings in the start-up packet are refused.
const BEGIN = `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}`;

/** Waits for responses of a database until the time is up, even if the network has fallen silent. */
export class TimeLimit {
  readonly #expired: Promise<never>;
  #awaited = '';
  end = (): void => {};

  constructor(platform: Platform, ms: number) {
    this.#expired = new Promise((_, reject) => {
      this.end = platform.after(ms, () => reject(new SilenceError(ms, this.#awaited)));
    });
    // It may expire while nothing is awaited: then the next wait reports it.
    this.#expired.catch(() => {});
  }

  /** @throws SilenceError if the time is up. */
  wait<T>(what: string, answer: Promise<T>): Promise<T> {
    this.#awaited = what;
    return Promise.race([answer, this.#expired]);
  }

  /** Waits for a connection. One that comes too late goes back to its pool. @throws SilenceError if the time is up. */
  connection(connecting: Promise<PgClient>): Promise<PgClient> {
    return this.wait('a connection', connecting).catch((error: unknown) => {
      connecting.then((client) => client.release()).catch(() => {});
      throw error;
    });
  }

  /** Returns an executor whose statements have this limit. */
  of(db: Executor): Executor {
    return { executeSql: (text, values) => this.wait('a statement', db.executeSql(text, values)) };
  }
}

const ignore = () => {};

/** The calls that wait for a connection of one pool. They share a listener: Node warns of more than ten. */
class Opening {
  static readonly #ofPools = new WeakMap<PgPool, Opening>();
  readonly #pool: PgPool;
  readonly #opened = new Set<PgClient>();
  #calls = 0;

  private constructor(pool: PgPool) {
    this.#pool = pool;
  }

  static of(pool: PgPool): Opening {
    const opening = Opening.#ofPools.get(pool) ?? new Opening(pool);
    Opening.#ofPools.set(pool, opening);
    return opening;
  }

  readonly #endure = (client: PgClient): void => {
    this.#opened.add(client);
    client.on('error', ignore);
  };

  async connection(): Promise<PgClient> {
    if (this.#calls++ === 0) this.#pool.on?.('connect', this.#endure);
    try {
      const client = await this.#pool.connect();
      this.#leave(client);
      return client;
    } finally {
      if (--this.#calls === 0) {
        this.#pool.removeListener?.('connect', this.#endure);
        for (const client of this.#opened) this.#leave(client);
      }
    }
  }

  /** The caller listens before the next packet comes. */
  #leave(client: PgClient): void {
    if (this.#opened.delete(client)) client.removeListener('error', ignore);
  }
}

/**
 * Takes a connection out of a pool, or opens one. A connection may end in the same packet that opens it, before its caller can listen,
 * and the error would end the process. So errors are ignored from the moment it is opened until a caller has it: the next statement
 * reports them.
 */
export function connectionOf(pool: PgPool): Promise<PgClient> {
  return Opening.of(pool).connection();
}

/** A database with a pool of connections. Each statement and each transaction has a limit of time. */
export class Database implements Executor {
  readonly #platform: Platform;
  readonly #pool: PgPool;
  readonly #timeoutMs: number;
  readonly #onSilence: (error: SilenceError) => void;
  /** When each connection last responded. */
  readonly #answeredAt = new WeakMap<PgClient, number>();
  /** When the connection that last fell silent was taken from the pool. */
  #silentSince = Number.NEGATIVE_INFINITY;

  /** @param onSilence Called when a connection was closed because it did not respond. */
  constructor(platform: Platform, pool: PgPool, timeoutMs: number, onSilence: (error: SilenceError) => void) {
    this.#platform = platform;
    this.#pool = pool;
    this.#timeoutMs = timeoutMs;
    this.#onSilence = onSilence;
  }

  /** Runs one statement on any connection. */
  executeSql(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }> {
    return this.#connected((client, limit) => limit.wait('a statement', client.query(text, values)));
  }

  /**
   * Runs one statement that writes, which commits by itself. If PostgreSQL rolls it back because of another one, runs it again in a
   * transaction, in which each statement sees what was committed before it.
   *
   * @throws OutboxError whose message says whether anything can have been written.
   */
  async write(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }> {
    let consequence = NOTHING_WRITTEN;
    try {
      return await this.#connected((client, limit) => {
        consequence = UNCERTAIN;
        return limit.wait('a statement', client.query(text, values));
      });
    } catch (error) {
      if (isRepeatable(error)) return this.transaction((db) => db.executeSql(text, values));
      throw failureOf(isRefusal(error) ? NOTHING_WRITTEN : consequence, error);
    }
  }

  /**
   * Runs work in a transaction of its own, in which each statement sees what was committed before it.
   *
   * @throws OutboxError whose message says whether anything can have been written.
   */
  async transaction<T>(work: (db: Executor) => Promise<T>): Promise<T> {
    let consequence = NOTHING_WRITTEN;
    try {
      const outcome = await this.#connected(async (client, limit) => {
        try {
          await limit.wait('the begin of a transaction', client.query(BEGIN));
          const result = await work(limit.of({ executeSql: (text, values) => client.query(text, values) }));
          consequence = UNCERTAIN;
          await limit.wait('a commit', client.query('COMMIT'));
          return { result };
        } catch (error) {
          // A connection that can't roll back is not used again.
          await limit.wait('a rollback', client.query('ROLLBACK')).catch(() => {
            throw error;
          });
          return { error };
        }
      });
      if ('error' in outcome) throw outcome.error;
      return outcome.result;
    } catch (error) {
      throw failureOf(consequence, error);
    }
  }

  /** Runs work on a connection, which is closed if the work fails, except by a statement that PostgreSQL refuses. */
  async #connected<T>(work: (client: PgClient, limit: TimeLimit) => Promise<T>): Promise<T> {
    const limit = new TimeLimit(this.#platform, this.#timeoutMs);
    try {
      const client = await limit.connection(this.#connect());
      const takenAt = this.#platform.now();
      // A connection that breaks between two statements would end the process; the next statement reports it.
      client.on('error', ignore);
      let isBroken = true;
      try {
        const result = await work(client, limit);
        isBroken = false;
        this.#answeredAt.set(client, this.#platform.now());
        return result;
      } catch (error) {
        isBroken = !isRefusal(error);
        if (error instanceof SilenceError) {
          this.#silentSince = takenAt;
          this.#onSilence(error);
        }
        throw error;
      } finally {
        client.removeListener('error', ignore);
        client.release(isBroken);
      }
    } finally {
      limit.end();
    }
  }

  /** Takes a connection out of the pool, and closes those that may have fallen silent when another one did. */
  async #connect(): Promise<PgClient> {
    for (;;) {
      const client = await connectionOf(this.#pool);
      const answeredAt = this.#answeredAt.get(client) ?? this.#silentSince;
      if (answeredAt >= this.#silentSince) return client;
      client.release(true);
    }
  }
}
