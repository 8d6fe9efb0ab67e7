/** Tests how long the client waits before it retries, and which orders wait. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { handClock } from '../hand-clock.mjs';
import { minimalOrder } from '../node/orders.mjs';
import { rejection } from '../thrown.mjs';
import { client, clientOf, numbered } from './clients.mjs';
import { EXCHANGE, hold, platform, settle, sleep } from './clock.mjs';
import { answer, page, resetsBeforeHeaders, stallsBeforeHeaders, startFaultServer } from './fault-server.mjs';

/** Returns the waits between attempts that all fail. */
async function waitsWith(random, { maxRetries, ...retry }) {
  const waits = [];
  const options = {
    fetch: async () => new Response(null, { status: 503 }),
    maxRetries,
    retry,
    totalTimeoutMs: 2_000_000,
    hooks: { onRetry: ({ waitMs }) => waits.push(waitMs) },
  };
  const error = await rejection(
    clientOf('https://x.example', options, { ...platform, random }).createOrder(minimalOrder()),
  );
  assert.ok(error instanceof client.ServerError);
  return waits;
}

test('the maximum wait doubles from 1 s to 20 s', async () => {
  assert.deepEqual(await waitsWith(() => 1, { maxRetries: 7 }), [1000, 2000, 4000, 8000, 16_000, 20_000, 20_000]);
});

test('jitter is full: a wait is anything from 0 to its maximum', async () => {
  assert.deepEqual(await waitsWith(() => 0, { maxRetries: 2 }), [0, 0]);
  const chances = [0.1, 0.9, 0.25];
  assert.deepEqual(await waitsWith(() => chances.shift(), { maxRetries: 3 }), [100, 1800, 1000]);
});

test('base and cap can be set', async () => {
  assert.deepEqual(await waitsWith(() => 1, { maxRetries: 4, baseMs: 10, capMs: 25 }), [10, 20, 25, 25]);
  assert.deepEqual(await waitsWith(() => 1, { maxRetries: 2, baseMs: 0 }), [0, 0]);
});

test('waits are random by default', async () => {
  const waits = await waitsWith(Math.random, { maxRetries: 5, baseMs: 1000, capMs: 1000 });
  assert.equal(new Set(waits).size, 5);
  assert.ok(waits.every((ms) => ms >= 0 && ms < 1000));
});

for (const [status, asked] of /** @type {any[][]} */ ([
  [429, 'without'],
  [503, 'without'],
  [408, 'with'],
  [500, 'with'],
])) {
  test(`a ${status} ${asked} Retry-After delays only its own order`, async () => {
    const started = [];
    const statuses = [status];
    const hooks = { onRetry: ({ orderId }) => started.push(['retry', orderId]) };
    const fetch = async (_, { body }) => {
      started.push(['request', JSON.parse(body).Id]);
      const headers = new Headers(asked === 'with' ? [['Retry-After', '10']] : []);
      return new Response(body, { status: statuses.shift() ?? 201, headers });
    };
    const clock = handClock();
    const sender = clientOf('https://x.example', { fetch, hooks }, clock.platform);
    const first = sender.createOrder(numbered(0));
    await clock.settle();
    assert.equal((await sender.createOrder(numbered(1))).attempts, 1);
    await clock.advance(20_000);
    assert.equal((await first).attempts, 2);
    const [a, b] = [numbered(0).Id, numbered(1).Id];
    assert.deepEqual(started, [
      ['request', a],
      ['retry', a],
      ['request', b],
      ['request', a],
    ]);
  });
}

test('the Retry-After of a 2xx that proves nothing is the wait of its order', async () => {
  const server = await startFaultServer(page(200, { 'Retry-After': '45' }));
  const waits = [];
  const hooks = { onRetry: ({ waitMs }) => waits.push(waitMs) };
  const { attempts } = await clientOf(server.baseUrl, { hooks }).createOrder(numbered(0));
  assert.equal(attempts, 2);
  assert.ok(waits.length === 1 && waits[0] >= 45_000, `${waits}`);
});

test('an order that starts just after a pause waits for a random time, a later one does not', async () => {
  const sent = [];
  const statuses = [429];
  const fetch = async (_, { body }) => {
    sent.push(platform.now());
    return new Response(body, { status: statuses.shift() ?? 201, headers: { 'Retry-After': '4' } });
  };
  const sender = clientOf('https://x.example', { fetch, maxRetries: 0, retry: { baseMs: 8000 } });
  await rejection(sender.createOrder(numbered(0)));
  await sleep(5000);
  const arrivedAt = platform.now();
  await sender.createOrder(numbered(1));
  assert.ok(sent[1] - arrivedAt > 2000, `${sent[1] - arrivedAt} ms`);
  await sleep(5000);
  const lateAt = platform.now();
  await sender.createOrder(numbered(2));
  assert.equal(sent[2], lateAt);
});

test('another client is not delayed', async () => {
  const server = await startFaultServer(answer(429, '', { 'Retry-After': '3600' }));
  assert.ok((await rejection(clientOf(server.baseUrl).createOrder(numbered(0)))) instanceof client.RateLimitError);
  assert.equal((await clientOf(server.baseUrl).createOrder(numbered(1))).attempts, 1);
});

test('an order whose turn comes after its total time fails at once, without being sent', async () => {
  const server = await startFaultServer(answer(429, '', { 'Retry-After': '600' }));
  const sender = clientOf(server.baseUrl);
  await rejection(sender.createOrder(numbered(0)));
  const error = await rejection(sender.createOrder(numbered(1), { totalTimeoutMs: 50_000 }));
  assert.ok(error instanceof client.RateLimitError);
  assert.deepEqual([error.attempts, error.outcome, error.retryable, error.status], [0, 'not-created', true, undefined]);
  assert.ok(error.retryAfterMs > 50_000 && error.retryAfterMs <= 61_000, `${error.retryAfterMs}`);
  assert.equal(server.requests.length, 1);
});

/** Creates a client whose service asks for a pause as long as `isPaused` is true; `sent` has the times of the requests. */
function pausedClient(asked) {
  const clock = handClock();
  const service = { clock, isPaused: true, sent: /** @type {number[]} */ ([]), sender: /** @type {any} */ (null) };
  const fetch = async (_, { body }) => {
    service.sent.push(clock.platform.now());
    return service.isPaused
      ? new Response('{"message":"maintenance"}', { status: 503, headers: { 'Retry-After': `${asked}` } })
      : new Response(body, { status: 201 });
  };
  service.sender = clientOf('https://x.example', { fetch }, clock.platform);
  return service;
}

test('during a pause of an hour one order a minute tries whether it is over; once one succeeds, all are sent', async () => {
  const service = pausedClient(3600);
  const { clock, sender, sent } = service;
  await rejection(sender.createOrder(numbered(0)));
  const errors = [];
  const waiting = [1, 2, 3].map((n) => sender.createOrder(numbered(n)).catch((error) => errors.push(error)));
  await clock.settle();
  // The turn of the third would come after its total time of three minutes.
  assert.deepEqual(
    errors.map(({ attempts, outcome }) => [attempts, outcome]),
    [[0, 'not-created']],
  );
  await clock.advance(59_999);
  assert.equal(sent.length, 1);
  await clock.advance(1000);
  assert.equal(sent.length, 2);
  assert.equal(errors.length, 2, 'the service asks the first one to wait for longer than its time');
  service.isPaused = false;
  await clock.advance(58_000);
  assert.equal(sent.length, 2);
  const last = sender.createOrder(numbered(4));
  await clock.advance(4000);
  assert.equal(sent.length, 4);
  await Promise.all([...waiting, last]);
  assert.deepEqual([errors.length, clock.timers], [2, 0]);
  assert.equal((await sender.createOrder(numbered(5))).status, 201);
});

test('an order that is aborted while it waits for its turn gives it to the next one', async () => {
  const service = pausedClient(3600);
  const { clock, sender, sent } = service;
  await rejection(sender.createOrder(numbered(0)));
  service.isPaused = false;
  const controller = new AbortController();
  const first = rejection(sender.createOrder(numbered(1), { signal: controller.signal }));
  const second = sender.createOrder(numbered(2));
  await clock.advance(10_000);
  controller.abort();
  const { name, attempts, outcome } = await first;
  assert.deepEqual([name, attempts, outcome], ['AbortedError', 0, 'not-created']);
  await clock.advance(51_000);
  assert.equal((await second).status, 201);
  assert.equal(sent.length, 2);
  assert.equal(clock.timers, 0);
});

test('retryAfterMs is at most a year, whatever the service asks for', async () => {
  const YEAR_MS = 365 * 24 * 60 * 60 * 1000;
  for (const asked of ['99999999999', '9'.repeat(400), 'Fri, 31 Dec 9999 23:59:59 GMT']) {
    const fetch = async () => new Response(null, { status: 429, headers: { 'Retry-After': asked } });
    const { retryAfterMs, message } = await rejection(
      clientOf('https://x.example', { fetch }).createOrder(numbered(0)),
    );
    assert.equal(retryAfterMs, YEAR_MS);
    assert.match(message, /asks to wait 31536000 s;/);
  }
});

// ---------------------------------------------------------------- the caller's signal

const REASON = new Error('changed my mind');

const stallsInBody = ({ response, headers }) => {
  response.writeHead(400, { 'Content-Length': 100 }).write('x');
  hold(headers[EXCHANGE]);
};
for (const [when, script, options, attempts, outcome] of /** @type {any[][]} */ ([
  ['before anything is sent', [], { token: () => new Promise(() => {}) }, 0, 'not-created'],
  ['while an attempt is in flight', [stallsBeforeHeaders], {}, 1, 'unknown'],
  ['while the body is read', [stallsInBody], {}, 1, 'unknown'],
  ['during a wait after a rejection', [answer(429, '', { 'Retry-After': '60' })], {}, 1, 'not-created'],
  [
    'during a wait after an unknown outcome',
    [resetsBeforeHeaders],
    { retry: { baseMs: 60_000, capMs: 60_000 } },
    1,
    'unknown',
  ],
])) {
  test(`aborted ${when}: at once, after ${attempts} attempts, outcome ${outcome}`, async () => {
    const server = await startFaultServer(...script);
    const controller = new AbortController();
    const sending = rejection(
      clientOf(server.baseUrl, options).createOrder(minimalOrder(), { signal: controller.signal }),
    );
    await sleep(1);
    const abortedAt = platform.now();
    controller.abort(REASON);
    const error = await sending;
    assert.ok(error instanceof client.AbortedError, String(error));
    assert.deepEqual([error.cause, error.attempts, error.outcome], [REASON, attempts, outcome]);
    assert.equal(platform.now(), abortedAt);
  });
}

test('with a signal that is already aborted, nothing is sent', async () => {
  const fetch = async () => assert.fail('sent');
  const signal = AbortSignal.abort(REASON);
  const error = await rejection(clientOf('https://x.example', { fetch }).createOrder(minimalOrder(), { signal }));
  assert.ok(error instanceof client.AbortedError);
  assert.deepEqual([error.attempts, error.outcome, error.cause], [0, 'not-created', REASON]);
});

test('an abort takes effect at once, even if fetch ignores its signal', async () => {
  let isCancelled = false;
  const body = new ReadableStream({
    cancel() {
      isCancelled = true;
    },
  });
  for (const fetch of [() => new Promise(() => {}), async () => new Response(body)]) {
    const controller = new AbortController();
    const sending = rejection(
      clientOf('https://x.example', { fetch }).createOrder(minimalOrder(), { signal: controller.signal }),
    );
    await settle();
    controller.abort();
    assert.ok((await sending) instanceof client.AbortedError);
  }
  assert.ok(isCancelled);
});
