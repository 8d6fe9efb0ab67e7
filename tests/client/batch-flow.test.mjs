/**
 * Tests how far createOrders goes ahead: what is pulled and sent, and when; concurrency.test.mjs tests how many it
 * sends at once.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rejection } from '../thrown.mjs';
import { clientOf, collected, manyOrders, numbered } from './clients.mjs';
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

test('an order that does not share the pause neither waits for a pause nor causes one', async () => {
  const server = await startFaultServer(answer(429, '', { 'Retry-After': '3000' }));
  const sender = clientOf(server.baseUrl, { maxRetries: 0 });
  const refused = await rejection(sender.createOrder(numbered(0), { sharePause: false }));
  assert.equal(refused.name, 'RateLimitError');
  assert.equal(refused.retryAfterMs, 3_000_000);
  assert.equal((await sender.createOrder(numbered(1))).status, 201);
  server.playAlways(answer(429, '', { 'Retry-After': '3000' }));
  await rejection(sender.createOrder(numbered(2)));
  server.playAlways(creates);
  assert.equal((await sender.createOrder(numbered(3), { sharePause: false })).status, 201);
});

test('onProgress reports after each order how many are done, have failed, and are in flight', async () => {
  const { pending, sender } = heldClient();
  const seen = [];
  const onProgress = (progress) => seen.push(progress);
  const results = collected(sender.createOrders(manyOrders(3), { concurrency: 3, onProgress }));
  await settle();
  for (const end of [pending[0].create, pending[1].refuse, pending[2].create]) {
    end();
    await settle();
  }
  await results;
  assert.deepEqual(seen, [
    { done: 1, failed: 0, inFlight: 2 },
    { done: 2, failed: 1, inFlight: 1 },
    { done: 3, failed: 1, inFlight: 0 },
  ]);
});
