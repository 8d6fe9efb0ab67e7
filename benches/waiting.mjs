/**
 * Prints how many milliseconds the outbox on PostgreSQL needs while a million orders wait, most of them at one location:
 * `node scripts/with-postgres.mjs node scripts/node.mjs 24 benches/waiting.mjs [orders]`
 */
import { createOutbox } from '../pkg/dist/esm/outbox/index.js';
import { Pool, URL_OF_TESTS, newSchema, postgresStore } from '../tests/outbox/postgres.mjs';
import { median } from './measure.mjs';

const TIMES = 9;
const ORDERS = Number(process.argv[2] ?? 1_000_000);
const schema = newSchema();
const pool = new Pool({ connectionString: URL_OF_TESTS, max: 2 });
const store = postgresStore({ connectionString: URL_OF_TESTS, schema });
const client = { createOrder: () => Promise.reject(new Error('Nothing is sent')) };
const outbox = createOutbox({ client, store });
await outbox.counts();
await pool.query(`INSERT INTO ${schema}.outbox_entry
    (order_id, version, location, state, outcome, attempts, added_at, due_at, deadline_at, body)
  SELECT gen_random_uuid(), 'v3', '1/' || CASE n % 10 WHEN 0 THEN n % 200 ELSE 1 END, 'waiting', 'not-created', 0, n, n, 1e15,
    repeat(md5(n::text), 16) FROM generate_series(1, ${ORDERS}) AS n`);
await pool.query(`VACUUM ANALYZE ${schema}.outbox_entry`);

const take = async () => (await store.take({ now: Date.now(), limit: 16, room: () => 8 })).entries;
const first = await measured(take, 1);
const taken = [];
const figures = {
  orders: ORDERS,
  'first take': first,
  take: await measured(async () => void taken.push(...(await take()))),
  'settled order': await measured(() =>
    store.settle(taken[0], { ...taken.shift(), state: 'created', outcome: 'created' }),
  ),
  page: await measured(() => outbox.page({})),
  'page of a location': await measured(() => outbox.page({ companyId: 1, entityId: 20 })),
  counts: await measured(() => outbox.counts()),
  sweep: await measured(() => store.sweep({ now: Date.now(), createdBefore: 0 })),
};
console.log(JSON.stringify(figures));
await outbox.stop();
await pool.query(`DROP SCHEMA ${schema} CASCADE`);
await pool.end();

/** Returns the median of some calls, in milliseconds. */
async function measured(work, times = TIMES) {
  const ms = [];
  for (let time = 0; time < times; time++) {
    const start = performance.now();
    await work();
    ms.push(performance.now() - start);
  }
  return Math.round(10 * median(ms)) / 10;
}
