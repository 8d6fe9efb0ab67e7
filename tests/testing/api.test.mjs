/** Tests what only the test service has: its orders and requests, scripted faults, its use as fetch and in MSW. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { http } from 'msw';
import { setupServer } from 'msw/node';
import { installed } from '../node/installed.mjs';
import { newId, order, put, registry } from './harbour.mjs';

const { client, cjsClient, esm, testing, cjsTesting } = await installed();
const quick = { baseMs: 0, capMs: 0 };

for (const [form, { createTestService }, { createClient }] of [
  ['ESM', testing, client],
  ['CommonJS', cjsTesting, cjsClient],
]) {
  test(`a client that retries after a lost response and a 503 creates the order once (${form})`, async () => {
    const { baseUrl, token, fetch, ...service } = createTestService();
    const sender = createClient({ baseUrl, token, fetch, retry: quick });
    service.failNext('drop-after', '503', 'latency=5');
    const sent = order(newId());
    const { status, attempts, order: created } = await sender.createOrder(sent);
    assert.deepEqual([status, attempts, created.ReceiptNumber], [200, 3, '1']);
    assert.deepEqual(
      service.orders.map(({ orderId, version }) => [orderId, version]),
      [[sent.Id, 'v3']],
    );
    assert.deepEqual(service.orders[0].order, created);
    assert.deepEqual(JSON.parse(service.orders[0].body).Items[0].SellAtPricePerUnit, 10);
    await assert.rejects(sender.createOrder(order(sent.Id, { IsDelivery: true })), {
      name: 'ConflictError',
      outcome: 'not-created',
    });
  });
}

test('a latency beyond timeoutMs is a time-out of the client', async () => {
  const { baseUrl, token, fetch, failNext, orders } = testing.createTestService();
  failNext('latency=60000');
  const sender = client.createClient({ baseUrl, token, fetch, timeoutMs: 50, maxRetries: 0 });
  await assert.rejects(sender.createOrder(order(newId())), { name: 'TimeoutError', outcome: 'unknown' });
  assert.deepEqual(orders, []);
});

test('without a registry every company, location and integrator is known, and one token', async () => {
  const service = testing.createTestService();
  const sent = order(newId(), { CompanyId: 7, EntityId: 8, IntegratorId: newId() });
  assert.equal((await put(service, sent)).status, 201);
  assert.equal((await put({ ...service, token: 'another' }, sent)).status, 401);
  assert.equal((await put(service, { ...sent, IntegratorId: 'none' })).status, 400);
});

test('a request that is aborted before it is sent stores nothing', async () => {
  const service = testing.createTestService({ registry });
  const reason = new Error('the user left');
  await assert.rejects(put(service, order(newId()), { signal: AbortSignal.abort(reason) }), reason);
  assert.deepEqual(service.orders, []);
});

test('the service is down until setDown(false), or until a reset', async () => {
  const { setDown, ...service } = testing.createTestService({ registry });
  const sent = order(newId());
  setDown(true);
  for (let attempt = 0; attempt < 3; attempt++) {
    const answer = await put(service, sent);
    assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, null]);
  }
  setDown(false);
  assert.equal((await put(service, sent)).status, 201);
  service.failNext('down-until=100');
  assert.deepEqual([(await put(service, sent)).status, (await put(service, sent)).status], [503, 503]);
  service.reset();
  assert.equal((await put(service, sent)).status, 201);
});

test('only a PUT with a valid token can request a fault', async () => {
  const service = testing.createTestService({ registry });
  const sent = order(newId());
  const headers = { 'x-fault': '500' };
  assert.equal((await put({ ...service, token: 'another' }, sent, { headers })).status, 401);
  assert.equal((await put(service, sent, { headers, method: 'POST' })).status, 405);
  assert.equal((await put(service, sent, { headers })).status, 500);
});

test('requests lists the received requests with status and fault, but without bodies', async () => {
  const { setDown, failNext, requests, ...service } = testing.createTestService({ registry });
  const sent = order(newId());
  failNext('409', 'drop-after');
  assert.equal((await put(service, sent)).status, 409);
  await assert.rejects(put(service, sent), TypeError);
  await put(service, sent);
  setDown(true);
  await put(service, sent, { version: 'v2' });
  await service.fetch(`${service.baseUrl}/v3/x`);
  const path = `/v3/ServiceOrder(${sent.Id})`;
  const seen = (method, path, orderId, status, fault) => ({ method, path, orderId, status, fault });
  assert.deepEqual(requests, [
    seen('PUT', path, sent.Id, 409, '409'),
    seen('PUT', path, sent.Id, null, 'drop-after'),
    seen('PUT', path, sent.Id, 200, null),
    seen('PUT', path.replace('v3', 'v2'), sent.Id, 503, 'down'),
    seen('GET', '/v3/x', null, 404, null),
  ]);
  for (let count = 0; count < 300; count++) await service.fetch(`${service.baseUrl}/v3/x`);
  assert.equal(requests.length, 200);
  service.reset();
  assert.deepEqual(requests, []);
});

test('after a reset the service is like a new one', async () => {
  const service = testing.createTestService({ registry });
  const { orders } = service;
  await put(service, order(newId()));
  service.failNext('500');
  service.reset();
  assert.equal(orders.length, 0);
  const next = await put(service, order(newId()));
  assert.deepEqual([next.status, next.json().ReceiptNumber, orders.length], [201, '1', 1]);
});

test('a fetch of another address fails', async () => {
  const { fetch } = testing.createTestService({ baseUrl: 'https://intake.test/orders/' });
  assert.equal((await fetch('https://intake.test/orders/v4')).status, 404);
  for (const url of [
    'https://intake.test/v3/x',
    'https://intake.test/orders',
    'https://intake.test/ordersv3/x',
    'https://other.test/orders/v3',
    'http://intake.test/orders/v3',
  ]) {
    await assert.rejects(fetch(url), TypeError, url);
  }
});

test('an unknown fault throws a TypeError', () => {
  const { failNext } = testing.createTestService();
  for (const fault of ['418', 'latency', 'latency=300001', '']) assert.throws(() => failNext('500', fault), TypeError);
});

test('a fault that a request asks for comes before the faults of failNext', async () => {
  const service = testing.createTestService({ registry });
  service.failNext('500');
  const sent = order(newId());
  assert.equal((await put(service, sent, { headers: { 'x-fault': '429' } })).status, 429);
  assert.deepEqual([(await put(service, sent)).status, (await put(service, sent)).status], [500, 201]);
});

const server = setupServer();
after(() => server.close());

test('handlers of Mock Service Worker respond to the global fetch, and do not affect other handlers', async () => {
  const service = testing.createTestService();
  const elsewhere = http.get('https://elsewhere.test/', () => new Response('elsewhere'));
  server.use(...service.handlers(http), elsewhere);
  server.listen({ onUnhandledRequest: 'error' });
  service.failNext('drop', '429');
  const sender = client.createClient({ baseUrl: service.baseUrl, token: service.token, retry: quick });
  const { status, attempts } = await sender.createOrder(order(newId()));
  assert.deepEqual([status, attempts, service.orders.length], [201, 3, 1]);
  assert.equal(await (await fetch('https://elsewhere.test/')).text(), 'elsewhere');
});

test('only the testing entry exports the test service', () => {
  assert.equal('createTestService' in esm, false);
  assert.deepEqual(Object.keys(testing), ['createTestService']);
});
