/** Tests `settled`, on a clock that the test controls. */
import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import {
  clientOf,
  createOutbox,
  createOutboxOn,
  folderOf,
  handClock,
  numbered,
  rejection,
  sqliteStore,
} from './harness.mjs';
import { newStore } from './set-up.mjs';

const { Id } = numbered(1);

/** An outbox with one order, and a platform that counts its timers. */
async function setUp(t, store) {
  const clock = handClock();
  const timers = new Set();
  const platform = {
    ...clock.platform,
    after(ms, callback) {
      const timer = {};
      timers.add(timer);
      const cancel = clock.platform.after(ms, () => {
        timers.delete(timer);
        callback();
      });
      return () => {
        timers.delete(timer);
        cancel();
      };
    },
  };
  const client = { createOrder: async () => ({ order: null, status: 201, issues: [], requestId: null }) };
  const outbox = createOutboxOn(platform, { client, store });
  t.after(() => outbox.stop({ timeoutMs: 0 }));
  await outbox.add(numbered(1));
  return { clock, outbox, timers };
}

/**
 * Observes a promise without waiting for it.
 *
 * @returns {{ state: string, value: any }}
 */
function observed(promise) {
  const seen = { state: 'pending', value: undefined };
  promise.then(
    (value) => Object.assign(seen, { state: 'resolved', value }),
    (value) => Object.assign(seen, { state: 'rejected', value }),
  );
  return seen;
}

/** As if another process could deliver. */
const sharedStore = () => Object.defineProperty(newStore(), 'isOfOneProcess', { value: false });

describe('settled', () => {
  test('resolves at once if the entry is settled, by its Id in any form', async (t) => {
    const { outbox, timers } = await setUp(t, sharedStore());
    await outbox.cancel(Id);
    for (const id of [Id, `{${Id.toUpperCase()}}`]) {
      for (const options of [undefined, {}, { timeoutMs: 0 }, { signal: new AbortController().signal }]) {
        const entry = await outbox.settled(id, options);
        assert.deepEqual(entry, await outbox.get(Id));
        assert.equal(entry.state, 'cancelled');
      }
    }
    assert.equal(timers.size, 0);
  });

  test('resolves for everybody when this process settles the entry, without waiting for a timer', async (t) => {
    const { outbox, clock } = await setUp(t, sharedStore());
    const { signal } = new AbortController();
    const waits = Array.from({ length: 30 }, () => outbox.settled(Id, { signal }));
    await clock.settle();
    assert.ok(getEventListeners(signal, 'abort').length <= 1, 'platforms warn of more than ten listeners');
    outbox.start();
    for (const entry of await Promise.all(waits))
      assert.deepEqual([entry.state, entry.outcome], ['created', 'created']);
    assert.equal(getEventListeners(signal, 'abort').length, 0);
  });

  test('resolves within a second when another process settles the entry', async (t) => {
    const store = sharedStore();
    const { outbox, clock, timers } = await setUp(t, store);
    const seen = observed(outbox.settled(Id));
    await clock.advance(10_000);
    assert.equal(seen.state, 'pending');
    await store.change(Id, {}, { state: 'refused', settledAt: clock.platform.date(), reason: 'RejectedError' });
    await clock.advance(1000);
    assert.deepEqual([seen.state, seen.value.state, seen.value.reason], ['resolved', 'refused', 'RejectedError']);
    assert.equal(timers.size, 0);
  });

  test('resolves with null when the time is up, and not earlier', async (t) => {
    const { outbox, clock, timers } = await setUp(t, sharedStore());
    assert.equal(await outbox.settled(Id, { timeoutMs: 0 }), null);
    const seen = observed(outbox.settled(Id, { timeoutMs: 2000 }));
    await clock.advance(1999);
    assert.equal(seen.state, 'pending');
    await clock.advance(1);
    assert.deepEqual([seen.state, seen.value], ['resolved', null]);
    assert.equal(timers.size, 0);
  });

  test('resolves with what has happened just before the time is up', async (t) => {
    const store = sharedStore();
    const { outbox, clock } = await setUp(t, store);
    const seen = observed(outbox.settled(Id, { timeoutMs: 2000 }));
    await clock.advance(1990);
    await store.change(Id, {}, { state: 'created', outcome: 'created', settledAt: clock.platform.date() });
    await clock.advance(10);
    assert.equal(seen.value?.state, 'created');
  });

  test('resolves with null for an Id that is not in the outbox, or is removed meanwhile, or is none', async (t) => {
    const store = sharedStore();
    const { outbox, clock } = await setUp(t, store);
    for (const id of [numbered(2).Id, 'none', '']) assert.equal(await outbox.settled(id), null);
    const removed = observed(outbox.settled(Id));
    await clock.settle();
    await store.change(Id, {}, { state: 'created', outcome: 'created', settledAt: 1 });
    await store.sweep({ now: 0, createdBefore: 2 });
    await clock.advance(1000);
    assert.deepEqual([removed.state, removed.value], ['resolved', null]);
  });

  test('rejects with the reason of the signal, at once, and leaves no timer and no listener', async (t) => {
    const { outbox, clock, timers } = await setUp(t, sharedStore());
    const reason = new Error('the user left');
    const controller = new AbortController();
    const { signal } = controller;
    const seen = observed(outbox.settled(Id, { signal, timeoutMs: 60_000 }));
    await clock.settle();
    controller.abort(reason);
    await clock.settle();
    assert.deepEqual([seen.state, seen.value], ['rejected', reason]);
    assert.equal(await rejection(outbox.settled(Id, { signal })), reason);
    assert.deepEqual([timers.size, getEventListeners(signal, 'abort').length], [0, 0]);
  });

  test('resolves with null when the outbox stops, and after it: the order is durable', async (t) => {
    const { outbox, clock, timers } = await setUp(t, sharedStore());
    const { signal } = new AbortController();
    const seen = observed(outbox.settled(Id, { signal }));
    await clock.settle();
    await outbox.stop();
    await clock.settle();
    assert.deepEqual([seen.state, seen.value], ['resolved', null]);
    assert.equal(await outbox.settled(Id), null);
    assert.deepEqual([timers.size, getEventListeners(signal, 'abort').length], [0, 0]);
  });
});

test('settled does not wait for a store that hangs: the time, the signal and a stop end it', async (t) => {
  const store = sharedStore();
  const { outbox, clock, timers } = await setUp(t, store);
  store.get = () => new Promise(() => {});
  const controller = new AbortController();
  const timed = observed(outbox.settled(Id, { timeoutMs: 2000 }));
  const aborted = observed(outbox.settled(Id, { signal: controller.signal }));
  await clock.advance(1999);
  const waiting = observed(outbox.settled(Id));
  assert.deepEqual([timed.state, aborted.state], ['pending', 'pending']);
  await clock.advance(1);
  assert.deepEqual([timed.state, timed.value], ['resolved', null]);
  controller.abort('left');
  await clock.settle();
  assert.deepEqual([aborted.state, aborted.value, waiting.state], ['rejected', 'left', 'pending']);
  await outbox.stop();
  await clock.settle();
  assert.deepEqual([waiting.state, waiting.value], ['resolved', null]);
  assert.equal(timers.size, 0);
});

test('settled rejects with the error of a store that fails', async (t) => {
  const store = sharedStore();
  const { outbox, timers } = await setUp(t, store);
  const failure = new Error('no connection');
  store.get = () => Promise.reject(failure);
  assert.equal(await rejection(outbox.settled(Id)), failure);
  assert.equal(timers.size, 0);
});

test('on SQLite, settled of an order that nobody will send rejects at once, also with a time-out', async (t) => {
  const { outbox, clock, timers } = await setUp(t, newStore());
  for (const options of [{}, { timeoutMs: 2000 }]) {
    const error = await rejection(outbox.settled(Id, options));
    assert.deepEqual([error.name, error.reason, error.orderId], ['OutboxError', 'not-started', Id]);
    assert.match(error.message, /has not been started.*Call start\(\) before settled\(\)/);
  }
  assert.equal(await outbox.settled(numbered(2).Id), null, 'there is no such order');
  assert.equal(timers.size, 0);
  outbox.start();
  await clock.settle();
  assert.equal((await outbox.settled(Id)).state, 'created');
});

test('on SQLite, settled waits in a process that only reads', async (t) => {
  const file = join(folderOf(t), 'orders.sqlite');
  const writing = createOutbox({ client: clientOf('http://127.0.0.1:9'), store: sqliteStore(file) });
  t.after(() => writing.stop());
  await writing.add(numbered(1));
  const reading = createOutbox({
    client: clientOf('http://127.0.0.1:9'),
    store: sqliteStore(file, { readOnly: true }),
  });
  t.after(() => reading.stop());
  const settled = reading.settled(Id);
  await writing.cancel(Id);
  assert.equal((await settled).state, 'cancelled');
});

test('a wrong option of settled is an OptionError', async (t) => {
  const { outbox } = await setUp(t, sharedStore());
  for (const [options, pointer] of [
    [{ timeoutMs: -1 }, '/timeoutMs'],
    [{ timeoutMs: Number.NaN }, '/timeoutMs'],
    [{ timeoutMs: '5' }, '/timeoutMs'],
    [{ timeoutMs: null }, '/timeoutMs'],
    [{ timeoutMs: 2 ** 31 }, '/timeoutMs'],
    [{ signal: {} }, '/signal'],
    [{ signal: null }, '/signal'],
    [{ timeout: 5 }, '/timeout'],
    [null, ''],
    [5, ''],
  ]) {
    const error = await rejection(outbox.settled(Id, options));
    assert.deepEqual([error.name, error.option], ['OptionError', pointer]);
  }
});
