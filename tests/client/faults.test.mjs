/** Tests every fault of the service or of the connection: what the client sends, and what it reports. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inShort, minimalOrder } from '../node/orders.mjs';
import { rejection } from '../thrown.mjs';
import { clientOf, manyOrders, numbered, ORDER_ID } from './clients.mjs';
import {
  after,
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
import { assertApart, BACKOFFS, inBrief, MINUTE, play } from './play.mjs';

/** Temporary faults: a later attempt succeeds. tests/responses has the responses that can be repeated. */
const PASSING = [
  ['a reset before the headers, after the order was stored', afterStoring(resetsBeforeHeaders)],
  ['a reset in the middle of the body', afterStoring(resetsInBody)],
  ['500', answer(500, '{"Message":"An error has occurred."}')],
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
    assertApart(requests, MINUTE + BACKOFFS[0]);
  });
}

/** Lasting faults: an error after four attempts. */
const LASTING = [
  ['resets in the body', resetsInBody, 'ConnectionError', 'unknown', undefined],
  ['429', answer(429), 'RateLimitError', 'not-created', 429],
  ['599', answer(599), 'ServerError', 'unknown', 599],
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

test('a refusal is final after one attempt, and the error has the issues of the service as its own', async () => {
  const { error, sent } = await play([answer(400, PROBLEM, type('application/problem+json'))]);
  assert.equal(sent, 1);
  const expected = { name: 'RejectedError', attempts: 1, outcome: 'not-created', retryable: false, status: 400 };
  assert.deepEqual(inBrief(error), expected);
  assert.deepEqual(inShort(error.issues), ['error quantity_not_positive /Items/0/Quantity']);
  const [issue] = error.issues;
  assert.deepEqual(issue.path, ['Items', 0, 'Quantity']);
  assert.equal(issue.message, 'Quantity must be greater than 0');
});

/** Another request with this Id is in progress, as some services say it. */
const IN_PROGRESS =
  '{"error":{"code":"idempotency_key_in_use","message":"There is currently another request in progress."}}';

for (const [what, lost] of [
  ['a lost response', afterStoring(resetsBeforeHeaders)],
  ['a time-out', afterStoring(stallsBeforeHeaders)],
  ['a 408 after storing', afterStoring(answer(408))],
]) {
  test(`409 after ${what} is repeated; if it stays, the outcome is unknown, and the message says why`, async () => {
    const { error, sent, stored, waits } = await play([lost, createsOnlyOnce, createsOnlyOnce, createsOnlyOnce], {
      timeoutMs: 10_000,
    });
    assert.deepEqual([sent, stored, waits], [4, 1, BACKOFFS]);
    assert.deepEqual(inBrief(error), {
      name: 'ConflictError',
      attempts: 4,
      outcome: 'unknown',
      retryable: true,
      status: 409,
    });
    assert.match(error.message, /an earlier attempt may have stored it, or still be in progress/);
  });

  test(`409 after ${what}, while that attempt is in progress: the order is created`, async () => {
    const busy = answer(409, IN_PROGRESS, { 'Retry-After': '5' });
    const { created, sent, stored, waits } = await play([lost, busy], { timeoutMs: 10_000 });
    assert.deepEqual([created?.status, created?.attempts, sent, stored], [200, 3, 3, 1]);
    assert.deepEqual(waits, [500, 5500]);
  });
}

test('409 while another call with the same Id is in flight is repeated', async () => {
  const server = await startFaultServer(after(3000, creates), answer(409, IN_PROGRESS, { 'Retry-After': '5' }));
  const sender = clientOf(server.baseUrl);
  const [first, second] = await Promise.all([1, 2].map(() => sender.createOrder(minimalOrder())));
  assert.deepEqual([first.status, second.status, second.attempts], [201, 200, 2]);
});

for (const [status, asked, waits] of /** @type {any[][]} */ ([
  [425, undefined, [500]],
  [409, '3', [3500]],
  [422, 'Sun, 06 Nov 1994 08:49:37 GMT', [500]],
])) {
  test(`a ${status} with Retry-After: ${asked} is repeated, and is not-created if it stays`, async () => {
    const refused = answer(status, '{"message":"Not now"}', asked === undefined ? {} : { 'Retry-After': asked });
    const { created, ...played } = await play([refused]);
    assert.deepEqual([created?.status, created?.attempts, played.waits], [201, 2, waits]);
    const { error, sent } = await play(new Array(4).fill(refused));
    assert.deepEqual([error.outcome, error.retryable, error.attempts, sent], ['not-created', true, 4, 4]);
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
});

test('orders with an unknown outcome do not affect others', async () => {
  const sender = await afterUnknown(1);
  assert.equal((await rejection(sender.createOrder(numbered(7), { version: 'v2' }))).outcome, 'not-created');
});

test('the last 10,000 orders with an unknown outcome are remembered', async () => {
  const sender = await afterUnknown(10_001);
  assert.equal((await rejection(sender.createOrder(numbered(0), { version: 'v2' }))).outcome, 'not-created');
  assert.equal((await rejection(sender.createOrder(numbered(2), { version: 'v2' }))).outcome, 'unknown');
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

// ---------------------------------------------------------------- redirects

test('a redirect is not followed, so the token is not sent elsewhere', async () => {
  const other = await startFaultServer();
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
});

test('an opaque redirect, as browsers return it, is a UnexpectedResponseError too', async () => {
  const opaque = { status: 0, ok: false, type: 'opaqueredirect', headers: new Headers(), body: null };
  const error = await rejection(
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

function type(mediaType) {
  return { 'Content-Type': mediaType };
}
