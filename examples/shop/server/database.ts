import type { OutboxStore } from 'sales-order-intake/outbox';

/** Runs a statement with the parameters $1, $2 … and returns its rows. */
export type Query = (sql: string, values: (string | null)[]) => Promise<Record<string, string | null>[]>;

/** The shop's database, which is the outbox's as well. `Transaction` is its own kind of transaction. */
export interface Database<Transaction> {
  query: Query;
  /**
   * Commits what `work` has written, or rolls back if it throws. `transaction` is for `outbox.add`. `work` uses the `query`
   * that it is given, and awaits nothing else: others wait for it.
   */
  transaction(work: (query: Query, transaction: Transaction) => Promise<void>): Promise<void>;
  store: OutboxStore<Transaction>;
}

export const SCHEMA = `CREATE TABLE IF NOT EXISTS sale (
  order_id TEXT PRIMARY KEY, lines TEXT NOT NULL, subtotal TEXT NOT NULL, state TEXT NOT NULL, receipt TEXT, issues TEXT
)`;
