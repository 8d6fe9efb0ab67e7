import { wrongOption } from '../../options/check.js';
import type { Executor } from './database.js';
import { codeOf } from './failure.js';

/** A client of node-postgres whose transaction is open. */
interface NodePostgres {
  query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
  /** Only a pool has it. */
  totalCount?: number;
}

const NO_ACTIVE_TRANSACTION = '25P01';

/** Returns an executor that runs statements in the caller's transaction. @throws OptionError if it can't be a transaction. */
export function executorOf(transaction: unknown): Executor {
  const { executeSql, query, totalCount } = Object(transaction) as Partial<Executor & NodePostgres>;
  if (typeof executeSql === 'function') return transaction as Executor;
  if (typeof query !== 'function') {
    throw wrongOption('/transaction', 'must be a client of node-postgres, or an object with executeSql(text, values)');
  }
  // A pool would run each statement on any of its connections.
  if (totalCount !== undefined) throw wrongOption('/transaction', 'must be a client of the pool, not the pool itself');
  return { executeSql: (text, values) => (transaction as NodePostgres).query(text, values) };
}

/**
 * Checks that statements run in a transaction: LOCK fails outside of one, and takes the lock that an INSERT takes anyway.
 * Otherwise each statement would commit by itself, and the caller's rollback would not discard the order.
 *
 * @throws OptionError if there is no open transaction.
 */
export async function assertTransaction(db: Executor, table: string): Promise<void> {
  try {
    await db.executeSql(`LOCK TABLE ${table} IN ROW EXCLUSIVE MODE`, []);
  } catch (error) {
    if (codeOf(error) !== NO_ACTIVE_TRANSACTION) throw error;
    throw wrongOption('/transaction', 'must have an open transaction: begin it before this call');
  }
}
