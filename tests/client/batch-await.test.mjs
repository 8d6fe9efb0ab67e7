/** Tests that a batch can be awaited instead of iterated, and that it is an async generator. */
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { item } from '../node/orders.mjs';
import { rejection } from '../thrown.mjs';
import { client, clientOf, collected, manyOrders, numbered } from './clients.mjs';
import { settle } from './clock.mjs';
import { countedOrders, instantClient } from './held-client.mjs';

/** A client whose service has the first order already, creates the second one, and refuses the third one. */
function mixedClient(options = {}) {
  const fetch = async (_, { body }) => {
    const n = Number(JSON.parse(body).Id.slice(-12));
    return n === 3 ? new Response('{"Message":"no"}', { status: 400 }) : new Response(body, { status: 199 + n });
  };
  return clientOf('https://x.example', { fetch, maxRetries: 0, ...options });
}

test('awaited, a batch resolves to the numbers of orders, with the failed results', async () => {
  const orders = [numbered(0), numbered(1), numbered(2), numbered(3, { Items: [item({ Quantity: 0 })] })];
  const summary = await mixedClient().createOrders(orders, { concurrency: 1 });
  assert.deepEqual(Object.keys(summary), ['created', 'alreadyThere', 'accepted', 'failed']);
  assert.deepEqual([summary.created, summary.alreadyThere, summary.accepted], [1, 1, 0]);
  assert.deepEqual(
    summary.failed.map(({ index, input, orderId, ok, error }) => [index, input, orderId, ok, error.name]),
    [
      [2, orders[2], orders[2].Id, false, 'RejectedError'],
      [3, orders[3], orders[3].Id, false, 'OrderValidationError'],
    ],
  );
});

test('awaited, a batch counts orders that a relay has accepted as accepted, and not as created', async () => {
  // A relay that has created the first order, accepts the second one, and had accepted the third one.
  const fetch = async (_, { body }) => {
    const { Id: orderId } = JSON.parse(body);
    const n = Number(orderId.slice(-12));
    const headers = { Location: `/orders/${orderId}` };
    if (n === 1) return new Response(body, { status: 201 });
    return new Response(JSON.stringify({ orderId, state: 'waiting' }), { status: n === 2 ? 202 : 200, headers });
  };
  const batch = mixedClient({ fetch }).createOrders(manyOrders(3));
  assert.deepEqual(await batch, { created: 1, alreadyThere: 0, accepted: 2, failed: [] });
});

test('awaited, an empty batch has created nothing', async () => {
  assert.deepEqual(await mixedClient().createOrders([]), { created: 0, alreadyThere: 0, accepted: 0, failed: [] });
});

test('nothing is pulled or sent before a batch is iterated or awaited', async () => {
  const source = countedOrders();
  const batch = instantClient().createOrders(source);
  await settle();
  assert.equal(source.pulled, 0);
  await batch.return();
  assert.equal(source.pulled, 0);
});

test('a batch that is awaited several times is sent once, and resolves to the same summary', async () => {
  const source = [...manyOrders(3)];
  const seen = [];
  const batch = mixedClient().createOrders(source, { onResult: ({ index }) => void seen.push(index) });
  const [first, second] = await Promise.all([batch, batch]);
  assert.equal(first, second);
  assert.equal(await batch, first);
  assert.equal(seen.length, 3);
  assert.equal(await batch.then(({ created }) => created), 1);
});

test('a batch that is iterated rejects if it is awaited, and goes on', async () => {
  const batch = instantClient().createOrders(manyOrders(3));
  await batch.next();
  const error = await rejection(batch);
  assert.ok(error instanceof TypeError);
  assert.equal(error.message, 'the batch is iterated: it can be awaited instead, not as well');
  assert.equal((await collected(batch)).length, 2);
  assert.equal(await batch.then(null, ({ name }) => name), 'TypeError');
});

test('a batch that was left before its first result rejects if it is awaited', async () => {
  for (const leave of ['return', 'throw']) {
    const batch = instantClient().createOrders(manyOrders(3));
    await batch[leave]().catch(() => {});
    assert.ok((await rejection(batch)) instanceof TypeError, leave);
  }
});

test('a batch that is awaited rejects if it is iterated, and goes on', async () => {
  const batch = instantClient().createOrders(manyOrders(3));
  const summary = batch.then(({ created }) => created);
  const error = await rejection(collected(batch));
  assert.ok(error instanceof TypeError);
  assert.equal(error.message, 'the batch is awaited: it can be iterated instead, not as well');
  assert.equal(await summary, 3);
  assert.ok((await rejection(batch.next())) instanceof TypeError);
});

test('awaited, a batch that ends early throws what ended it, and onResult has had the results', async () => {
  const seen = [];
  const onResult = ({ index, ok }) => void seen.push([index, ok]);
  const refuses = { fetch: async () => new Response('', { status: 401 }) };
  const refused = await rejection(mixedClient(refuses).createOrders(manyOrders(9), { onResult, concurrency: 1 }));
  assert.ok(refused instanceof client.AuthenticationError);
  assert.deepEqual(seen, [[0, false]]);

  const controller = new AbortController();
  const reason = new Error('closed');
  const aborts = ({ index }) => index === 1 && controller.abort(reason);
  const batch = instantClient().createOrders(countedOrders(), {
    signal: controller.signal,
    onResult: /** @type {any} */ (aborts),
    concurrency: 1,
  });
  assert.equal(await rejection(batch), reason);

  const broken = new Error('broken');
  function* breaks() {
    yield numbered(0);
    throw broken;
  }
  assert.equal(await rejection(instantClient().createOrders(breaks())), broken);
});

test('a batch is an async generator: next, return, throw, yield* and streams work', async () => {
  const batch = instantClient().createOrders(manyOrders(3), { concurrency: 1 });
  assert.equal(Object.prototype.toString.call(batch), '[object AsyncGenerator]');
  assert.equal(batch[Symbol.asyncIterator](), batch);
  const { value, done } = await batch.next();
  assert.deepEqual([value.index, done], [0, false]);
  assert.deepEqual(await batch.return(), { value: undefined, done: true });
  assert.deepEqual(await batch.next(), { value: undefined, done: true });

  const source = countedOrders();
  const thrown = instantClient().createOrders(source);
  await thrown.next();
  const own = new Error('mine');
  assert.equal(await rejection(thrown.throw(own)), own);
  assert.ok(source.isClosed);

  async function* two() {
    yield* instantClient().createOrders(manyOrders(2));
    yield* instantClient().createOrders(manyOrders(3));
  }
  let count = 0;
  for await (const { ok } of two()) count += Number(ok);
  assert.equal(count, 5);
  assert.equal((await Readable.from(instantClient().createOrders(manyOrders(4))).toArray()).length, 4);
});

test('a batch can be disposed of where generators of the platform can', async () => {
  const { asyncDispose = Symbol('none') } = /** @type {{ asyncDispose?: symbol }} */ (/** @type {unknown} */ (Symbol));
  const generator = (async function* () {})();
  const source = countedOrders();
  const batch = /** @type {any} */ (instantClient().createOrders(source));
  assert.equal(asyncDispose in batch, asyncDispose in generator);
  if (!(asyncDispose in batch)) return;
  await batch.next();
  await batch[asyncDispose]();
  assert.ok(source.isClosed);
  const awaited = /** @type {any} */ (instantClient().createOrders(manyOrders(2)));
  assert.equal((await awaited).created, 2);
  await awaited[asyncDispose]();
});
