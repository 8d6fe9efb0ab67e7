/** Tests every fault of the service or of the connection: what the client sends, what it reports, and how long it waits. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inShort, minimalOrder } from '../node/orders.mjs';
import { clientOf, failureOf, fastPlatform, manyOrders, numbered, ORDER_ID, SPEED, TOKEN } from './clients.mjs';
import {
  afterStoring,
  answer,
  creates,
  createsOnlyOnce,
  resetsBeforeHeaders,
  resetsInBody,
  stallsBeforeHeaders,
  stallsInBody,
  startFaultServer,
} from './fault-server.mjs';

const MINUTE = 60_000;
/** The waits in milliseconds, with jitter in the middle of its range. */
const BACKOFFS = [500, 1000, 2000];

/** Sends one order to a service that plays a script; returns the result or the error, the waits and the requests. */
async function play(script, options) {
  const server = await startFaultServer(...script);
  const waits = [];
  const hooks = { onRetry: ({ waitMs }) => waits.push(waitMs) };
  try {
    const outcome = await clientOf(server.baseUrl, { hooks, ...options })
      .createOrder(minimalOrder())
      .then(
        (created) => ({ created }),
        (error) => ({ error }),
      );
    checkRequests(server.requests);
    return {
      ...outcome,
      waits,
      sent: server.requests.length,
      requests: server.requests,
      stored: server.orders.get(ORDER_ID)?.creations ?? 0,
    };
  } finally {
    await server.close();
  }
}

/** Checks what every attempt must have, whatever happened before it. */
function checkRequests(requests) {
  for (const { method, url, headers, body } of requests) {
    assert.equal(`${method} ${url}`, `PUT /intake/v3/ServiceOrder(${ORDER_ID})`);
    assert.equal(headers.accept, 'application/json');
    assert.equal(headers['content-type'], 'application/json');
    assert.match(headers.authorization, /^Bearer \S+$/);
    assert.equal(body, requests[0].body);
  }
}

/** Asserts that two requests are about `ms` apart; a busy machine may take longer. */
function assertApart([first, second], ms) {
  const apart = (second.at - first.at) * SPEED;
  assert.ok(apart > 0.9 * ms && apart < 5 * ms, `${apart} ms`);
}

/** Temporary faults: a later attempt succeeds. */
const PASSING = [
  ['a reset before the headers', resetsBeforeHeaders],
  ['a reset before the headers, after the order was stored', afterStoring(resetsBeforeHeaders)],
  ['a reset in the middle of the body', afterStoring(resetsInBody)],
  ['408', answer(408)],
  ['429 without a wait', answer(429)],
  ['500', answer(500, '{"Message":"An error has occurred."}')],
  [
    '502 as an HTML page',
    answer(502, '<html><head><title>Bad Gateway</title></head></html>', { 'Content-Type': 'text/html' }),
  ],
  ['503', answer(503)],
  ['504', answer(504)],
  ['a 200 with an HTML page', answer(200, '<html><title>Sign in</title></html>', type('text/html'))],
  ['an empty 200, after the order was stored', afterStoring(answer(200))],
];

for (const [what, fault] of PASSING) {
  test(`${what} is retried with the same bytes, and the order is stored once`, async () => {
    const { created, waits, sent, stored } = await play([fault]);
    assert.equal(created.attempts, 2);
    assert.equal(sent, 2);
    assert.equal(stored, 1);
    assert.equal(created.order.Id, ORDER_ID);
    assert.deepEqual(waits, BACKOFFS.slice(0, 1));
  });
}

for (const [what, fault] of [
  ['headers that stall', stallsBeforeHeaders],
  ['a body that stalls', afterStoring(stallsInBody)],
]) {
  test(`${what} end an attempt after a minute, and the order is stored once`, async () => {
    const { created, waits, requests, stored } = await play([fault]);
    assert.equal(created.attempts, 2);
    assert.equal(stored, 1);
    assert.deepEqual(waits, BACKOFFS.slice(0, 1));
    assertApart(requests, MINUTE);
  });
}

/** Lasting faults: an error after four attempts. */
const LASTING = [
  ['resets before the headers', resetsBeforeHeaders, 'ConnectionError', 'unknown', undefined],
  ['resets in the body', resetsInBody, 'ConnectionError', 'unknown', undefined],
  ['408', answer(408), 'RejectedError', 'unknown', 408],
  ['429', answer(429), 'RateLimitError', 'not-created', 429],
  ['500', answer(500), 'ServerError', 'unknown', 500],
  ['502', answer(502), 'ServerError', 'unknown', 502],
  ['503', answer(503), 'ServerError', 'unknown', 503],
  ['504', answer(504), 'ServerError', 'unknown', 504],
  [
    'a 200 with an HTML page',
    answer(200, '<p>Sign in</p>', type('text/html')),
    'UnexpectedResponseError',
    'unknown',
    200,
  ],
  ['an empty 200', answer(200), 'UnexpectedResponseError', 'unknown', 200],
];

for (const [what, fault, name, outcome, status] of LASTING) {
  test(`${what} on every attempt: four attempts, then ${name}, outcome ${outcome}`, async () => {
    const { error, sent, waits } = await play(new Array(9).fill(fault));
    assert.equal(sent, 4);
    assert.deepEqual(waits, BACKOFFS);
    assert.deepEqual(inBrief(error), { name, attempts: 4, outcome, retryable: true, status });
    assert.equal(error.orderId, ORDER_ID);
    assert.equal(error.version, 'v3');
  });
}

for (const [what, fault] of [
  ['headers', stallsBeforeHeaders],
  ['a body', stallsInBody],
]) {
  test(`${what} that stall on every attempt are a TimeoutError, outcome unknown`, async () => {
    const { error, sent } = await play(new Array(9).fill(fault), { timeoutMs: 10_000 });
    assert.equal(sent, 4);
    assert.deepEqual(inBrief(error), {
      name: 'TimeoutError',
      attempts: 4,
      outcome: 'unknown',
      retryable: true,
      status: undefined,
    });
  });
}

const PROBLEM = JSON.stringify({
  title: 'Bad Request',
  detail: "The order can't be created.",
  errors: [{ pointer: '/Items/0/Quantity', code: 'quantity_not_positive', detail: 'Quantity must be greater than 0' }],
});
const MODEL_STATE = JSON.stringify({
  Message: 'The request is invalid.',
  ModelState: { 'order.Items[0].Quantity': ['too small'] },
});
/** Responses that are final after one attempt. */
const FINAL = [
  [
    '400 as problem+json',
    answer(400, PROBLEM, type('application/problem+json')),
    'RejectedError',
    400,
    ['error quantity_not_positive /Items/0/Quantity'],
  ],
  [
    '400 as Message and ModelState',
    answer(400, MODEL_STATE),
    'RejectedError',
    400,
    ['error rejected_by_service /Items/0/Quantity'],
  ],
  [
    '400 as an HTML page',
    answer(400, '<html><title>Bad Request</title></html>', type('text/html')),
    'RejectedError',
    400,
    [],
  ],
  ['400 without a body', answer(400), 'RejectedError', 400, []],
  ['403', answer(403, '{"message":"no"}'), 'PermissionError', 403, []],
  [
    '404 as hal+json',
    answer(404, '{"_links":{"self":{"href":"/x"}},"title":"Not Found"}', type('application/hal+json')),
    'NotFoundError',
    404,
    [],
  ],
  ['409', answer(409, '{"Message":"Another order has this id."}'), 'ConflictError', 409, []],
  ['413', answer(413, 'too large', type('text/plain')), 'RejectedError', 413, []],
  ['418', answer(418), 'RejectedError', 418, []],
];

for (const [what, fault, name, status, issues] of FINAL) {
  test(`${what} is final: ${name}, outcome not-created`, async () => {
    const { error, sent } = await play([fault]);
    assert.equal(sent, 1);
    assert.deepEqual(inBrief(error), { name, attempts: 1, outcome: 'not-created', retryable: false, status });
    assert.deepEqual(inShort(error.issues), issues);
  });
}

test('501 is never retried, and its outcome is unknown like that of every 5xx', async () => {
  const { error, sent } = await play([answer(501)]);
  assert.equal(sent, 1);
  assert.deepEqual(inBrief(error), {
    name: 'ServerError',
    attempts: 1,
    outcome: 'unknown',
    retryable: false,
    status: 501,
  });
});

test('issues of the service have all members of an issue', async () => {
  const { error } = await play([answer(400, PROBLEM)]);
  const [issue] = error.issues;
  assert.deepEqual(issue.path, ['Items', 0, 'Quantity']);
  assert.equal(issue.message, 'Quantity must be greater than 0');
});

for (const [what, lost] of [
  ['a lost response', afterStoring(resetsBeforeHeaders)],
  ['a time-out', afterStoring(stallsBeforeHeaders)],
  ['a 500 after storing', afterStoring(answer(500))],
  ['a 408 after storing', afterStoring(answer(408))],
]) {
  test(`409 after ${what}: outcome unknown, and the message says that an earlier attempt may have stored it`, async () => {
    const { error, sent, stored } = await play([lost, createsOnlyOnce], { timeoutMs: 10_000 });
    assert.equal(sent, 2);
    assert.equal(stored, 1);
    assert.deepEqual(inBrief(error), {
      name: 'ConflictError',
      attempts: 2,
      outcome: 'unknown',
      retryable: false,
      status: 409,
    });
    assert.match(error.message, /an earlier attempt may have stored it/);
  });
}

test('an order with an unknown outcome stays unknown in later calls, until it is created', async () => {
  const server = await startFaultServer(
    afterStoring(stallsBeforeHeaders),
    answer(403),
    createsOnlyOnce,
    creates,
    answer(403),
  );
  try {
    const sender = clientOf(server.baseUrl, { timeoutMs: 10_000, maxRetries: 0 });
    const outcomes = [];
    for (let call = 0; call < 5; call++) {
      const { name, status, outcome } = await sender.createOrder(minimalOrder()).catch((error) => error);
      outcomes.push([name ?? 'created', status, outcome]);
    }
    assert.deepEqual(outcomes, [
      ['TimeoutError', undefined, 'unknown'],
      ['PermissionError', 403, 'unknown'],
      ['ConflictError', 409, 'unknown'],
      ['created', 200, undefined],
      ['PermissionError', 403, 'not-created'],
    ]);
  } finally {
    await server.close();
  }
});

test('orders with an unknown outcome do not affect others', async () => {
  const sender = await afterUnknown(1);
  assert.equal((await failureOf(sender.createOrder(numbered(7), { version: 'v2' }))).outcome, 'not-created');
});

test('the last 10,000 orders with an unknown outcome are remembered', async () => {
  const sender = await afterUnknown(10_001);
  assert.equal((await failureOf(sender.createOrder(numbered(0), { version: 'v2' }))).outcome, 'not-created');
  assert.equal((await failureOf(sender.createOrder(numbered(2), { version: 'v2' }))).outcome, 'unknown');
});

/** Creates a client that has sent `count` orders with an unknown outcome; v2 is rejected. */
async function afterUnknown(count) {
  const fetch = async (url) => new Response(null, { status: url.includes('/v2/') ? 403 : 500 });
  const sender = clientOf('https://x.example', { fetch, maxRetries: 0 });
  for await (const { error } of sender.createOrders(manyOrders(count), { concurrency: 1 }))
    assert.equal(error.outcome, 'unknown');
  return sender;
}

test('the message of a 409 on the first attempt does not mention earlier ones', async () => {
  const { error } = await play([answer(409)]);
  assert.doesNotMatch(error.message, /earlier/);
});

test('a rejection after an attempt with an unknown outcome is never not-created', async () => {
  for (const status of [400, 403, 404, 429]) {
    const { error } = await play([resetsBeforeHeaders, ...new Array(4).fill(answer(status))]);
    assert.equal(error.outcome, 'unknown', String(status));
    assert.equal(error.status, status);
  }
});

test('a rejection after rejections is not-created', async () => {
  const { error } = await play([answer(429), answer(429), answer(400)]);
  assert.deepEqual(inBrief(error), {
    name: 'RejectedError',
    attempts: 3,
    outcome: 'not-created',
    retryable: false,
    status: 400,
  });
});

test('a port without a server is a ConnectionError with its cause, after four attempts, outcome not-created', async () => {
  const server = await startFaultServer();
  await server.close();
  const error = await failureOf(clientOf(server.baseUrl).createOrder(minimalOrder()));
  assert.deepEqual(inBrief(error), {
    name: 'ConnectionError',
    attempts: 4,
    outcome: 'not-created',
    retryable: true,
    status: undefined,
  });
  assert.ok(error.cause instanceof TypeError);
});

// ---------------------------------------------------------------- Retry-After

test('Retry-After in seconds sets the wait, plus up to a second', async () => {
  for (const status of [429, 503]) {
    const { created, waits, requests } = await play([answer(status, '', { 'Retry-After': '7' })]);
    assert.equal(created.attempts, 2);
    assert.deepEqual(waits, [7500]);
    assertApart(requests, 7500);
  }
});

test('Retry-After as a date sets the wait, by the clock of the service', async () => {
  // The clock of the service is a day slow.
  const dayAgo = Date.now() - 86_400_000;
  const headers = { Date: new Date(dayAgo).toUTCString(), 'Retry-After': new Date(dayAgo + 9000).toUTCString() };
  const { created, waits } = await play([answer(429, '', headers)]);
  assert.equal(created.attempts, 2);
  assert.deepEqual(waits, [9500]);
});

test('Retry-After: 0, or a date in the past, still backs off', async () => {
  for (const asked of ['0', new Date(Date.now() - 60_000).toUTCString()]) {
    const { created, waits } = await play([
      answer(429, '', { 'Retry-After': asked }),
      answer(503, '', { 'Retry-After': asked }),
    ]);
    assert.equal(created.attempts, 3);
    assert.deepEqual(waits, [500, 1000]);
  }
});

test('an invalid Retry-After leaves the wait to the backoff', async () => {
  for (const asked of ['soon', '-5', '', '1e3', '5 minutes']) {
    const { waits } = await play([answer(503, '', { 'Retry-After': asked })]);
    assert.deepEqual(waits, [500], asked);
  }
});

test('a Retry-After beyond the total time fails at once, and the error has the wait', async () => {
  const { error, sent, waits } = await play([answer(429, '', { 'Retry-After': '600' })]);
  assert.equal(sent, 1);
  assert.deepEqual(waits, []);
  assert.deepEqual(inBrief(error), {
    name: 'RateLimitError',
    attempts: 1,
    outcome: 'not-created',
    retryable: true,
    status: 429,
  });
  assert.equal(error.retryAfterMs, 600_000);
  assert.match(error.message, /asks to wait 600 s/);
});

// ---------------------------------------------------------------- time

test('a wait that would exceed the total time is not started: the last error is thrown at once', async () => {
  const startedAt = fastPlatform.now();
  const retry = { baseMs: 120_000, capMs: 120_000 };
  const { error, sent } = await play(new Array(9).fill(answer(500)), { totalTimeoutMs: 50_000, maxRetries: 8, retry });
  assert.equal(sent, 1);
  assert.equal(error.name, 'ServerError');
  assert.ok(fastPlatform.now() - startedAt < 40_000);
});

test('the total time ends an attempt before its own time-out', async () => {
  const startedAt = fastPlatform.now();
  const { error, sent } = await play([stallsBeforeHeaders], { totalTimeoutMs: 10_000 });
  assert.ok(fastPlatform.now() - startedAt < 0.8 * MINUTE);
  assert.equal(sent, 1);
  assert.deepEqual(inBrief(error), {
    name: 'TimeoutError',
    attempts: 1,
    outcome: 'unknown',
    retryable: true,
    status: undefined,
  });
});

test('maxRetries: 0 means one attempt', async () => {
  const { error, sent } = await play([answer(503)], { maxRetries: 0 });
  assert.equal(sent, 1);
  assert.equal(error.name, 'ServerError');
});

// ---------------------------------------------------------------- redirects

test('a redirect is not followed, so the token is not sent elsewhere', async () => {
  const other = await startFaultServer();
  try {
    for (const status of [301, 302, 303, 307, 308]) {
      const { error, sent } = await play([
        answer(status, '', { Location: `${other.baseUrl}/v3/ServiceOrder(${ORDER_ID})` }),
      ]);
      assert.equal(sent, 1);
      assert.deepEqual(inBrief(error), {
        name: 'UnexpectedResponseError',
        attempts: 1,
        outcome: 'unknown',
        retryable: false,
        status,
      });
    }
    assert.equal(other.requests.length, 0);
  } finally {
    await other.close();
  }
});

test('an opaque redirect, as browsers return it, is a UnexpectedResponseError too', async () => {
  const opaque = { status: 0, ok: false, type: 'opaqueredirect', headers: new Headers(), body: null };
  const error = await failureOf(
    clientOf('https://x.example', { fetch: async () => opaque }).createOrder(minimalOrder()),
  );
  assert.deepEqual(inBrief(error), {
    name: 'UnexpectedResponseError',
    attempts: 1,
    outcome: 'unknown',
    retryable: false,
    status: undefined,
  });
});

test('no message contains more of an order than its id', async () => {
  const echo =
    (status) =>
    ({ body, response }) =>
      answer(status, body)({ response });
  for (const fault of [echo(400), echo(409), echo(500), resetsInBody, answer(302, '', { Location: '/x' })]) {
    const { error } = await play(new Array(4).fill(fault));
    for (const secret of [TOKEN, 'Green tea', '19.99']) assert.ok(!error.message.includes(secret));
    assert.match(error.message, new RegExp(`PUT \\S*v3/ServiceOrder\\(${ORDER_ID}\\)`));
  }
});

function inBrief({ name, attempts, outcome, retryable, status }) {
  return { name, attempts, outcome, retryable, status };
}

function type(mediaType) {
  return { 'Content-Type': mediaType };
}
