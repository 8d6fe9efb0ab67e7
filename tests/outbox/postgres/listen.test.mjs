/**
 * Tests that a process learns at once of orders that another one adds, if both have `listen`. Its outbox has a clock that stands still:
 * it looks for orders again only if something wakes it, or if the test lets time pass.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startFaultServer } from '../../client/fault-server.mjs';
import { clientOf, createOutbox, createOutboxOn, handClock, numbered, until } from '../harness.mjs';
import { startPgbouncer } from '../pgbouncer.mjs';
import { Pool, URL_OF_TESTS, postgresStore } from '../postgres.mjs';
import { schemaOfFile } from './afterwards.mjs';

async function setUp(t, { options = {}, connectionString = URL_OF_TESTS, shop = {} }) {
  const schema = schemaOfFile();
  const server = await startFaultServer();
  const client = clientOf(server.baseUrl);
  const clock = handClock(Date.now());
  const store = postgresStore({ connectionString, schema, ...options });
  let takes = 0;
  let isTaking = false;
  const take = async (...args) => {
    isTaking = true;
    takes++;
    return store.take(...args).finally(() => {
      isTaking = false;
    });
  };
  const observed = new Proxy(store, {
    get: (target, name) => (name === 'take' ? take : target[name]?.bind(target)),
  });
  const worker = createOutboxOn(clock.platform, { client, store: observed });
  const adder = createOutbox({ client, store: postgresStore({ connectionString, schema, ...options, ...shop }) });
  await adder.counts();
  worker.start();
  const pool = new Pool({ connectionString: URL_OF_TESTS, max: 1 });
  t.after(async () => {
    const stopped = worker.stop();
    await clock.settle();
    await Promise.all([stopped, adder.stop(), pool.end()]);
    await server.close();
  });
  /** Returns the ids of the connections that listen. */
  const listeners = async () => {
    const sql = `SELECT pid FROM pg_stat_activity WHERE query = 'LISTEN ${schema}' OR query = 'SELECT 1' AND pid <> pg_backend_pid()`;
    return (await pool.query(sql)).rows.map(({ pid }) => pid);
  };
  /** Waits until the worker has looked for orders, and waits. */
  const isIdle = () =>
    until(async () => {
      const before = takes;
      await new Promise((resolve) => setTimeout(resolve, 300));
      return takes > 0 && takes === before && !isTaking;
    }, 'the worker waits');
  const isDelivered = (n) => server.orders.has(numbered(n).Id);
  /** Lets time pass until an order is delivered. */
  const untilLooked = (n, what) =>
    until(async () => {
      await clock.next();
      return isDelivered(n);
    }, what);
  return { adder, pool, listeners, isIdle, isDelivered, untilLooked };
}

test('with listen, an order that another process adds is sent at once', async (t) => {
  const { adder, listeners, isIdle, isDelivered } = await setUp(t, { options: { listen: true } });
  await until(async () => (await listeners()).length === 1, 'the worker listens');
  await isIdle();
  await adder.add(numbered(0));
  await until(() => isDelivered(0), 'the first order');
  await isIdle();
  await adder.add(numbered(1));
  await until(() => isDelivered(1), 'the second order');
});

test('without listen, nothing is announced, and the order is found by looking', async (t) => {
  const { adder, listeners, isIdle, isDelivered, untilLooked } = await setUp(t, {});
  await isIdle();
  await adder.add(numbered(0));
  await isIdle();
  assert.deepEqual([isDelivered(0), await listeners()], [false, []]);
  await untilLooked(0, 'the order, when the worker looks');
});

test("without listen, a store looks again soon after it has written in the caller's transaction", async (t) => {
  const pool = new Pool({ connectionString: URL_OF_TESTS });
  const store = postgresStore({ pool, schema: schemaOfFile() });
  const transaction = await pool.connect();
  t.after(async () => {
    transaction.release(true);
    await store.close();
    await pool.end();
  });
  /** Returns what a call of `take` found, and how long it says to wait after it. */
  const look = async () => {
    const [now, startedAt] = [Date.now(), performance.now()];
    const { entries, againAt } = await store.take({ now, limit: 1, room: () => 1 });
    return { found: entries.length, waitMs: againAt - now - (performance.now() - startedAt) };
  };
  // An idle store waits for longer and longer, up to a second.
  for (let looks = 0; looks < 10; looks++) await look();
  await transaction.query('BEGIN');
  const times = { addedAt: Date.now(), dueAt: Date.now(), deadlineAt: Date.now() + 3_600_000 };
  await store.add({ orderId: numbered(0).Id, version: 'v3', body: '{}', location: '1/1', ...times }, transaction);
  const { found, waitMs } = await look();
  assert.equal(found, 0);
  assert.ok(waitMs <= 15, `${waitMs} ms`);
  await transaction.query('COMMIT');
  assert.equal((await look()).found, 1);
});

test('a connection that listens and is lost only lengthens the wait, and is opened again', async (t) => {
  const { adder, pool, listeners, isIdle, isDelivered, untilLooked } = await setUp(t, {
    options: { listen: true },
  });
  const [first] = await until(async () => (await listeners()).length === 1 && listeners(), 'the worker listens');
  await pool.query('SELECT pg_terminate_backend($1)', [first]);
  await adder.add(numbered(0));
  await untilLooked(0, 'the order that was added meanwhile');
  await until(async () => (await listeners()).some((pid) => pid !== first), 'the worker listens again');
  await isIdle();
  await adder.add(numbered(1));
  await until(() => isDelivered(1), 'the order after that');
});

test('behind a pooler that forbids it, listen changes nothing', async (t) => {
  const connectionString = await startPgbouncer(t, URL_OF_TESTS);
  const { adder, untilLooked } = await setUp(t, { options: { listen: true }, connectionString });
  for (let n = 0; n < 3; n++) await adder.add(numbered(n));
  for (let n = 0; n < 3; n++) await untilLooked(n, `order ${n}`);
});

test("with listen and the shop's own pool, the listening connection goes when the outbox stops", async (t) => {
  const schema = schemaOfFile();
  const pool = new Pool({ connectionString: URL_OF_TESTS, max: 3 });
  t.after(() => pool.end());
  const server = await startFaultServer();
  t.after(() => server.close());
  const outbox = createOutbox({
    client: clientOf(server.baseUrl),
    store: postgresStore({ pool, schema, listen: true }),
  }).start();
  await outbox.add(numbered(0));
  assert.equal((await outbox.settled(numbered(0).Id)).state, 'created');
  await outbox.stop();
  await until(() => pool.idleCount === pool.totalCount, 'all connections are back in the pool');
});
