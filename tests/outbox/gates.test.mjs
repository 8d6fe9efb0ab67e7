/** Tests when deliveries pause, for a location and for the service, and how they resume. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answer, creates, stallsBeforeHeaders } from '../client/fault-server.mjs';
import { RETRY, collected, core, numbered } from './harness.mjs';
import { newStore, STORE_FUNCTIONS, setUp } from './set-up.mjs';

describe('gates', () => {
  test('a failing location delays only its own orders', async (t) => {
    const { outbox, settled, server, events } = await setUp(t, { store: newStore() });
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

  test('while a slow attempt is in flight and nothing else is due, the store is seldom asked', async (t) => {
    const store = newStore();
    const { outbox, server, advance, until } = await setUp(t, { store, script: [answer(500)], concurrency: 2 });
    server.playAlways(stallsBeforeHeaders);
    await outbox.add(numbered(0));
    outbox.start();
    await until(() => server.requests.length === 2, 'an attempt while one at a time may start');
    const take = t.mock.method(store, 'take');
    await advance(1000);
    assert.ok(take.mock.callCount() <= 5, `${take.mock.callCount()} calls in a second`);
  });

  test('a wrong Retry-After delays an order for an hour at most', async (t) => {
    const { outbox, until, now } = await setUp(t, {
      store: newStore(),
      script: [answer(429, '', { 'Retry-After': '60000' })],
    });
    await outbox.add(numbered(1));
    outbox.start();
    const { nextAttemptAt } = await until(async () => {
      const entry = await outbox.get(numbered(1).Id);
      return entry.reason === 'RateLimitError' && entry;
    }, 'the response');
    assert.equal(nextAttemptAt.getTime() - now(), 3_600_000);
  });

  test('orders that the client rejects before it sends them close no gate', async (t) => {
    const { outbox, events, server, until } = await setUp(t, {
      store: newStore(),
      wrap: (client) => ({
        async createOrder(request, options) {
          const issues = [{ code: 'x', severity: 'error', message: 'a new rule', pointer: '', path: [] }];
          if (JSON.parse(request.body).EntityId < 3) throw new core.OrderValidationError(request.orderId, issues);
          return client.createOrder(request, options);
        },
      }),
    });
    for (let n = 0; n < 60; n++) await outbox.add(numbered(n, { EntityId: 1 + (n % 2) }));
    for (let n = 60; n < 80; n++) await outbox.add(numbered(n, { EntityId: 3 + (n % 3) }));
    outbox.start();
    await until(async () => (await outbox.counts()).created === 20, 'the valid orders created');
    await until(async () => (await outbox.counts()).refused === 60, 'the others refused');
    assert.equal(server.requests.length, 20);
    assert.deepEqual(
      events.filter(({ name }) => name === 'onGate').map(({ scope, isOpen }) => [scope, isOpen]),
      [],
    );
    const { attempts, outcome, reason } = await outbox.get(numbered(0).Id);
    assert.deepEqual([attempts, outcome, reason], [0, 'not-created', 'OrderValidationError']);
  });

  test('onGate reports that the gate of a location closes after five failed orders, why, and that it opens again', async (t) => {
    const { outbox, events, server, until } = await setUp(t, { store: newStore() });
    server.playAlways(answer(503));
    for (let n = 1; n <= 5; n++) await outbox.add(numbered(n, { EntityId: 7 }));
    outbox.start();
    await until(() => events.some(({ name }) => name === 'onGate'), 'closed');
    server.playAlways(creates);
    await until(async () => (await outbox.counts()).created === 5, 'created');
    const gates = events.filter(({ name }) => name === 'onGate');
    assert.deepEqual(
      [gates[0], gates.at(-1)].map(({ scope, companyId, entityId, isOpen }) => [scope, companyId, entityId, isOpen]),
      [
        ['location', 1000, 7, false],
        ['location', 1000, 7, true],
      ],
    );
    const [{ pause, waitMs }] = gates;
    const opened = gates.at(-1);
    assert.deepEqual([pause.cause, pause.reason, pause.status], ['failures', 'ServerError', 503]);
    assert.ok(pause.since instanceof Date && Number.isInteger(waitMs));
    assert.equal(opened.pause, null);
  });

  test('a 503 without Retry-After closes no gate, and one with it only that of its location', async (t) => {
    const asking = answer(503, '', { 'Retry-After': '1' });
    const { outbox, events, until } = await setUp(t, { store: newStore(), script: [answer(503), asking] });
    for (let n = 1; n <= 2; n++) await outbox.add(numbered(n, { EntityId: 7 }));
    outbox.start();
    await until(async () => (await outbox.counts()).created === 2, 'created');
    const closed = events.filter(({ name, isOpen }) => name === 'onGate' && !isOpen);
    assert.deepEqual(
      closed.map(({ scope, pause }) => [scope, pause.cause]),
      [['location', 'retry-after']],
    );
  });

  test('a probe that gets a 503 keeps the service closed', async (t) => {
    let mode = 'down';
    const fetch = async (_, { body }) => {
      if (mode === 'down') throw Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } });
      return new Response(body, { status: mode === '503' ? 503 : 201 });
    };
    const { outbox, events, settled, until } = await setUp(t, { store: newStore(), client: { fetch } });
    const causes = () => events.filter(({ name }) => name === 'onGate').map(({ pause }) => pause?.cause ?? 'open');
    await outbox.add(numbered(1));
    outbox.start();
    await until(() => causes().includes('unreachable'));
    mode = '503';
    await until(() => causes().includes('failures'));
    const { isPaused, pause } = await outbox.counts();
    assert.deepEqual([isPaused, pause?.cause], [true, 'failures']);
    mode = 'up';
    await settled(numbered(1).Id);
    assert.equal(causes().at(-1), 'open');
    assert.equal((await outbox.counts()).pause, null);
  });

  test('the closed gate of a location whose orders are gone opens by itself, and says so', async (t) => {
    const { outbox, events, server, until, now } = await setUp(t, { store: newStore(), deadlineMs: 2000 });
    server.playAlways((exchange) =>
      JSON.parse(exchange.body).EntityId === 7 ? answer(503)(exchange) : creates(exchange),
    );
    for (let n = 1; n <= 6; n++) await outbox.add(numbered(n, { EntityId: 7 }));
    outbox.start();
    await until(async () => (await outbox.counts()).stalled === 6, 'stalled');
    const [before] = (await outbox.counts()).locations;
    assert.deepEqual([before.entityId, before.isPaused], [7, true]);
    const from = now();
    const gates = () => events.filter(({ name }) => name === 'onGate');
    await until(() => gates().at(-1).isOpen, 'open');
    // Twice the longest wait, and the longest time without a look.
    assert.ok(now() - from <= 2 * RETRY.capMs + RETRY.capMs + 5000, `${now() - from} ms`);
    const { scope, companyId, entityId, waitMs, pause } = gates().at(-1);
    assert.deepEqual([scope, companyId, entityId, waitMs, pause], ['location', 1000, 7, 0, null]);
    const [after] = (await outbox.counts()).locations;
    assert.deepEqual([after.entityId, after.stalled, after.isPaused, after.pause], [7, 6, false, null]);
  });
});

describe('gates with many orders on SQLite', () => {
  const most = { concurrency: 1000, concurrencyPerLocation: 1000 };
  const isCounted = ({ attempts, state }) => attempts > 0 || state !== 'waiting';

  /** A service in this process: thousands of connections are not what is tested. Responds with these statuses. */
  function serviceOf(statusOf) {
    const requests = [];
    const ids = new Set();
    const fetch = async (url, { body, headers }) => {
      requests.push(url);
      const status = await statusOf(new Headers(headers).get('Authorization'), ids.size);
      if (status === 201) ids.add(JSON.parse(body).Id);
      return new Response(status === 201 ? body : null, { status });
    };
    return { fetch, requests, ids };
  }

  async function addAll(outbox, from, to) {
    await Promise.all(
      Array.from({ length: to - from }, (_, n) => outbox.add(numbered(from + n, { EntityId: 1 + (n % 10) }))),
    );
  }

  test('the closed gate of a location does not make the store be asked more often for the others', async (t) => {
    const inner = newStore();
    let takes = 0;
    const counting = new Proxy(inner, {
      get:
        (target, name) =>
        (...args) => {
          if (name === 'take') takes++;
          return target[name](...args);
        },
    });
    const fetch = async (_, { body }) =>
      JSON.parse(body).EntityId === 99
        ? new Response(null, { status: 429, headers: { 'Retry-After': '3600' } })
        : new Response(body, { status: 201 });
    const { outbox, events, until } = await setUp(t, {
      ...{
        client: { fetch },
        store: { start() {}, ...Object.fromEntries(STORE_FUNCTIONS.map((name) => [name, counting[name]])) },
      },
    });
    for (let n = 5000; n < 5010; n++) await outbox.add(numbered(n, { EntityId: 99 }));
    outbox.start();
    await until(() => events.some(({ name, isOpen }) => name === 'onGate' && !isOpen), 'closed');
    takes = 0;
    await addAll(outbox, 0, 1000);
    await until(async () => (await outbox.counts()).created === 1000, 'created');
    assert.ok(takes < 50, `${takes} transactions that take orders`);
  });

  test('a rejected token pauses all orders: one request for a new token, no counted attempt', async (t) => {
    const asked = [];
    let isGood = false;
    const token = ({ rejected }) => {
      asked.push(rejected);
      return isGood ? 'good' : `bad-${asked.length}`;
    };
    const { fetch, requests, ids } = serviceOf((authorization) => (authorization === 'Bearer good' ? 201 : 401));
    const { outbox, events, until } = await setUp(t, { client: { token, fetch }, concurrency: 64, store: newStore() });
    await addAll(outbox, 0, 1000);
    outbox.start();
    await until(() => events.some(({ name, isOpen }) => name === 'onGate' && !isOpen), 'closed');
    assert.equal(asked.filter(Boolean).length, 1, 'one request for a new token');
    assert.ok(requests.length <= 8, `${requests.length} requests: four at the start, and each once more`);
    await until(async () => (await outbox.counts()).sending === 0, 'the result written');
    assert.deepEqual((await collected(outbox.list())).filter(isCounted), []);
    isGood = true;
    await until(async () => (await outbox.counts()).created === 1000, 'created');
    assert.equal(ids.size, 1000);
  });

  test('1,000 orders in flight whose token is rejected, and cannot be replaced, count no attempt', async (t) => {
    /** @type {((status: number) => void)[]} */
    const held = [];
    let isHolding = false;
    const { fetch } = serviceOf(() => (isHolding ? new Promise((resolve) => held.push(resolve)) : 201));
    const retry = { baseMs: 1e6, capMs: 1e6 };
    const { outbox, until } = await setUp(t, { client: { fetch }, ...most, retry, store: newStore() });
    await addAll(outbox, 0, 1500);
    outbox.start();
    // The ramp has reached its maximum after 1,000 responses.
    await until(async () => (await outbox.counts()).created === 1500, 'created');
    isHolding = true;
    await addAll(outbox, 1500, 2500);
    await until(() => held.length === 1000, 'all in flight');
    for (const respond of held) respond(401);
    await until(async () => (await outbox.counts()).waiting === 1000, 'the results written');
    const waiting = await collected(outbox.list({ state: 'waiting' }));
    assert.deepEqual(waiting.filter(isCounted), []);
    for (const { outcome, reason } of waiting) {
      assert.deepEqual([outcome, reason], ['not-created', 'AuthenticationError']);
    }
    assert.equal((await outbox.counts()).isPaused, true);
  });
});
