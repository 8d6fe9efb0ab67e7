/**
 * Tests how many requests of a batch run at the same time, and which orders wait, on a clock that the test advances
 * (D52).
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { handClock } from '../hand-clock.mjs';
import { client, clientOf, collected, manyOrders, numbered } from './clients.mjs';

const HOUR = 3_600_000;

/**
 * Creates a service whose requests wait until the test responds to them, and a client of it.
 * `inFlight` are the requests without a response; `sent` has the number of each order that was sent, in order.
 */
function heldService(options = {}) {
  const clock = handClock();
  const sent = [];
  let inFlight = [];
  const fetch = (_, { body, signal }) =>
    new Promise((resolve, reject) => {
      const number = numberOf(JSON.parse(body).Id);
      const request = { number, body, resolve, reject };
      sent.push(number);
      inFlight.push(request);
      signal.addEventListener('abort', () => {
        inFlight = inFlight.filter((other) => other !== request);
        reject(signal.reason);
      });
    });
  const end = async (act, count = Number.POSITIVE_INFINITY) => {
    for (const request of inFlight.splice(0, count)) act(request);
    await clock.settle();
  };
  return {
    clock,
    sent,
    sender: clientOf('https://x.example', { fetch, ...options }, clock.platform),
    get inFlight() {
      return inFlight.map(({ number }) => number);
    },
    /** Creates the orders of the first requests in flight, all of them by default. */
    create: (count = Number.POSITIVE_INFINITY) =>
      end(({ body, resolve }) => resolve(new Response(body, { status: 201 })), count),
    respond: (status, headers = {}, count = Number.POSITIVE_INFINITY) =>
      end(({ resolve }) => resolve(new Response(null, { status, headers })), count),
    lose: () => end(({ reject }) => reject(new TypeError('fetch failed'))),
  };
}

const numberOf = (id) => Number(id.slice(-12)) - 1;

/** Creates an endless source that counts how many orders were pulled. */
function endless() {
  const source = {
    pulled: 0,
    *[Symbol.iterator]() {
      for (;;) yield numbered(source.pulled++);
    },
  };
  return source;
}

/** Takes all results; `stop()` leaves the batch, and `results` are those so far. */
function taking(batch) {
  const results = [];
  const done = (async () => {
    for await (const result of batch) results.push(result);
  })();
  return { results, done };
}

for (const [what, concurrency, expected] of /** @type {any[][]} */ ([
  ['concurrency', 6, [4, 5, 6, 6, 6, 6]],
  ['8 by default', undefined, [4, 5, 6, 7, 8, 8]],
])) {
  test(`a batch starts with four requests, and has one more with each success, up to ${what}`, async () => {
    const service = heldService();
    const { done } = taking(service.sender.createOrders(manyOrders(30), { concurrency }));
    await service.clock.settle();
    const numbers = [];
    for (let n = 0; n < 6; n++) {
      numbers.push(service.inFlight.length);
      await service.create(1);
    }
    assert.deepEqual(numbers, expected);
    while (service.inFlight.length > 0) await service.create();
    await done;
    assert.equal(service.clock.timers, 0);
  });
}

for (const [what, act] of /** @type {any[][]} */ ([
  ['429', (service) => service.respond(429)],
  ['503', (service) => service.respond(503)],
  ['lost connection', (service) => service.lose()],
  ['empty 200', (service) => service.respond(200)],
  ['time-out', (service) => service.clock.advance(60_000)],
])) {
  test(`a ${what} halves the number of requests, once for those that overlap, and never below one`, async () => {
    const service = heldService({ maxRetries: 0 });
    const { results, done } = taking(service.sender.createOrders(manyOrders(12), { concurrency: 32 }));
    await service.clock.settle();
    const numbers = [];
    for (let round = 0; round < 4; round++) {
      numbers.push(service.inFlight.length);
      await act(service);
    }
    assert.deepEqual(numbers, [4, 2, 1, 1]);
    await service.create();
    assert.equal(service.inFlight.length, 2);
    while (service.inFlight.length > 0) await service.create();
    await done;
    assert.equal(results.filter(({ ok }) => !ok).length, 8);
    assert.equal(service.clock.timers, 0);
  });
}

test('a refusal is a response like any other: it does not lower the number', async () => {
  const service = heldService();
  const { done } = taking(service.sender.createOrders(manyOrders(12), { concurrency: 8 }));
  await service.clock.settle();
  await service.respond(422, {}, 2);
  assert.equal(service.inFlight.length, 6);
  while (service.inFlight.length > 0) await service.create();
  await done;
});

test('a refused token neither raises nor lowers the number', async () => {
  let tokens = 0;
  const service = heldService({ token: () => `token-${tokens++}` });
  const { done } = taking(service.sender.createOrders(manyOrders(12), { concurrency: 8 }));
  await service.clock.settle();
  await service.respond(401);
  assert.equal(service.inFlight.length, 4);
  while (service.inFlight.length > 0) await service.create();
  await done;
  assert.equal(tokens, 2);
});

test('an order that waits for a retry does not hold up others, and neither does an order that waits for a token', async () => {
  let isFirst = true;
  const token = () => {
    if (!isFirst) return 'a-token';
    isFirst = false;
    throw new Error('down');
  };
  const service = heldService({ token });
  const { results, done } = taking(service.sender.createOrders(manyOrders(4), { concurrency: 1 }));
  await service.clock.settle();
  // Order 0 waits because the token function failed.
  assert.deepEqual(service.inFlight, [1]);
  await service.respond(503);
  assert.deepEqual(service.inFlight, [2]);
  await service.create();
  await service.create();
  assert.deepEqual(
    results.map(({ index }) => index),
    [2, 3],
  );
  await service.clock.advance(500);
  await service.create();
  await service.create();
  await done;
  assert.deepEqual(service.sent.slice(3).sort(), [0, 1]);
  assert.equal(service.clock.timers, 0);
});

test('at most 3 × concurrency orders wait for a retry: memory stays bounded against a service that is down', async () => {
  const service = heldService({ totalTimeoutMs: HOUR, maxRetries: 9, retry: { baseMs: HOUR / 10, capMs: HOUR / 10 } });
  const source = endless();
  const controller = new AbortController();
  const { done } = taking(service.sender.createOrders(source, { concurrency: 4, signal: controller.signal }));
  await service.clock.settle();
  for (let n = 0; n < 40; n++) await service.lose();
  assert.equal(source.pulled, 4 * 4);
  assert.equal(service.inFlight.length, 0);
  controller.abort();
  await assert.rejects(done, { name: 'AbortError' });
  assert.equal(service.clock.timers, 0);
});

test('orders whose waits end at the same time are not sent all at once', async () => {
  const service = heldService();
  const { results, done } = taking(service.sender.createOrders(manyOrders(4), { concurrency: 8 }));
  await service.clock.settle();
  await service.respond(503);
  await service.clock.advance(500);
  assert.equal(service.inFlight.length, 2);
  await service.create(1);
  assert.equal(service.inFlight.length, 3);
  while (service.inFlight.length > 0) await service.create();
  await done;
  assert.ok(results.every(({ ok, created }) => ok && created.attempts === 2));
});

test('an order that waits for others until its time is over is a TimeoutError, and later orders are sent', async () => {
  const service = heldService({ totalTimeoutMs: 5000 });
  const { results, done } = taking(service.sender.createOrders(manyOrders(8), { concurrency: 4 }));
  await service.clock.advance(1000);
  await service.respond(429);
  await service.clock.advance(500);
  // The first four wait for these.
  assert.deepEqual(service.inFlight, [4, 5]);
  await service.clock.advance(3500);
  assert.equal(results.length, 4);
  for (const { error } of results) {
    assert.ok(error instanceof client.TimeoutError);
    assert.match(error.message, /while it waited for its turn/);
    assert.deepEqual([error.attempts, error.outcome], [1, 'not-created']);
  }
  while (service.inFlight.length > 0) await service.create();
  await done;
  assert.deepEqual(
    results.slice(4).map(({ ok }) => ok),
    new Array(4).fill(true),
  );
  assert.equal(service.clock.timers, 0);
});

for (const status of [429, 503]) {
  test(`a ${status} with Retry-After holds all orders back; then one is sent, and the others follow`, async () => {
    const service = heldService();
    const { results, done } = taking(service.sender.createOrders(manyOrders(12), { concurrency: 8 }));
    await service.clock.settle();
    await service.respond(status, { 'Retry-After': '30' }, 1);
    await service.create();
    assert.equal(results.length, 3);
    await service.clock.advance(29_999);
    assert.equal(service.sent.length, 4);
    await service.clock.advance(2000);
    assert.equal(service.inFlight.length, 1);
    await service.create();
    await service.clock.advance(1000);
    assert.ok(service.inFlight.length > 1, `${service.inFlight.length} in flight`);
    while (results.length < 12) {
      await service.create();
      await service.clock.advance(1000);
    }
    await done;
    assert.ok(results.every(({ ok }) => ok));
    assert.equal(service.clock.timers, 0);
  });
}

test('batches of one client share what it knows of the service; each keeps to its own concurrency', async () => {
  const service = heldService({ maxRetries: 0 });
  const first = taking(service.sender.createOrders(manyOrders(6), { concurrency: 8 }));
  await service.clock.settle();
  await service.respond(503);
  const others = taking(service.sender.createOrders(manyOrders(6), { concurrency: 1 }));
  await service.clock.settle();
  // Two of the first batch, which came first.
  assert.equal(service.inFlight.length, 2);
  await service.create();
  assert.equal(service.inFlight.length, 1);
  while (service.inFlight.length > 0) await service.create(1);
  await Promise.all([first.done, others.done]);
  assert.equal(others.results.filter(({ ok }) => ok).length, 6);
  assert.equal(service.clock.timers, 0);
});

test('a batch that is full holds up no order that the program sends alone', async () => {
  const service = heldService();
  const { done } = taking(service.sender.createOrders(manyOrders(12), { concurrency: 2 }));
  await service.clock.settle();
  const alone = [20, 21, 22, 23, 24, 25].map((n) => service.sender.createOrder(numbered(n)));
  await service.clock.settle();
  assert.deepEqual(service.inFlight, [0, 1, 20, 21, 22, 23, 24, 25]);
  while (service.inFlight.length > 0) await service.create();
  await Promise.all([done, ...alone]);
});

test('a pause that becomes longer ends the orders whose turn then comes after their time', async () => {
  const service = heldService({ maxRetries: 0 });
  const [first, second] = [0, 1].map((n) => service.sender.createOrder(numbered(n)).catch(({ name }) => name));
  await service.clock.settle();
  await service.respond(503, { 'Retry-After': '10' }, 1);
  const [short, long] = [30_000, 90_000].map((totalTimeoutMs, n) =>
    service.sender.createOrder(numbered(n + 2), { totalTimeoutMs }).catch(({ name }) => name),
  );
  await service.clock.settle();
  await service.respond(429, { 'Retry-After': '3600' });
  assert.deepEqual(await Promise.all([first, second, short]), ['ServerError', 'RateLimitError', 'RateLimitError']);
  await service.clock.advance(61_000);
  await service.create();
  assert.equal((await long).status, 201);
  assert.equal(service.clock.timers, 0);
});

for (const [what, fetch] of /** @type {any[][]} */ ([
  ['refuses connections', () => Promise.reject(new TypeError('x', { cause: { code: 'ECONNREFUSED' } }))],
  ['responds with 503', async () => new Response(null, { status: 503 })],
])) {
  test(`1,000 orders without retries to a service that ${what} need no waiting`, async () => {
    const clock = handClock();
    const sender = clientOf('https://x.example', { fetch, maxRetries: 0 }, clock.platform);
    const results = await collected(sender.createOrders(manyOrders(1000)));
    assert.equal(results.filter(({ ok }) => !ok).length, 1000);
    assert.deepEqual([clock.platform.now(), clock.timers], [0, 0]);
  });
}
