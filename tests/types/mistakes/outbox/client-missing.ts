// Property 'client' is missing in type '{ store: FileStore; }' but required in type 'OutboxOptions<SqliteDatabase>'.
import { createOutbox } from 'sales-order-intake/outbox';
import { sqliteStore } from 'sales-order-intake/outbox/sqlite';

createOutbox({ store: sqliteStore('orders.sqlite') });
