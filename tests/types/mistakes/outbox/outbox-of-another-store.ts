// Type 'Outbox<SqliteDatabase>' is not assignable to type 'Outbox<PostgresTransaction>'.
import type { Outbox } from 'sales-order-intake/outbox';
import type { PostgresTransaction } from 'sales-order-intake/outbox/postgres';
import type { SqliteDatabase } from 'sales-order-intake/outbox/sqlite';

export const confused = (outbox: Outbox<SqliteDatabase>): Outbox<PostgresTransaction> => outbox;
