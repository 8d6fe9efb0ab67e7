/** Tests createOrders: sources of orders, one result for each order, and options that apply to all. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { item } from '../node/orders.mjs';
import { clientOf, collected, core, manyOrders, numbered } from './clients.mjs';
import { settle } from './clock.mjs';
import { answer, creates, resetsBeforeHeaders, startFaultServer } from './fault-server.mjs';
import { instantClient } from './held-client.mjs';

async function* asynchronous(orders) {
  for (const order of orders) {
    await settle();
    yield order;
  }
}

for (const [what, source] of /** @type {any[][]} */ ([
  ['an array', () => [...manyOrders(20)]],
  ['a generator', () => manyOrders(20)],
  ['an async generator', () => asynchronous(manyOrders(20))],
  ['a set', () => new Set(manyOrders(20))],
  ['the values of a map', () => new Map([...manyOrders(20)].map((order) => [order.Id, order])).values()],
  ['a list of prepared requests', () => [...manyOrders(20)].map((order) => core.prepareRequest(order))],
  ['a stream', () => /** @type {any} */ (ReadableStream).from(manyOrders(20))],
])) {
  test(`orders from ${what} have one result each`, async () => {
    const results = await collected(instantClient().createOrders(source(), { concurrency: 3 }));
    assert.deepEqual(
      results.map(({ index }) => index),
      Array.from({ length: 20 }, (_, n) => n),
    );
    assert.ok(results.every(({ ok, index, created }) => ok && created.orderId === numbered(index).Id));
  });
}

test('a failed order is a result, whether it was rejected, lost or invalid, and the other orders are sent', async () => {
  const server = await startFaultServer(creates, answer(400, '{"Message":"no"}'), resetsBeforeHeaders);
  const orders = [
    ...[numbered(0), numbered(1), numbered(2), numbered(3, { Items: [item({ Quantity: 0 })] })],
    ...[numbered(4, { Id: undefined }), numbered(5, { Id: 'x' }), null, 7, numbered(8)],
  ];
  const results = await collected(clientOf(server.baseUrl, { maxRetries: 0 }).createOrders(orders, { concurrency: 1 }));
  assert.deepEqual(
    results.map(({ ok, orderId, error }) => [ok, orderId, error?.name]),
    [
      [true, numbered(0).Id, undefined],
      [false, numbered(1).Id, 'RejectedError'],
      [false, numbered(2).Id, 'ConnectionError'],
      [false, numbered(3).Id, 'OrderValidationError'],
      ...new Array(4).fill([false, null, 'OrderValidationError']),
      [true, numbered(8).Id, undefined],
    ],
  );
  assert.equal(server.requests.length, 4);
});

test('two orders with the same Id in a batch are one order', async () => {
  const server = await startFaultServer();
  const results = await collected(clientOf(server.baseUrl).createOrders([numbered(0), numbered(0)]));
  assert.equal(results.filter(({ ok }) => ok).length, 2);
  assert.equal(server.orders.size, 1);
});

test('an empty source has no results', async () => {
  assert.deepEqual(await collected(instantClient().createOrders([])), []);
});

test('an error of onProgress changes nothing', async () => {
  const onProgress = () => {
    throw new Error('x');
  };
  const results = await collected(instantClient().createOrders(manyOrders(3), { onProgress }));
  assert.deepEqual(
    results.map(({ ok }) => ok),
    [true, true, true],
  );
});

test('rules and version apply to all orders', async () => {
  const urls = [];
  const fetch = async (url, { body }) => {
    urls.push(url);
    return new Response(body);
  };
  const orders = [0, 1].map((n) => numbered(n, { Taxes: [] }));
  const results = await collected(
    instantClient({ fetch }).createOrders(orders, { version: 'v2', allowEmptyTaxes: true }),
  );
  assert.ok(results.every(({ ok }) => ok));
  assert.ok(urls.every((url) => url.includes('/v2/')));
});

test('request options apply to all orders of a batch', async () => {
  const server = await startFaultServer(...new Array(4).fill(answer(503)));
  const results = await collected(
    clientOf(server.baseUrl).createOrders(manyOrders(2), { maxRetries: 1, headers: { 'X-Shop': 'north' } }),
  );
  assert.deepEqual(
    results.map(({ error }) => error.attempts),
    [2, 2],
  );
  assert.ok(server.requests.every(({ headers }) => headers['x-shop'] === 'north'));
});

test('a source that is not iterable throws at once', () => {
  for (const source of [undefined, null, 5, {}, 'orders', numbered(0), () => []])
    assert.throws(() => instantClient().createOrders(source), TypeError);
});

test('a result has the index, the same input object and its id', async () => {
  const orders = [
    numbered(0, { Id: `{${numbered(0).Id.toUpperCase()}}` }),
    numbered(1, { EntityId: 0 }),
    numbered(2, { Id: undefined }),
    core.prepareRequest(numbered(3)),
  ];
  const results = await collected(instantClient().createOrders(orders));
  assert.deepEqual(
    results.map(({ ok }) => ok),
    [true, false, false, true],
  );
  for (const { input, index } of results) assert.equal(input, orders[index]);
  assert.deepEqual(
    results.slice(0, 2).map((result) => Object.keys(result).sort()),
    ['created', 'error'].map((end) => [end, 'index', 'input', 'ok', 'orderId']),
  );
  assert.deepEqual(
    results.map(({ orderId }) => orderId),
    [numbered(0).Id, numbered(1).Id, null, numbered(3).Id],
  );
});

test('a prepared request with a wrong path is a failed result with its id', async () => {
  const prepared = { ...core.prepareRequest(numbered(0)), path: 'v3/elsewhere' };
  const [{ ok, error, orderId }] = await collected(instantClient().createOrders([prepared]));
  assert.deepEqual([ok, error.name, orderId], [false, 'OrderValidationError', numbered(0).Id]);
});
