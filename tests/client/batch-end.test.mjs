/**
 * Tests the ways in which a batch ends early: the loop is left, a signal aborts it, its source fails, its token is
 * refused.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rejection } from '../thrown.mjs';
import { client, clientOf, collected, collectedUntilError, manyOrders, numbered } from './clients.mjs';
import { platform, settle } from './clock.mjs';
import { answer, creates, startFaultServer } from './fault-server.mjs';
import { countedOrders, heldClient, instantClient } from './held-client.mjs';

test('an order that the source yields after the consumer has left is not sent', async () => {
  const ids = [];
  let release;
  async function* slow() {
    yield numbered(0);
    await new Promise((resolve) => {
      release = resolve;
    });
    yield numbered(1);
  }
  const fetch = async (_, { body }) => {
    ids.push(JSON.parse(body).Id);
    return new Response(body);
  };
  for await (const _ of instantClient({ fetch }).createOrders(slow())) break;
  release();
  await settle();
  assert.deepEqual(ids, [numbered(0).Id]);
});

test('a consumer that leaves during a pause does not wait for its end', async () => {
  const server = await startFaultServer(creates, answer(429, '', { 'Retry-After': '3000' }));
  const startedAt = platform.now();
  const source = countedOrders();
  for await (const { ok } of clientOf(server.baseUrl).createOrders(source, { concurrency: 1 })) if (!ok) break;
  assert.equal(platform.now(), startedAt);
  assert.equal(source.pulled, 2);
  assert.ok(source.isClosed);
});

test('an abort ends the orders in flight as results, then the loop throws the reason; nothing more is pulled', async () => {
  const { pending, sender } = heldClient();
  const source = countedOrders();
  const controller = new AbortController();
  const results = collectedUntilError(sender.createOrders(source, { concurrency: 3, signal: controller.signal }));
  await settle();
  pending[0].create();
  await settle();
  const reason = new Error('closing time');
  controller.abort(reason);
  const { results: all, error: thrown } = await results;
  assert.equal(thrown, reason);
  assert.deepEqual(
    all.map(({ ok }) => ok),
    [true, false, false, false],
  );
  for (const { error } of all.slice(1)) {
    assert.ok(error instanceof client.AbortedError);
    assert.equal(error.outcome, 'unknown');
  }
  assert.equal(source.pulled, 4);
  assert.ok(source.isClosed);
});

test('with a signal that is already aborted, nothing is pulled, and the loop throws the reason', async () => {
  const source = countedOrders();
  const reason = new Error('closing time');
  assert.deepEqual(
    await collectedUntilError(instantClient().createOrders(source, { signal: AbortSignal.abort(reason) })),
    {
      results: [],
      error: reason,
    },
  );
  assert.equal(source.pulled, 0);
});

test('an abort after the last order has its result ends nothing: the loop ends without an error', async () => {
  const controller = new AbortController();
  const results = instantClient().createOrders(manyOrders(2), { signal: controller.signal });
  const first = await results.next();
  await settle();
  controller.abort();
  assert.deepEqual([first.value.ok, (await results.next()).value.ok, (await results.next()).done], [true, true, true]);
});

test('leaving the loop after an abort throws nothing', async () => {
  const { pending, sender } = heldClient();
  const controller = new AbortController();
  const results = sender.createOrders(manyOrders(20), { concurrency: 2, signal: controller.signal });
  const first = results.next();
  await settle();
  pending[0].create();
  assert.ok((await first).value.ok);
  controller.abort();
  assert.deepEqual(await results.return(), { value: undefined, done: true });
});

test('an abort does not wait for a source that never yields', async () => {
  let isClosed = false;
  const silent = {
    [Symbol.asyncIterator]: () => ({
      next: () => new Promise(() => {}),
      return: () => {
        isClosed = true;
        return new Promise(() => {});
      },
    }),
  };
  const controller = new AbortController();
  const results = collectedUntilError(instantClient().createOrders(silent, { signal: controller.signal }));
  await settle();
  const reason = new Error('closing time');
  controller.abort(reason);
  assert.deepEqual(await results, { results: [], error: reason });
  assert.ok(isClosed);
});

test('an error of the source is thrown after the results of the orders in flight', async () => {
  const { pending, sender } = heldClient();
  const own = new Error('the file ends here');
  function* broken() {
    yield numbered(0);
    yield numbered(1);
    throw own;
  }
  const seen = [];
  const reading = rejection(
    (async () => {
      for await (const { index, ok } of sender.createOrders(broken(), { concurrency: 5 })) seen.push([index, ok]);
    })(),
  );
  await settle();
  pending[1].create();
  await settle();
  pending[0].refuse();
  assert.equal(await reading, own);
  assert.deepEqual(seen, [
    [1, true],
    [0, false],
  ]);
});

test('an error of a source that throws at its start reaches the loop', async () => {
  const own = new Error('no file');
  const source = {
    [Symbol.iterator]() {
      throw own;
    },
  };
  assert.equal(await rejection(collected(instantClient().createOrders(source))), own);
});

// ---------------------------------------------------------------- a rejected token

for (const [what, token] of [
  ['a token string', 'stale'],
  ['a token function', () => `stale-${Math.random()}`],
  ['a token function that always returns the same', () => 'stale'],
]) {
  test(`200 orders with ${what} that is rejected: fewer than 30 requests, no result for orders that were not started, and the loop throws the AuthenticationError`, async () => {
    const server = await startFaultServer();
    server.playAlways(answer(401, '{"message":"expired"}'));
    const told = [];
    const source = countedOrders(200);
    const { results, error: thrown } = await collectedUntilError(
      clientOf(server.baseUrl, { token }).createOrders(source, { onResult: (result) => told.push(result) }),
    );
    assert.ok(results.some(({ error }) => error === thrown));
    assert.ok(server.requests.length < 30, `${server.requests.length} requests`);
    assert.equal(results.length, source.pulled);
    assert.equal(told.length, source.pulled);
    assert.ok(
      results.every(({ error }) => error instanceof client.AuthenticationError && error.outcome === 'not-created'),
    );
    assert.ok(source.isClosed);
  });
}

test('leaving the loop after the token was refused throws nothing', async () => {
  const fetch = async () => new Response(null, { status: 401 });
  const source = countedOrders();
  for await (const { error } of instantClient({ fetch }).createOrders(source)) {
    assert.ok(error instanceof client.AuthenticationError);
    break;
  }
  assert.ok(source.isClosed);
});

test('stopOnUnauthorized: false sends all orders', async () => {
  const server = await startFaultServer();
  server.playAlways(answer(401));
  const results = await collected(clientOf(server.baseUrl).createOrders(manyOrders(50), { stopOnUnauthorized: false }));
  assert.equal(results.length, 50);
  assert.equal(server.requests.length, 50);
});

test('neither a 403 nor a token function that fails stops the batch', async () => {
  const fetch = async () => new Response(null, { status: 403 });
  assert.equal((await collected(instantClient({ fetch }).createOrders(manyOrders(20)))).length, 20);
  const token = () => Promise.reject(new Error('down'));
  assert.equal((await collected(instantClient({ token }).createOrders(manyOrders(20)))).length, 20);
});
