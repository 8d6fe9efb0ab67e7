// A user's program with the outbox, on Node (tests/types/compile.test.mjs). It is never run.
import { prepareRequest, type IdentifiedOrder, type PreparedRequest } from 'sales-order-intake';
import { createClient, type OrderIntakeErrorName, type PreparedRequestInput } from 'sales-order-intake/client';
import {
  createOutbox,
  OutboxError,
  type AddTrace,
  type AddedOrder,
  type AddOptions,
  type DeliveryTrace,
  type Entry,
  type EntryPage,
  type EntryReason,
  type EntryState,
  type EntrySummary,
  type GateEvent,
  type HistoryEvent,
  type ListFilter,
  type Outbox,
  type OutboxCounts,
  type OutboxErrorReason,
  type OutboxOptions,
  type OutboxStore,
  type ResultEvent,
  type SettledEntry,
} from 'sales-order-intake/outbox';
import { outboxPage, type OutboxPageOptions } from 'sales-order-intake/outbox/page';
import {
  postgresSchema,
  postgresStore,
  type PostgresClient,
  type PostgresOptions,
  type PostgresPool,
  type PostgresTransaction,
} from 'sales-order-intake/outbox/postgres';
import { restoreFile, sqliteStore, type FileStore, type SqliteDatabase } from 'sales-order-intake/outbox/sqlite';

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

const receiptOf = (entry: EntrySummary | null): string | undefined => entry?.receiptNumber ?? undefined;

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
  const ending: 'created' | 'refused' | 'stalled' | 'cancelled' | 'invalid' | undefined = settled?.state;
  const retried: number = await outbox.retryAll({ states: ['refused'], reason: 'NotFoundError', since: new Date() });
  await outbox.forget('x', { by: 'Robin' });
  for (const { at, what, by, reason } of await outbox.history('x')) {
    const event: [Date, HistoryEvent['what'], string | undefined, EntryReason | undefined] = [at, what, by, reason];
    void event;
  }
  await outbox.add(order, { reference: 'cart 7', invalid: 'keep', earlierAttempts: 'unknown', deadlineMs: 60_000 });
  await outbox.replace(order, { by: 'Robin', reference: undefined });
  const page: EntryPage = await outbox.page({ reference: 'cart', receiptNumber: receiptOf(entry) });
  void page;
  const pruned: number = await outbox.prune();
  await file.backup(`copy-${counts.stalled + pruned + retried}-${ending}.sqlite`);
  const before: string | null = await restoreFile('orders.sqlite', 'copy.sqlite');
  await outbox.stop({ timeoutMs: before ? 1000 : 0 });
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
}

// ---------------------------------------------------------------- transactions

declare const database: SqliteDatabase;
declare const pool: PostgresPool & { readonly totalCount: number };
declare const connection: PostgresClient;

export async function inTransactions(): Promise<void> {
  const onSqlite = createOutbox({ client, store: sqliteStore(database) });
  await onSqlite.add(order, { transaction: database, version: 'v2' });
  await onSqlite.replace(frozenRequest, { transaction: database });

  const onPostgres = createOutbox({ client, store: postgresStore({ pool }) });
  await onPostgres.add(order, { transaction: connection });
  await onPostgres.add(order, { transaction: { executeSql: async (text, values) => connection.query(text, values) } });

  // A function that takes any outbox passes no transaction.
  const either: Outbox[] = [onSqlite, onPostgres];
  await either[0]?.add(order, { transaction: undefined });
  const given: AddOptions<PostgresTransaction> = { transaction: connection };
  await onPostgres.add(order, given);
}

// ---------------------------------------------------------------- states and reasons

createOutbox({
  client,
  store: file,
  onSettled: ({ state, reason }) => state === 'refused' && reason === 'RejectedError',
  hooks: {
    onResult: ({ state, reason }) => void (state === 'waiting' && reason === 'TimeoutError'),
    onGate: ({ pause }) => void (pause?.cause === 'retry-after'),
  },
});
export const filters: ListFilter[] = [
  { state: 'waiting' },
  { states: ['stalled', 'refused'] },
  { reason: 'NotFoundError' },
];
/** Each error of a client is a reason. */
export const reasonOf = (name: OrderIntakeErrorName): EntryReason => name;
export const locationOf = (event: GateEvent): number | null => (event.scope === 'service' ? null : event.companyId);
export const willRetry = ({ state }: ResultEvent): boolean => state === 'waiting';

// ---------------------------------------------------------------- stores

export const stores: OutboxStore[] = [
  file,
  postgresStore({ connectionString: 'postgres://x', schema: 'shop', max: 4 }),
  postgresStore({ pool, schema: undefined }),
  postgresStore({ config: { host: 'x', max: undefined }, max: undefined } as const),
];
export const source: PostgresOptions = { pool };
export const sql: Promise<string> = postgresSchema({ schema: 'shop' });

export function traced(add: AddTrace, { context, companyId, entityId, orderId, result }: DeliveryTrace): string {
  add.context = '00-trace';
  const [method, state]: ['add' | 'replace', string | undefined] = [add.method, add.result?.state];
  return [method, state, context, companyId + entityId, orderId, result?.state, result?.attempts].join();
}

export const pageOf = (outbox: Outbox<SqliteDatabase>): ((request: Request) => Promise<Response>) => {
  const options: OutboxPageOptions = {
    outbox,
    authorize: async ({ headers }) => headers.get('x-account') ?? false,
    ...{ title: undefined, timeZone: 'Europe/Vienna', locale: 'de-AT' },
  };
  return outboxPage({ ...options, canChange: false });
};
