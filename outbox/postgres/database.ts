import { failureOf, NOTHING_WRITTEN, UNCERTAIN } from './failure.js';

/** One statement at a time, on a connection or a pool. pg-boss takes the same. */
export interface Executor {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
}

/** What this store uses of a client of node-postgres. */
export interface PgClient {
  query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
  release(error?: Error | boolean): void;
  on(event: 'error', listener: () => void): unknown;
  removeListener(event: 'error', listener: () => void): unknown;
}

/** What this store uses of a pool of node-postgres. */
export interface PgPool {
  /** Takes a connection out of the pool, or opens one. */
  connect(): Promise<PgClient>;
  /** Runs a statement on any connection. */
  query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
}

/** A pool that this store has created. */
export interface OwnPool extends PgPool {
  options: { max?: number };
  end(): Promise<void>;
  on(event: 'error', listener: () => void): unknown;
}

/** A transaction of this process that hangs would keep the engine from taking its jobs away. */
const IDLE_IN_TRANSACTION_MS = 3000;

/** In a transaction, `SET LOCAL synchronous_commit = on`, unless the setting is sufficient: a lost commit would lose an order. */
export const DURABLE = `CASE current_setting('synchronous_commit') WHEN 'off' THEN set_config('synchronous_commit', 'on', true) END`;

// Settings of the transaction, not of the session: behind a pooler such as PgBouncer, the next transaction may run in another
// session, and settings in the start-up packet are refused.
const BEGIN = `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}; SELECT ${DURABLE}`;

/**
 * Runs work in a transaction of its own, in which each statement sees what was committed before it.
 *
 * @throws OutboxError that says whether anything can have been written.
 */
export async function inTransaction<T>(pool: PgPool, work: (db: Executor) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    throw failureOf(NOTHING_WRITTEN, error);
  });
  // A connection that breaks between two statements would end the process; the next statement reports it.
  const ignore = () => {};
  client.on('error', ignore);
  let consequence = NOTHING_WRITTEN;
  let isBroken = false;
  try {
    await client.query(BEGIN);
    const result = await work({ executeSql: (text, values) => client.query(text, values) });
    consequence = UNCERTAIN;
    await client.query('COMMIT');
    return result;
  } catch (error) {
    isBroken = await client.query('ROLLBACK').then(
      () => false,
      () => true,
    );
    throw failureOf(consequence, error);
  } finally {
    client.removeListener('error', ignore);
    // A connection that can't roll back is not used again.
    client.release(isBroken);
  }
}
