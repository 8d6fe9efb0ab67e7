/** Tests createOrders against a real server on loopback: order of results, memory, leaving, rejected tokens, typed failures. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { answer, resetsBeforeHeaders, stallsBeforeHeaders, startFaultServer } from '../client/fault-server.mjs';
import { installed } from '../node/installed.mjs';
import { cart, deepFreeze, ID, order, rejection, thrown } from './orders.mjs';

const { esm, client: clientEntry } = await installed();
const { isOptionError, isOrderValidationError, prepareRequest } = esm;
const { createClient, isAbortedError, isAuthenticationError, isOrderIntakeError } = clientEntry;

const servers = [];
after(() => Promise.all(servers.map((server) => server.close())));

async function setUp(script = [], options = {}) {
  const server = await startFaultServer(...script);
  servers.push(server);
  const client = createClient({
    baseUrl: server.baseUrl,
    token: 'a-token',
    retry: { baseMs: 1, capMs: 2 },
    ...options,
  });
  return { server, client };
}

function idOf(n) {
  return `00000000-0000-4000-8000-${String(n + 1).padStart(12, '0')}`;
}

function* orders(count) {
  for (let n = 0; n < count; n++) yield order({ Id: idOf(n) });
}

/** @param all What has come so far, if the loop throws. */
async function collect(results, all = []) {
  for await (const result of results) all.push(result);
  return all;
}

async function until(condition) {
  while (!condition()) await new Promise((tick) => setTimeout(tick, 5));
}

describe('createOrders', () => {
  test('yields one result per order, with index, input and id', async () => {
    const { client, server } = await setUp();
    const inputs = [...orders(20)].map((one, n) => deepFreeze({ ...one, Notes: `cart ${n}` }));
    const results = await collect(client.createOrders(inputs));
    assert.deepEqual(
      results.map(({ index }) => index).sort((a, b) => a - b),
      [...inputs.keys()],
    );
    for (const result of results) {
      assert.equal(result.input, inputs[result.index]);
      assert.equal(result.orderId, idOf(result.index));
      assert.equal(result.ok, true);
      assert.equal(result.created.orderId, result.orderId);
      assert.deepEqual(Object.keys(result).sort(), ['created', 'index', 'input', 'ok', 'orderId']);
    }
    assert.equal(server.orders.size, 20);
  });

  test('takes every kind of source: sets, generators, async generators, streams, prepared requests', async () => {
    async function* later() {
      yield* orders(3);
    }
    const sources = [
      new Set(orders(3)),
      orders(3),
      later(),
      // @ts-expect-error: the types of the DOM lack it.
      ReadableStream.from(orders(3)),
      [...orders(3)].map((one) => prepareRequest(one)),
      new Map([...orders(3)].map((one) => [one.Id, one])).values(),
    ];
    for (const source of sources) {
      const { client } = await setUp();
      assert.equal((await collect(client.createOrders(source))).filter(({ ok }) => ok).length, 3);
    }
  });

  test('throws at once if the source is not iterable', async () => {
    const { client } = await setUp();
    for (const source of [undefined, null, 7, 'orders', {}, order(), () => []])
      assert.ok(thrown(() => client.createOrders(source)) instanceof TypeError);
  });

  test('yields results in the order in which they finish', async () => {
    const held = [];
    const { client } = await setUp([(exchange) => held.push(exchange)]);
    const results = client.createOrders(orders(3), { concurrency: 2 });
    const first = await results.next();
    const second = await results.next();
    assert.deepEqual([first.value.index, second.value.index], [1, 2]);
    answer(201)(held[0]);
    assert.equal((await results.next()).value.index, 0);
    assert.deepEqual(await results.next(), { done: true, value: undefined });
  });

  test('a failed order is a result, whether it was invalid, rejected or lost', async () => {
    const { client } = await setUp([answer(403), resetsBeforeHeaders], { maxRetries: 0 });
    const source = [
      order({ Id: idOf(0) }),
      order({ Id: idOf(1) }),
      cart(),
      order({ Id: 'x' }),
      null,
      7,
      order({ Id: idOf(5), Items: [] }),
      order({ Id: idOf(6) }),
    ];
    const results = (await collect(client.createOrders(source, { concurrency: 1 }))).sort((a, b) => a.index - b.index);
    assert.deepEqual(
      results.map(({ ok, orderId, error }) => [ok, orderId, error?.name]),
      [
        [false, idOf(0), 'PermissionError'],
        [false, idOf(1), 'ConnectionError'],
        [false, null, 'OrderValidationError'],
        [false, null, 'OrderValidationError'],
        [false, null, 'OrderValidationError'],
        [false, null, 'OrderValidationError'],
        [false, idOf(5), 'OrderValidationError'],
        [true, idOf(6), undefined],
      ],
    );
    for (const { ok, error } of results) if (!ok) assert.ok(isOrderIntakeError(error) || isOrderValidationError(error));
  });

  test('pulls from the source on demand: never more than concurrency ahead', async () => {
    const { client } = await setUp();
    let pulled = 0;
    function* endless() {
      for (;;) yield order({ Id: idOf(pulled++) });
    }
    let taken = 0;
    for await (const { ok } of client.createOrders(endless(), { concurrency: 4 })) {
      assert.equal(ok, true);
      assert.ok(pulled <= ++taken + 4, `${pulled} pulled, ${taken} taken`);
      if (taken === 100) break;
    }
  });

  test('has never more than concurrency orders in flight', async () => {
    const { client } = await setUp();
    const seen = [];
    const onProgress = ({ done, failed, inFlight }) => seen.push([done, failed, inFlight]);
    await collect(client.createOrders(orders(30), { concurrency: 3, onProgress }));
    assert.equal(seen.length, 30);
    assert.deepEqual(seen.at(-1), [30, 0, 0]);
    for (const [, , inFlight] of seen) assert.ok(inFlight < 3);
  });

  test('after leaving at 5 of 50 results, onResult was called once for every order that was started', async () => {
    const { client, server } = await setUp();
    const told = [];
    let taken = 0;
    for await (const result of client.createOrders(orders(50), { onResult: (one) => told.push(one.index) })) {
      assert.ok(told.includes(result.index));
      if (++taken === 5) break;
    }
    assert.equal(new Set(told).size, told.length);
    assert.deepEqual(
      [...told].sort((a, b) => a - b),
      [...told.keys()],
    );
    assert.equal(server.requests.length, told.length);
    assert.ok(told.length >= 5 && told.length < 20, String(told.length));
  });

  for (const [what, leave] of Object.entries({
    'return()': (results) => results.return(),
    'throw()': (results) => rejection(results.throw(new Error('left'))),
  }))
    test(`${what} waits for the orders in flight and closes the source`, async () => {
      const { client } = await setUp();
      const told = [];
      let isClosed = false;
      function* source() {
        try {
          yield* orders(50);
        } finally {
          isClosed = true;
        }
      }
      const results = client.createOrders(source(), { concurrency: 3, onResult: ({ index }) => told.push(index) });
      await results.next();
      await leave(results);
      assert.equal(isClosed, true);
      assert.equal(new Set(told).size, told.length);
      assert.deepEqual(await results.next(), { done: true, value: undefined });
    });

  test('onResult is called for failed and aborted orders too; the loop then throws the reason of the signal', async () => {
    const { client, server } = await setUp([answer(403)], { maxRetries: 0 });
    server.playAlways(stallsBeforeHeaders);
    const controller = new AbortController();
    const told = [];
    const results = [];
    const collecting = rejection(
      collect(
        client.createOrders([cart(), ...orders(50)], {
          concurrency: 3,
          signal: controller.signal,
          onResult: (one) => told.push(one),
        }),
        results,
      ),
    );
    await until(() => server.requests.length >= 4);
    controller.abort();
    assert.equal(await collecting, controller.signal.reason);
    assert.deepEqual(told.map(({ index }) => index).sort(), results.map(({ index }) => index).sort());
    assert.equal(told.filter(({ error }) => isAbortedError(error)).length, 3);
    assert.equal(server.requests.length, 4);
  });

  test('200 orders with a rejected token cause fewer than 30 requests, orders that were not started have not failed, and the loop throws', async () => {
    for (const token of ['a-token', () => 'a-token', () => `t${Math.random()}`]) {
      const { client, server } = await setUp([], { token });
      server.playAlways(answer(401));
      const told = [];
      const results = [];
      const batch = client.createOrders(orders(200), { onResult: ({ index }) => told.push(index) });
      assert.ok(isAuthenticationError(await rejection(collect(batch, results))));
      assert.ok(server.requests.length < 30, String(server.requests.length));
      assert.ok(results.length <= 8);
      assert.equal(told.length, results.length);
      for (const { ok, error } of results) assert.ok(!ok && isAuthenticationError(error));
    }
  });

  test('stopOnUnauthorized: false continues after a 401', async () => {
    const { client, server } = await setUp([], { token: 'a-token' });
    server.playAlways(answer(401));
    const results = await collect(client.createOrders(orders(40), { stopOnUnauthorized: false }));
    assert.equal(results.length, 40);
    assert.equal(server.requests.length, 40);
  });

  test('a 403 or 400 does not stop the batch', async () => {
    const { client, server } = await setUp();
    server.playAlways(answer(403));
    assert.equal((await collect(client.createOrders(orders(30)))).length, 30);
  });

  test('a 429 delays all orders of the client', async () => {
    const { client, server } = await setUp([answer(429, '', { 'Retry-After': '1' })]);
    const results = await collect(client.createOrders(orders(6), { concurrency: 1 }));
    assert.equal(results.filter(({ ok }) => ok).length, 6);
    assert.ok(server.requests[1].at - server.requests[0].at >= 990);
  });

  test('an error of the source reaches the loop after the results', async () => {
    const { client } = await setUp();
    const cause = new Error('source');
    function* failing() {
      yield* orders(3);
      throw cause;
    }
    const seen = [];
    const run = async () => {
      for await (const { index } of client.createOrders(failing())) seen.push(index);
    };
    assert.equal(await rejection(run()), cause);
    assert.deepEqual(seen.sort(), [0, 1, 2]);
  });

  test('an error of onProgress changes nothing', async () => {
    const { client } = await setUp();
    const onProgress = () => {
      throw new Error('x');
    };
    assert.equal((await collect(client.createOrders(orders(3), { onProgress }))).length, 3);
  });

  test('nothing is sent, and nothing is pulled, before the loop starts', async () => {
    const { client, server } = await setUp();
    let isPulled = false;
    function* source() {
      isPulled = true;
      yield* orders(1);
    }
    client.createOrders(source());
    await new Promise((tick) => setTimeout(tick, 20));
    assert.deepEqual([isPulled, server.requests.length], [false, 0]);
  });

  test('request and rule options apply to every order', async () => {
    const { client, server } = await setUp([], { headers: { 'X-Shop': 'north' } });
    const source = [...orders(2)].map((one) => ({ ...one, Taxes: [] }));
    const results = await collect(
      client.createOrders(source, { version: 'v2', allowEmptyTaxes: true, headers: { 'X-Batch': '7' } }),
    );
    assert.equal(results.filter(({ ok }) => ok).length, 2);
    for (const { url, headers } of server.requests) {
      assert.ok(url.includes('/v2/'));
      assert.deepEqual([headers['x-shop'], headers['x-batch']], ['north', '7']);
    }
    const error = thrown(() => client.createOrders([], { orderId: ID }));
    assert.ok(isOptionError(error) && error.option === '/orderId');
  });

  test('two orders with the same Id in a batch are one order', async () => {
    const { client, server } = await setUp();
    const results = await collect(client.createOrders([order(), order()], { concurrency: 2 }));
    assert.equal(results.filter(({ ok }) => ok).length, 2);
    assert.equal(server.orders.size, 1);
  });
});
