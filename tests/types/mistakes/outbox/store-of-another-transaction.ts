// Type 'OutboxStore<PostgresTransaction>' is not assignable to type 'OutboxStore<SqliteDatabase>'
import type { Client } from 'sales-order-intake/client';
import { createOutbox } from 'sales-order-intake/outbox';
import { postgresStore, type PostgresPool } from 'sales-order-intake/outbox/postgres';
import type { SqliteDatabase } from 'sales-order-intake/outbox/sqlite';

export const make = (client: Client, pool: PostgresPool) =>
  createOutbox<SqliteDatabase>({ client, store: postgresStore({ pool }) });
