/** Tests that an order leaves nothing behind: no listener on the caller's signal, no timer, no socket. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runProgram } from '../node/installed.mjs';
import { minimalOrder } from '../node/orders.mjs';
import { until } from '../outbox/until.mjs';
import { clientOf, manyOrders } from './clients.mjs';
import * as clock from './clock.mjs';
import { answer, resetsBeforeHeaders, stallsBeforeHeaders, stallsInBody, startFaultServer } from './fault-server.mjs';

/** Creates an AbortController whose signal counts its listeners. */
function countedController() {
  const controller = new AbortController();
  const { signal } = controller;
  const counts = { now: 0, most: 0 };
  const add = signal.addEventListener;
  const remove = signal.removeEventListener;
  const listeners = new Set();
  const count = () => {
    counts.now = listeners.size;
    counts.most = Math.max(counts.most, counts.now);
  };
  signal.addEventListener = (type, listener, options) => {
    listeners.add(listener);
    count();
    add.call(signal, type, listener, options);
  };
  signal.removeEventListener = (type, listener, options) => {
    listeners.delete(listener);
    count();
    remove.call(signal, type, listener, options);
  };
  return { controller, signal, counts };
}

/** Creates a platform that counts its timers. */
function countedPlatform() {
  const counts = { now: 0, most: 0 };
  const after = (ms, callback) => {
    counts.most = Math.max(counts.most, ++counts.now);
    let isOver = false;
    const end = () => {
      if (!isOver) counts.now--;
      isOver = true;
    };
    const cancel = clock.platform.after(ms, () => {
      end();
      callback();
    });
    return () => {
      end();
      cancel();
    };
  };
  return { on: { ...clock.platform, after }, counts };
}

const aborts = (controller) => void clock.platform.after(20, () => controller.abort());

for (const [what, script, options, then] of /** @type {any[][]} */ ([
  ['success', []],
  ['success after retries', [resetsBeforeHeaders, answer(503), answer(429)]],
  ['a refusal', [answer(400)]],
  ['failure after all attempts', new Array(4).fill(answer(500))],
  ['a time-out', new Array(4).fill(stallsBeforeHeaders), { timeoutMs: 2000 }],
  ['a time-out in the body', new Array(4).fill(stallsInBody), { timeoutMs: 2000 }],
  ['a redirect', [answer(302, 'moved', { Location: '/x' })]],
  ['an abort in flight', [stallsBeforeHeaders], {}, aborts],
  ['an abort while the body is read', [stallsInBody], {}, aborts],
  ['an abort in a wait', [answer(429, '', { 'Retry-After': '100' })], {}, aborts],
  ['an abort while waiting for the token', [], { token: () => new Promise(() => {}) }, aborts],
  ['an error of the token provider', [], { token: () => Promise.reject(new Error('down')) }],
])) {
  test(`after ${what} no listener, timer or busy socket is left`, async () => {
    const server = await startFaultServer(...script);
    const { controller, signal, counts: listeners } = countedController();
    const { on, counts: timers } = countedPlatform();
    then?.(controller);
    await clientOf(server.baseUrl, options, on)
      .createOrder(minimalOrder(), { signal })
      .catch(() => {});
    assert.equal(listeners.now, 0);
    assert.ok(listeners.most > 0);
    assert.equal(timers.now, 0);
    assert.ok(timers.most > 0);
    // At most one idle connection remains open, for the next request; an aborted one takes a moment to close.
    await until(async () => (await server.connections()) <= 1, 'at most one connection is open');
  });
}

test('after many orders no listener, timer or busy socket is left, whether they ended or were aborted', async () => {
  for (const stopsAfter of [Number.POSITIVE_INFINITY, 20]) {
    const server = await startFaultServer(answer(503), answer(429), resetsBeforeHeaders);
    const { controller, signal, counts: listeners } = countedController();
    const { on, counts: timers } = countedPlatform();
    let taken = 0;
    try {
      for await (const _ of clientOf(server.baseUrl, {}, on).createOrders(manyOrders(100), {
        signal,
        concurrency: 16,
      })) {
        if (++taken === stopsAfter) controller.abort();
      }
      assert.equal(taken, 100);
    } catch (error) {
      assert.equal(error, signal.reason);
    }
    assert.equal(listeners.now, 0);
    assert.equal(timers.now, 0);
    assert.equal(listeners.most, 1);
  }
});

test('no warning of too many listeners, and the program ends by itself', { timeout: 300_000 }, () => {
  const program = `
    import { createClient } from 'sales-order-intake/client';
    import { answer, stallsBeforeHeaders, startFaultServer } from ${JSON.stringify(new URL('fault-server.mjs', import.meta.url))};
    process.on('warning', (warning) => console.log(String(warning)));
    const server = await startFaultServer(answer(503), answer(400), stallsBeforeHeaders);
    const client = createClient({ baseUrl: server.baseUrl, token: () => 'a-token', timeoutMs: 500, retry: { baseMs: 1 } });
    const order = ${JSON.stringify(minimalOrder())};
    const controller = new AbortController();
    let done = 0;
    for await (const _ of client.createOrders(new Array(60).fill(order), { concurrency: 30, signal: controller.signal })) done++;
    const late = client.createOrder(order, { signal: controller.signal }).catch(({ name }) => name);
    controller.abort();
    console.log(done, await late);
    await server.close();
    // Longer than a timer of the pool of connections, shorter than the time of an order.
    setTimeout(() => console.log('a timer keeps the program alive'), 60_000).unref();
  `;
  const { stdout, stderr, status } = runProgram(program);
  assert.equal(status, 0, stderr);
  assert.equal(stdout, '60 AbortedError\n');
});
