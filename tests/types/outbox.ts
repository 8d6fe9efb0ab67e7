// A user's program with the outbox, on Node (tests/types/compile.test.mjs). It is never run. The comments quote what the newest
// TypeScript says.
import { prepareRequest, type IdentifiedOrder, type PreparedRequest } from 'sales-order-intake';
import { createClient, type OrderIntakeErrorName, type PreparedRequestInput } from 'sales-order-intake/client';
import {
  createOutbox,
  OutboxError,
  type AddedOrder,
  type AddOptions,
  type Entry,
  type EntryReason,
  type EntryState,
  type GateEvent,
  type ListFilter,
  type Outbox,
  type OutboxCounts,
  type OutboxErrorReason,
  type OutboxOptions,
  type OutboxStore,
  type ResultEvent,
  type SettledEntry,
} from 'sales-order-intake/outbox';
import { storeChecks, type StoreLocation } from 'sales-order-intake/outbox/conformance';
import {
  postgresSchema,
  postgresStore,
  type PostgresClient,
  type PostgresOptions,
  type PostgresPool,
  type PostgresTransaction,
} from 'sales-order-intake/outbox/postgres';
import { sqliteStore, type FileStore, type SqliteDatabase } from 'sales-order-intake/outbox/sqlite';
import type { NewEntry, OutboxStore as StoreOfAuthors, StoredEntry } from 'sales-order-intake/outbox/store';

type DeepReadonly<T> = T extends (...args: never[]) => unknown
  ? T
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T;

const client = createClient({ baseUrl: 'https://intake.test', token: 'x' });
const file: FileStore = sqliteStore('orders.sqlite');
const options: OutboxOptions = {
  client,
  store: postgresStore({ config: { connectionString: 'postgres://x', ssl: true } }),
  onSettled: async ({ orderId, state, order }: Entry) => void [orderId, state, order?.ReceiptNumber],
  concurrency: undefined,
  retry: { baseMs: undefined },
  hooks: { onResult: ({ state, ageMs }) => void [state, ageMs], onGate: undefined },
};
const order = {
  Id: 'x',
  CompanyId: 1,
  EntityId: 2,
  IntegratorId: 'y',
  Items: [{ CatalogItemId: 'z', Quantity: 1, SellAtPricePerUnit: '1.50' }],
};

export async function main(): Promise<void> {
  const outbox: Outbox = createOutbox(options).start();
  const added: AddedOrder = await outbox.add(order, { version: 'v2', transaction: undefined });
  const state: EntryState = added.state;
  const entry: Entry | null = await outbox.get(added.orderId);
  for await (const { orderId } of outbox.list({ state, companyId: 1, entityId: 2 })) await outbox.retry(orderId);
  const counts: OutboxCounts = await outbox.counts();
  await outbox.cancel(entry?.orderId ?? '').catch((error: unknown) => {
    const reason: OutboxErrorReason | false = error instanceof OutboxError && error.reason;
    return reason;
  });
  const settled: SettledEntry | null = await outbox.settled('x', { timeoutMs: 1000, signal: AbortSignal.timeout(1) });
  const ending: 'created' | 'refused' | 'stalled' | 'cancelled' | undefined = settled?.state;
  const retried: number = await outbox.retryAll({ states: ['refused'], reason: 'NotFoundError', since: new Date() });
  await outbox.forget('x');
  const pruned: number = await outbox.prune();
  await file.backup(`copy-${counts.stalled + pruned + retried}-${ending}.sqlite`);
  await outbox.stop({ timeoutMs: 1000 });
}

// ---------------------------------------------------------------- orders, and prepared requests

declare const frozenOrder: DeepReadonly<IdentifiedOrder>;
declare const frozenRequest: DeepReadonly<PreparedRequest>;
declare const eitherOf: IdentifiedOrder | PreparedRequest;
declare const storedRequest: Omit<PreparedRequestInput, 'headers' | 'issues'>;

export async function accept(outbox: Outbox): Promise<void> {
  await outbox.add(frozenOrder);
  await outbox.replace(frozenOrder, { records: 'passthrough', allowEmptyTaxes: undefined });
  await outbox.add(prepareRequest(order));
  await outbox.add(frozenRequest);
  await outbox.replace(frozenRequest);
  await outbox.add(storedRequest);
  await outbox.add(JSON.parse('{}'));
  await outbox.add(eitherOf);
  // @ts-expect-error -- 'EntityID' does not exist in type 'IdentifiedOrder'. Did you mean to write 'EntityId'?
  await outbox.add({ ...order, EntityID: 2 });
  // @ts-expect-error -- 'Note' does not exist in type 'IdentifiedOrder'. Did you mean to write 'Notes'?
  await outbox.replace({ ...order, Note: 'x' });
  // @ts-expect-error -- Property 'Id' is missing in type … but required in type '{ Id: string; }'
  await outbox.add({ CompanyId: 1, EntityId: 2, IntegratorId: 'y', Items: [] });
  // @ts-expect-error -- Type 'boolean' is not assignable to type 'DecimalInput'
  await outbox.add({ ...order, Items: [{ CatalogItemId: 'z', Quantity: true, SellAtPricePerUnit: '1.50' }] });
  // @ts-expect-error -- 'verison' does not exist in type 'AddOptions<never>'. Did you mean to write 'version'?
  await outbox.add(order, { verison: 'v2' });
}

// ---------------------------------------------------------------- transactions

declare const database: SqliteDatabase;
declare const otherLibrary: Omit<SqliteDatabase, 'open'> & { open: boolean };
declare const pool: PostgresPool & { readonly totalCount: number };
declare const connection: PostgresClient;

export async function inTransactions(): Promise<void> {
  const onSqlite = createOutbox({ client, store: sqliteStore(database) });
  await onSqlite.add(order, { transaction: database, version: 'v2' });
  await onSqlite.replace(frozenRequest, { transaction: database });
  // @ts-expect-error -- Type 'PostgresClient' is missing the following properties from type 'SqliteDatabase': exec, prepare, open, close
  await onSqlite.add(order, { transaction: connection });
  // @ts-expect-error -- Types of property 'open' are incompatible. Type 'boolean' is not assignable to type '() => void'.
  await onSqlite.add(order, { transaction: otherLibrary });
  // @ts-expect-error -- Type 'boolean' is not assignable to type '() => void'.
  sqliteStore(otherLibrary);

  const onPostgres = createOutbox({ client, store: postgresStore({ pool }) });
  await onPostgres.add(order, { transaction: connection });
  await onPostgres.add(order, { transaction: { executeSql: async (text, values) => connection.query(text, values) } });
  // @ts-expect-error -- Types of property 'totalCount' are incompatible. Type 'number' is not assignable to type 'undefined'.
  await onPostgres.add(order, { transaction: pool });
  // @ts-expect-error -- Type 'SqliteDatabase' is not assignable to type 'PostgresTransaction | undefined'.
  await onPostgres.replace(order, { transaction: database });
  // @ts-expect-error -- 'transacton' does not exist in type 'AddOptions<PostgresTransaction>'. Did you mean to write 'transaction'?
  await onPostgres.add(order, { transacton: connection });

  const inMemory = createOutbox({ client, store: {} as MemoryStore });
  await inMemory.add(order, { transaction: undefined });
  // @ts-expect-error -- Type 'SqliteDatabase' is not assignable to type 'undefined'.
  await inMemory.add(order, { transaction: database });

  // What takes any outbox passes no transaction.
  const either: Outbox[] = [onSqlite, onPostgres, inMemory];
  // @ts-expect-error -- Type 'PostgresClient' is not assignable to type 'undefined'.
  await either[0]?.add(order, { transaction: connection });
  // @ts-expect-error -- Type 'Outbox<SqliteDatabase>' is not assignable to type 'Outbox<PostgresTransaction>'.
  const confused: Outbox<PostgresTransaction> = onSqlite;
  // @ts-expect-error -- Type 'OutboxStore<PostgresTransaction>' is not assignable to type 'OutboxStore<SqliteDatabase>'.
  createOutbox<SqliteDatabase>({ client, store: postgresStore({ pool }) });
  const given: AddOptions<PostgresTransaction> = { transaction: connection };
  await confused.add(order, given);
}

// ---------------------------------------------------------------- states and reasons

createOutbox({
  client,
  store: file,
  // @ts-expect-error -- … the types '"cancelled" | "created" | "refused" | "stalled"' and '"waiting"' have no overlap.
  onSettled: ({ state }) => state === 'waiting',
  hooks: {
    // @ts-expect-error -- … the types 'EntryReason | null' and '"RejectedEror"' have no overlap.
    onResult: ({ reason }) => void (reason === 'RejectedEror'),
    // @ts-expect-error -- … the types '"failures" | "retry-after" | "suspect" | "token" | "unreachable" | undefined' and '"outage"' have no overlap.
    onGate: ({ pause }) => void (pause?.cause === 'outage'),
  },
});
export const wrongFilters: ListFilter[] = [
  // @ts-expect-error -- Type '"lost"' is not assignable to type 'EntryState | undefined'.
  { state: 'lost' },
  // @ts-expect-error -- Type '"stall"' is not assignable to type 'EntryState'. Did you mean '"stalled"'?
  { states: ['stalled', 'stall'] },
  // @ts-expect-error -- Type '"RejectedEror"' is not assignable to type 'EntryReason | undefined'. Did you mean '"RejectedError"'?
  { reason: 'RejectedEror' },
];
/** Each error of a client is a reason. */
export const reasonOf = (name: OrderIntakeErrorName): EntryReason => name;
export const locationOf = (event: GateEvent): number | null => (event.scope === 'service' ? null : event.companyId);
export const willRetry = ({ state }: ResultEvent): boolean => state === 'waiting';

// ---------------------------------------------------------------- stores

// @ts-expect-error -- Property 'client' is missing in type '{ store: FileStore; }' but required in type 'OutboxOptions<SqliteDatabase>'.
createOutbox({ store: file });

export const stores: OutboxStore[] = [
  file,
  postgresStore({ connectionString: 'postgres://x', schema: 'shop', max: 4 }),
  postgresStore({ pool, schema: undefined }),
  postgresStore({ config: { host: 'x', max: undefined }, max: undefined } as const),
  // @ts-expect-error -- Types of property 'pool' are incompatible. Type 'PgPool & …' is not assignable to type 'undefined'.
  postgresStore({ connectionString: 'postgres://x', pool }),
  // @ts-expect-error -- Property 'pool' is missing in type '{ schema: string; }' but required in type 'PoolOptions'.
  postgresStore({ schema: 'shop' }),
  // @ts-expect-error -- Argument of type '{}' is not assignable to parameter of type 'PostgresOptions'.
  postgresStore({}),
  // @ts-expect-error -- 'connectionstring' does not exist in type 'PostgresOptions'. Did you mean to write 'connectionString'?
  postgresStore({ connectionstring: 'postgres://x' }),
  // @ts-expect-error -- 'host' does not exist in type 'PostgresOptions'.
  postgresStore({ host: 'x' }),
  // @ts-expect-error -- Types of property 'max' are incompatible. Type 'number' is not assignable to type 'undefined'.
  postgresStore({ pool, max: 4 }),
];
export const source: PostgresOptions = { pool };
export const sql: Promise<string> = postgresSchema({ schema: 'shop' });

/** A store of a user's own, without transactions. */
declare class MemoryStore implements StoreOfAuthors {
  add(entry: NewEntry): Promise<StoredEntry | null>;
  take: OutboxStore['take'];
  settle: OutboxStore['settle'];
  change: OutboxStore['change'];
  changeAll: OutboxStore['changeAll'];
  get: OutboxStore['get'];
  list: OutboxStore['list'];
  count: OutboxStore['count'];
  sweep: OutboxStore['sweep'];
  close: OutboxStore['close'];
}

const place: StoreLocation<SqliteDatabase> = {
  open: () => file,
  begin: async () => ({ transaction: database, commit: async () => {}, rollback: async () => {} }),
};
for (const { title, run } of storeChecks(() => place, { patienceMs: undefined })) void [title, run()];
storeChecks(() => ({ open: () => ({}) as MemoryStore }));
// @ts-expect-error -- 'patience' does not exist in type 'StoreCheckOptions'. Did you mean to write 'patienceMs'?
storeChecks(() => place, { patience: 1 });
// @ts-expect-error -- Module '"sales-order-intake/outbox"' has no exported member 'TakenEntry'.
export type { TakenEntry } from 'sales-order-intake/outbox';
