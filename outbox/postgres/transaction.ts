import { wrongOption } from '../../pkg-template/src/options/check.js';
import type { Executor } from './database.js';
import { ROLL_BACK } from './failure.js';

/**
 * The caller's own transaction: a client of node-postgres (`pg.Client`, or what `pool.connect()` returns) on which it is open,
 * or a function of another library that runs a statement in it.
 */
export type PostgresTransaction = PostgresClient | SqlExecutor;

/** The part of a `pg.ClientBase` that the store uses: the types of pg need not be installed. */
export interface PostgresClient {
  /** Runs a statement on the connection. */
  query(text: string, values?: unknown[]): Promise<SqlResult>;
  /** Only a pool has it, and would run each statement on any of its connections. The compiler's error shows this type. */
  totalCount?: 'pass a client of the pool, on which the transaction is open, not the pool' | undefined;
}

/** Runs statements in a transaction of another library: Kysely, Drizzle, Prisma. */
export interface SqlExecutor {
  /** Runs a statement with the parameters `$1`, `$2` and so on. */
  executeSql(text: string, values: unknown[]): Promise<SqlResult>;
}

/** The result of a statement. */
export interface SqlResult {
  /** The rows, with a member for each column. */
  rows: Record<string, unknown>[];
}

/** Returns an executor that runs statements in the caller's transaction. @throws OptionError if it can't be a transaction. */
export function executorOf(transaction: PostgresTransaction): Executor {
  const { executeSql, query, totalCount } = Object(transaction) as {
    [Name in 'executeSql' | 'query' | 'totalCount']?: unknown;
  };
  if (typeof executeSql === 'function') {
    return checked('executeSql', (text, values = []) => (transaction as SqlExecutor).executeSql(text, values));
  }
  if (typeof query !== 'function') {
    throw wrongOption('/transaction', 'must be a client of node-postgres, or an object with executeSql(text, values)');
  }
  // A pool would run each statement on any of its connections.
  if (totalCount !== undefined) throw wrongOption('/transaction', 'must be a client of the pool, not the pool itself');
  return checked('query', (text, values) => (transaction as PostgresClient).query(text, values));
}

/** Libraries return the rows of a statement in several ways. */
function checked(name: string, executeSql: Executor['executeSql']): Executor {
  return {
    async executeSql(text, values) {
      const result: Partial<SqlResult> | undefined = await executeSql(text, values);
      if (Array.isArray(result?.rows)) return { rows: result.rows };
      throw wrongOption('/transaction', `must return { rows } from ${name}, an array of rows. ${ROLL_BACK}`);
    },
  };
}
