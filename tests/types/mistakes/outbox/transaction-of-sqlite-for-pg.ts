// Type 'SqliteDatabase' is not assignable to type 'PostgresTransaction | undefined'.
import type { IdentifiedOrder } from 'sales-order-intake';
import type { Outbox } from 'sales-order-intake/outbox';
import type { PostgresTransaction } from 'sales-order-intake/outbox/postgres';
import type { SqliteDatabase } from 'sales-order-intake/outbox/sqlite';

export const accept = (outbox: Outbox<PostgresTransaction>, order: IdentifiedOrder, transaction: SqliteDatabase) =>
  outbox.replace(order, { transaction });
