/**
 * Tests how far createOrders goes ahead: what is pulled and sent, and when; concurrency.test.mjs tests how many it
 * sends at once.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rejection } from '../thrown.mjs';
import { client, clientOf, collected, manyOrders, numbered } from './clients.mjs';
import { settle } from './clock.mjs';
import { answer, creates, startFaultServer } from './fault-server.mjs';
import { countedOrders, heldClient, instantClient } from './held-client.mjs';

test('at most `concurrency` are in flight, and no more are pulled than are sent', async () => {
  const { pending, sender } = heldClient();
  const source = countedOrders();
  const results = sender.createOrders(source, { concurrency: 3 })[Symbol.asyncIterator]();
  const first = results.next();
  await settle();
  assert.equal(pending.length, 3);
  assert.equal(source.pulled, 3);
  pending[1].create();
  assert.equal((await first).value.index, 1);
  await settle();
  assert.equal(source.pulled, 4);
  for (const { create } of pending) create();
  const rest = results.return();
  await rest;
  assert.ok(source.isClosed);
});

test('a concurrency below four is the number from the start', async () => {
  const { pending, sender } = heldClient();
  const results = collected(sender.createOrders(manyOrders(3), { concurrency: 2 }));
  await settle();
  assert.equal(pending.length, 2);
  pending[0].create();
  await settle();
  for (const { create } of pending) create();
  assert.equal((await results).length, 3);
});

test('a slow consumer slows down the source', async () => {
  const source = countedOrders();
  const results = instantClient().createOrders(source, { concurrency: 4 })[Symbol.asyncIterator]();
  await results.next();
  await settle();
  assert.equal(source.pulled, 5);
  await results.next();
  await settle();
  assert.equal(source.pulled, 6);
  await results.return();
});

test('results come in the order in which they finish', async () => {
  const { pending, sender } = heldClient();
  const results = sender.createOrders(manyOrders(3), { concurrency: 3 })[Symbol.asyncIterator]();
  const first = results.next();
  await settle();
  const order = [];
  for (const n of [2, 0, 1]) {
    pending[n].create();
    order.push((await (n === 2 ? first : results.next())).value.index);
  }
  assert.deepEqual(order, [2, 0, 1]);
  assert.ok((await results.next()).done);
});

test('a slow source does not delay results', async () => {
  let release;
  async function* slow() {
    yield numbered(0);
    await new Promise((resolve) => {
      release = resolve;
    });
  }
  const results = instantClient().createOrders(slow(), { concurrency: 4 })[Symbol.asyncIterator]();
  assert.equal((await results.next()).value.index, 0);
  release();
  assert.ok((await results.next()).done);
});

test('a 429 delays all orders, and none fails because it waited', async () => {
  const server = await startFaultServer(...new Array(5).fill(creates), answer(429, '', { 'Retry-After': '60' }));
  try {
    // Longer than the time of an order: only orders in flight during the 429 can fail because of it.
    const results = await collected(
      clientOf(server.baseUrl, { totalTimeoutMs: 40_000 }).createOrders(manyOrders(40), { concurrency: 1 }),
    );
    const failed = results.filter(({ ok }) => !ok);
    assert.deepEqual(
      failed.map(({ index }) => index),
      [5],
    );
    assert.ok(failed[0].error instanceof client.RateLimitError);
    const [limited, next] = server.requests.slice(5);
    assert.ok(next.at - limited.at >= 60_000, `${next.at - limited.at} ms`);
    assert.equal(server.orders.size, 39);
  } finally {
    await server.close();
  }
});

test('an order that does not share the pause neither waits for a pause nor causes one', async () => {
  const server = await startFaultServer(answer(429, '', { 'Retry-After': '3000' }));
  const sender = clientOf(server.baseUrl, { maxRetries: 0 });
  try {
    const refused = await rejection(sender.createOrder(numbered(0), { sharePause: false }));
    assert.equal(refused.name, 'RateLimitError');
    assert.equal(refused.retryAfterMs, 3_000_000);
    assert.equal((await sender.createOrder(numbered(1))).status, 201);
    server.playAlways(answer(429, '', { 'Retry-After': '3000' }));
    await rejection(sender.createOrder(numbered(2)));
    server.playAlways(creates);
    assert.equal((await sender.createOrder(numbered(3), { sharePause: false })).status, 201);
  } finally {
    await server.close();
  }
});

test('onProgress reports how many orders are in flight', async () => {
  const { pending, sender } = heldClient();
  const seen = [];
  const results = collected(
    sender.createOrders(manyOrders(3), { concurrency: 3, onProgress: ({ inFlight }) => seen.push(inFlight) }),
  );
  await settle();
  for (const { create } of pending) {
    create();
    await settle();
  }
  await results;
  assert.deepEqual(seen, [2, 1, 0]);
});
