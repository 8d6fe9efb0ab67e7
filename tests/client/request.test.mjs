/** Tests what is sent and what must not be sent: ids, bytes, headers, rules. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { cart, deepFreeze, fullOrder, inShort, item, minimalOrder } from '../node/orders.mjs';
import { rejection } from '../thrown.mjs';
import { client, clientOf, core, ORDER_ID, TOKEN } from './clients.mjs';
import { startFaultServer } from './fault-server.mjs';

const OTHER_ID = '11111111-2222-4333-8444-555555555555';

let server;
before(async () => {
  server = await startFaultServer();
});
after(() => server.close());
beforeEach(() => {
  server.requests.length = 0;
  server.orders.clear();
});

test('the request is the one that prepareRequest makes, with the token', async () => {
  const created = await clientOf(server.baseUrl).createOrder(deepFreeze(minimalOrder()));
  const { order, orderId, status, attempts } = created;
  const [{ method, url, headers, body }] = server.requests;
  const prepared = core.prepareRequest(minimalOrder());
  assert.equal(method, 'PUT');
  assert.equal(url, `/intake/${prepared.path}`);
  assert.equal(body, prepared.body);
  assert.equal(headers.authorization, `Bearer ${TOKEN}`);
  assert.equal(headers.accept, 'application/json');
  assert.equal(headers['content-type'], 'application/json');
  assert.deepEqual([orderId, status, attempts], [ORDER_ID, 201, 1]);
  assert.equal(order.ReceiptNumber, 'R-1');
  assert.equal(order.Items[0].SellAtPricePerUnit, '19.99');
  const { issues, requestId, response, delivery, alreadyThere, ...others } = created;
  assert.deepEqual(Object.keys(others).sort(), ['attempts', 'body', 'order', 'orderId', 'status']);
  assert.equal(JSON.parse(created.body).ReceiptNumber, 'R-1');
  assert.deepEqual([issues, requestId, delivery, alreadyThere], [[], null, null, false]);
  assert.ok(response instanceof Response);
});

test('the body is sent as UTF-8', async () => {
  const { order } = await clientOf(server.baseUrl).createOrder(minimalOrder({ Notes: 'Grüße 🍵' }));
  assert.equal(JSON.parse(server.requests[0].body).Notes, 'Grüße 🍵');
  assert.equal(order.Notes, 'Grüße 🍵');
});

for (const [Id, code] of [
  [undefined, 'missing'],
  [null, 'null_not_allowed'],
]) {
  test(`an order whose Id is ${Id} is never sent: the caller makes the Id, only once`, async () => {
    const error = await rejection(
      clientOf(server.baseUrl).createOrder(minimalOrder({ Id, Items: [item({ Quantity: 0 })] })),
    );
    assert.ok(error instanceof core.OrderValidationError);
    assert.deepEqual(inShort(error.issues).sort(), [
      `error ${code} /Id`,
      'error quantity_not_positive /Items/0/Quantity',
    ]);
    assert.equal(server.requests.length, 0);
  });
}

test('an order without an Id is not sent either if the call has an orderId', async () => {
  const error = await rejection(clientOf(server.baseUrl).createOrder(cart(), { orderId: ORDER_ID }));
  assert.ok(error instanceof core.OrderValidationError);
  assert.equal(server.requests.length, 0);
});

test('an order with errors is never sent', async () => {
  const order = minimalOrder({ Items: [item({ Quantity: 0 })], EntityId: 0 });
  const error = await rejection(clientOf(server.baseUrl).createOrder(order));
  assert.ok(error instanceof core.OrderValidationError);
  assert.ok(!(error instanceof client.OrderIntakeError));
  assert.deepEqual(inShort(error.issues), [
    'error integer_out_of_range /EntityId',
    'error quantity_not_positive /Items/0/Quantity',
  ]);
  assert.equal(server.requests.length, 0);
});

test('warnings do not stop an order, and the result has them', async () => {
  const { issues } = await clientOf(server.baseUrl).createOrder(minimalOrder({ OrderNumber: '7' }));
  assert.deepEqual(inShort(issues), ['warning unused_member /OrderNumber']);
});

test("the call's rules win over the client's version, which wins over the default", async () => {
  const v2 = clientOf(server.baseUrl, { version: 'v2' });
  await clientOf(server.baseUrl).createOrder(minimalOrder());
  await v2.createOrder(minimalOrder());
  await v2.createOrder(minimalOrder(), { version: 'v3' });
  await v2.createOrder(minimalOrder(), { version: undefined });
  assert.deepEqual(
    server.requests.map(({ url }) => url.split('/')[2]),
    ['v3', 'v2', 'v3', 'v2'],
  );
});

test('rules reach the core', async () => {
  const order = minimalOrder({ Taxes: [] });
  const sender = clientOf(server.baseUrl);
  assert.ok((await rejection(sender.createOrder(order))) instanceof core.OrderValidationError);
  await sender.createOrder(order, { allowEmptyTaxes: true });
  const error = await rejection(sender.createOrder(order, { orderId: OTHER_ID, allowEmptyTaxes: true }));
  assert.deepEqual(inShort(error.issues), ['error order_id_mismatch /Id']);
  assert.equal(server.requests.length, 1);
});

// ---------------------------------------------------------------- prepared requests

test('a prepared request is sent unchanged, in its own version', async () => {
  const text = JSON.stringify(minimalOrder()).replace('19.99', '19.990000000000000001');
  const prepared = core.prepareRequest(text, { version: 'v2' });
  const { orderId } = await clientOf(server.baseUrl).createOrder(prepared);
  assert.equal(orderId, ORDER_ID);
  assert.equal(server.requests[0].body, prepared.body);
  assert.equal(server.requests[0].url, `/intake/${prepared.path}`);
  assert.match(server.requests[0].body, /19\.990000000000000001/);
});

test('an order that the options of prepareRequest allowed is not rejected', async () => {
  const order = minimalOrder({ Taxes: [], Discount: { Something: 'else', InvoiceLevel: [{ Value: 'x' }] } });
  const prepared = core.prepareRequest(order, { allowEmptyTaxes: true, records: 'passthrough' });
  await clientOf(server.baseUrl).createOrder(prepared);
  assert.equal(server.requests[0].body, prepared.body);
});

test('the result has the warnings of a prepared request', async () => {
  const prepared = core.prepareRequest(minimalOrder({ OrderNumber: '7' }));
  const { issues } = await clientOf(server.baseUrl).createOrder(prepared);
  assert.deepEqual(inShort(issues), ['warning unused_member /OrderNumber']);
});

test('a prepared request whose path, orderId and body do not agree is never sent', async () => {
  const prepared = core.prepareRequest(minimalOrder());
  const sender = clientOf(server.baseUrl);
  for (const changes of [
    { path: `v3/ServiceOrder(${OTHER_ID})` },
    { path: `v2/ServiceOrder(${ORDER_ID})` },
    { path: `../v3/ServiceOrder(${ORDER_ID})` },
    { orderId: OTHER_ID },
    { orderId: OTHER_ID, path: `v3/ServiceOrder(${OTHER_ID})` },
    { version: 'v2' },
    { version: 'v9' },
    { path: '../x' },
    { body: core.prepareRequest(minimalOrder({ Id: OTHER_ID })).body },
  ]) {
    const error = await rejection(sender.createOrder({ ...prepared, ...changes }));
    assert.ok(error instanceof core.OrderValidationError, JSON.stringify(changes));
    assert.deepEqual(inShort(error.issues), ['error order_id_mismatch /Id']);
  }
  for (const changes of [{ body: '{' }, { body: '{}' }, { body: '' }]) {
    assert.ok((await rejection(sender.createOrder({ ...prepared, ...changes }))) instanceof core.OrderValidationError);
  }
  for (const orderId of ['x', undefined]) {
    assert.ok((await rejection(sender.createOrder({ ...prepared, orderId }))) instanceof core.OrderValidationError);
  }
  assert.equal(server.requests.length, 0);
});

test('the options of a call apply to a prepared request', async () => {
  const sender = clientOf(server.baseUrl);
  const issuesWith = async (order, options) => {
    const error = await rejection(
      sender.createOrder(core.prepareRequest(order, { allowEmptyTaxes: true, records: 'passthrough' }), options),
    );
    assert.ok(error instanceof core.OrderValidationError, error);
    return inShort(error.issues);
  };
  const discount = { InvoiceLevel: [{ Name: 'Too much', Value: 150, ValueType: 'percent' }] };
  const discountValueTypes = { amount: 'amount', percent: 'percent' };
  const order = minimalOrder();
  assert.deepEqual(await issuesWith(order, { orderId: OTHER_ID }), ['error order_id_mismatch /Id']);
  assert.deepEqual(await issuesWith(order, { locationTaxPricing: 'Inclusive' }), [
    'error location_tax_inclusive /EntityId',
  ]);
  assert.deepEqual(await issuesWith(minimalOrder({ Taxes: [] }), { allowEmptyTaxes: false }), [
    'error taxes_empty /Taxes',
  ]);
  assert.deepEqual(await issuesWith(minimalOrder({ Discount: discount }), { records: 'strict', discountValueTypes }), [
    'error discount_percent_out_of_range /Discount/InvoiceLevel/0/Value',
  ]);
  assert.equal(server.requests.length, 0);
  await sender.createOrder(core.prepareRequest(order), {
    orderId: `{${ORDER_ID.toUpperCase()}}`,
    version: 'v2',
    records: undefined,
  });
  assert.match(server.requests[0].url, /v3/, 'the version of the request wins');
});

test('an orderId in another form of the same GUID agrees', async () => {
  const prepared = core.prepareRequest(minimalOrder());
  const { orderId } = await clientOf(server.baseUrl).createOrder({
    ...prepared,
    orderId: `{${ORDER_ID.toUpperCase()}}`,
  });
  assert.equal(orderId, ORDER_ID);
});

test('a prepared request may be frozen, and without its headers', async () => {
  const prepared = core.prepareRequest(fullOrder(), { version: 'v2' });
  const { headers, issues, ...bare } = prepared;
  for (const each of [deepFreeze(structuredClone(prepared)), bare]) {
    server.orders.clear();
    assert.equal((await clientOf(server.baseUrl).createOrder(each)).status, 201);
    assert.equal(server.requests.at(-1).body, prepared.body);
    assert.equal(server.requests.at(-1).url, `/intake/v2/ServiceOrder(${ORDER_ID})`);
  }
  assert.equal(headers.Accept, 'application/json');
  assert.ok(Array.isArray(issues));
});

test('a prepared request that was stored as JSON, with or without its issues, is sent', async () => {
  const { issues, ...stored } = core.prepareRequest(minimalOrder({ OrderNumber: '7' }));
  for (const value of [stored, { ...stored, issues: null }]) {
    const created = await clientOf(server.baseUrl).createOrder(JSON.parse(JSON.stringify(value)));
    assert.equal(created.order.ReceiptNumber, 'R-1');
    assert.deepEqual(created.issues, []);
  }
  const created = await clientOf(server.baseUrl).createOrder(JSON.parse(JSON.stringify({ ...stored, issues })));
  assert.deepEqual(inShort(created.issues), ['warning unused_member /OrderNumber']);
});

// ---------------------------------------------------------------- fetch

test('fetch is called without a receiver: the option, or the current global', async () => {
  const calls = [];
  /** @type {(this: unknown, url: any, init: any) => any} */
  function strictFetch(url, init) {
    calls.push([this, url, init.redirect]);
    return new Response(init.body, { status: 201 });
  }
  const options = { baseUrl: 'https://x.example/a/', token: TOKEN };
  await client.createClient({ ...options, fetch: strictFetch }).createOrder(minimalOrder());
  const late = client.createClient({ ...options, baseUrl: 'https://x.example/a' });
  const original = globalThis.fetch;
  globalThis.fetch = strictFetch;
  try {
    await late.createOrder(minimalOrder());
  } finally {
    globalThis.fetch = original;
  }
  assert.deepEqual(calls, new Array(2).fill([undefined, `https://x.example/a/v3/ServiceOrder(${ORDER_ID})`, 'manual']));
});

test('a call without any fetch reports that fetch is missing', async () => {
  const original = globalThis.fetch;
  const sender = client.createClient({ baseUrl: 'https://x.example', token: TOKEN });
  delete (/** @type {any} */ (globalThis).fetch);
  try {
    assert.match(
      String(await rejection(sender.createOrder(minimalOrder()))),
      /OptionError: option \/fetch must be given/,
    );
  } finally {
    globalThis.fetch = original;
  }
});

test('an order whose getter throws is an OrderValidationError, also in a batch', async () => {
  const order = (name) =>
    Object.defineProperty(minimalOrder(), name, { enumerable: true, get: () => assert.fail('a getter') });
  const sender = clientOf(server.baseUrl);
  for (const name of ['Id', 'Notes', 'method']) {
    assert.ok((await rejection(sender.createOrder(order(name)))) instanceof core.OrderValidationError, name);
    for await (const { error } of sender.createOrders([order(name)]))
      assert.ok(error instanceof core.OrderValidationError, name);
  }
  assert.equal(server.requests.length, 0);
});

test('an input that is not an order is an OrderValidationError', async () => {
  for (const input of [null, undefined, 7, 'order', '{}', [], {}, () => {}]) {
    assert.ok(
      (await rejection(clientOf(server.baseUrl).createOrder(input))) instanceof core.OrderValidationError,
      String(input),
    );
  }
  assert.equal(server.requests.length, 0);
});
