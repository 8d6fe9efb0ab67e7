/** relay: the shop's own reference, the history of an order, and invalid orders that are kept. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numbered } from '../orders.mjs';
import { NOBODY, serviceOf, until } from '../program.mjs';
import { ask, listed, logOf, put, relayed, settled } from './relays.mjs';
import { notifying, receiverOf } from './webhooks.mjs';

const CAFE = 'Café 1042';
const ENCODED = `UTF-8''${encodeURIComponent(CAFE)}`;
const wrong = (n, changes = {}) => ({ ...numbered(n), Notes: null, Items: [], ...changes });

/** Sends JSON that `prepareRequest` would refuse. */
function send(relay, path, order, headers = {}) {
  const body = typeof order === 'string' ? order : JSON.stringify(order);
  return ask(relay, path, { method: 'PUT', headers: { 'Content-Type': 'application/json', ...headers }, body });
}
const pathOf = (n) => `/v3/ServiceOrder(${numbered(n).Id})`;

test('the reference of an order is returned, and finds it as its receipt number does; only --log-references logs it', async (t) => {
  const service = await serviceOf(t, ({ body }) => ({
    status: 201,
    body: JSON.stringify({ ...JSON.parse(body), ReceiptNumber: 'R-17' }),
  }));
  for (const flags of [[], ['--log-references']]) {
    const relay = await relayed(t, { ...service, flags });
    assert.equal((await put(relay, numbered(0), { 'X-Order-Reference': 'cart-1042' })).status, 202);
    await put(relay, numbered(1), { 'X-Order-Reference': ENCODED });
    await put(relay, numbered(2));
    const state = await settled(relay, numbered(0));
    assert.deepEqual([state.reference, state.receiptNumber], ['cart-1042', 'R-17']);
    assert.equal((await settled(relay, numbered(1))).reference, CAFE);
    assert.equal((await settled(relay, numbered(2))).reference, null);
    // The same order again: its reference stays.
    assert.equal((await put(relay, numbered(0), { 'X-Order-Reference': 'other' })).status, 200);
    const found = async (query) => (await listed(relay, query)).map(({ orderId, reference }) => [orderId, reference]);
    assert.deepEqual(await found('reference=cart-1'), [[numbered(0).Id, 'cart-1042']]);
    assert.deepEqual(await found(`reference=${encodeURIComponent(CAFE)}`), [[numbered(1).Id, CAFE]]);
    assert.deepEqual(await found('reference=other'), []);
    assert.equal((await found('receiptNumber=R-17')).length, 3);
    const isLogged = relay.child.shown.out.includes('cart-1042');
    assert.equal(isLogged, flags.length > 0);
    assert.equal(/Caf|reference/.test(relay.child.shown.out), flags.length > 0);
    assert.doesNotMatch((await ask(relay, '/metrics')).text, /cart-1042/);
  }
});

test('a header that cannot be read is 400 invalid-header, and nothing is stored', async (t) => {
  const relay = await relayed(t, { baseUrl: NOBODY });
  for (const reference of ['Café', "UTF-8''%FF", "UTF-8''a%0Ab", 'x'.repeat(101)]) {
    const { status, json } = await put(relay, numbered(0), { 'X-Order-Reference': reference });
    assert.deepEqual([status, json.type], [400, 'urn:sales-order-intake:problem:invalid-header'], reference);
    assert.match(json.detail, /^x-order-reference must be /i);
    assert.doesNotMatch(json.detail, /xx|%FF/);
  }
  assert.deepEqual(await listed(relay), []);
  await put(relay);
  const headers = { 'X-Order-By': 'x'.repeat(201) };
  const { status, json } = await ask(relay, `/orders/${numbered(0).Id}/retry`, { method: 'POST', headers });
  assert.deepEqual([status, json.detail.slice(0, 10)], [400, 'X-Order-By']);
  const query = await ask(relay, `/orders?reference=${'x'.repeat(101)}`);
  assert.deepEqual([query.status, query.json.type], [400, 'urn:sales-order-intake:problem:invalid-query']);
});

test('the history has attempts, what people did, and who did it', async (t) => {
  const statuses = [429, 422, 422];
  const service = await serviceOf(t, ({ body }) => {
    const status = statuses.shift() ?? 201;
    return { status, body: status === 201 ? body : '{"Message":"Xanthippe"}' };
  });
  const relay = await relayed(t, service);
  const path = `/orders/${numbered(0).Id}`;
  assert.equal((await ask(relay, `${path}/history`)).status, 404);
  await put(relay);
  assert.equal((await settled(relay)).state, 'refused');
  const by = { 'X-Order-By': ENCODED };
  assert.equal((await ask(relay, `${path}/retry`, { method: 'POST', headers: by })).status, 200);
  assert.equal((await settled(relay)).state, 'refused');
  await send(relay, path, numbered(0, { Notes: 'corrected' }), { ...by, 'X-Order-Reference': '7' });
  const { state, reference } = await settled(relay);
  assert.deepEqual([state, reference], ['created', '7']);
  const { status, json, text } = await ask(relay, `${path}/history`);
  assert.deepEqual([status, json.orderId], [200, numbered(0).Id]);
  assert.deepEqual(
    json.events.map(({ what, status, by, outcome }) => [what, status ?? by ?? outcome].join(' ').trim()),
    [
      ...[
        'added',
        'attempt 429',
        'attempt 422',
        'settled not-created',
        `retry ${CAFE}`,
        'attempt 422',
        'settled not-created',
      ],
      ...[`replace ${CAFE}`, 'attempt 201', 'settled created'],
    ],
  );
  assert.doesNotMatch(text, /Xanthippe|corrected/);
});

test('--keep-invalid stores an invalid order for a person to correct, notifies the shop, and never sends it', async (t) => {
  const { url, received } = await receiverOf(t);
  const { relay, service } = await notifying(t, url, { flags: ['--keep-invalid'] });
  const path = `/orders/${numbered(0).Id}`;
  const { status, headers, json } = await send(relay, pathOf(0), wrong(0), { 'X-Order-Reference': '1042' });
  assert.deepEqual([status, headers.get('location'), json.state], [202, path, 'invalid']);
  assert.ok(json.issues.some(({ severity, pointer }) => severity === 'error' && pointer === '/Items'));
  assert.deepEqual((await send(relay, pathOf(0), wrong(0))).json, json);
  const { state, outcome, reference, issues, can } = await settled(relay);
  assert.deepEqual([state, outcome, reference, issues], ['invalid', 'not-created', '1042', json.issues]);
  assert.deepEqual([can.replace, can.retry], [true, false]);
  await until(() => received.length === 1, 'the notification');
  assert.deepEqual([received[0].type, received[0].data.orderId], ['order.invalid', numbered(0).Id]);
  assert.match((await ask(relay, '/metrics')).text, /^sales_order_relay_orders\{state="invalid"\} 1$/m);
  const conflict = await put(relay);
  assert.deepEqual([conflict.status, conflict.json.state, conflict.json.can.replace], [409, 'invalid', true]);
  const still = await send(relay, path, wrong(0, { CompanyId: 0 }));
  assert.deepEqual([still.status, still.json.state], [202, 'invalid']);
  assert.equal((await settled(relay)).companyId, 0);
  assert.deepEqual(service.paths, []);
  assert.equal((await send(relay, path, numbered(0))).json.state, 'waiting');
  assert.equal((await settled(relay)).state, 'created');
  // A member in two cases: what JSON.parse makes of it would be valid.
  const twice = JSON.stringify(numbered(1)).replace('"Quantity":', '"Quantity":9,"Quantity":');
  assert.equal((await send(relay, pathOf(1), twice)).json.state, 'invalid');
  assert.equal((await send(relay, pathOf(2), { ...numbered(2), Taxes: [] })).json.state, 'invalid');
  assert.equal(service.paths.length, 1);
});

test('an order that cannot be kept is 400: no JSON, no Id, another Id than the path, and without --keep-invalid any', async (t) => {
  const relay = await relayed(t, { baseUrl: NOBODY, flags: ['--keep-invalid'] });
  const other = wrong(0, { Id: numbered(1).Id });
  for (const order of ['{', '[]', '', wrong(0, { Id: undefined }), wrong(0, { Id: 7 }), other]) {
    const { status, json } = await send(relay, pathOf(0), order);
    assert.deepEqual([status, json.type], [400, 'urn:sales-order-intake:problem:invalid-order'], JSON.stringify(order));
  }
  assert.equal((await send(relay, `/orders/${numbered(0).Id}`, wrong(0))).status, 404);
  assert.deepEqual(await listed(relay), []);
  const strict = await relayed(t, { baseUrl: NOBODY });
  assert.equal((await send(strict, pathOf(0), wrong(0))).status, 400);
  assert.deepEqual(await listed(strict), []);
  assert.deepEqual(logOf(relay.child, 'error'), []);
});
