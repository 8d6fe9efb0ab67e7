/** Tests that no call of the store is waited for without an end, on a clock that the test controls. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createOutboxOn, handClock, numbered } from './harness.mjs';
import { memoryStore } from './memory-store.mjs';

const { Id } = numbered(1);
const NEVER = new Promise(() => {});
const LIMIT_MS = 15_000;

/**
 * An outbox on a store whose named functions can go silent.
 *
 * @param {import('node:test').TestContext} t
 * @param {Record<string, unknown>} [options]
 */
function setUp(t, options = {}) {
  const clock = handClock();
  const store = memoryStore();
  const inner = { ...store };
  /** @type {Map<string, Promise<any>>} What the next calls of a function wait for after they took effect. */
  const silent = new Map();
  const calls = new Map();
  for (const name of Object.keys(inner)) {
    store[name] = async (...args) => {
      calls.set(name, (calls.get(name) ?? 0) + 1);
      const value = await inner[name](...args);
      await silent.get(name);
      return value;
    };
  }
  const sent = [];
  const client = {
    async createOrder({ orderId }) {
      sent.push(orderId);
      return { order: null, status: 201, issues: [], requestId: null };
    },
  };
  const errors = [];
  const hooks = { onError: (event) => errors.push(event) };
  const outbox = createOutboxOn(clock.platform, { client, store, hooks, ...options });
  t.after(() => {
    silent.clear();
    outbox.stop({ timeoutMs: 0 }).catch(() => {});
    return clock.advance(1000);
  });
  return { clock, store, inner, silent, calls, sent, errors, outbox };
}

/** Observes a promise without waiting for it. */
function observed(promise) {
  const seen = { state: 'pending', value: /** @type {any} */ (undefined) };
  promise.then(
    (value) => Object.assign(seen, { state: 'resolved', value }),
    (value) => Object.assign(seen, { state: 'rejected', value }),
  );
  return seen;
}

async function entriesOf(list) {
  for await (const _ of list) return;
}

describe('a store that does not respond', () => {
  /** @type {Record<string, [(outbox: any) => Promise<any>, string, string]>} */
  const CALLS = {
    add: [(outbox) => outbox.add(numbered(2)), 'add the order', 'add the same order again'],
    get: [(outbox) => outbox.get(Id), 'look up the entry', ''],
    list: [(outbox) => entriesOf(outbox.list()), 'list entries', ''],
    count: [(outbox) => outbox.counts(), 'count entries', ''],
    change: [(outbox) => outbox.cancel(Id), 'change the entry', 'may have done so'],
    changeAll: [(outbox) => outbox.retryAll({}), 'change entries', 'may have done so'],
    sweep: [(outbox) => outbox.prune(), 'look for passed deadlines', 'may have done so'],
    close: [(outbox) => outbox.stop({ timeoutMs: Number.POSITIVE_INFINITY }), 'close', ''],
  };
  for (const [name, [call, what, advice]] of Object.entries(CALLS)) {
    test(`ends a call of ${name} with an OutboxError that says what was waited for`, async (t) => {
      const { clock, silent, outbox } = setUp(t);
      await outbox.add(numbered(1));
      silent.set(name, NEVER);
      const seen = observed(call(outbox));
      await clock.advance(LIMIT_MS - 1);
      assert.equal(seen.state, 'pending');
      await clock.advance(1);
      const { state, value } = seen;
      assert.deepEqual(
        [state, value?.name, value?.reason, value?.code],
        ['rejected', 'OutboxError', 'store', 'ETIMEDOUT'],
      );
      assert.ok(value.message.includes(`within ${LIMIT_MS} ms; it was asked to ${what}`), value.message);
      assert.ok(value.message.includes(advice), value.message);
      assert.equal(clock.timers, 0);
    });
  }

  test('the limit can be chosen; what is added again after it is the same entry', async (t) => {
    const { clock, silent, outbox } = setUp(t, { storeTimeoutMs: 200 });
    silent.set('add', NEVER);
    const seen = observed(outbox.add(numbered(1)));
    await clock.advance(200);
    assert.deepEqual([seen.state, seen.value?.orderId], ['rejected', Id]);
    silent.clear();
    assert.equal((await outbox.add(numbered(1))).state, 'waiting');
    assert.equal((await outbox.counts()).waiting, 1);
  });

  test('while orders are taken, holds them up for the limit; what it took in the end is given back, and sent once', async (t) => {
    const { clock, silent, sent, errors, outbox } = setUp(t);
    await outbox.add(numbered(1));
    /** @type {(value?: unknown) => void} */
    let respond = () => {};
    silent.set('take', new Promise((resolve) => (respond = resolve)));
    outbox.start();
    await clock.advance(LIMIT_MS);
    assert.deepEqual(errors, [{ operation: 'take', reason: 'OutboxError', code: 'ETIMEDOUT', orderId: null }]);
    silent.clear();
    await clock.advance(2000);
    // The order is with the call that does not end: others are sent meanwhile.
    await outbox.add(numbered(2));
    await clock.advance(2000);
    assert.deepEqual(sent, [numbered(2).Id]);
    respond();
    await clock.advance(5000);
    assert.deepEqual(sent, [numbered(2).Id, Id]);
    const { state, attempts } = /** @type {any} */ (await outbox.get(Id));
    assert.deepEqual([state, attempts], ['created', 1]);
  });

  test('while a result is written, is asked again, and the result is not lost', async (t) => {
    const { clock, silent, inner, errors, outbox } = setUp(t);
    silent.set('settle', NEVER);
    await outbox.add(numbered(1));
    outbox.start();
    await clock.advance(LIMIT_MS);
    assert.deepEqual(
      errors.map(({ operation, code, orderId }) => [operation, code, orderId]),
      [['settle', 'ETIMEDOUT', Id]],
    );
    silent.clear();
    await outbox.add(numbered(2));
    await clock.advance(2000);
    for (const n of [1, 2]) assert.equal((await inner.get(numbered(n).Id))?.state, 'created');
  });

  test('while deadlines are looked for, holds up the next look for no longer than the limit', async (t) => {
    const { clock, silent, calls, errors, outbox } = setUp(t, { deadlineMs: 60_000 });
    silent.set('sweep', NEVER);
    outbox.start();
    await clock.advance(LIMIT_MS);
    assert.deepEqual(
      errors.map(({ operation, code }) => [operation, code]),
      [['sweep', 'ETIMEDOUT']],
    );
    const before = calls.get('sweep');
    silent.clear();
    await clock.advance(5000);
    assert.ok(calls.get('sweep') > before);
  });
});

describe('a stop with a time', () => {
  test('has ended when the time is up, whichever call of the store does not end', async (t) => {
    for (const name of ['take', 'sweep', 'settle', 'change', 'close']) {
      const { clock, silent, outbox } = setUp(t, { onSettled: () => {} });
      silent.set(name, NEVER);
      await outbox.add(numbered(1));
      outbox.start();
      await clock.advance(50);
      const seen = observed(outbox.stop({ timeoutMs: 200 }));
      await clock.advance(199);
      assert.equal(seen.state, 'pending', name);
      await clock.advance(1);
      assert.equal(seen.state, 'resolved', name);
      assert.equal(clock.timers, 0, name);
    }
  });

  test('has ended a quarter of a second later if the store goes silent when orders in flight are interrupted', async (t) => {
    const client = { createOrder: (_, { signal }) => new Promise((_, fail) => signal.addEventListener('abort', fail)) };
    const { clock, silent, outbox } = setUp(t, { client });
    await outbox.add(numbered(1));
    outbox.start();
    await clock.advance(50);
    silent.set('settle', NEVER);
    const seen = observed(outbox.stop({ timeoutMs: 1000 }));
    await clock.advance(1249);
    assert.equal(seen.state, 'pending');
    await clock.advance(1);
    assert.equal(seen.state, 'resolved');
  });

  test('can be shortened by a second one, and not lengthened; without a time it has three minutes', async (t) => {
    /** @type {[{ timeoutMs: number } | undefined, { timeoutMs: number } | undefined, number][]} */
    const cases = [
      [undefined, { timeoutMs: 100 }, 100],
      [{ timeoutMs: 100 }, undefined, 100],
      [{ timeoutMs: Number.POSITIVE_INFINITY }, { timeoutMs: 300 }, 300],
      [undefined, undefined, 180_000],
    ];
    for (const [first, second, after] of cases) {
      const client = {
        createOrder: (_, { signal }) => new Promise((_, fail) => signal.addEventListener('abort', fail)),
      };
      const { clock, outbox } = setUp(t, { client });
      await outbox.add(numbered(1));
      outbox.start();
      await clock.advance(0);
      const stops = [observed(outbox.stop(first)), observed(outbox.stop(second))];
      await clock.advance(after - 1);
      assert.deepEqual(
        stops.map(({ state }) => state),
        ['pending', 'pending'],
      );
      await clock.advance(1);
      assert.deepEqual(
        stops.map(({ state }) => state),
        ['resolved', 'resolved'],
      );
    }
  });

  test('inside a handler does not wait for the handler; the handler ends, and is not called again', async (t) => {
    let isStopped = false;
    let isClosedBefore = false;
    let isClosed = false;
    const { clock, store, inner, errors, outbox } = setUp(t, {
      async onSettled() {
        await outbox.stop();
        isStopped = true;
        isClosedBefore = isClosed;
      },
    });
    store.close = async () => {
      isClosed = true;
    };
    await outbox.add(numbered(1));
    outbox.start();
    await clock.advance(1000);
    assert.deepEqual([isStopped, isClosedBefore, isClosed, errors], [true, false, true, []]);
    await outbox.stop();
    assert.equal((await inner.get(Id))?.noticeAt, null);
  });
});
