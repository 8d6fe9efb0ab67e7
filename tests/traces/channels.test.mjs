/** Tests the tracing channels without OpenTelemetry. */
import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import diagnostics from 'node:diagnostics_channel';
import { test } from 'node:test';
import { runProgram } from '../node/installed.mjs';
import { answer, refuses, startFaultServer } from '../client/fault-server.mjs';
import { clientOf, createOutbox, numbered, sqliteStore, TOKEN } from '../outbox/harness.mjs';
import { memoryStore } from '../outbox/memory-store.mjs';
import { setUp } from '../outbox/set-up.mjs';

const { DatabaseSync } = /** @type {typeof import('node:sqlite')} */ (process.getBuiltinModule('node:sqlite'));
const EVENTS = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'];
const ORDER = numbered(1);

/** Subscribes to a channel until the test ends. */
function subscribe(t, name, subscribers) {
  const channel = diagnostics.tracingChannel(`sales-order-intake:${name}`);
  channel.subscribe(subscribers);
  t.after(() => channel.unsubscribe(subscribers));
  return channel;
}

/** Lists the events of these channels; `seen` also has their objects. */
function listed(t, ...names) {
  const list = Object.assign(/** @type {string[]} */ ([]), { seen: /** @type {any[]} */ ([]) });
  for (const name of names) {
    const see = (event) => (message) => {
      list.push(`${name} ${event}`);
      list.seen.push(message);
    };
    subscribe(t, name, Object.fromEntries(EVENTS.map((event) => [event, see(event)])));
  }
  return list;
}

test('events of an order and its attempts come in the order of tracing channels, each operation with one object', async (t) => {
  const server = await startFaultServer(answer(503));
  const list = listed(t, 'order', 'attempt');
  await clientOf(server.baseUrl, { retry: { baseMs: 0 } }).createOrder(ORDER);
  assert.deepEqual(
    [...list],
    [
      ...['order start', 'attempt start', 'attempt end', 'order end'],
      ...['attempt error', 'attempt asyncStart', 'attempt asyncEnd'],
      ...['attempt start', 'attempt end', 'attempt asyncStart', 'attempt asyncEnd'],
      ...['order asyncStart', 'order asyncEnd'],
    ],
  );
  const [order, ...attempts] = new Set(list.seen);
  const url = `${server.baseUrl}/v3/ServiceOrder(${ORDER.Id})`;
  const attempt = { orderId: ORDER.Id, method: 'PUT', url, headers: {} };
  const withoutRun = ({ run, ...members }) => ({ ...members, run: typeof run });
  assert.deepEqual(
    [order, ...attempts].map(withoutRun),
    [
      { orderId: ORDER.Id, result: { status: 201, alreadyThere: false } },
      { ...attempt, attempt: 1, error: { name: 'ServerError', status: 503, outcome: 'unknown' } },
      { ...attempt, attempt: 2, result: { status: 201 } },
    ].map((members) => ({ ...members, run: 'function' })),
  );
});

test('an attempt that is aborted before it starts is none', async (t) => {
  const list = listed(t, 'order', 'attempt');
  const fetch = () => assert.fail('sent');
  const signal = AbortSignal.abort();
  await assert.rejects(clientOf('https://x.example', { fetch }).createOrder(ORDER, { signal }), {
    name: 'AbortedError',
    attempts: 0,
  });
  assert.deepEqual([...list], ['order start', 'order end', 'order error', 'order asyncStart', 'order asyncEnd']);
});

test('who listens for errors only gets them', async (t) => {
  const server = await startFaultServer(refuses(409));
  const errors = [];
  subscribe(t, 'order', { error: ({ orderId, error }) => errors.push([orderId, error]) });
  await clientOf(server.baseUrl)
    .createOrder(ORDER)
    .catch(() => {});
  assert.deepEqual(errors, [[ORDER.Id, { name: 'ConflictError', status: 409, outcome: 'not-created' }]]);
});

test('a store that is bound to the start of an order is active in all that it does', async (t) => {
  const server = await startFaultServer(answer(503));
  const storage = new AsyncLocalStorage();
  const { start } = diagnostics.tracingChannel('sales-order-intake:order');
  start.bindStore(storage, (/** @type {any} */ { orderId }) => orderId);
  t.after(() => start.unbindStore(storage));
  const stores = [];
  const see = (what) => void stores.push(`${what} ${storage.getStore()}`);
  subscribe(t, 'attempt', { start: () => see('attempt') });
  const token = () => {
    see('token');
    return TOKEN;
  };
  await clientOf(server.baseUrl, { token, retry: { baseMs: 0 } }).createOrder(ORDER);
  assert.deepEqual(
    stores,
    ['token', 'attempt', 'attempt'].map((what) => `${what} ${ORDER.Id}`),
  );
});

test('subscribers run an operation in contexts of their own, one around the other', async (t) => {
  const server = await startFaultServer();
  const storages = [new AsyncLocalStorage(), new AsyncLocalStorage()];
  for (const [index, storage] of storages.entries())
    subscribe(t, 'attempt', {
      start(trace) {
        const { run } = trace;
        trace.run = (work) => run(() => storage.run(`context ${index}`, work));
      },
    });
  const seen = [];
  const fetch = (url, init) => {
    seen.push(...storages.map((storage) => storage.getStore()));
    return globalThis.fetch(url, init);
  };
  await clientOf(server.baseUrl, { fetch }).createOrder(ORDER);
  assert.deepEqual(seen, ['context 0', 'context 1']);
});

test('headers that a subscriber adds are sent, but not in the place of the own headers, whatever their case', async (t) => {
  const server = await startFaultServer();
  for (const own of [
    { Authorization: 'Bearer b', Accept: 'c', 'Content-Type': 'd' },
    { authorization: 'Bearer b', accept: 'c', 'content-type': 'd' },
    { Authorization: 'Bearer b', AUTHORIZATION: 'Bearer b', aCCEPT: 'c', 'content-Type': 'd' },
  ]) {
    subscribe(t, 'attempt', { start: ({ headers }) => Object.assign(headers, { Traceparent: 'a', ...own }) });
    await clientOf(server.baseUrl, { headers: { traceparent: 'b' } }).createOrder(ORDER);
    const { traceparent, authorization, accept, 'content-type': type } = server.requests.at(-1).headers;
    assert.deepEqual([traceparent, authorization], ['a', `Bearer ${TOKEN}`]);
    assert.deepEqual([accept, type], ['application/json', 'application/json']);
  }
});

test('what a subscriber writes into an add comes with each delivery', async (t) => {
  const { outbox, settled } = await setUp(t, { script: [answer(503)], store: sqliteStore(':memory:') });
  const deliveries = listed(t, 'delivery');
  subscribe(t, 'add', { start: (trace) => Object.assign(trace, { context: `request of ${trace.orderId}` }) });
  await outbox.start().add(ORDER);
  await settled(ORDER.Id);
  await outbox.stop();
  const { CompanyId: companyId, EntityId: entityId } = ORDER;
  const context = `request of ${ORDER.Id}`;
  assert.deepEqual(
    [...new Set(deliveries.seen)].map(({ run, error, result: { ageMs, ...result }, ...members }) => {
      assert.ok(ageMs >= 0);
      return [{ ...members, result }, error?.name];
    }),
    [
      [
        {
          orderId: ORDER.Id,
          companyId,
          entityId,
          context,
          result: { state: 'waiting', outcome: 'unknown', attempts: 1 },
        },
        'ServerError',
      ],
      [
        {
          orderId: ORDER.Id,
          companyId,
          entityId,
          context,
          result: { state: 'created', outcome: 'created', attempts: 2 },
        },
        undefined,
      ],
    ],
  );
});

test("an order is added in the caller's open transaction while somebody listens", async (t) => {
  const database = new DatabaseSync(':memory:');
  const outbox = createOutbox({ client: clientOf('https://x.example'), store: sqliteStore(database) });
  t.after(() => outbox.stop());
  const adds = listed(t, 'add');
  database.exec('BEGIN');
  const adding = outbox.add(ORDER, { transaction: database });
  database.exec('ROLLBACK');
  await adding;
  assert.equal(await outbox.get(ORDER.Id), null);
  assert.deepEqual([...adds], ['add start', 'add end', 'add asyncStart', 'add asyncEnd']);
});

test('what outbox.start throws is thrown to the caller while somebody listens', async (t) => {
  listed(t, 'start');
  const store = {
    ...memoryStore(),
    start() {
      throw new RangeError('no');
    },
  };
  const outbox = createOutbox({ client: clientOf('https://x.example'), store });
  assert.throws(() => outbox.start(), RangeError);
  await outbox.stop();
});

for (const [platform, change] of [
  ['a platform without channels', 'delete process.getBuiltinModule;'],
  [
    "Next's edge runtime, where Node's modules throw",
    "process.getBuiltinModule = () => { throw new Error('not here'); };",
  ],
])
  test(`on ${platform} orders are sent, and the instrumentation does nothing`, () => {
    const { stdout, stderr } = runProgram(`
    ${change}
    const { createClient } = await import('sales-order-intake/client');
    const { SalesOrderInstrumentation } = await import('sales-order-intake/opentelemetry');
    const instrumentation = new SalesOrderInstrumentation();
    instrumentation.enable();
    const fetch = async () => new Response(null, { status: 201 });
    const client = createClient({ baseUrl: 'https://x.example', token: 'x', fetch });
    const { status } = await client.createOrder(${JSON.stringify(ORDER)});
    instrumentation.disable();
    console.log(status);`);
    assert.equal(stdout, '201\n', stderr);
  });
