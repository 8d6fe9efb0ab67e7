/** Tests createOrders: bounded, pulls on demand, one result per order, and no lost results when the loop is left. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { inShort, item } from '../node/orders.mjs';
import {
  client,
  clientOf,
  collected,
  collectedUntilError,
  core,
  failureOf,
  fastPlatform,
  manyOrders,
  numbered,
  SPEED,
} from './clients.mjs';
import { afterStoring, answer, creates, resetsBeforeHeaders, startFaultServer } from './fault-server.mjs';

/** Creates a client whose requests wait in `pending` until the test responds to them. */
function heldClient(options) {
  const pending = [];
  const fetch = (url, { body, signal }) =>
    new Promise((resolve, reject) => {
      const id = /\((.*)\)/.exec(url)?.[1];
      signal.addEventListener('abort', () => reject(signal.reason));
      pending.push({
        id,
        create: () => resolve(new Response(body, { status: 201 })),
        refuse: () => resolve(new Response(null, { status: 400 })),
      });
    });
  return { pending, sender: clientOf('https://x.example', { fetch, ...options }) };
}

/** Creates a source of orders that counts how many were pulled, and records when it is closed. */
function countedOrders(count = Number.POSITIVE_INFINITY) {
  const source = {
    pulled: 0,
    isClosed: false,
    *[Symbol.iterator]() {
      try {
        while (source.pulled < count) yield numbered(source.pulled++);
      } finally {
        source.isClosed = true;
      }
    },
  };
  return source;
}

const instant = (options) =>
  clientOf('https://x.example', { fetch: async (_, { body }) => new Response(body, { status: 201 }), ...options });
const settle = () => sleep(5);

async function* asynchronous(orders) {
  for (const order of orders) {
    await sleep(1);
    yield order;
  }
}

for (const [what, source] of /** @type {any[][]} */ ([
  ['an array', () => [...manyOrders(20)]],
  ['a generator', () => manyOrders(20)],
  ['an async generator', () => asynchronous(manyOrders(20))],
  ['a stream', () => /** @type {any} */ (ReadableStream).from(manyOrders(20))],
])) {
  test(`orders from ${what} have one result each`, async () => {
    const results = await collected(instant().createOrders(source(), { concurrency: 3 }));
    assert.deepEqual(
      results.map(({ index }) => index),
      Array.from({ length: 20 }, (_, n) => n),
    );
    assert.ok(results.every(({ ok, index, created }) => ok && created.orderId === numbered(index).Id));
  });
}

test('an empty source has no results', async () => {
  assert.deepEqual(await collected(instant().createOrders([])), []);
});

test('nothing is pulled or sent before the first result is requested', async () => {
  const source = countedOrders();
  const results = instant().createOrders(source);
  await settle();
  assert.equal(source.pulled, 0);
  await results.return();
  assert.equal(source.pulled, 0);
});

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

test('a batch starts with four at a time and grows by one with each success, by default up to eight', async () => {
  const { pending, sender } = heldClient();
  const results = sender.createOrders(countedOrders())[Symbol.asyncIterator]();
  const inFlight = [];
  let taken = results.next();
  for (let created = 0; created < 6; created++) {
    await settle();
    inFlight.push(pending.length - created);
    pending[created].create();
    await taken;
    taken = results.next();
  }
  assert.deepEqual(inFlight, [4, 5, 6, 7, 8, 8]);
  const leaving = results.return();
  await settle();
  for (const { create } of pending) create();
  await Promise.all([taken, leaving]);
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
  const results = instant().createOrders(source, { concurrency: 4 })[Symbol.asyncIterator]();
  await results.next();
  await sleep(20);
  assert.equal(source.pulled, 5);
  await results.next();
  await sleep(20);
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
  const results = instant().createOrders(slow(), { concurrency: 4 })[Symbol.asyncIterator]();
  assert.equal((await results.next()).value.index, 0);
  release();
  assert.ok((await results.next()).done);
});

test('a failed order is a result like the others, and the other orders are sent', async () => {
  const server = await startFaultServer(creates, answer(400, '{"Message":"no"}'), creates);
  try {
    const orders = [numbered(0), numbered(1), numbered(2, { Items: [item({ Quantity: 0 })] }), numbered(3), null];
    const results = await collected(clientOf(server.baseUrl).createOrders(orders, { concurrency: 1 }));
    assert.deepEqual(
      results.map(({ ok }) => ok),
      [true, false, false, true, false],
    );
    assert.ok(client.isRejectedError(results[1].error));
    assert.ok(core.isOrderValidationError(results[2].error));
    assert.ok(core.isOrderValidationError(results[4].error));
    assert.equal(server.requests.length, 3);
  } finally {
    await server.close();
  }
});

test('onProgress is called after each order', async () => {
  const told = [];
  const orders = [numbered(0), numbered(1, { EntityId: 0 }), numbered(2)];
  await collected(instant().createOrders(orders, { concurrency: 1, onProgress: (progress) => told.push(progress) }));
  assert.deepEqual(told, [
    { done: 1, failed: 0, inFlight: 0 },
    { done: 2, failed: 1, inFlight: 0 },
    { done: 3, failed: 1, inFlight: 0 },
  ]);
});

test('rules and version apply to all orders', async () => {
  const urls = [];
  const fetch = async (url, { body }) => {
    urls.push(url);
    return new Response(body);
  };
  const orders = [0, 1].map((n) => numbered(n, { Taxes: [] }));
  const results = await collected(instant({ fetch }).createOrders(orders, { version: 'v2', allowEmptyTaxes: true }));
  assert.ok(results.every(({ ok }) => ok));
  assert.ok(urls.every((url) => url.includes('/v2/')));
});

test('each result has the warnings of its order', async () => {
  const [{ created }] = await collected(instant().createOrders([numbered(0, { OrderNumber: '7' })]));
  assert.deepEqual(inShort(created.issues.slice(0, 1)), ['warning unused_member /OrderNumber']);
});

test('a wrong option throws a TypeError at once, instead of failing every order', () => {
  for (const options of [
    ...[{ concurrency: 0 }, { concurrency: 1.5 }, { concurrency: '8' }, { onProgress: 'log' }, { signal: {} }],
    ...[
      { version: 'v1' },
      { allowEmptytaxes: true },
      { orderId: numbered(0).Id },
      { maxRetries: -1 },
      { headers: { accept: 'x' } },
    ],
    ...[{ onResult: 'log' }, { stopOnUnauthorized: 'yes' }, { earlierAttempts: 'some' }, null, 'v3'],
  ]) {
    assert.throws(() => instant().createOrders([], options), TypeError, JSON.stringify(options));
  }
  for (const source of [undefined, null, 5, {}, 'orders'])
    assert.throws(() => instant().createOrders(source), TypeError);
});

// ---------------------------------------------------------------- 429

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
    assert.ok(client.isRateLimitError(failed[0].error));
    const [limited, next] = server.requests.slice(5);
    assert.ok((next.at - limited.at) * SPEED > 55_000, `${(next.at - limited.at) * SPEED} ms`);
    assert.equal(server.orders.size, 39);
  } finally {
    await server.close();
  }
});

test('with several orders in flight, nothing is sent during the pause', async () => {
  const server = await startFaultServer(creates, answer(429, '', { 'Retry-After': '40' }));
  try {
    const results = await collected(clientOf(server.baseUrl).createOrders(manyOrders(60), { concurrency: 4 }));
    assert.ok(results.every(({ ok }) => ok));
    const limitedAt = server.requests[1].at;
    // Requests that had already left may still arrive, because the machine may be slow.
    const during = server.requests.filter(
      ({ at }) => (at - limitedAt) * SPEED > 10_000 && (at - limitedAt) * SPEED < 36_000,
    );
    assert.equal(during.length, 0);
  } finally {
    await server.close();
  }
});

// ---------------------------------------------------------------- stopping

test('after the consumer leaves, nothing more is pulled, orders in flight are settled, and the source is closed', async () => {
  const server = await startFaultServer(creates, afterStoring(resetsBeforeHeaders), answer(503));
  try {
    const source = countedOrders();
    const told = [];
    for await (const { ok } of clientOf(server.baseUrl).createOrders(source, {
      concurrency: 4,
      onProgress: (progress) => told.push(progress),
    })) {
      assert.ok(ok);
      break;
    }
    assert.ok(source.isClosed);
    assert.ok(source.pulled <= 5);
    assert.equal(server.orders.size, source.pulled);
    assert.deepEqual(told.at(-1), { done: source.pulled, failed: 0, inFlight: 0 });
    const { length } = server.requests;
    await sleep(50);
    assert.equal(server.requests.length, length);
  } finally {
    await server.close();
  }
});

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
  for await (const _ of instant({ fetch }).createOrders(slow())) break;
  release();
  await settle();
  assert.deepEqual(ids, [numbered(0).Id]);
});

test('a consumer that throws gets its own error', async () => {
  const own = new Error('mine');
  const error = await failureOf(
    (async () => {
      for await (const _ of instant().createOrders(countedOrders())) throw own;
    })(),
  );
  assert.equal(error, own);
});

test('a consumer that leaves during a pause does not wait for its end', async () => {
  const server = await startFaultServer(creates, answer(429, '', { 'Retry-After': '3000' }));
  try {
    const startedAt = fastPlatform.now();
    const source = countedOrders();
    for await (const { ok } of clientOf(server.baseUrl).createOrders(source, { concurrency: 1 })) if (!ok) break;
    assert.ok(fastPlatform.now() - startedAt < 100_000);
    assert.equal(source.pulled, 2);
    assert.ok(source.isClosed);
  } finally {
    await server.close();
  }
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
    assert.ok(client.isAbortedError(error));
    assert.equal(error.outcome, 'unknown');
  }
  assert.equal(source.pulled, 4);
  assert.ok(source.isClosed);
});

test('with a signal that is already aborted, nothing is pulled, and the loop throws the reason', async () => {
  const source = countedOrders();
  const reason = new Error('closing time');
  assert.deepEqual(await collectedUntilError(instant().createOrders(source, { signal: AbortSignal.abort(reason) })), {
    results: [],
    error: reason,
  });
  assert.equal(source.pulled, 0);
});

test('an abort after the last order has its result ends nothing: the loop ends without an error', async () => {
  const controller = new AbortController();
  const results = instant().createOrders(manyOrders(2), { signal: controller.signal });
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

test('an abort does not wait for a source that never yields', { timeout: 5000 }, async () => {
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
  const results = collectedUntilError(instant().createOrders(silent, { signal: controller.signal }));
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
  const reading = failureOf(
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
  assert.equal(await failureOf(collected(instant().createOrders(source))), own);
});

// ---------------------------------------------------------------- results

test('a result has the index, the same input object and its id', async () => {
  const orders = [
    numbered(0, { Id: `{${numbered(0).Id.toUpperCase()}}` }),
    numbered(1, { EntityId: 0 }),
    numbered(2, { Id: undefined }),
    core.prepareRequest(numbered(3)),
  ];
  const results = await collected(instant().createOrders(orders));
  assert.deepEqual(
    results.map(({ ok }) => ok),
    [true, false, false, true],
  );
  for (const { input, index } of results) assert.equal(input, orders[index]);
  assert.deepEqual(
    results.map(({ orderId }) => orderId),
    [numbered(0).Id, numbered(1).Id, null, numbered(3).Id],
  );
});

test('a prepared request with a wrong path is a failed result with its id', async () => {
  const prepared = { ...core.prepareRequest(numbered(0)), path: 'v3/elsewhere' };
  const [{ ok, error, orderId }] = await collected(instant().createOrders([prepared]));
  assert.deepEqual([ok, error.name, orderId], [false, 'OrderValidationError', numbered(0).Id]);
});

test('createOrders returns an async generator', async () => {
  const results = instant().createOrders(manyOrders(3), { concurrency: 1 });
  assert.equal((await results.next()).value.index, 0);
  assert.deepEqual(await results.return(), { value: undefined, done: true });
  assert.deepEqual(await results.next(), { value: undefined, done: true });
  assert.equal(results[Symbol.asyncIterator](), results);
});

test('request options apply to all orders of a batch', async () => {
  const server = await startFaultServer(...new Array(4).fill(answer(503)));
  try {
    const results = await collected(
      clientOf(server.baseUrl).createOrders(manyOrders(2), { maxRetries: 1, headers: { 'X-Shop': 'north' } }),
    );
    assert.deepEqual(
      results.map(({ error }) => error.attempts),
      [2, 2],
    );
    assert.ok(server.requests.every(({ headers }) => headers['x-shop'] === 'north'));
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

// ---------------------------------------------------------------- onResult

for (const [how, leave] of /** @type {any[][]} */ ([
  [
    'break',
    async (results) => {
      let taken = 0;
      for await (const _ of results) if (++taken === 5) break;
    },
  ],
  [
    'return()',
    async (results) => {
      for (let taken = 0; taken < 5; taken++) await results.next();
      await results.return();
    },
  ],
  [
    'throw',
    async (results) => {
      let taken = 0;
      await assert.rejects(
        (async () => {
          for await (const _ of results) if (++taken === 5) throw new Error('mine');
        })(),
        { message: 'mine' },
      );
    },
  ],
])) {
  test(`50 orders, left after 5 results by ${how}: onResult is called once for every order that was started`, async () => {
    const server = await startFaultServer(afterStoring(resetsBeforeHeaders), creates, answer(400), answer(503));
    try {
      const told = [];
      const source = countedOrders(50);
      await leave(clientOf(server.baseUrl).createOrders(source, { onResult: (result) => told.push(result) }));
      assert.ok(source.pulled < 20, `${source.pulled} orders were started`);
      assert.deepEqual(
        told.map(({ index }) => index).sort((a, b) => a - b),
        Array.from({ length: source.pulled }, (_, n) => n),
      );
      const sent = new Set(server.requests.map(({ url }) => /\((.*)\)/.exec(url)?.[1]));
      assert.deepEqual(new Set(told.map(({ orderId }) => orderId)), sent);
      assert.equal(told.filter(({ ok }) => ok).length, server.orders.size);
      const { length } = server.requests;
      await sleep(50);
      assert.deepEqual([server.requests.length, told.length], [length, source.pulled]);
    } finally {
      await server.close();
    }
  });
}

test('onResult is called with the same result objects as the loop', async () => {
  const told = [];
  const results = await collected(
    instant().createOrders([numbered(0), numbered(1, { EntityId: 0 })], { onResult: (result) => told.push(result) }),
  );
  assert.equal(told.length, 2);
  for (const result of results) assert.ok(told.includes(result));
});

test('onResult is called after an abort too', async () => {
  const { sender } = heldClient();
  const controller = new AbortController();
  const told = [];
  const results = collectedUntilError(
    sender.createOrders(manyOrders(10), {
      concurrency: 3,
      signal: controller.signal,
      onResult: ({ error }) => told.push(error.name),
    }),
  );
  await settle();
  controller.abort();
  await results;
  assert.deepEqual(told, ['AbortedError', 'AbortedError', 'AbortedError']);
});

test('a promise that onResult returns is awaited, even after the loop has been left', async () => {
  let stored = 0;
  const onResult = async () => {
    await sleep(10);
    stored++;
  };
  const source = countedOrders();
  for await (const _ of instant().createOrders(source, { concurrency: 4, onResult })) break;
  assert.equal(stored, source.pulled);
});

test('an onResult that takes longer than the orders holds them back, and the batch goes on', async () => {
  const source = countedOrders(6);
  const results = [];
  for await (const result of instant().createOrders(source, { concurrency: 2, onResult: () => sleep(10) }))
    results.push(result.index);
  assert.deepEqual(results.sort(), [0, 1, 2, 3, 4, 5]);
});

for (const [how, onResult] of /** @type {any[][]} */ ([
  [
    'throws',
    (error) => {
      throw error;
    },
  ],
  ['rejects', (error) => sleep(1).then(() => Promise.reject(error))],
])) {
  test(`an onResult that ${how} ends the batch: no further order is started, and the loop throws its error`, async () => {
    const own = new Error('disk full');
    const source = countedOrders();
    assert.equal(
      await failureOf(collected(instant().createOrders(source, { concurrency: 2, onResult: () => onResult(own) }))),
      own,
    );
    assert.ok(source.pulled <= 6);
    assert.ok(source.isClosed);
  });

  test(`an onResult that ${how} while the loop is left is not lost`, async () => {
    const { pending, sender } = heldClient();
    const own = new Error('disk full');
    const results = sender.createOrders(manyOrders(5), {
      concurrency: 2,
      onResult: ({ index }) => (index === 1 ? onResult(own) : undefined),
    });
    const first = results.next();
    await settle();
    pending[0].create();
    await first;
    const leaving = failureOf(results.return());
    await settle();
    for (const { create } of pending) create();
    assert.equal(await leaving, own);
  });
}

// ---------------------------------------------------------------- a rejected token

for (const [what, token] of [
  ['a token string', 'stale'],
  ['a token function', () => `stale-${Math.random()}`],
  ['a token function that always returns the same', () => 'stale'],
]) {
  test(`200 orders with ${what} that is rejected: fewer than 30 requests, no result for orders that were not started, and the loop throws the AuthenticationError`, async () => {
    const server = await startFaultServer();
    server.playAlways(answer(401, '{"message":"expired"}'));
    try {
      const told = [];
      const source = countedOrders(200);
      const { results, error: thrown } = await collectedUntilError(
        clientOf(server.baseUrl, { token }).createOrders(source, { onResult: (result) => told.push(result) }),
      );
      assert.ok(results.some(({ error }) => error === thrown));
      assert.ok(server.requests.length < 30, `${server.requests.length} requests`);
      assert.equal(results.length, source.pulled);
      assert.equal(told.length, source.pulled);
      assert.ok(results.every(({ error }) => client.isAuthenticationError(error) && error.outcome === 'not-created'));
      assert.ok(source.isClosed);
    } finally {
      await server.close();
    }
  });
}

test('leaving the loop after the token was refused throws nothing', async () => {
  const fetch = async () => new Response(null, { status: 401 });
  const source = countedOrders();
  for await (const { error } of instant({ fetch }).createOrders(source)) {
    assert.ok(client.isAuthenticationError(error));
    break;
  }
  assert.ok(source.isClosed);
});

test('stopOnUnauthorized: false sends all orders', async () => {
  const server = await startFaultServer();
  server.playAlways(answer(401));
  try {
    const results = await collected(
      clientOf(server.baseUrl).createOrders(manyOrders(50), { stopOnUnauthorized: false }),
    );
    assert.equal(results.length, 50);
    assert.equal(server.requests.length, 50);
  } finally {
    await server.close();
  }
});

test('a 401 that is followed by success with a new token does not stop the batch', async () => {
  const server = await startFaultServer(answer(401));
  const tokens = ['stale', 'fresh'];
  try {
    const results = await collected(
      clientOf(server.baseUrl, { token: () => tokens.shift() }).createOrders(manyOrders(20), { concurrency: 1 }),
    );
    assert.ok(results.every(({ ok }) => ok));
    assert.equal(results.length, 20);
  } finally {
    await server.close();
  }
});

test('neither a 403 nor a token function that fails stops the batch', async () => {
  const fetch = async () => new Response(null, { status: 403 });
  assert.equal((await collected(instant({ fetch }).createOrders(manyOrders(20)))).length, 20);
  const token = () => Promise.reject(new Error('down'));
  assert.equal((await collected(instant({ token }).createOrders(manyOrders(20)))).length, 20);
});

test('an order that does not share the pause neither waits for a pause nor causes one', async () => {
  const server = await startFaultServer(answer(429, '', { 'Retry-After': '3000' }));
  const sender = clientOf(server.baseUrl, { maxRetries: 0 });
  try {
    const refused = await failureOf(sender.createOrder(numbered(0), { sharePause: false }));
    assert.equal(refused.name, 'RateLimitError');
    assert.equal(refused.retryAfterMs, 3_000_000);
    assert.equal((await sender.createOrder(numbered(1))).status, 201);
    server.playAlways(answer(429, '', { 'Retry-After': '3000' }));
    await failureOf(sender.createOrder(numbered(2)));
    server.playAlways(creates);
    assert.equal((await sender.createOrder(numbered(3), { sharePause: false })).status, 201);
  } finally {
    await server.close();
  }
});
