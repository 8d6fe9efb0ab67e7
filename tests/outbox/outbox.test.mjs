/** Tests the life of an order in the outbox, with a store in memory and a service on loopback that plays faults. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  afterStoring,
  answer,
  creates,
  createsOnlyOnce,
  resetsBeforeHeaders,
  stallsBeforeHeaders,
  startFaultServer,
} from '../client/fault-server.mjs';
import {
  PERSONAL,
  RETRY,
  clientOf,
  collected,
  core,
  createOutbox,
  createOutboxOn,
  failureOf,
  numbered,
  platform,
  sqliteStore,
  until,
} from './harness.mjs';
import { memoryStore } from './memory-store.mjs';

/**
 * Starts a service that plays a script, and an outbox that sends to it.
 *
 * @param {import('node:test').TestContext} t
 * @param {{ script?: Function[], client?: object, store?: any, wrap?: (inner: any) => any, [option: string]: any }} [setting]
 */
async function setUp(t, { script = [], client = {}, store = memoryStore(), wrap = (inner) => inner, ...options } = {}) {
  const server = await startFaultServer(...script);
  const sender = wrap(clientOf(server.baseUrl, client));
  const events = [];
  const hooks = Object.fromEntries(
    ['onAdd', 'onResult', 'onGate', 'onError'].map((name) => [name, (event) => events.push({ name, ...event })]),
  );
  const outbox = createOutbox({ client: sender, store, retry: RETRY, hooks, ...options });
  t.after(async () => {
    await outbox.stop({ timeoutMs: 0 });
    await server.close();
  });
  const settled = (orderId) =>
    until(async () => {
      const entry = await outbox.get(orderId);
      return !['waiting', 'sending'].includes(entry.state) && entry;
    }, 'settled');
  return { server, outbox, store, events, settled };
}

describe('add', () => {
  test('accepts an order before it is sent', async (t) => {
    const { outbox, server } = await setUp(t);
    const { Id } = numbered(1);
    assert.deepEqual(await outbox.add(numbered(1)), { orderId: Id, state: 'waiting', issues: [] });
    const entry = await outbox.get(Id.toUpperCase());
    assert.equal(entry.state, 'waiting');
    assert.equal(entry.outcome, 'not-created');
    assert.equal(entry.attempts, 0);
    assert.deepEqual([entry.companyId, entry.entityId], [1000, 2000]);
    assert.equal(entry.deadlineAt - entry.addedAt, 72 * 3_600_000);
    assert.equal(server.requests.length, 0);
  });

  test('accepts the same order again, in every form, and reports its state', async (t) => {
    const { outbox, settled, server } = await setUp(t);
    await outbox.add(numbered(1));
    assert.equal((await outbox.add(core.prepareRequest(numbered(1)))).state, 'waiting');
    outbox.start();
    await settled(numbered(1).Id);
    assert.equal((await outbox.add(numbered(1))).state, 'created');
    assert.equal(server.requests.length, 1);
  });

  test('rejects another order with the same Id, and the same order for another version', async (t) => {
    const { outbox } = await setUp(t);
    await outbox.add(numbered(1));
    for (const again of [
      outbox.add(numbered(1, { Notes: 'no, at the violet door' })),
      outbox.add(numbered(1), { version: 'v2' }),
    ]) {
      const error = await failureOf(again);
      assert.equal(error.name, 'OutboxError');
      assert.equal(error.reason, 'duplicate');
      assert.equal(error.orderId, numbered(1).Id);
      assert.doesNotMatch(error.message, PERSONAL);
    }
  });

  test('rejects an order with errors, or without an Id', async (t) => {
    const { outbox } = await setUp(t);
    assert.equal((await failureOf(outbox.add(numbered(1, { Items: [] })))).name, 'OrderValidationError');
    assert.equal((await failureOf(outbox.add(numbered(1, { Id: undefined })))).name, 'OrderValidationError');
    assert.match((await failureOf(outbox.add(numbered(1), { version: 'v9' }))).name, /^(Option|Type)Error$/);
  });
});

describe('delivery', () => {
  test('ends as created, with the received order', async (t) => {
    const { outbox, settled } = await setUp(t, { script: [answer(500), resetsBeforeHeaders] });
    await outbox.add(numbered(1));
    outbox.start();
    const entry = await settled(numbered(1).Id);
    assert.equal(entry.state, 'created');
    assert.equal(entry.outcome, 'created');
    assert.equal(entry.attempts, 3);
    assert.equal(entry.order.ReceiptNumber, 'R-1');
    assert.equal(entry.nextAttemptAt, null);
    assert.ok(entry.settledAt >= entry.addedAt);
  });

  test('sends the same bytes in every attempt', async (t) => {
    const { outbox, settled, server } = await setUp(t, { script: [answer(500), afterStoring(resetsBeforeHeaders)] });
    await outbox.add(numbered(1));
    outbox.start();
    await settled(numbered(1).Id);
    assert.equal(new Set(server.requests.map(({ body, url }) => url + body)).size, 1);
    assert.equal(server.requests[0].body, core.prepareRequest(numbered(1)).body);
  });

  test('ends as refused if the service rejects the order, which delays no other', async (t) => {
    const { outbox, settled } = await setUp(t, { script: [answer(400, '{"Message":"EntityId is unknown"}')] });
    await outbox.add(numbered(1));
    await outbox.add(numbered(2));
    outbox.start();
    const entry = await settled(numbered(1).Id);
    assert.deepEqual([entry.state, entry.outcome, entry.status], ['refused', 'not-created', 400]);
    assert.equal(entry.reason, 'RejectedError');
    assert.equal(entry.detail, 'EntityId is unknown');
    assert.equal((await settled(numbered(2).Id)).state, 'created');
  });

  test('ends as stalled after 503 and then 403: the order may be stored, and sending it again does not help', async (t) => {
    const { outbox, settled, server } = await setUp(t, { script: [answer(503), answer(403)] });
    await outbox.add(numbered(1));
    outbox.start();
    const entry = await settled(numbered(1).Id);
    assert.deepEqual([entry.state, entry.outcome, entry.reason], ['stalled', 'unknown', 'PermissionError']);
    assert.equal(server.requests.length, 2);
  });

  test('passes an attempt without a recorded result to the client: a 409 then proves nothing', async (t) => {
    const { outbox, settled, store, server } = await setUp(t);
    server.playAlways(createsOnlyOnce);
    await outbox.add(numbered(1));
    const [entry] = (await store.take({ now: Date.now(), limit: 1, room: () => 1, full: [] })).entries;
    // The state that a store gives an entry whose process has ended.
    await store.settle(entry, { ...entry, state: 'waiting', outcome: 'unknown' });
    server.orders.set(numbered(1).Id, { body: entry.body, number: 1, creations: 1 });
    outbox.start();
    const { state, outcome, status } = await settled(numbered(1).Id);
    assert.deepEqual([state, outcome, status], ['stalled', 'unknown', 409]);
  });

  test('ends as refused after 409 if no other attempt was made', async (t) => {
    const { outbox, settled, server } = await setUp(t);
    server.orders.set(numbered(1).Id, { body: 'of another shop', number: 1, creations: 1 });
    await outbox.add(numbered(1));
    outbox.start();
    const { state, outcome } = await settled(numbered(1).Id);
    assert.deepEqual([state, outcome], ['refused', 'not-created']);
  });

  test('ends as stalled at the deadline, with the known outcome of the order', async (t) => {
    const { outbox, settled, server } = await setUp(t, { deadlineMs: 100 });
    server.playAlways(answer(500));
    await outbox.add(numbered(1));
    outbox.start();
    const entry = await settled(numbered(1).Id);
    assert.deepEqual([entry.state, entry.outcome, entry.reason], ['stalled', 'unknown', 'Deadline']);
    server.playAlways(creates);
    const again = await outbox.retry(entry.orderId);
    assert.ok(again.deadlineAt > entry.deadlineAt);
    assert.equal((await settled(entry.orderId)).state, 'created');
  });

  test('continues after the client throws an unexpected error', async (t) => {
    let calls = 0;
    const { outbox, settled } = await setUp(t, {
      wrap: (client) => ({
        createOrder: (...args) => {
          if (calls++ === 0) throw new RangeError('a mistake');
          return client.createOrder(...args);
        },
      }),
    });
    await outbox.add(numbered(1));
    outbox.start();
    assert.equal((await settled(numbered(1).Id)).state, 'created');
  });
});

describe('gates', () => {
  test('a failing location delays only its own orders', async (t) => {
    const { outbox, settled, server, events } = await setUp(t);
    server.playAlways((exchange) =>
      JSON.parse(exchange.body).EntityId === 1
        ? answer(429, '', { 'Retry-After': '3600' })(exchange)
        : creates(exchange),
    );
    for (let n = 0; n < 40; n++) await outbox.add(numbered(n, { EntityId: n % 2 === 0 ? 2 : 1 }));
    outbox.start();
    for (let n = 0; n < 40; n += 2) await settled(numbered(n).Id);
    const sent = server.requests.filter(({ body }) => JSON.parse(body).EntityId === 1);
    assert.ok(sent.length <= 8, `${sent.length} attempts at the failing location`);
    const closed = events.filter(({ name, isOpen }) => name === 'onGate' && !isOpen);
    assert.deepEqual(
      closed.map(({ scope, entityId }) => [scope, entityId]),
      [['location', 1]],
    );
    const { locations, isPaused } = await outbox.counts();
    assert.equal(isPaused, false);
    assert.deepEqual(
      locations.map(({ entityId, waiting, isPaused }) => [entityId, waiting, isPaused]),
      [[1, 20, true]],
    );
  });

  test('a rejected token pauses all orders: one request for a new token, one probe, no counted attempt', async (t) => {
    const asked = [];
    let isGood = false;
    const token = ({ rejected }) => {
      asked.push(rejected);
      return isGood ? 'good' : `bad-${asked.length}`;
    };
    const { outbox, server, events } = await setUp(t, {
      client: { token },
      concurrency: 64,
      store: sqliteStore(':memory:'),
      retry: { baseMs: 500, capMs: 500 },
    });
    server.playAlways((exchange) =>
      exchange.headers.authorization === 'Bearer good' ? creates(exchange) : answer(401)(exchange),
    );
    for (let n = 0; n < 1000; n++) await outbox.add(numbered(n, { EntityId: 1 + (n % 10) }));
    outbox.start();
    await until(() => events.some(({ name, isOpen }) => name === 'onGate' && !isOpen), 'closed');
    assert.equal(asked.filter(Boolean).length, 1, 'one request for a new token');
    assert.equal(server.requests.length, 2);
    await until(async () => (await outbox.counts()).sending === 0, 'the result written');
    for await (const { attempts, state } of outbox.list()) assert.deepEqual([attempts, state], [0, 'waiting']);
    isGood = true;
    await until(async () => (await outbox.counts()).created === 1000, 'created');
    assert.equal(server.orders.size, 1000);
  });

  test('1,000 orders in flight whose token is rejected request one new token', async (t) => {
    const asked = [];
    const token = ({ rejected }) => {
      asked.push(rejected);
      return `token-${asked.length}`;
    };
    const { outbox, server } = await setUp(t, {
      ...{ client: { token }, concurrency: 1000, concurrencyPerLocation: 1000, store: sqliteStore(':memory:') },
    });
    let refused = 0;
    server.playAlways((exchange) => {
      // The first token expires when the ramp has reached its maximum.
      if (exchange.headers.authorization === 'Bearer token-1' && server.orders.size >= 1100) {
        refused++;
        return answer(401)(exchange);
      }
      return creates(exchange);
    });
    for (let n = 0; n < 2500; n++) await outbox.add(numbered(n, { EntityId: 1 + (n % 10) }));
    outbox.start();
    await until(async () => (await outbox.counts()).created === 2500, 'created');
    assert.ok(refused > 50, `${refused} refused`);
    assert.equal(asked.filter(Boolean).length, 1);
    assert.equal(server.orders.size, 2500);
  });

  test('a service that is down costs probes, but no attempts', async (t) => {
    const server = await startFaultServer();
    const { baseUrl } = server;
    await server.close();
    const { outbox, store, events } = await setUp(t, { wrap: () => clientOf(baseUrl) });
    for (let n = 0; n < 50; n++) await outbox.add(numbered(n, { EntityId: 1 + (n % 5) }));
    outbox.start();
    await until(() => events.filter(({ name }) => name === 'onGate').length >= 3, 'three probes');
    await outbox.stop();
    for (const { attempts, state, outcome } of await store.list({ after: 0, limit: 100 })) {
      assert.deepEqual([attempts, state, outcome], [0, 'waiting', 'not-created']);
    }
  });

  test('orders of one location never take the whole concurrency', async (t) => {
    const { outbox, settled, server } = await setUp(t, { concurrency: 8 });
    server.playAlways((exchange) =>
      JSON.parse(exchange.body).EntityId === 1 ? stallsBeforeHeaders(exchange) : creates(exchange),
    );
    for (let n = 0; n < 20; n++) await outbox.add(numbered(n, { EntityId: 1 }));
    for (let n = 20; n < 40; n++) await outbox.add(numbered(n, { EntityId: 2 }));
    outbox.start();
    for (let n = 20; n < 40; n++) await settled(numbered(n).Id);
    assert.equal(server.requests.filter(({ body }) => JSON.parse(body).EntityId === 1).length, 4);
  });
});

test('a location that never responds does not stop the others while orders keep coming', async (t) => {
  const { outbox, server } = await setUp(t, { store: sqliteStore(':memory:') });
  server.playAlways((exchange) =>
    JSON.parse(exchange.body).EntityId === 1 ? stallsBeforeHeaders(exchange) : creates(exchange),
  );
  outbox.start();
  for (let n = 0; n < 300; n++) {
    await outbox.add(numbered(2 * n, { EntityId: 1 }));
    await outbox.add(numbered(2 * n + 1, { EntityId: 2 + (n % 3) }));
    await new Promise((resolve) => setTimeout(resolve, 4));
  }
  await until(async () => (await outbox.counts()).created === 300, 'all others created');
});

describe('the handler', () => {
  test('is called for created, refused and stalled orders, not for waiting ones', async (t) => {
    const seen = [];
    const { outbox } = await setUp(t, {
      script: [answer(400), answer(501), answer(500), creates],
      onSettled: (entry) => void seen.push([entry.state, entry.orderId]),
      concurrency: 1,
    });
    for (const n of [1, 2, 3]) await outbox.add(numbered(n));
    outbox.start();
    await until(() => seen.length === 3, 'three calls');
    assert.deepEqual(seen.map(([state]) => state).sort(), ['created', 'refused', 'stalled']);
  });

  test('is called again if it throws, and for orders that were settled before a crash', async (t) => {
    const store = memoryStore();
    let calls = 0;
    const { outbox, settled, events } = await setUp(t, {
      store,
      onSettled: () => {
        if (calls++ === 0) throw new Error('Xaviera was not found');
      },
    });
    await outbox.add(numbered(1));
    outbox.start();
    await settled(numbered(1).Id);
    await until(() => calls === 1);
    await until(() => events.some(({ name }) => name === 'onError'));
    const [entry] = await store.list({ after: 0, limit: 1 });
    assert.ok((entry.noticeAt ?? 0) > Date.now());
    // The time of the next call is over.
    await store.change(entry.orderId, {}, { noticeAt: 1 });
    await until(() => calls === 2, 'called again', 20_000);
    await until(async () => (await store.get(entry.orderId))?.noticeAt === null);
  });
});

test('a handler that never returns is called again, and holds up no other and no stop', async (t) => {
  const server = await startFaultServer();
  t.after(() => server.close());
  const calls = [];
  const errors = [];
  // The outbox looks for missed handlers every 100 ms.
  const fast = { ...platform, after: (ms, callback) => platform.after(ms / 50, callback) };
  const outbox = createOutboxOn(fast, {
    client: clientOf(server.baseUrl),
    store: memoryStore(),
    handlerTimeoutMs: 20,
    hooks: { onError: ({ operation, reason }) => errors.push(`${operation} ${reason}`) },
    onSettled: ({ orderId }) => {
      calls.push(orderId);
      return orderId === numbered(1).Id ? new Promise(() => {}) : undefined;
    },
  });
  await outbox.add(numbered(1));
  outbox.start();
  const callsOf = (n) => calls.filter((id) => id === numbered(n).Id).length;
  await until(() => callsOf(1) >= 3, 'called a third time');
  await outbox.add(numbered(2));
  await until(() => callsOf(2) === 1, 'the other handler');
  await outbox.stop();
  assert.deepEqual([...new Set(errors)], ['handler TimeoutError']);
});

test('counts has the entries by state and by location, and the age of the oldest that waits', async (t) => {
  const { outbox, settled } = await setUp(t, { script: [answer(400)], concurrency: 1 });
  assert.deepEqual((await outbox.counts()).locations, []);
  assert.equal((await outbox.counts()).oldestWaitingMs, null);
  await outbox.add(numbered(1, { EntityId: 1 }));
  outbox.start();
  await settled(numbered(1).Id);
  await outbox.add(numbered(2, { EntityId: 2 }));
  await settled(numbered(2).Id);
  const { waiting, refused, created, oldestWaitingMs, locations } = await outbox.counts();
  assert.deepEqual([waiting, refused, created, oldestWaitingMs], [0, 1, 1, null]);
  const location = { companyId: 1000, entityId: 1, waiting: 0, refused: 1, stalled: 0 };
  assert.deepEqual(locations, [{ ...location, oldestWaitingMs: null, isPaused: false }]);
});

test('the age of what waits grows, for all and for each location', async (t) => {
  const { outbox } = await setUp(t);
  await outbox.add(numbered(1, { EntityId: 1 }));
  await new Promise((resolve) => setTimeout(resolve, 30));
  await outbox.add(numbered(2, { EntityId: 2 }));
  const { waiting, oldestWaitingMs, locations } = await outbox.counts();
  assert.equal(waiting, 2);
  const ages = Object.fromEntries(locations.map((local) => [local.entityId, local.oldestWaitingMs]));
  assert.equal(ages[1], oldestWaitingMs);
  assert.ok(ages[1] >= ages[2] + 25, `${ages[1]} and ${ages[2]} ms`);
});

describe('by hand', () => {
  test('cancel withdraws an order only if it was never sent', async (t) => {
    const { outbox, settled, server } = await setUp(t);
    await outbox.add(numbered(1));
    assert.equal((await outbox.cancel(numbered(1).Id)).state, 'cancelled');
    await outbox.add(numbered(2));
    outbox.start();
    await settled(numbered(2).Id);
    const error = await failureOf(outbox.cancel(numbered(2).Id));
    assert.deepEqual([error.name, error.reason], ['OutboxError', 'wrong-state']);
    assert.equal((await failureOf(outbox.cancel(numbered(3).Id))).reason, 'not-found');
    assert.equal((await failureOf(outbox.cancel('no id'))).reason, 'not-found');
    assert.equal(server.requests.length, 1);
  });

  test('cancel does not withdraw an order after an attempt with an unknown outcome', async (t) => {
    const { outbox } = await setUp(t, { script: [resetsBeforeHeaders], retry: { baseMs: 1e6, capMs: 1e6 } });
    await outbox.add(numbered(1));
    outbox.start();
    await until(async () => (await outbox.get(numbered(1).Id)).reason === 'ConnectionError');
    assert.equal((await failureOf(outbox.cancel(numbered(1).Id))).reason, 'wrong-state');
  });

  test('forget preserves the Id and the outcome, and deletes everything personal', async (t) => {
    const { outbox, settled, store } = await setUp(t);
    await outbox.add(numbered(1));
    assert.equal((await failureOf(outbox.forget(numbered(1).Id))).reason, 'wrong-state');
    outbox.start();
    await settled(numbered(1).Id);
    const forgotten = await outbox.forget(numbered(1).Id);
    assert.deepEqual(
      [forgotten.state, forgotten.outcome, forgotten.body, forgotten.order],
      ['created', 'created', null, null],
    );
    assert.doesNotMatch(JSON.stringify(await store.get(numbered(1).Id)), PERSONAL);
    assert.equal((await failureOf(outbox.add(numbered(1)))).reason, 'duplicate');
  });

  test('list yields entries in the order in which they were added, by state and by location', async (t) => {
    const { outbox } = await setUp(t);
    for (let n = 0; n < 1100; n++) await outbox.add(numbered(n, { EntityId: 1 + (n % 2) }));
    await outbox.cancel(numbered(7).Id);
    /** @param {object} [filter] */
    const ids = async (filter) => (await collected(outbox.list(filter))).map(({ orderId }) => orderId);
    assert.deepEqual((await ids()).length, 1100);
    assert.deepEqual((await ids()).slice(0, 2), [numbered(0).Id, numbered(1).Id]);
    assert.deepEqual(await ids({ state: 'cancelled' }), [numbered(7).Id]);
    assert.equal((await ids({ companyId: 1000, entityId: 1 })).length, 550);
    assert.equal((await failureOf(ids({ state: 'lost' }))).name, 'OptionError');
  });

  test('created entries are deleted after a while, others never', async (t) => {
    const { outbox, settled } = await setUp(t, { script: [answer(400)], keepCreatedMs: 0, concurrency: 1 });
    await outbox.add(numbered(1));
    await outbox.add(numbered(2));
    outbox.start();
    await settled(numbered(1).Id);
    await until(async () => (await outbox.counts()).created === 1);
    await until(async () => (await outbox.prune()) || !(await outbox.get(numbered(2).Id)));
    assert.equal(await outbox.get(numbered(2).Id), null);
    assert.equal((await outbox.get(numbered(1).Id)).state, 'refused');
  });
});

describe('stop', () => {
  test('waits for orders in flight, and starts no further order', async (t) => {
    const { outbox, server, store } = await setUp(t, { concurrency: 1 });
    let release;
    server.playAlways((exchange) => {
      release = () => creates(exchange);
    });
    await outbox.add(numbered(1));
    await outbox.add(numbered(2));
    outbox.start();
    await until(() => release);
    const stopping = outbox.stop();
    release();
    await stopping;
    assert.equal((await store.get(numbered(1).Id)).state, 'created');
    assert.equal((await store.get(numbered(2).Id)).state, 'waiting');
    assert.equal((await failureOf(outbox.add(numbered(3)))).reason, 'stopped');
  });

  test('aborts an attempt that takes too long; its outcome is unknown', async (t) => {
    const { outbox, server, store } = await setUp(t);
    server.playAlways(stallsBeforeHeaders);
    await outbox.add(numbered(1));
    outbox.start();
    await until(() => server.requests.length === 1);
    await outbox.stop({ timeoutMs: 10 });
    const { state, outcome } = await store.get(numbered(1).Id);
    assert.deepEqual([state, outcome], ['waiting', 'unknown']);
  });

  test('happens at the end of a block with await using', async () => {
    const store = memoryStore();
    let isClosed = false;
    store.close = async () => {
      isClosed = true;
    };
    const outbox = createOutbox({ client: clientOf('http://127.0.0.1:9'), store });
    await outbox[Symbol.asyncDispose]();
    assert.ok(isClosed);
  });
});

test('no event, error or message contains a name, a note or a token', async (t) => {
  const { outbox, settled, events } = await setUp(t, {
    script: [
      resetsBeforeHeaders,
      answer(500, 'Xaviera'),
      answer(400, '{"Message":"Quonset, violet door"}'),
      answer(429),
    ],
    onSettled: () => {
      throw new Error('Xaviera');
    },
  });
  for (const n of [1, 2, 3]) await outbox.add(numbered(n));
  outbox.start();
  for (const n of [1, 2, 3]) await settled(numbered(n).Id);
  await until(() => events.filter(({ name }) => name === 'onError').length === 3);
  assert.ok(new Set(events.map(({ name }) => name)).size >= 3);
  assert.doesNotMatch(JSON.stringify(events), PERSONAL);
});

test('wrong options are errors that name the option', () => {
  const client = clientOf('http://127.0.0.1:9');
  const store = memoryStore();
  for (const [options, option] of [
    [{ store }, '/client'],
    [{ client }, '/store'],
    [{ client, store, concurrency: 0 }, '/concurrency'],
    [{ client, store, deadlineMs: -1 }, '/deadlineMs'],
    [{ client, store, retry: { baseMs: 'x' } }, '/retry/baseMs'],
    [{ client, store, hooks: { onGates() {} } }, '/hooks/onGates'],
    [{ client, store, onSettled: 'x' }, '/onSettled'],
    [{ client, store, stores: 1 }, '/stores'],
  ]) {
    assert.throws(
      () => createOutbox(options),
      (/** @type {any} */ error) => error.name === 'OptionError' && (error.option ?? option) === option,
    );
  }
});
