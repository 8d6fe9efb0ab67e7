// No overload matches this call.
// Type 'PgPool & { readonly totalCount: number; }' is not assignable to type 'PostgresTransaction | undefined'.
// Type 'number' is not assignable to type '"pass a client of the pool, on which the transaction is open, not the pool"
import type { IdentifiedOrder } from 'sales-order-intake';
import type { Outbox } from 'sales-order-intake/outbox';
import type { PostgresPool, PostgresTransaction } from 'sales-order-intake/outbox/postgres';

export const accept = (
  outbox: Outbox<PostgresTransaction>,
  order: IdentifiedOrder,
  pool: PostgresPool & { readonly totalCount: number },
) => outbox.add(order, { transaction: pool });
