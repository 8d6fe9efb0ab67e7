// Type 'Pool' is not assignable to type 'PostgresTransaction | undefined'.
// Type 'number' is not assignable to type '"pass a client of the pool, on which the transaction is open, not the pool"
import type { IdentifiedOrder } from 'sales-order-intake';
import type { Outbox } from 'sales-order-intake/outbox';
import type { PostgresClient, PostgresPool, PostgresTransaction } from 'sales-order-intake/outbox/postgres';

/** The members of a `pg.Pool`. */
interface Pool extends PostgresPool {
  readonly totalCount: number;
  query: PostgresClient['query'];
}

export const accept = (outbox: Outbox<PostgresTransaction>, order: IdentifiedOrder, pool: Pool) =>
  outbox.add(order, { transaction: pool });
