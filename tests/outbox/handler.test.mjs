/** Tests that the handler is called for each settled order, at least once. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answer, creates, refuses } from '../client/fault-server.mjs';
import { core, createOutboxOn, numbered } from './harness.mjs';
import { memoryStore } from './memory-store.mjs';
import { newStore, STORE_FUNCTIONS, setUp } from './set-up.mjs';
import { simulatedTime } from './simulated-time.mjs';

describe('the handler', () => {
  test('is called for created, refused and stalled orders, not for waiting ones', async (t) => {
    const seen = [];
    const { outbox, until } = await setUp(t, {
      store: newStore(),
      script: [refuses(400), answer(500), creates, refuses(422)],
      onSettled: (entry) => void seen.push([entry.state, entry.orderId]),
      concurrency: 1,
    });
    for (const n of [1, 2, 3]) await outbox.add(numbered(n));
    outbox.start();
    await until(() => seen.length === 3, 'three calls');
    assert.deepEqual(seen.map(([state]) => state).sort(), ['created', 'refused', 'stalled']);
  });

  test('is called with an order that was cancelled at a relay, and not with one that the outbox cancelled', async (t) => {
    const seen = [];
    const atRelay = ({ body, response }) => {
      const { Id: orderId } = JSON.parse(body);
      response.writeHead(409, { 'Content-Type': 'application/problem+json', Location: `/orders/${orderId}` });
      response.end(JSON.stringify({ orderId, state: 'cancelled', outcome: 'not-created' }));
    };
    const { outbox, settled } = await setUp(t, {
      store: newStore(),
      script: [atRelay],
      onSettled: ({ orderId, state }) => void seen.push([orderId, state]),
    });
    for (const n of [1, 2]) await outbox.add(numbered(n));
    await outbox.cancel(numbered(1).Id);
    outbox.start();
    assert.equal((await settled(numbered(2).Id)).state, 'cancelled');
    await outbox.stop();
    assert.deepEqual(seen, [[numbered(2).Id, 'cancelled']]);
  });

  test('is called again if it throws, and for orders that were settled before a crash', async (t) => {
    const store = newStore();
    let calls = 0;
    const { outbox, events, until, now } = await setUp(t, {
      store,
      onSettled: () => {
        if (calls++ === 0) throw new Error('Xaviera was not found');
      },
    });
    await outbox.add(numbered(1));
    outbox.start();
    await until(() => events.some(({ name }) => name === 'onError'), 'the error reported');
    assert.equal(calls, 1);
    assert.ok((await store.get(numbered(1).Id)).noticeAt > now());
    await until(() => calls === 2, 'called again');
    await until(async () => (await store.get(numbered(1).Id))?.noticeAt === null, 'handed over');
  });

  test('a handler that never returns is called again, and holds up no other and no stop', async (t) => {
    const calls = [];
    const { outbox, events, until, advance } = await setUp(t, {
      store: newStore(),
      handlerTimeoutMs: 1000,
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
    await Promise.all([outbox.stop(), advance(1000)]);
    const errors = events.filter(({ name }) => name === 'onError');
    assert.deepEqual(
      [...new Set(errors.map(({ operation, reason }) => `${operation} ${reason}`))],
      ['handler TimeoutError'],
    );
  });

  test('handlers that were missed and hang delay no deadline, and as many run at a time as orders are sent', async (t) => {
    const store = newStore();
    let isDown = true;
    let running = 0;
    const client = {
      fetch: async (_, { body }) =>
        isDown
          ? new Response(body, { status: 201 })
          : new Response(null, { status: 429, headers: { 'Retry-After': '600' } }),
    };
    const { outbox, until, now, events } = await setUp(t, {
      ...{ store, client, concurrency: 2, handlerTimeoutMs: 60_000, deadlineMs: 8000 },
      onSettled() {
        if (isDown) throw new Error('the database of the shop is down');
        running++;
        return new Promise(() => {});
      },
    });
    for (let n = 0; n < 8; n++) await outbox.add(numbered(n));
    outbox.start();
    await until(async () => events.filter(({ name }) => name === 'onError').length >= 8, 'eight handlers that failed');
    isDown = false;
    await until(() => running > 0, 'a handler called again');
    const addedAt = now();
    await outbox.add(numbered(100));
    await until(async () => (await outbox.get(numbered(100).Id)).state === 'stalled', 'stalled');
    assert.ok(now() - addedAt <= 8000 + 5000 + 1000, `${now() - addedAt} ms`);
    assert.ok(running <= 2 + 1, `${running} handlers at a time`);
  });

  test('while it fails for every order, it is called again for few of them, and for all once it succeeds', async (t) => {
    let calls = 0;
    let isDown = true;
    const handed = new Set();
    const { outbox, until, now } = await setUp(t, {
      ...{ store: newStore(), concurrency: 2, handlerTimeoutMs: 60_000 },
      onSettled({ orderId }) {
        calls++;
        if (isDown) throw new Error('the shop is down');
        handed.add(orderId);
      },
    });
    for (let n = 0; n < 40; n++) await outbox.add(numbered(n));
    outbox.start();
    await until(() => calls === 40, 'a first call for each');
    const downUntil = now() + 600_000;
    await until(() => now() >= downUntil, 'ten minutes');
    assert.ok(calls > 40 && calls <= 40 + 10 * 3, `${calls} calls`);
    isDown = false;
    await until(() => handed.size === 40, 'all handed over');
    assert.ok(now() - downUntil <= 2 * 60_000, `${now() - downUntil} ms`);
  });

  test('is never run for one entry by two outboxes at a time, however many entries are due', async (t) => {
    const { platform, until, observed } = simulatedTime();
    const store = observed(newStore(), STORE_FUNCTIONS);
    const noAttempt = { createOrder: () => Promise.reject(new Error('nothing is waiting')) };
    const running = new Set();
    let calls = 0;
    let most = 0;
    const ids = Array.from({ length: 12 }, (_, n) => numbered(n).Id);
    for (const [n, orderId] of ids.entries()) {
      const { version, path: _, body } = core.prepareRequest(numbered(n));
      const now = platform.date();
      await store.add(
        { orderId, version, body, location: '1/2', addedAt: now, dueAt: now, deadlineAt: now + 1e9 },
        undefined,
      );
      await store.change(orderId, {}, { state: 'created', outcome: 'created', settledAt: now, noticeAt: 1 });
    }
    const start = () => {
      const outbox = createOutboxOn(platform, {
        client: noAttempt,
        store,
        concurrency: 1,
        handlerTimeoutMs: 400,
        async onSettled({ orderId }) {
          calls++;
          assert.ok(!running.has(orderId), 'two at a time');
          running.add(orderId);
          most = Math.max(most, running.size);
          await new Promise((resolve) => platform.after(100, () => resolve(undefined)));
          running.delete(orderId);
        },
        hooks: { onError: (event) => errors.push(event) },
      }).start();
      t.after(() => outbox.stop());
    };
    const errors = [];
    start();
    // The claim of the first entries would be over by now.
    await until(() => calls === 6, 'half of the calls');
    start();
    await until(
      async () => (await store.list({ noticeUntil: Number.MAX_SAFE_INTEGER, after: 0, limit: 1 })).length === 0,
      'all handed over',
    );
    assert.deepEqual(errors, []);
    assert.equal(calls, 12);
    assert.equal(most, 2, 'both took part');
  });
});

test('is called when it is due by the clock of the store, and again when it failed, with a clock that is 80 hours ahead', async (t) => {
  const { platform, until, observed } = simulatedTime();
  const ofStore = () => platform.date() - 80 * 3_600_000;
  const inner = { ...memoryStore(), now: async () => ofStore() };
  const store = observed(inner, ['now', ...STORE_FUNCTIONS]);
  const { orderId, version, body } = core.prepareRequest(numbered(1));
  const now = ofStore();
  const times = { addedAt: now, dueAt: now, deadlineAt: now + 1e9 };
  await store.add({ orderId, version, body, location: '1/2', ...times }, undefined);
  const noticeAt = now + 20_000;
  await store.change(orderId, {}, { state: 'created', outcome: 'created', settledAt: now, noticeAt });
  const calls = [];
  const outbox = createOutboxOn(platform, {
    client: { createOrder: () => Promise.reject(new Error('nothing is waiting')) },
    store,
    onSettled() {
      calls.push(ofStore());
      if (calls.length === 1) throw new Error('the handler failed');
    },
  }).start();
  t.after(() => outbox.stop());
  await until(() => calls.length === 2, 'called again');
  assert.ok(calls[0] >= noticeAt && calls[0] < noticeAt + 10_000, `${calls[0] - noticeAt} ms`);
  assert.ok(calls[1] - calls[0] < 70_000, `${calls[1] - calls[0]} ms`);
});
