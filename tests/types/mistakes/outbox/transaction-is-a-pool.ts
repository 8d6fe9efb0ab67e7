// No overload matches this call.
// Type 'PgPool & { readonly totalCount: number; }' is not assignable to type 'PostgresTransaction | undefined'.
import type { IdentifiedOrder } from 'sales-order-intake';
import type { Outbox } from 'sales-order-intake/outbox';
import type { PostgresPool, PostgresTransaction } from 'sales-order-intake/outbox/postgres';

export const accept = (
  outbox: Outbox<PostgresTransaction>,
  order: IdentifiedOrder,
  pool: PostgresPool & { readonly totalCount: number },
) => outbox.add(order, { transaction: pool });
