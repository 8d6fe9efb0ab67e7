// Argument of type 'OtherLibrary' is not assignable to parameter of type 'string | SqliteDatabase'.
// Types of property 'open' are incompatible.
// Type 'boolean' is not assignable to type
// "pass a DatabaseSync of node:sqlite, not the connection of another library"
import { sqliteStore, type SqliteDatabase } from 'sales-order-intake/outbox/sqlite';

type OtherLibrary = Omit<SqliteDatabase, 'open'> & { open: boolean };
export const store = (database: OtherLibrary) => sqliteStore(database);
