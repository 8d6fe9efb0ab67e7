/** Mistakes in programs that use sales-order-intake/outbox. mistakes.test.mjs says how they are written. */
import type { IdentifiedOrder } from 'sales-order-intake';
import type { Client } from 'sales-order-intake/client';
import { createOutbox, type ListFilter, type Outbox } from 'sales-order-intake/outbox';
import { outboxPage } from 'sales-order-intake/outbox/page';
import {
  type PostgresClient,
  type PostgresPool,
  postgresStore,
  type PostgresTransaction,
} from 'sales-order-intake/outbox/postgres';
import { type SqliteDatabase, sqliteStore } from 'sales-order-intake/outbox/sqlite';

// This comparison appears to be unintentional because the types
// and '"outage"' have no overlap.
export const causeOfAPauseUnknown = (client: Client) =>
  createOutbox({
    client,
    store: sqliteStore('orders.sqlite'),
    hooks: { onGate: ({ pause }) => void (pause?.cause === 'outage') },
  });

// Property 'client' is missing in type '{ store: FileStore; }' but required in type 'OutboxOptions<SqliteDatabase>'.
export function clientMissing() {
  createOutbox({ store: sqliteStore('orders.sqlite') });
}

// 'connectionstring' does not exist in type 'PostgresOptions'. Did you mean to write 'connectionString'?
export const connectionStringInLowerCase = postgresStore({ connectionstring: 'postgres://x' });

// Argument of type 'OtherLibrary' is not assignable to parameter of type 'string | SqliteDatabase'.
// Types of property 'open' are incompatible.
// Type 'boolean' is not assignable to type
// "pass a DatabaseSync of node:sqlite, not the connection of another library"
export function databaseOfAnotherLibrary() {
  type OtherLibrary = Omit<SqliteDatabase, 'open'> & { open: boolean };
  return (database: OtherLibrary) => sqliteStore(database);
}

// 'host' does not exist in type 'PostgresOptions'.
export const hostBesideConfig = postgresStore({ host: 'x' });

// 'Note' does not exist in type 'IdentifiedOrder'. Did you mean to write 'Notes'?
export const memberOfACorrectedOrderMisspelt = (outbox: Outbox) =>
  outbox.replace({ Id: 'x', CompanyId: 1000, EntityId: 2000, IntegratorId: 'x', Items: [], Note: 'x' });

// Argument of type '{}' is not assignable to parameter of type 'PostgresOptions'.
export const noDatabase = postgresStore({});

// 'verison' does not exist in type 'AddOptions<never>'. Did you mean to write 'version'?
export const optionMisspelt = (outbox: Outbox, order: IdentifiedOrder) => outbox.add(order, { verison: 'v2' });

// 'EntityID' does not exist in type 'IdentifiedOrder'. Did you mean to write 'EntityId'?
export const orderMemberMisspelt = (outbox: Outbox) =>
  outbox.add({ Id: 'x', CompanyId: 1000, EntityID: 2000, IntegratorId: 'x', Items: [] });

// Property 'Id' is missing in type '{ CompanyId: number; EntityId: number; IntegratorId: string; Items: never[]; }' but required in type 'IdentifiedOrder'.
export const orderWithoutId = (outbox: Outbox) =>
  outbox.add({ CompanyId: 1000, EntityId: 2000, IntegratorId: 'x', Items: [] });

// Type 'Outbox<SqliteDatabase>' is not assignable to type 'Outbox<PostgresTransaction>'.
export const outboxOfAnotherStore = (outbox: Outbox<SqliteDatabase>): Outbox<PostgresTransaction> => outbox;

// Property 'authorize' is missing in type '{ outbox: Outbox<never>; }' but required in type 'OutboxPageOptions'.
export const pageWithoutAuthorize = (outbox: Outbox) => outboxPage({ outbox });

// Argument of type '{ connectionString: string; pool: PgPool; }' is not assignable to parameter of type 'PostgresOptions'.
// Types of property 'pool' are incompatible.
export const poolAndConnectionString = (pool: PostgresPool) =>
  postgresStore({ connectionString: 'postgres://x', pool });

// Type 'boolean' is not assignable to type 'DecimalInput'.
export const quantityAsBoolean = (outbox: Outbox) =>
  outbox.add({
    Id: 'x',
    CompanyId: 1000,
    EntityId: 2000,
    IntegratorId: 'x',
    Items: [{ CatalogItemId: 'x', Quantity: true, SellAtPricePerUnit: 1 }],
  });

// Type '"RejectedEror"' is not assignable to type 'EntryReason | undefined'. Did you mean '"RejectedError"'?
export const reasonMisspelt: ListFilter = { reason: 'RejectedEror' };

// This comparison appears to be unintentional because the types 'EntryReason | null' and '"RejectedEror"' have no overlap.
export const reasonOfAResultMisspelt = (client: Client) =>
  createOutbox({
    client,
    store: sqliteStore('orders.sqlite'),
    hooks: { onResult: ({ reason }) => void (reason === 'RejectedEror') },
  });

// This comparison appears to be unintentional because the types 'EntryReason | null' and '"RejectedEror"' have no overlap.
export const reasonOfAnEntryMisspelt = (client: Client) =>
  createOutbox({ client, store: sqliteStore('orders.sqlite'), onSettled: ({ reason }) => reason === 'RejectedEror' });

// Argument of type '{ schema: string; }' is not assignable to parameter of type 'PostgresOptions'.
// Property 'pool' is missing
export const schemaOnly = postgresStore({ schema: 'shop' });

// This comparison appears to be unintentional because the types
// and '"waiting"' have no overlap.
export const settledButWaiting = (client: Client) =>
  createOutbox({ client, store: sqliteStore('orders.sqlite'), onSettled: ({ state }) => state === 'waiting' });

// This comparison appears to be unintentional because the types
// and '"canceled"' have no overlap.
export const settledStateMisspelt = (client: Client) =>
  createOutbox({ client, store: sqliteStore('orders.sqlite'), onSettled: ({ state }) => state === 'canceled' });

// Argument of type '{ pool: PgPool; max: number; }' is not assignable to parameter of type 'PostgresOptions'.
// Types of property 'max' are incompatible.
export const sizeOfAPool = (pool: PostgresPool) => postgresStore({ pool, max: 4 });

// Type '"lost"' is not assignable to type 'EntryState | undefined'.
export const stateUnknown: ListFilter = { state: 'lost' };

// Type '"stall"' is not assignable to type 'EntryState'. Did you mean '"stalled"'?
export const statesMisspelt: ListFilter = { states: ['stalled', 'stall'] };

// Type 'OutboxStore<PostgresTransaction>' is not assignable to type 'OutboxStore<SqliteDatabase>'
export const storeOfAnotherTransaction = (client: Client, pool: PostgresPool) =>
  createOutbox<SqliteDatabase>({ client, store: postgresStore({ pool }) });

// Type 'Pool' is not assignable to type 'PostgresTransaction | undefined'.
// Type 'number' is not assignable to type '"pass a client of the pool, on which the transaction is open, not the pool"
export function transactionIsAPool() {
  /** The members of a `pg.Pool`. */
  interface Pool extends PostgresPool {
    readonly totalCount: number;
    query: PostgresClient['query'];
  }

  return (outbox: Outbox<PostgresTransaction>, order: IdentifiedOrder, pool: Pool) =>
    outbox.add(order, { transaction: pool });
}

// 'transacton' does not exist in type 'AddOptions<PostgresTransaction>'. Did you mean to write 'transaction'?
export const transactionMisspelt = (
  outbox: Outbox<PostgresTransaction>,
  order: IdentifiedOrder,
  connection: PostgresClient,
) => outbox.add(order, { transacton: connection });

// Type 'SqliteDatabase' is not assignable to type 'undefined'.
export const transactionOfAStoreWithout = (outbox: Outbox<never>, order: IdentifiedOrder, database: SqliteDatabase) =>
  outbox.add(order, { transaction: database });

// Type 'OtherLibrary' is not assignable to type 'SqliteDatabase | undefined'.
// Types of property 'open' are incompatible.
// Type 'boolean' is not assignable to type
// "pass a DatabaseSync of node:sqlite, not the connection of another library"
export function transactionOfAnotherLibrary() {
  type OtherLibrary = Omit<SqliteDatabase, 'open'> & { open: boolean };
  return (outbox: Outbox<SqliteDatabase>, order: IdentifiedOrder, other: OtherLibrary) =>
    outbox.add(order, { transaction: other });
}

// Type 'PostgresClient' is not assignable to type 'undefined'.
export const transactionOfAnyOutbox = (outbox: Outbox, order: IdentifiedOrder, connection: PostgresClient) =>
  outbox.add(order, { transaction: connection });

// Type 'PostgresClient' is
export const transactionOfPgForSqlite = (
  outbox: Outbox<SqliteDatabase>,
  order: IdentifiedOrder,
  transaction: PostgresClient,
) => outbox.add(order, { transaction });

// Type 'SqliteDatabase' is not assignable to type 'PostgresTransaction | undefined'.
export const transactionOfSqliteForPg = (
  outbox: Outbox<PostgresTransaction>,
  order: IdentifiedOrder,
  transaction: SqliteDatabase,
) => outbox.replace(order, { transaction });

// Module '"sales-order-intake/outbox"' has no exported member 'TakenEntry'.
export type { TakenEntry } from 'sales-order-intake/outbox';
