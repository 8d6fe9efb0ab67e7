import { OutboxError } from '../errors.js';

/** One statement at a time, on a connection or a pool. pg-boss takes the same. */
export interface Executor {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
}

/** What this store uses of node-postgres. */
export interface PgClient {
  query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
  release(error?: unknown): void;
}

export interface PgPool {
  connect(): Promise<PgClient>;
  query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
  end(): Promise<void>;
  on(event: 'error', listener: () => void): void;
  on(event: 'connect', listener: (client: { on(event: 'error', listener: () => void): void }) => void): void;
}

/** A job that this process has fetched. */
export interface Job {
  id: string;
  retryCount: number;
  data: { orderId: string; location: string };
}

export interface NewJob {
  id: string;
  data: Job['data'];
  singletonKey: string;
  group: { id: string };
  startAfter: number;
}

/** A job as one process has fetched it: the count changes when another process gets it. */
export type Lease = Pick<Job, 'id' | 'retryCount'>;
type Settled = Promise<{ settled?: string[] }>;

/** What this store uses of pg-boss. */
export interface PgBoss {
  start(): Promise<unknown>;
  stop(options: { graceful: boolean; close: boolean }): Promise<void>;
  on(event: 'error', listener: (error: unknown) => void): void;
  createQueue(name: string, options: object): Promise<unknown>;
  insert(name: string, jobs: readonly NewJob[], options: { db: Executor }): Promise<unknown>;
  fetch(name: string, options: { batchSize: number; ignoreGroups: readonly string[] }): Promise<Job[]>;
  touch(name: string, jobs: readonly Lease[], options?: { db: Executor }): Settled;
  complete(name: string, jobs: readonly Lease[], data: null, options?: { db: Executor }): Settled;
  deleteJob(name: string, ids: readonly string[], options: { db: Executor }): Promise<unknown>;
}

interface Modules {
  Pool: new (options: object) => PgPool;
  PgBoss: new (options: object) => PgBoss;
}

/** @throws OutboxError if an optional package is missing or too old. */
export async function loadEngine(): Promise<Modules> {
  const [boss, pg] = await Promise.all([load('pg-boss'), load('pg')]);
  const { PgBoss } = boss as Partial<Modules>;
  const { Pool } = ((pg.default ?? pg) as Partial<Modules>) ?? {};
  if (PgBoss && Pool) return { PgBoss, Pool };
  throw new OutboxError('unsupported', `postgresStore needs pg-boss 12 or later; ${INSTALL}`);
}

const INSTALL = 'install it with: npm install pg-boss@12 pg@8 (Node 22.12 or later)';

async function load(name: string): Promise<Record<string, unknown>> {
  try {
    // Not a literal: bundlers and compilers must not look for an optional package.
    return (await import(name)) as Record<string, unknown>;
  } catch (error) {
    const { code } = (error ?? {}) as { code?: string };
    const problem = /MODULE_NOT_FOUND/.test(code ?? '') ? 'is not installed' : 'cannot be loaded here';
    throw new OutboxError('unsupported', `postgresStore needs ${name}, which ${problem}; ${INSTALL}`);
  }
}

/** Errors of a database may show values: only their codes are reported (D45). */
export async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof OutboxError) throw error;
    throw failureOf('It is not certain what was written', error);
  }
}

export function failureOf(consequence: string, error: unknown): OutboxError {
  const code = codeOf(error);
  const what = code ? ` (${code})` : '';
  return new OutboxError('store', `The database of the outbox failed${what}. ${consequence}`, { code });
}

/** Returns the code of an error of node-postgres, or of a library that wraps one. */
export function codeOf(error: unknown): string | undefined {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  if (typeof code === 'string') return code;
  return cause ? codeOf(cause) : undefined;
}

/** In a transaction, `SET LOCAL synchronous_commit = on`, unless the setting is sufficient: a lost commit would lose an order. */
export const DURABLE = `CASE current_setting('synchronous_commit') WHEN 'off' THEN set_config('synchronous_commit', 'on', true) END`;

/** Runs work in a transaction of its own, in which each statement sees what was committed before it. */
export async function inTransaction<T>(pool: PgPool, work: (db: Executor) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let failure: unknown;
  try {
    await client.query(`BEGIN ISOLATION LEVEL READ COMMITTED; SELECT ${DURABLE}`);
    const result = await work({ executeSql: (text, values) => client.query(text, values) });
    await client.query('COMMIT');
    return result;
  } catch (error) {
    failure = error;
    await client.query('ROLLBACK').then(
      () => {
        failure = undefined;
      },
      () => {},
    );
    throw error;
  } finally {
    // A connection that can't roll back is not used again.
    client.release(failure);
  }
}
