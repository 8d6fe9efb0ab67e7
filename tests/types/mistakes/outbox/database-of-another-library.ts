// Argument of type 'OtherLibrary' is not assignable to parameter of type 'string | SqliteDatabase'.
// Types of property 'open' are incompatible.
import { sqliteStore, type SqliteDatabase } from 'sales-order-intake/outbox/sqlite';

type OtherLibrary = Omit<SqliteDatabase, 'open'> & { open: boolean };
export const store = (database: OtherLibrary) => sqliteStore(database);
