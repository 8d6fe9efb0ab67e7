/** Tests errors: `instanceof` recognises them, they show the caller, and they can be logged. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { minimalOrder } from '../node/orders.mjs';
import { rejection } from '../thrown.mjs';
import { client, clientOf, ORDER_ID, TOKEN } from './clients.mjs';

const NAMES = [
  ...['AbortedError', 'AuthenticationError', 'ConflictError', 'ConnectionError', 'NotFoundError', 'PermissionError'],
  ...['UnexpectedResponseError', 'RateLimitError', 'RejectedError', 'ServerError', 'TimeoutError'],
];
const DETAILS = { orderId: ORDER_ID, version: 'v3', attempts: 1, retryable: false, outcome: 'unknown' };

test('instanceof holds for nothing else, even if it has the same name', () => {
  const others = [new DOMException('x', 'TimeoutError'), new Error('x'), {}, 7, null, undefined, 'ServerError'];
  const named = Object.assign(new Error('x'), { name: 'toString', outcome: 'unknown' });
  for (const name of ['OrderIntakeError', ...NAMES])
    for (const other of [...others, named, { name, ...DETAILS }, Object.assign(new Error('x'), { name, ...DETAILS })])
      assert.equal(other instanceof client[name], false, name);
});

test('its cause is not enumerable, and what instanceof needs does not show', async () => {
  const lost = new TypeError('lost');
  const error = await rejection(
    clientOf('https://x.example', { fetch: () => Promise.reject(lost), maxRetries: 0 }).createOrder(minimalOrder()),
  );
  assert.equal(error.cause, lost);
  const members = ['attempts', 'failure', 'isSent', 'isSuspect', 'orderId', 'outcome', 'retryable', 'url', 'version'];
  assert.deepEqual(Object.keys(error).sort(), members);
  for (const key of Object.getOwnPropertySymbols(error))
    assert.equal(Object.getOwnPropertyDescriptor(error, key)?.enumerable, false);
});

test('the stack shows the line of the caller', async () => {
  async function checkOut(options) {
    return await clientOf('https://x.example', options).createOrder(minimalOrder());
  }
  const responses = [
    async () => new Response('', { status: 409 }),
    async () => new Response('<html>', { status: 200 }),
    () => Promise.reject(new TypeError('lost')),
  ];
  for (const fetch of responses) {
    const error = await rejection(checkOut({ fetch, maxRetries: 1 }));
    assert.match(error.stack, /at async checkOut .*errors\.test\.mjs/, error.name);
  }
  const token = () => Promise.reject(new Error('no token'));
  assert.match((await rejection(checkOut({ token, maxRetries: 1 }))).stack, /at async checkOut /);
});

test('an error can be logged: neither its message nor its printed form contains a token, name, note or customer', async () => {
  const secrets = {
    FirstName: 'Adelheid',
    LastName: 'Quillfeather',
    CustomerId: '99999999-8888-4777-8666-555555555555',
    Notes: 'ring twice',
    TimeSlotDisplayString: 'at dusk',
  };
  const echo =
    (status) =>
    (_, { body }) =>
      new Response(`{"Message":${JSON.stringify(body)},"ModelState":{"Notes":[${JSON.stringify(body)}]}}`, { status });
  const other = (_, { body }) =>
    new Response(body.replaceAll(ORDER_ID, '11111111-2222-4333-8444-555555555555'), { status: 201 });
  for (const answer of [...[400, 401, 403, 404, 409, 418, 429, 500, 302].map(echo), other]) {
    const fetch = async (url, init) => answer(url, init);
    const error = await rejection(
      clientOf('https://x.example', { fetch, maxRetries: 0 }).createOrder(minimalOrder(secrets)),
    );
    assert.ok(error.body.includes('Adelheid'));
    for (const text of [
      error.message,
      error.stack,
      inspect(error),
      JSON.stringify(error),
      JSON.stringify({ ...error }),
    ]) {
      for (const secret of [TOKEN, ...Object.values(secrets)])
        assert.ok(!text.includes(secret), `${error.name}: ${secret}`);
    }
    assert.ok(inspect(error).includes(ORDER_ID));
  }
});

test('an error can be made although a program has added members to Object.prototype', async () => {
  const refusal = async () =>
    new Response('{"Message":"No."}', { status: 400, headers: { 'Content-Type': 'application/json' } });
  for (const value of ['polluted', () => 'polluted']) {
    const response = await refusal();
    const sending = () => clientOf('https://x.example', { fetch: async () => response }).createOrder(minimalOrder());
    const names = ['get', 'set', 'enumerable', 'writable', 'configurable'];
    let error;
    const descriptor = /** @type {any} */ ({ __proto__: null, configurable: true, value });
    for (const name of names) Object.defineProperty(Object.prototype, name, descriptor);
    try {
      error = await rejection(sending());
    } finally {
      for (const name of names) delete Object.prototype[name];
    }
    assert.ok(error instanceof client.RejectedError, String(error));
    assert.deepEqual([error.status, error.detail, error.isSuspect], [400, 'No.', false]);
    assert.deepEqual(Object.keys(error).sort(), [
      'attempts',
      'isSuspect',
      'mediaType',
      'orderId',
      'outcome',
      'retryable',
      'status',
      'url',
      'version',
    ]);
  }
});

test('hooks receive method, path, attempt, status, duration and request id, and nothing else', async () => {
  const seen = [];
  const statuses = [503, 201];
  const fetch = async (_, { body }) =>
    new Response(body, { status: statuses.shift(), headers: { 'X-Request-Id': 'r-7' } });
  const hooks = {};
  for (const name of ['onRequest', 'onRetry', 'onResponse', 'onError'])
    hooks[name] = (event) => seen.push([name, event]);
  await clientOf('https://x.example/base', { fetch, hooks }).createOrder(minimalOrder({ Notes: 'ring twice' }));
  const common = { method: 'PUT', path: `v3/ServiceOrder(${ORDER_ID})`, orderId: ORDER_ID, version: 'v3' };
  for (const [, event] of seen) {
    if ('durationMs' in event) assert.equal(event.durationMs, 0);
    delete event.durationMs;
  }
  assert.deepEqual(seen, [
    ['onRequest', { ...common, attempt: 1 }],
    ['onResponse', { ...common, attempt: 1, status: 503, requestId: 'r-7' }],
    ['onRetry', { ...common, attempt: 1, waitMs: 500, reason: 'ServerError', status: 503 }],
    ['onRequest', { ...common, attempt: 2 }],
    ['onResponse', { ...common, attempt: 2, status: 201, requestId: 'r-7' }],
  ]);
});

test('a hook that throws or rejects changes nothing', async () => {
  const throws = () => {
    throw new Error('hook');
  };
  for (const hook of [throws, async () => throws()]) {
    const results = [
      () => Promise.reject(new Error('lost')),
      async () => new Response(null, { status: 503 }),
      async (body) => new Response(body, { status: 201 }),
    ];
    const fetch = (_, { body }) => results.shift()?.(body);
    const hooks = { onRequest: hook, onRetry: hook, onResponse: hook, onError: hook };
    const { status, attempts } = await clientOf('https://x.example', { fetch, hooks }).createOrder(minimalOrder());
    assert.deepEqual([status, attempts], [201, 3]);
  }
});

test('hooks may be methods of an object', async () => {
  class Log {
    lines = [];
    onRequest({ attempt }) {
      this.lines.push(attempt);
    }
  }
  const hooks = new Log();
  await clientOf('https://x.example', { fetch: async (_, { body }) => new Response(body), hooks }).createOrder(
    minimalOrder(),
  );
  assert.deepEqual(hooks.lines, [1]);
});
