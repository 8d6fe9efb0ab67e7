/** Tests outcomes: 'not-created' only if that is certain (D31, D34). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minimalOrder } from '../node/orders.mjs';
import { rejection } from '../thrown.mjs';
import { clientOf, numbered, ORDER_ID } from './clients.mjs';
import { settle } from './clock.mjs';
import {
  afterStoring,
  answer,
  creates,
  createsOnlyOnce,
  resetsBeforeHeaders,
  startFaultServer,
} from './fault-server.mjs';
import { heldClient } from './held-client.mjs';

const fail = (error) => async () => {
  throw error;
};
const outcomeOf = async (promise) => (await rejection(promise)).outcome;

// ---------------------------------------------------------------- connections that were never made

const caused = (cause) => new TypeError('fetch failed', { cause });
const withCode = (code, more) => Object.assign(new Error(code), { code, ...more });

for (const [what, error, outcome] of [
  ['EAI_AGAIN', caused(withCode('EAI_AGAIN')), 'not-created'],
  ['a connection that timed out', caused(withCode('UND_ERR_CONNECT_TIMEOUT')), 'not-created'],
  [
    'several addresses, none of which could be reached',
    caused(new AggregateError([withCode('ECONNREFUSED'), withCode('ETIMEDOUT', { syscall: 'connect' })])),
    'not-created',
  ],
  [
    'several addresses, one of which was lost later',
    caused(new AggregateError([withCode('ECONNREFUSED'), withCode('ECONNRESET')])),
    'unknown',
  ],
  [
    'a TLS alert, which may come after the request',
    caused(withCode('ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE')),
    'unknown',
  ],
  [
    'text that is not TLS, which may come after the request',
    caused(withCode('ERR_SSL_WRONG_VERSION_NUMBER')),
    'unknown',
  ],
  [
    'what Deno says, on a platform that is not Deno',
    new TypeError('error sending request for url (https://x.example/): client error (Connect): tcp connect error'),
    'unknown',
  ],
  ['an empty list of errors', caused(new AggregateError([])), 'unknown'],
  ['ECONNRESET', caused(withCode('ECONNRESET')), 'unknown'],
  ['EPIPE', caused(withCode('EPIPE', { syscall: 'write' })), 'unknown'],
  ['a browser, which gives no reason', new TypeError('Failed to fetch'), 'unknown'],
  ['no error at all', null, 'unknown'],
  [
    'circular causes',
    (() => {
      const error = new Error('x');
      error.cause = error;
      return error;
    })(),
    'unknown',
  ],
]) {
  test(`a connection that fails with ${what}: ${outcome}`, async () => {
    const sender = clientOf('https://x.example', { fetch: fail(error), maxRetries: 0 });
    assert.equal(await outcomeOf(sender.createOrder(minimalOrder())), outcome);
  });
}

test('a failure has nothing of the error but its code', async () => {
  for (const [error, failure] of /** @type {[unknown, string][]} */ ([
    [caused(withCode('ELOOP', { message: 'order of Ada Byron' })), 'connection failed (ELOOP)'],
    [caused(withCode('Ada Byron')), 'connection failed'],
    [new TypeError('certificate of Ada Byron'), 'connection failed'],
    ['Ada Byron', 'connection failed'],
    [undefined, 'connection failed'],
    // The attempt that may have created the order.
    [caused(new AggregateError([withCode('ECONNREFUSED'), withCode('ECONNRESET')])), 'connection lost (ECONNRESET)'],
    [
      Object.defineProperty(new TypeError('fetch failed'), 'cause', {
        get() {
          throw new Error('Ada Byron');
        },
      }),
      'connection failed',
    ],
  ])) {
    const events = [];
    const hooks = { onError: (event) => events.push(event), onRetry: (event) => events.push(event) };
    const sender = clientOf('https://x.example:8443/base', { fetch: fail(error), maxRetries: 1, hooks });
    const thrown = await rejection(sender.createOrder(minimalOrder()));
    assert.equal(thrown.failure, failure);
    assert.match(
      thrown.message,
      /^The connection to x\.example:8443 failed: connection [^;]+; PUT https:\/\/x\.example:8443\/base\//,
    );
    assert.deepEqual(
      events.map((event) => event.failure),
      [failure, failure, failure],
    );
    assert.doesNotMatch(`${thrown.message}${JSON.stringify(thrown)}${JSON.stringify(events)}`, /Byron/);
  }
});

test('a refused connection after a lost one: unknown', async () => {
  const errors = [caused(withCode('ECONNRESET')), caused(withCode('ECONNREFUSED'))];
  const sender = clientOf('https://x.example', { fetch: () => Promise.reject(errors.shift()), maxRetries: 1 });
  const { outcome, isSent } = await rejection(sender.createOrder(minimalOrder()));
  assert.deepEqual([outcome, isSent], ['unknown', false]);
});

// ---------------------------------------------------------------- two calls with one id

for (const status of [400, 403, 404, 409, 429]) {
  test(`${status} while another request with the same Id is in flight: unknown; after its rejection: not-created`, async () => {
    const { pending, sender } = heldClient({ maxRetries: 0 });
    const calls = [1, 2].map(() => outcomeOf(sender.createOrder(minimalOrder())));
    await settle();
    pending[0].respond(status);
    assert.equal(await calls[0], 'unknown');
    pending[1].respond(status);
    assert.equal(await calls[1], 'not-created');
  });
}

test('a rejection after another call with the same Id lost its response: unknown', async () => {
  const { pending, sender } = heldClient({ maxRetries: 0 });
  const calls = [1, 2].map(() => outcomeOf(sender.createOrder(minimalOrder())));
  await settle();
  pending[0].lose();
  pending[1].respond(403);
  assert.deepEqual(await Promise.all(calls), ['unknown', 'unknown']);
});

test('a rejection after a concurrent call created the order: unknown', async () => {
  const { pending, sender } = heldClient({ maxRetries: 0 });
  const first = sender.createOrder(minimalOrder());
  const second = outcomeOf(sender.createOrder(minimalOrder()));
  await settle();
  pending[0].respond(201);
  assert.equal((await first).status, 201);
  pending[1].respond(409);
  assert.equal(await second, 'unknown');
});

test('a refusal after a relay has accepted the order: unknown, because the relay may deliver it at any time', async () => {
  const { pending, sender } = heldClient({ maxRetries: 0 });
  const first = sender.createOrder(minimalOrder());
  await settle();
  pending[0].respond(202, { Location: '/orders/1' });
  assert.ok((await first).delivery);
  const second = outcomeOf(sender.createOrder(minimalOrder()));
  await settle();
  pending[1].respond(404);
  assert.equal(await second, 'unknown');
});

test('while another call with the same Id is in flight, a call that sends nothing is unknown too', async () => {
  const { pending, sender } = heldClient({ maxRetries: 0 });
  const first = sender.createOrder(minimalOrder());
  await settle();
  const controller = new AbortController();
  controller.abort();
  assert.equal(await outcomeOf(sender.createOrder(minimalOrder(), { signal: controller.signal })), 'unknown');
  pending[0].respond(201);
  await first;
});

test('a call with another Id, or of another client, changes nothing', async () => {
  const { pending, sender } = heldClient({ maxRetries: 0 });
  const other = heldClient({ maxRetries: 0 });
  const calls = [sender.createOrder(numbered(1)), other.sender.createOrder(minimalOrder())];
  const refused = outcomeOf(sender.createOrder(minimalOrder()));
  await settle();
  pending[1].respond(400);
  assert.equal(await refused, 'not-created');
  pending[0].respond(201);
  other.pending[0].respond(201);
  await Promise.all(calls);
});

test('two orders of a batch with the same Id affect the outcomes of each other', async () => {
  const { pending, sender } = heldClient({ maxRetries: 0 });
  const results = sender.createOrders([minimalOrder(), minimalOrder()]);
  const first = results.next();
  await settle();
  pending[1].respond(400);
  assert.equal((await first).value.error.outcome, 'unknown');
  pending[0].respond(400);
  assert.equal((await results.next()).value.error.outcome, 'not-created');
  assert.ok((await results.next()).done);
});

// ---------------------------------------------------------------- earlierAttempts

test("earlierAttempts: 'unknown' makes the refusal of every status unknown; undefined is 'none'", async () => {
  for (const status of [400, 401, 403, 404, 409, 422, 429])
    for (const [earlierAttempts, outcome] of [
      ['unknown', 'unknown'],
      ['none', 'not-created'],
      [undefined, 'not-created'],
    ]) {
      const sender = clientOf('https://x.example', {
        fetch: async () => new Response(null, { status }),
        maxRetries: 0,
      });
      assert.equal(await outcomeOf(sender.createOrder(minimalOrder(), { earlierAttempts })), outcome, `${status}`);
    }
});

// ---------------------------------------------------------------- what to do

for (const [what, script, expected] of /** @type {any[][]} */ ([
  [
    'that can be retried says to send it again with the same Id',
    [resetsBeforeHeaders],
    /: send it again with the same Id\.$/,
  ],
  [
    'after a 403 says to fix the cause, or to look for the order',
    [resetsBeforeHeaders, answer(403)],
    /Do not send it with a new Id: fix the cause and send it again with the same Id, or look for it at the point of sale\.$/,
  ],
  [
    'after a 409 says to look for the order',
    [afterStoring(resetsBeforeHeaders), createsOnlyOnce],
    /Do not send it with a new Id, but look for it at the point of sale\.$/,
  ],
  [
    'after a redirect says to fix the cause, or to look for the order',
    [answer(302, '', { Location: '/x' })],
    /fix the cause and send it again with the same Id/,
  ],
])) {
  test(`an unknown outcome ${what}`, async () => {
    const server = await startFaultServer(...script, creates);
    const error = await rejection(
      clientOf(server.baseUrl, { maxRetries: script.length - 1 }).createOrder(minimalOrder()),
    );
    assert.equal(error.outcome, 'unknown');
    assert.match(error.message, expected);
    assert.ok(error.message.includes(ORDER_ID));
  });
}
