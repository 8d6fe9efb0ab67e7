// Type 'PostgresClient' is not assignable to type 'undefined'.
import type { IdentifiedOrder } from 'sales-order-intake';
import type { Outbox } from 'sales-order-intake/outbox';
import type { PostgresClient } from 'sales-order-intake/outbox/postgres';

export const accept = (outbox: Outbox, order: IdentifiedOrder, connection: PostgresClient) =>
  outbox.add(order, { transaction: connection });
