/** Tests that a stop has ended in time, whatever the store does, on a clock that the test controls. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createOutboxOn, handClock, numbered } from './harness.mjs';
import { memoryStore } from './memory-store.mjs';

const { Id } = numbered(1);
const NEVER = new Promise(() => {});

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
  for (const name of Object.keys(inner)) {
    store[name] = async (...args) => {
      const value = await inner[name](...args);
      await silent.get(name);
      return value;
    };
  }
  const client = { createOrder: async () => ({ order: null, status: 201, issues: [], requestId: null }) };
  const errors = [];
  const hooks = { onError: (event) => errors.push(event) };
  const outbox = createOutboxOn(clock.platform, { client, store, hooks, ...options });
  t.after(() => {
    silent.clear();
    outbox.stop({ timeoutMs: 0 }).catch(() => {});
    return clock.advance(1000);
  });
  return { clock, store, inner, silent, errors, outbox };
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

describe('a stop with a time', () => {
  test('has ended a quarter of a second after the time is up, whichever call of the store does not end', async (t) => {
    for (const name of ['take', 'sweep', 'settle', 'change', 'close']) {
      const { clock, silent, outbox } = setUp(t, { onSettled: () => {} });
      silent.set(name, NEVER);
      await outbox.add(numbered(1));
      outbox.start();
      await clock.advance(50);
      const seen = observed(outbox.stop({ timeoutMs: 200 }));
      await clock.advance(449);
      assert.equal(seen.state, 'pending', name);
      await clock.advance(1);
      assert.equal(seen.state, 'resolved', name);
      assert.equal(clock.timers, 0, name);
    }
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
