/** Tests tokens: requested as rarely as possible, replaced when they expire, never shown (D35, D36, D44). */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { minimalOrder } from '../node/orders.mjs';
import { handClock } from '../hand-clock.mjs';
import { rejection } from '../thrown.mjs';
import { client, clientOf, manyOrders, numbered } from './clients.mjs';
import { platform } from './clock.mjs';
import { answer, creates, after as later, resetsBeforeHeaders, startFaultServer } from './fault-server.mjs';

/** The token that the service accepts; every other token gets 401. */
let valid;
let script;
let server;

before(async () => {
  const guarded = (exchange) => {
    if (exchange.headers.authorization !== `Bearer ${valid}`) return answer(401, '{"message":"expired"}')(exchange);
    return (script.shift() ?? creates)(exchange);
  };
  server = await startFaultServer(...new Array(1000).fill(guarded));
});
after(() => server.close());
beforeEach(() => {
  valid = 'fresh';
  script = [];
  server.requests.length = 0;
  server.orders.clear();
});

/** A provider that notes its contexts, and returns these tokens one after the other, the last one for good. */
function providerOf(...tokens) {
  const told = [];
  const provider = async ({ rejected, signal }) => {
    told.push(rejected);
    assert.ok(signal instanceof AbortSignal);
    await setImmediate();
    const next = tokens.length > 1 ? tokens.shift() : tokens[0];
    return typeof next === 'function' ? next() : next;
  };
  return { provider, told };
}

test('the provider is called once for 100 concurrent orders, and the token is used again', async () => {
  const { provider, told } = providerOf('fresh');
  const sender = clientOf(server.baseUrl, { token: provider });
  await Promise.all(Array.from({ length: 100 }, (_, n) => sender.createOrder(numbered(n))));
  await sender.createOrder(numbered(100));
  assert.deepEqual(told, [undefined]);
  assert.equal(server.orders.size, 101);
});

test('a 401 that arrives after the token was replaced uses the new one, without calling the provider', async () => {
  const { provider, told } = providerOf('stale', 'fresh', 'fresher');
  let isFirst = true;
  let release = () => {};
  const isReleased = new Promise((resolve) => {
    release = () => resolve(undefined);
  });
  const fetch = async (url, init) => {
    const isHeld = isFirst;
    isFirst = false;
    const response = await globalThis.fetch(url, init);
    if (isHeld) await isReleased;
    return response;
  };
  const sender = clientOf(server.baseUrl, { token: provider, fetch });
  const first = sender.createOrder(numbered(0));
  const other = await sender.createOrder(numbered(1));
  release();
  const created = [await first, other];
  assert.deepEqual(
    created.map(({ attempts }) => attempts),
    [2, 2],
  );
  assert.deepEqual(told, [undefined, 'stale']);
});

test('401 once: one attempt with the new token, without a wait, in addition to the allowed attempts', async () => {
  const { provider, told } = providerOf('stale', 'fresh');
  const waits = [];
  const sender = clientOf(server.baseUrl, {
    token: provider,
    maxRetries: 0,
    hooks: { onRetry: ({ waitMs }) => waits.push(waitMs) },
  });
  const { attempts } = await sender.createOrder(minimalOrder());
  assert.equal(attempts, 2);
  assert.deepEqual(told, [undefined, 'stale']);
  assert.deepEqual(waits, [0]);
  assert.deepEqual(
    server.requests.map(({ headers }) => headers.authorization),
    ['Bearer stale', 'Bearer fresh'],
  );
});

for (const [what, token, attempts, message] of /** @type {[string, any, number, RegExp][]} */ ([
  ['ever new tokens: one replacement, never a loop', providerOf('stale', 'staler', 'stalest').provider, 2, /401/],
  ['the same token again, which is not sent', providerOf('stale').provider, 1, /returned the same token again/],
  ['a token string', 'stale', 1, /401/],
])) {
  test(`401 always, with ${what}: AuthenticationError`, async () => {
    const error = await rejection(clientOf(server.baseUrl, { token }).createOrder(minimalOrder()));
    assert.ok(error instanceof client.AuthenticationError);
    assert.deepEqual(
      [error.attempts, error.status, error.outcome, error.retryable],
      [attempts, 401, 'not-created', false],
    );
    assert.match(error.message, message);
    assert.equal(server.requests.length, attempts);
  });
}

test('the next order calls a provider that has recovered', async () => {
  const { provider } = providerOf('stale', 'stale', 'fresh');
  const sender = clientOf(server.baseUrl, { token: provider });
  assert.ok((await rejection(sender.createOrder(numbered(0)))) instanceof client.AuthenticationError);
  assert.equal((await sender.createOrder(numbered(1))).status, 201);
});

test('a 401 after an attempt that may have stored the order has outcome unknown', async () => {
  const lost = await startFaultServer(resetsBeforeHeaders, answer(401));
  const error = await rejection(clientOf(lost.baseUrl).createOrder(minimalOrder()));
  assert.ok(error instanceof client.AuthenticationError);
  assert.equal(error.outcome, 'unknown');
});

test('a provider that always throws is called four times, then AuthenticationError with its error as cause; nothing was sent', async () => {
  const failing = new Error('identity service is down');
  for (const fail of [
    () => Promise.reject(failing),
    () => {
      throw failing;
    },
  ]) {
    let calls = 0;
    const waits = [];
    const token = () => {
      calls++;
      return fail();
    };
    const hooks = { onRetry: ({ attempt, reason, waitMs }) => waits.push([attempt, reason, waitMs]) };
    const error = await rejection(clientOf(server.baseUrl, { token, hooks }).createOrder(minimalOrder()));
    assert.ok(error instanceof client.AuthenticationError);
    assert.deepEqual([error.attempts, error.outcome, error.retryable, error.cause], [0, 'not-created', true, failing]);
    assert.equal(calls, 4);
    assert.deepEqual(
      waits,
      [500, 1000, 2000].map((ms) => [0, 'AuthenticationError', ms]),
    );
  }
  assert.equal(server.requests.length, 0);
});

test('a provider that fails once is called again after a wait, once for all orders that need a token', async () => {
  const { provider, told } = providerOf(() => Promise.reject(new Error('down')), 'fresh');
  const sender = clientOf(server.baseUrl, { token: provider });
  const created = await Promise.all([0, 1].map((n) => sender.createOrder(numbered(n))));
  assert.ok(created.every(({ attempts }) => attempts === 1));
  assert.deepEqual(told, [undefined, undefined]);
});

test('a provider that fails is called no more often than maxRetries and the time allow', async () => {
  let calls = 0;
  const token = () => {
    calls++;
    throw new Error('down');
  };
  const sender = clientOf(server.baseUrl, { token });
  assert.ok(
    (await rejection(sender.createOrder(minimalOrder(), { maxRetries: 0 }))) instanceof client.AuthenticationError,
  );
  assert.equal(calls, 1);
  // The first wait is of 500 ms, the second would be of a second.
  const hurried = await rejection(sender.createOrder(minimalOrder(), { totalTimeoutMs: 1400 }));
  assert.ok(hurried instanceof client.AuthenticationError);
  assert.ok(calls <= 3, `${calls} calls`);
});

test('a provider that fails while it replaces a refused token is called again with that token', async () => {
  const { provider, told } = providerOf('stale', () => Promise.reject(new Error('down')), 'fresh');
  const { attempts, status } = await clientOf(server.baseUrl, { token: provider }).createOrder(minimalOrder());
  assert.deepEqual([attempts, status], [2, 201]);
  assert.deepEqual(told, [undefined, 'stale', 'stale']);
});

test('a token that no header can contain is rejected before the network, without being shown', async () => {
  const wrong = [
    '',
    ' ',
    'se cret',
    'secret\n',
    'secret\r\nX-Evil: 1',
    'sécret',
    'Bearer secret',
    '\u0000secret',
    undefined,
    null,
    7,
    {},
  ];
  for (const token of wrong) {
    const ofOption = await rejection((async () => clientOf(server.baseUrl, { token }))());
    assert.ok(ofOption instanceof TypeError);
    const ofProvider = await rejection(clientOf(server.baseUrl, { token: () => token }).createOrder(minimalOrder()));
    assert.ok(ofProvider instanceof client.AuthenticationError);
    for (const { message, cause } of [ofOption, ofProvider])
      assert.doesNotMatch(`${message} ${cause?.message}`, /s[eé] ?cret/);
  }
  assert.equal(server.requests.length, 0);
});

test('a provider that hangs fails at the total time, and does not block later orders', async () => {
  const signals = [];
  let hangs = true;
  const token = ({ signal }) => {
    signals.push(signal);
    return hangs ? new Promise(() => {}) : 'fresh';
  };
  const sender = clientOf(server.baseUrl, { token, totalTimeoutMs: 5000 });
  const errors = await Promise.all([0, 1].map((n) => rejection(sender.createOrder(numbered(n)))));
  for (const error of errors) {
    assert.ok(error instanceof client.TimeoutError);
    assert.deepEqual([error.attempts, error.outcome], [0, 'not-created']);
  }
  assert.equal(signals.length, 1);
  assert.ok(signals[0].aborted);
  hangs = false;
  assert.equal((await sender.createOrder(numbered(2))).status, 201);
});

test('aborting an order that waits for the token does not affect the others', async () => {
  const signals = [];
  const token = async ({ signal }) => {
    signals.push(signal);
    await setImmediate();
    return 'fresh';
  };
  const sender = clientOf(server.baseUrl, { token });
  const controller = new AbortController();
  const aborted = rejection(sender.createOrder(numbered(0), { signal: controller.signal }));
  const other = sender.createOrder(numbered(1));
  controller.abort();
  const error = await aborted;
  assert.ok(error instanceof client.AbortedError);
  assert.deepEqual([error.attempts, error.outcome], [0, 'not-created']);
  assert.equal((await other).status, 201);
  assert.equal(signals.length, 1);
  assert.ok(!signals[0].aborted);
});

test('after a replaced token, faults are retried as often as without', async () => {
  const { provider } = providerOf('stale', 'fresh');
  script = new Array(9).fill(answer(503));
  const waits = [];
  const sender = clientOf(server.baseUrl, { token: provider, hooks: { onRetry: ({ waitMs }) => waits.push(waitMs) } });
  const error = await rejection(sender.createOrder(minimalOrder()));
  assert.equal(error.attempts, 5);
  assert.deepEqual(waits, [0, 500, 1000, 2000]);
});

/**
 * Starts a service whose tokens expire, and plays `step` for a request with one that has not. `told`: what the provider
 * was told.
 */
async function startExpiring(t, lifeMs, step, script = []) {
  const expiring = await startFaultServer(...script);
  t.after(() => expiring.close());
  const told = [];
  let expiresAt = 0;
  const token = ({ rejected }) => {
    told.push(rejected);
    expiresAt = platform.now() + lifeMs;
    return `token-${told.length}`;
  };
  const isValid = ({ headers }) =>
    headers.authorization === `Bearer token-${told.length}` && platform.now() < expiresAt;
  expiring.playAlways((exchange) => (isValid(exchange) ? step(exchange) : answer(401)(exchange)));
  const waits = [];
  const hooks = { onRetry: ({ status, waitMs }) => waits.push([status, waitMs]) };
  return { ...expiring, told, waits, options: { token, hooks } };
}

for (const times of [2, 5]) {
  test(`a token that expires ${times} times during the retries of an order is replaced each time, and none of these attempts counts`, async (t) => {
    const busy = new Array(times).fill(answer(503, '', { 'Retry-After': '10' }));
    const { told, waits, options, ...service } = await startExpiring(t, 5000, (exchange) =>
      (busy.shift() ?? creates)(exchange),
    );
    const sender = clientOf(service.baseUrl, { ...options, maxRetries: times });
    const orders = sender.createOrders([numbered(0)]);
    assert.deepEqual(await orders, { created: 1, alreadyThere: 0, accepted: 0, failed: [] });
    assert.deepEqual(told, [undefined, ...Array.from({ length: times }, (_, n) => `token-${n + 1}`)]);
    assert.equal(service.requests.length, 2 * times + 1);
    // The first replacement is at once, later ones wait as retries do.
    const pauses = waits.filter(([status]) => status === 401).map(([, waitMs]) => waitMs);
    assert.deepEqual(pauses, [0, 500, 1000, 2000, 4000].slice(0, times));
  });
}

test('1,000 orders are created with tokens that live 5 seconds, each of which is requested once', async (t) => {
  const seconds = [0.1, 1, 2, 7, 0.5, 12, 3];
  let count = 0;
  const { told, options, ...service } = await startExpiring(t, 5000, (exchange) => {
    const ms = 1000 * seconds[count++ % seconds.length];
    // Trouble halves the number of orders at the same time: those that wait for their turn would wait with a token that
    // expires.
    return later(ms, count % 100 < 50 && count % 2 === 0 ? answer(503) : creates)(exchange);
  });
  const startedAt = platform.now();
  const sender = clientOf(service.baseUrl, { ...options, maxRetries: 20, totalTimeoutMs: 3_600_000 });
  const summary = await sender.createOrders(manyOrders(1000), { concurrency: 32 });
  assert.deepEqual(summary, { created: 1000, alreadyThere: 0, accepted: 0, failed: [] });
  assert.equal(service.orders.size, 1000);
  assert.equal(new Set(told).size, told.length);
  assert.ok(told.length <= (platform.now() - startedAt) / 5000 + 1, `${told.length} tokens`);
});

test('100 orders whose token expires a second time: the provider is called once for each token', async () => {
  const { provider, told } = providerOf('fresh', 'fresher', 'freshest');
  const sender = clientOf(server.baseUrl, { token: provider });
  for (const [round, token] of ['fresh', 'fresher', 'freshest'].entries()) {
    valid = token;
    await Promise.all(Array.from({ length: 100 }, (_, n) => sender.createOrder(numbered(100 * round + n))));
  }
  assert.deepEqual(told, [undefined, 'fresh', 'fresher']);
  assert.equal(server.orders.size, 300);
});

test('a token that was accepted for another order, and is refused later, is replaced again', async () => {
  const { provider, told } = providerOf('stale', 'fresh', 'fresher');
  const sender = clientOf(server.baseUrl, { token: provider });
  script = [
    (exchange) => {
      valid = 'fresher';
      return later(5000, creates)(exchange);
    },
  ];
  // The first order takes 5 seconds with the token that the second one is refused meanwhile: it may yet be accepted.
  const created = await Promise.all([0, 1].map((n) => sender.createOrder(numbered(n))));
  assert.deepEqual(
    created.map(({ attempts }) => attempts),
    [2, 3],
  );
  assert.deepEqual(told, [undefined, 'stale', 'fresh']);
});

test('a token that is refused after a lost connection is replaced: it may have expired unused', async () => {
  const { provider, told } = providerOf('stale', 'fresh', 'fresher');
  script = [];
  const { length } = server.requests;
  const fetch = async (url, init) => {
    if (server.requests.length === length + 1 && valid === 'fresh') {
      valid = 'fresher';
      throw new TypeError('fetch failed');
    }
    return globalThis.fetch(url, init);
  };
  const { attempts } = await clientOf(server.baseUrl, { token: provider, fetch }).createOrder(minimalOrder());
  assert.equal(attempts, 4);
  assert.deepEqual(told, [undefined, 'stale', 'fresh']);
});

test('an order that waits for its turn gets its new token then: it does not expire meanwhile', async (t) => {
  // Two failures leave room for one request. The first order is refused its token while the others wait for their turns.
  const script = [later(3000, answer(401)), answer(503), answer(503), later(7000, creates)];
  const { told, options, ...service } = await startExpiring(t, 5000, creates, script);
  const summary = await clientOf(service.baseUrl, options).createOrders(manyOrders(3), { concurrency: 3 });
  assert.deepEqual(summary, { created: 3, alreadyThere: 0, accepted: 0, failed: [] });
  assert.deepEqual(told, [undefined, 'token-1']);
});

test('two tokens refused in direct succession end the batch, however many were accepted before', async (t) => {
  let count = 0;
  const { told, options, ...service } = await startExpiring(t, 5000, (exchange) =>
    (++count > 20 ? answer(401) : later(1000, creates))(exchange),
  );
  const seen = [];
  const onResult = ({ ok }) => void seen.push(ok);
  const batch = clientOf(service.baseUrl, options).createOrders(manyOrders(99), { concurrency: 1, onResult });
  const error = await rejection(batch);
  assert.ok(error instanceof client.AuthenticationError);
  assert.deepEqual([error.status, error.retryable, error.attempts], [401, false, 2]);
  assert.deepEqual(seen, [...new Array(20).fill(true), false]);
  assert.equal(told.length, 5);
});

test('a provider of ever new tokens, all of them refused, is called at most twice for an order, and nothing loops', async () => {
  const fetch = async () => new Response('{"message":"no"}', { status: 401 });
  for (const concurrency of [1, 8]) {
    let tokens = 0;
    const requests = [];
    const sender = clientOf('https://x.example', {
      token: () => `token-${++tokens}`,
      fetch,
      hooks: { onRequest: ({ orderId, attempt }) => requests.push([orderId, attempt]) },
    });
    const options = { concurrency, stopOnUnauthorized: false };
    const { failed } = await sender.createOrders(manyOrders(50), options);
    assert.ok(failed.every(({ error }) => error.name === 'AuthenticationError' && error.status === 401));
    assert.equal(failed.length, 50);
    assert.ok(tokens <= 100, `${tokens} tokens`);
    assert.ok(requests.every(([, attempt]) => attempt <= 2));
  }
});

test('an order that is refused every token that others are accepted with ends with its time, and the batch goes on', async () => {
  const outlaw = numbered(0).Id;
  let tokens = 0;
  let others = 100;
  const fetch = async (url, { body }) => {
    if (!url.includes(outlaw)) return new Response(body, { status: 201 });
    await sender.createOrder(numbered(others++));
    return new Response('', { status: 401 });
  };
  const sender = clientOf('https://x.example', { token: () => `token-${++tokens}`, fetch, totalTimeoutMs: 60_000 });
  const { created, failed } = await sender.createOrders(manyOrders(9));
  assert.equal(created, 8);
  const [{ orderId, error }] = failed;
  assert.deepEqual([orderId, error.name, error.status, error.retryable], [outlaw, 'AuthenticationError', 401, true]);
  // It waited 0, 0.5, 1, 2, 4, 8 and then 10 seconds.
  assert.deepEqual([error.attempts, tokens], [11, 11]);
});

test('a token function that returns no token has failed, and the message says what it must return', async () => {
  const error = await rejection(
    clientOf('https://intake.test', { token: () => undefined }).createOrder(numbered(0), { maxRetries: 0 }),
  );
  assert.deepEqual([error.name, error.outcome, error.attempts], ['AuthenticationError', 'not-created', 0]);
  assert.match(error.message, /^The token function must return a bearer token: a string without spaces/);
});

test('a token function that does not return in time has failed; the next call is a new one, for all that wait', async () => {
  const clock = handClock();
  /** @type {AbortSignal[]} */
  const signals = [];
  let hangs = true;
  const options = {
    tokenTimeoutMs: 5000,
    retry: { baseMs: 1, capMs: 1 },
    token: ({ signal }) => {
      signals.push(signal);
      return hangs ? new Promise(() => {}) : 'fresh';
    },
    fetch: async (_, { body }) => new Response(body, { status: 201 }),
  };
  const sender = clientOf('https://intake.test', options, clock.platform);
  const failing = [0, 1].map((n) => rejection(sender.createOrder(numbered(n), { maxRetries: 0 })));
  await clock.advance(3000);
  const repeated = sender.createOrder(numbered(2));
  await clock.advance(1999);
  assert.equal(signals.length, 1);
  hangs = false;
  await clock.advance(1);
  for (const error of await Promise.all(failing)) {
    const { name, message, outcome, retryable, attempts } = error;
    assert.deepEqual([name, outcome, retryable, attempts], ['AuthenticationError', 'not-created', true, 0]);
    assert.match(message, /The token function did not return within 5 s/);
  }
  assert.equal(signals[0]?.aborted, true);
  await clock.advance(10);
  assert.equal((await repeated).status, 201);
  assert.equal(signals.length, 2);
});
