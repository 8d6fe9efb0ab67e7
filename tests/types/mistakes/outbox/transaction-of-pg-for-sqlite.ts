// Type 'PostgresClient' is
import type { IdentifiedOrder } from 'sales-order-intake';
import type { Outbox } from 'sales-order-intake/outbox';
import type { PostgresClient } from 'sales-order-intake/outbox/postgres';
import type { SqliteDatabase } from 'sales-order-intake/outbox/sqlite';

export const accept = (outbox: Outbox<SqliteDatabase>, order: IdentifiedOrder, transaction: PostgresClient) =>
  outbox.add(order, { transaction });
