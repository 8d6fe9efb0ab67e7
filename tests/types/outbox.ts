// A user's program with the outbox, on Node (tests/types/compile.test.mjs). It is never run.
import { createClient } from 'sales-order-intake/client';
import {
  createOutbox,
  OutboxError,
  type AddedOrder,
  type Entry,
  type Outbox,
  type OutboxCounts,
  type OutboxErrorReason,
  type OutboxOptions,
  type State,
  type Store,
} from 'sales-order-intake/outbox';
import { storeChecks, type StoreLocation } from 'sales-order-intake/outbox/conformance';
import { postgresSchema, postgresStore, type PostgresPool } from 'sales-order-intake/outbox/postgres';
import { sqliteStore, type FileStore } from 'sales-order-intake/outbox/sqlite';

const client = createClient({ baseUrl: 'https://intake.test', token: 'x' });
const file: FileStore = sqliteStore('orders.sqlite');
const store: Store = postgresStore({ config: { connectionString: 'postgres://x', ssl: true } });
const options: OutboxOptions = {
  client,
  store,
  onSettled: async ({ orderId, state, order }: Entry) => void [orderId, state, order?.ReceiptNumber],
  concurrency: undefined,
  hooks: { onResult: ({ state, ageMs }) => void [state, ageMs], onGate: undefined },
};

export async function main(): Promise<void> {
  const outbox: Outbox = createOutbox(options).start();
  const order = {
    Id: 'x',
    CompanyId: 1,
    EntityId: 2,
    IntegratorId: 'y',
    Items: [{ CatalogItemId: 'z', Quantity: 1, SellAtPricePerUnit: '1.50' }],
  };
  const added: AddedOrder = await outbox.add(order, { version: 'v2', transaction: {} });
  const state: State = added.state;
  const entry: Entry | null = await outbox.get(added.orderId);
  for await (const { orderId } of outbox.list({ state, companyId: 1, entityId: 2 })) await outbox.retry(orderId);
  const counts: OutboxCounts = await outbox.counts();
  await outbox.cancel(entry?.orderId ?? '').catch((error: unknown) => {
    const reason: OutboxErrorReason | false = error instanceof OutboxError && error.reason;
    return reason;
  });
  await outbox.forget('x');
  const pruned: number = await outbox.prune();
  await file.backup(`copy-${counts.stalled + pruned}.sqlite`);
  await outbox.stop({ timeoutMs: 1000 });
}

const location: StoreLocation = { open: () => file };
for (const { title, run } of storeChecks(() => location, { patienceMs: 1 })) void [title, run()];

// @ts-expect-error a client is required
createOutbox({ store });
// @ts-expect-error there is no such state
createOutbox({ client, store }).list({ state: 'lost' });
// @ts-expect-error the Id is required
void createOutbox({ client, store }).add({ CompanyId: 1, EntityId: 2, IntegratorId: 'y', Items: [] });

declare const pool: PostgresPool;
export const stores: Store[] = [
  postgresStore({ connectionString: 'postgres://x', schema: 'shop', max: 4 }),
  postgresStore({ pool, schema: 'shop' }),
  // @ts-expect-error -- exactly one of connectionString, config and pool
  postgresStore({ connectionString: 'postgres://x', pool }),
  // @ts-expect-error -- one of them is needed
  postgresStore({ schema: 'shop' }),
  // @ts-expect-error -- a misspelled name
  postgresStore({ connectionstring: 'postgres://x' }),
  // @ts-expect-error -- a pool has its own
  postgresStore({ pool, max: 4 }),
];
export const sql: Promise<string> = postgresSchema({ schema: 'shop' });
