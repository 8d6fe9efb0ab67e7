// Type 'SqliteDatabase' is not assignable to type 'undefined'.
import type { IdentifiedOrder } from 'sales-order-intake';
import type { Outbox } from 'sales-order-intake/outbox';
import type { SqliteDatabase } from 'sales-order-intake/outbox/sqlite';

export const accept = (outbox: Outbox<never>, order: IdentifiedOrder, database: SqliteDatabase) =>
  outbox.add(order, { transaction: database });
