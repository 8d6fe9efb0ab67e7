// Type 'OtherLibrary' is not assignable to type 'SqliteDatabase | undefined'.
// Types of property 'open' are incompatible.
// Type 'boolean' is not assignable to type
// "pass a DatabaseSync of node:sqlite, not the connection of another library"
import type { IdentifiedOrder } from 'sales-order-intake';
import type { Outbox } from 'sales-order-intake/outbox';
import type { SqliteDatabase } from 'sales-order-intake/outbox/sqlite';

type OtherLibrary = Omit<SqliteDatabase, 'open'> & { open: boolean };
export const accept = (outbox: Outbox<SqliteDatabase>, order: IdentifiedOrder, other: OtherLibrary) =>
  outbox.add(order, { transaction: other });
