import { wrongOption } from '../../client/option-error.js';
import type { Executor } from './engine.js';

/** A client of node-postgres whose transaction is open. */
interface NodePostgres {
  query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
}

/** Returns an executor that runs statements in the caller's transaction. @throws OptionError if it is not a transaction. */
export function executorOf(transaction: unknown): Executor {
  const { executeSql, query } = Object(transaction) as Partial<Executor & NodePostgres>;
  if (typeof executeSql === 'function') return transaction as Executor;
  if (typeof query !== 'function') {
    throw wrongOption('/transaction', 'must be a client of node-postgres, or an object with executeSql(text, values)');
  }
  return { executeSql: (text, values) => (transaction as NodePostgres).query(text, values) };
}
