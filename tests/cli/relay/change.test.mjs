/** relay: orders that are cancelled, or replaced by a corrected one (D54). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { item } from '../../node/orders.mjs';
import { numbered } from '../orders.mjs';
import { NOBODY, serviceOf, until } from '../program.mjs';
import { ask, put, relayed, settled } from './relays.mjs';

const GUID = numbered(0).Id;
const corrected = numbered(0, { Items: [item({ Quantity: 1 })] });
const REFUSAL = '{"Message":"no"}';
const problem = (name) => `urn:sales-order-intake:problem:${name}`;

/** Puts a corrected order in the place of the one with its Id. */
function replace(relay, order = corrected, path = `/orders/${GUID}`) {
  const init = { method: 'PUT', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(order) };
  return ask(relay, path, init);
}

const cancel = (relay, id = GUID) => ask(relay, `/orders/${id}/cancel`, { method: 'POST' });

/** A service that refuses every order but the corrected one. */
const strict = (t) =>
  serviceOf(t, ({ body }) =>
    /"Quantity": ?"?1"?[,}]/.test(body) ? { status: 201, body } : { status: 422, body: REFUSAL },
  );

test('an order that was never sent is cancelled, and is not sent', async (t) => {
  const relay = await relayed(t, { baseUrl: NOBODY });
  await put(relay);
  const { status, json } = await cancel(relay);
  assert.deepEqual([status, json.orderId, json.state, json.outcome], [200, GUID, 'cancelled', 'not-created']);
  const again = await put(relay);
  assert.deepEqual([again.status, again.headers.get('location')], [409, `/orders/${GUID}`]);
  const { type, orderId, state, outcome, detail } = again.json;
  assert.deepEqual([type, orderId, state, outcome], [problem('cancelled'), GUID, 'cancelled', 'not-created']);
  assert.match(detail, /It was not created\. If it is wanted nevertheless, send it with a new Id\.$/);
  assert.equal((await ask(relay, `/orders/${GUID}/retry`, { method: 'POST' })).status, 409);
});

test('an order that was sent is not cancelled: 409 says what is known of it', async (t) => {
  const relay = await relayed(t, await serviceOf(t, ({ body }) => ({ status: 201, body })));
  await put(relay);
  await settled(relay);
  const { status, headers, json } = await cancel(relay);
  assert.deepEqual([status, json.type, headers.get('location')], [409, problem('wrong-state'), `/orders/${GUID}`]);
  assert.deepEqual([json.orderId, json.state, json.outcome, json.reason], [GUID, 'created', 'created', null]);
  assert.equal(json.detail, `Cannot cancel order ${GUID}, which is created: its state does not permit it`);
  const none = await cancel(relay, numbered(1).Id);
  assert.deepEqual([none.status, none.json.type], [404, problem('not-found')]);
});

test('a refused order is replaced by a corrected one, which is sent to the same version and created', async (t) => {
  const service = await strict(t);
  const relay = await relayed(t, service);
  const headers = { 'Content-Type': 'application/json' };
  const body = JSON.stringify(numbered(0));
  await ask(relay, `/v2/ServiceOrder(${GUID.toUpperCase()})`, { method: 'PUT', headers, body });
  assert.equal((await settled(relay)).state, 'refused');
  const { status, headers: own, json } = await replace(relay);
  assert.deepEqual([status, own.get('location')], [202, `/orders/${GUID}`]);
  assert.deepEqual([json.orderId, json.state], [GUID, 'waiting']);
  const { state, order } = await settled(relay);
  assert.deepEqual([state, order.Items[0].Quantity], ['created', '1']);
  assert.deepEqual(new Set(service.paths), new Set([`/v2/ServiceOrder(${GUID})`]));
});

test('a corrected order that is sent again is there already, whatever has become of it', async (t) => {
  const { promise: isHeld, resolve: release } = Promise.withResolvers();
  const service = await serviceOf(t, async ({ body, count }) => {
    if (count === 1) return { status: 422, body: REFUSAL };
    await isHeld;
    return { status: 201, body };
  });
  const relay = await relayed(t, service);
  await put(relay);
  await settled(relay);
  assert.equal((await replace(relay)).status, 202);
  await until(() => service.paths.length === 2, 'the corrected order to be sent');
  const sending = await replace(relay);
  assert.deepEqual([sending.status, sending.json.state], [200, 'sending']);
  release(undefined);
  await settled(relay);
  const created = await replace(relay);
  assert.deepEqual([created.status, created.json.Id], [200, GUID]);
  assert.equal((await put(relay, corrected)).status, 200);
  assert.equal(service.paths.length, 2);
});

test('an order that the service has, or may have, is not replaced: 409 says what is known of it', async (t) => {
  const service = await serviceOf(t, ({ count, body }) =>
    count === 1 ? { status: 500 } : count === 2 ? { status: 422, body: REFUSAL } : { status: 201, body },
  );
  const relay = await relayed(t, service);
  await put(relay);
  assert.equal((await settled(relay)).state, 'stalled');
  const maybe = await replace(relay);
  assert.deepEqual([maybe.status, maybe.json.type], [409, problem('wrong-state')]);
  assert.deepEqual([maybe.json.state, maybe.json.outcome, maybe.json.reason], ['stalled', 'unknown', 'RejectedError']);
  assert.match(maybe.json.detail, /the earlier version may be at the service$/);
  await ask(relay, `/orders/${GUID}/retry`, { method: 'POST' });
  await settled(relay);
  const created = await replace(relay);
  assert.deepEqual([created.status, created.json.outcome], [409, 'created']);
  assert.equal((await settled(relay)).order.Items[0].Quantity, '2');
});

test('a corrected order is checked as in a PUT, and its Id is that of the path', async (t) => {
  const relay = await relayed(t, { baseUrl: NOBODY });
  await put(relay);
  const invalid = await replace(relay, numbered(0, { Items: [] }));
  assert.deepEqual([invalid.status, invalid.json.type], [400, problem('invalid-order')]);
  assert.equal((await replace(relay, numbered(1))).status, 400);
  assert.equal((await replace(relay, numbered(1), `/orders/${numbered(1).Id}`)).status, 404);
  assert.equal((await replace(relay, numbered(1), '/orders/1')).status, 404);
  assert.equal((await settled(relay, numbered(0), { Prefer: 'wait=0' })).state, 'waiting');
});

test('an order that waits is replaced, and only the corrected one is sent', async (t) => {
  const service = await serviceOf(t, ({ body, count }) =>
    count === 1 ? { status: 503, headers: { 'Retry-After': '5' } } : { status: 201, body },
  );
  const relay = await relayed(t, service);
  await put(relay, numbered(1));
  await until(async () => (await ask(relay, '/ready')).json?.pause, 'the pause');
  await put(relay);
  const { status } = await replace(relay);
  assert.equal(status, 202);
  // Not new: the first PUT of an order is 202.
  assert.equal((await put(relay, corrected)).status, 200);
  assert.equal((await put(relay)).json.type, problem('conflict'));
  assert.equal((await settled(relay)).order.Items[0].Quantity, '1');
  assert.equal(service.paths.filter((path) => path.includes(GUID)).length, 1);
});

test('a corrected order that is put like a new one is 409 with the state of the first, and the request that corrects it', async (t) => {
  const service = await strict(t);
  const relay = await relayed(t, service);
  const other = numbered(0, { Notes: 'for another one' });
  await put(relay);
  await settled(relay);
  const refused = await put(relay, corrected);
  assert.deepEqual(
    [refused.status, refused.json.type, refused.headers.get('location')],
    [409, problem('conflict'), `/orders/${GUID}`],
  );
  const { orderId, state, outcome, reason, can, detail } = refused.json;
  assert.deepEqual([orderId, state, outcome, reason], [GUID, 'refused', 'not-created', 'RejectedError']);
  assert.equal(can.replace, true);
  assert.match(detail, new RegExp(`has the state refused; it was not changed\\. .*send it to PUT /orders/${GUID}\\.`));
  assert.equal((await replace(relay)).status, 202);
  await settled(relay);
  const created = await put(relay, other);
  assert.deepEqual([created.status, created.json.state, created.json.can.replace], [409, 'created', false]);
  assert.match(
    created.json.detail,
    /the state created; .*correct it at the point of sale\. .*another sale, give it an Id of its own/,
  );
  assert.doesNotMatch(created.json.detail, /PUT/);
});

test('a conflict with an order that may have been created asks to wait, not for another request', async (t) => {
  const { promise: isHeld, resolve: release } = Promise.withResolvers();
  const service = await serviceOf(t, () => isHeld.then(() => ({ status: 201 })));
  const relay = await relayed(t, service);
  await put(relay);
  await until(() => service.paths.length === 1, 'the order to be sent');
  const { status, json } = await put(relay, corrected);
  release(undefined);
  assert.deepEqual([status, json.state, json.can.replace], [409, 'sending', false]);
  assert.match(json.detail, /the state sending; .*wait until its outcome is known/);
  assert.doesNotMatch(json.detail, /PUT/);
});

test('an order that was replaced on the page and is created is 200 to the PUT of the corrected one, not 202', async (t) => {
  const relay = await relayed(t, await strict(t));
  await put(relay);
  await settled(relay);
  const { status } = await ask(relay, `/?order=${GUID}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: `${new URLSearchParams({ action: 'replace', order: JSON.stringify(corrected) })}`,
  });
  assert.equal(status, 303);
  await settled(relay);
  const again = await put(relay, corrected);
  assert.deepEqual([again.status, again.json.Id], [200, GUID]);
});
