/** Tests successful responses in every form that they may have (D26), and responses that contradict the request. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inShort, minimalOrder } from '../node/orders.mjs';
import { rejection } from '../thrown.mjs';
import { client, clientOf, ORDER_ID } from './clients.mjs';
import { afterStoring, answer, creates, resetsBeforeHeaders, startFaultServer } from './fault-server.mjs';

const OTHER_ID = '11111111-2222-4333-8444-555555555555';

/** Sends an order and returns the result of this response. */
async function answered(step) {
  const server = await startFaultServer(step);
  return await clientOf(server.baseUrl).createOrder(minimalOrder());
}

const empty =
  (status) =>
  ({ response }) =>
    response.writeHead(status).end();

const HTML = { 'Content-Type': 'text/html; charset=utf-8' };
const SIGN_IN = '<html><title>Sign in</title></html>';
const JSON_OF = (changes) => JSON.stringify(minimalOrder(changes));

// tests/responses has all others.
test('a response that proves nothing: an UnexpectedResponseError after four attempts, which says what came', async () => {
  const server = await startFaultServer();
  server.playAlways(answer(201, JSON_OF({ Id: OTHER_ID })));
  const error = await rejection(clientOf(server.baseUrl).createOrder(minimalOrder()));
  assert.ok(error instanceof client.UnexpectedResponseError);
  assert.deepEqual([error.outcome, error.retryable, error.attempts, server.requests.length], ['unknown', true, 4, 4]);
  const url = `${server.baseUrl}/v3/ServiceOrder(${ORDER_ID})`;
  assert.deepEqual([error.status, error.mediaType, error.url, error.isSuspect], [201, 'application/json', url, true]);
  assert.match(error.message, /^The service responded with 201 and an order with another Id/);
  const advice = 'It is unknown whether the order was created: send it again with the same Id.';
  assert.ok(error.message.includes(`PUT ${url}, 4 attempts. ${advice}`), error.message);
  assert.ok(!error.message.includes(OTHER_ID));
});

test('a 2xx that proves nothing is retried with the same bytes, and the proof that follows counts', async () => {
  const server = await startFaultServer(answer(200, SIGN_IN, HTML), answer(200), creates);
  const reasons = [];
  const hooks = { onRetry: ({ reason, status }) => reasons.push([reason, status]) };
  const created = await clientOf(server.baseUrl, { hooks }).createOrder(minimalOrder());
  assert.deepEqual([created.status, created.attempts], [201, 3]);
  assert.equal(new Set(server.requests.map(({ body }) => body)).size, 1);
  assert.deepEqual(reasons, new Array(2).fill(['UnexpectedResponseError', 200]));
});

test('the URL in an error is that of the response, and never has a query', async () => {
  const page = (url) => Object.defineProperty(new Response(SIGN_IN, { headers: HTML }), 'url', { value: url });
  const fetch = async () => page('https://portal.example/sign-in?session=s-3cr3t#here');
  const error = await rejection(clientOf('https://x.example', { fetch }).createOrder(minimalOrder()));
  assert.equal(error.url, 'https://portal.example/sign-in');
  assert.match(error.message, /PUT https:\/\/portal\.example\/sign-in, 4 attempts/);
  assert.ok(!JSON.stringify({ ...error }).includes('s-3cr3t') && !error.message.includes('s-3cr3t'));
});

test('acceptEmptyBody: an empty 200 means that the order was created, with a warning; an empty 202 does not', async () => {
  const server = await startFaultServer(empty(200), empty(202));
  const sender = clientOf(server.baseUrl, { acceptEmptyBody: true, maxRetries: 0 });
  const created = await sender.createOrder(minimalOrder());
  // Such a 200 does not say whether the order is new.
  assert.deepEqual([created.status, created.order, created.alreadyThere], [200, null, false]);
  assert.deepEqual(inShort(created.issues), ['warning body_empty ']);
  const error = await rejection(sender.createOrder(minimalOrder()));
  assert.deepEqual([error.name, error.outcome], ['UnexpectedResponseError', 'unknown']);
});

test("proof: 'id' takes the Id in a 200 as creation, which nothing does by default", async () => {
  const fetch = async () => new Response(JSON.stringify({ id: ORDER_ID, status: 'queued' }));
  const sender = (options) => clientOf('https://x.example', { fetch, maxRetries: 0, ...options });
  assert.equal((await sender({ proof: 'id' }).createOrder(minimalOrder())).order.Id, ORDER_ID);
  assert.ok((await rejection(sender().createOrder(minimalOrder()))) instanceof client.UnexpectedResponseError);
});

/** Sends an order by a fetch whose response body comes in chunks of `size` bytes. */
async function answeredInChunks(bytes, size) {
  const fetch = async () =>
    new Response(
      new ReadableStream({
        start(controller) {
          for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.subarray(at, at + size));
          controller.close();
        },
      }),
      { status: 201 },
    );
  return clientOf('https://x.example', { fetch }).createOrder(minimalOrder());
}

test('a response is decoded to the same string, however it is split into chunks', async () => {
  const Notes = 'Grüner Tee, 緑茶, 🍵';
  const bytes = new TextEncoder().encode(`\ufeff${JSON.stringify(minimalOrder({ Notes }))}`);
  for (const size of [1, 2, 3, 7, bytes.length]) {
    const { order, issues } = await answeredInChunks(bytes, size);
    assert.equal(order.Notes, Notes);
    assert.deepEqual(issues, []);
  }
});

test('bytes that are not UTF-8 damage only the string that contains them', async () => {
  const bytes = new TextEncoder().encode(JSON.stringify(minimalOrder({ Notes: 'a-b' })));
  bytes[new TextDecoder().decode(bytes).indexOf('a-b') + 1] = 0xff;
  for (const size of [5, bytes.length]) {
    const { order } = await answeredInChunks(bytes, size);
    assert.equal(order.Notes, 'a\ufffdb');
  }
});

test('a status that HTTP does not have is an UnexpectedResponseError', async () => {
  const fetch = async () => ({ status: 700, ok: false, headers: new Headers(), body: null });
  const error = await rejection(clientOf('https://x.example', { fetch }).createOrder(minimalOrder()));
  assert.ok(error instanceof client.UnexpectedResponseError);
  assert.deepEqual([error.outcome, error.status], ['unknown', 700]);
});

test('the result has the response, so that its headers can be read', async () => {
  const { response } = await answered(answer(200, JSON_OF(), { 'X-Request-Id': 'r-1' }));
  assert.equal(response.headers.get('x-request-id'), 'r-1');
  assert.equal(response.status, 200);
});

test('an endless body is not read forever', async () => {
  const MIB = 1024 * 1024;
  for (const [status, mostMib] of [
    [201, 34],
    [500, 3],
  ]) {
    let pulled = 0;
    let isCancelled = false;
    const endless = new ReadableStream({
      pull(controller) {
        pulled++;
        controller.enqueue(new TextEncoder().encode('x'.repeat(MIB)));
      },
      cancel() {
        isCancelled = true;
      },
    });
    const sender = clientOf('https://x.example', {
      fetch: async () => new Response(endless, { status }),
      maxRetries: 0,
    });
    const result = await sender.createOrder(minimalOrder()).catch((error) => error);
    assert.ok(status === 500 ? result instanceof client.ServerError : result instanceof client.UnexpectedResponseError);
    assert.ok(pulled <= mostMib, `${pulled} MiB`);
    assert.ok(isCancelled);
  }
});

test('an error has the body of its response, cut to 10,000 characters', async () => {
  const server = await startFaultServer(answer(400, 'x'.repeat(20_000)));
  const error = await rejection(clientOf(server.baseUrl).createOrder(minimalOrder()));
  assert.equal(error.body, 'x'.repeat(10_000));
});

// ---------------------------------------------------------------- alreadyThere

const REPLAY = ({ body, response }) => answer(200, body)({ response });
const expired = answer(401);
const tokens = () => {
  let next = 0;
  return () => `token-${next++}`;
};

for (const [what, script, alreadyThere, options, call] of /** @type {any[][]} */ ([
  ['200 for the first attempt', [REPLAY], true],
  ['201', [creates], false],
  ['200 after a lost 201', [afterStoring(resetsBeforeHeaders), REPLAY], false],
  ['200 after a 503', [answer(503), REPLAY], false],
  ['200 after a 2xx that proves nothing', [answer(200), REPLAY], false],
  ['200 after a 408', [answer(408), REPLAY], false],
  ['200 after a 401', [expired, REPLAY], true, { token: tokens() }],
  ['200 after a 429', [answer(429), REPLAY], true],
  [
    "200 with earlierAttempts: 'unknown', which is about other calls",
    [REPLAY],
    true,
    {},
    { earlierAttempts: 'unknown' },
  ],
])) {
  test(`${what}: alreadyThere is ${alreadyThere}`, async () => {
    const server = await startFaultServer(...script);
    const created = await clientOf(server.baseUrl, options).createOrder(minimalOrder(), call);
    assert.equal(created.alreadyThere, alreadyThere);
    assert.equal(server.requests.length, script.length);
  });
}

test('200 after a connection that was never made: alreadyThere is true; after one that was lost it is false', async () => {
  for (const [code, alreadyThere] of /** @type {any[][]} */ ([
    ['ECONNREFUSED', true],
    ['ECONNRESET', false],
  ])) {
    let isFirst = true;
    const fetch = async (_, { body }) => {
      if (!isFirst) return new Response(body, { status: 200 });
      isFirst = false;
      throw new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) });
    };
    const created = await clientOf('https://x.example', { fetch }).createOrder(minimalOrder());
    assert.deepEqual([created.attempts, created.alreadyThere], [2, alreadyThere], code);
  }
});
