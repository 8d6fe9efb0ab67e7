/** Tests how a client sends what the outbox has stored. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minimalOrder } from '../node/orders.mjs';
import { rejection } from '../thrown.mjs';
import { client, clientOf, orderRequest, ORDER_ID, sendStoredOf } from './clients.mjs';

const { signal } = new AbortController();
const FIRST = { earlierAttempts: 'none', signal };

/** Returns the parts of a request that are stored. */
function stored(changes = {}) {
  const { version, orderId, path, body, expected } = orderRequest(minimalOrder(), { version: 'v2' });
  return { version, orderId, path, body, expected, ...changes };
}

/** Creates a client whose service responds with these, one after the other. */
function clientWith(...responses) {
  const sent = [];
  const fetch = async (url, { body }) => {
    sent.push({ url, body });
    return responses.shift() ?? new Response(JSON.stringify(minimalOrder()), { status: 201 });
  };
  return { sent, sender: clientOf('https://x.example', { fetch }) };
}

test('a stored order is sent with its bytes, and neither checked nor read', async () => {
  const { sent, sender } = clientWith();
  const created = await sendStoredOf(sender)(stored({ body: 'not even JSON' }), FIRST);
  assert.deepEqual(sent, [{ url: `https://x.example/v2/ServiceOrder(${ORDER_ID})`, body: 'not even JSON' }]);
  assert.deepEqual([created.status, created.orderId, created.attempts, created.issues], [201, ORDER_ID, 1, []]);
});

test('a stored order is created only if the response is that order', async () => {
  const { sender } = clientWith(new Response(JSON.stringify(minimalOrder({ EntityId: 7 })), { status: 201 }));
  const error = await rejection(sendStoredOf(sender)(stored(), FIRST));
  assert.ok(error instanceof client.UnexpectedResponseError);
  assert.deepEqual([error.outcome, error.attempts], ['unknown', 1]);
});

test('what is known of earlier attempts at a stored order decides what a refusal proves', async () => {
  for (const [earlierAttempts, outcome] of [
    ['none', 'not-created'],
    ['unknown', 'unknown'],
  ]) {
    const { sender } = clientWith(new Response('{"message":"closed"}', { status: 422 }));
    const error = await rejection(sendStoredOf(sender)(stored(), { ...FIRST, earlierAttempts }));
    assert.equal(error.outcome, outcome);
  }
});

test('a stored order is sent once, and neither causes a pause of the client nor waits for it', async () => {
  const busy = () => new Response(null, { status: 503, headers: { 'Retry-After': '3000' } });
  const { sent, sender } = clientWith(busy(), undefined, busy());
  const send = sendStoredOf(sender);
  const { name, attempts } = await rejection(send(stored(), FIRST));
  assert.deepEqual([name, attempts], ['ServerError', 1]);
  assert.equal((await sender.createOrder(minimalOrder())).status, 201);
  await rejection(sender.createOrder(minimalOrder(), { maxRetries: 0 }));
  assert.equal((await send(stored(), FIRST)).status, 201);
  assert.equal(sent.length, 4);
});

test('the abort of its signal ends a stored order', async () => {
  const { sent, sender } = clientWith();
  const error = await rejection(sendStoredOf(sender)(stored(), { ...FIRST, signal: AbortSignal.abort() }));
  assert.deepEqual([error.name, error.attempts, sent.length], ['AbortedError', 0, 0]);
});

test('a client whose createOrder is the program’s own has no function for stored orders', () => {
  const { sender } = clientWith();
  assert.equal(typeof sendStoredOf({ ...sender }), 'function');
  assert.equal(sendStoredOf({ ...sender, createOrder: async () => assert.fail() }), undefined);
});
