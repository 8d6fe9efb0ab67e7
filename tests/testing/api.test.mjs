/** Tests what only the service of the package has: its orders and requests, scripted faults, its use as fetch. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installed } from '../node/installed.mjs';
import { whileReplaced } from '../node/stubs.mjs';
import { newId, order, put, registry } from './harbour.mjs';

const { client, testing } = await installed();
const quick = { baseMs: 0, capMs: 0 };

// The first test: afterwards, the modules are compiled.
test('where a platform compiles no WebAssembly, as edge workers, the error says where the reference service runs', async () => {
  const cause = new WebAssembly.CompileError('WebAssembly.Module(): Wasm code generation disallowed by embedder');
  const Module = new Proxy(WebAssembly.Module, {
    construct() {
      throw cause;
    },
  });
  await whileReplaced(WebAssembly, 'Module', Module, () =>
    assert.rejects(async () => put(testing.createTestService(), order(newId())), {
      name: 'CoreInitError',
      reason: 'csp',
      message: /the reference service does not run in such workers, but in Node beside them/,
    }),
  );
});

test('a client that retries after a lost response and a 503 creates the order once', async () => {
  const service = testing.createTestService();
  const sender = client.createClient({ ...service.clientOptions, retry: quick });
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

test('a latency beyond timeoutMs is a time-out of the client after the order was stored', async () => {
  const { baseUrl, token, fetch, failNext, orders, requests } = testing.createTestService();
  const sender = client.createClient({ baseUrl, token, fetch, timeoutMs: 50, maxRetries: 0 });
  const sent = order(newId());
  failNext('latency=60000');
  await assert.rejects(sender.createOrder(sent), { name: 'TimeoutError', outcome: 'unknown' });
  assert.deepEqual([orders.length, requests[0].status, requests[0].fault], [1, null, 'latency=60000']);
  const { status, alreadyThere } = await sender.createOrder(sent);
  assert.deepEqual([status, alreadyThere, orders.length], [200, true, 1]);
});

test('without a registry every company, location and integrator is known, and one token', async () => {
  const service = testing.createTestService();
  const sent = order(newId(), { CompanyId: 7, EntityId: 8, IntegratorId: newId() });
  assert.equal((await put(service, sent)).status, 201);
  assert.equal((await put({ ...service, token: 'another' }, sent)).status, 401);
  assert.equal((await put(service, { ...sent, IntegratorId: 'none' })).status, 400);
});

test('a replay stays one after its location, company or integrator has left the registry', async () => {
  const changing = structuredClone(registry);
  const service = testing.createTestService({ registry: changing });
  const sent = order(newId());
  const first = await put(service, sent);
  assert.equal(first.status, 201);
  for (const without of [
    { companies: [{ id: 1501, locations: [] }] },
    { companies: changing.companies.slice(1) },
    { integrators: changing.integrators.slice(1) },
  ]) {
    Object.assign(changing, structuredClone(registry), without);
    const again = await put(service, sent);
    assert.deepEqual([again.status, again.text], [200, first.text], JSON.stringify(without));
    for (const other of [order(newId()), { ...sent, Notes: 'Ring twice' }]) {
      assert.equal((await put(service, other)).status, 403);
    }
    // Orders that the token does not cover stay secret.
    for (const covered of [{ companies: [1502] }, { integrators: [] }]) {
      changing.tokens = [{ ...registry.tokens[0], ...covered }];
      assert.equal((await put(service, sent)).status, 403);
    }
  }
});

test('a replay stays one whatever its integrator and its location allow now', async () => {
  /** @type {any} */
  const changing = structuredClone(registry);
  const service = testing.createTestService({ registry: changing });
  const change = (integrator, taxPricing) => {
    Object.assign(changing, structuredClone(registry));
    Object.assign(changing.integrators[0], integrator);
    changing.companies[0].locations[0].taxPricing = taxPricing;
  };
  const Taxes = [{ TaxAmount: '3.50', TaxId: '0B9F7C1E2D3A4B5C8D6E7F8091A2B3C4' }];
  const [strict, passthrough] = [{ records: 'strict' }, { records: 'passthrough' }];
  for (const [before, after, taxPricing, members] of [
    [strict, passthrough, 'Exclusive', { Taxes }],
    [passthrough, strict, 'Exclusive', { Taxes }],
    [passthrough, strict, 'Exclusive', { Taxes: [{ Rate: 'of a later version' }] }],
    [{ allowEmptyTaxes: true }, {}, 'Exclusive', { Taxes: [] }],
    [{}, {}, 'Inclusive', { Notes: 'Ring twice' }],
  ]) {
    change(before, 'Exclusive');
    const sent = order(newId(), members);
    const first = await put(service, sent);
    assert.equal(first.status, 201, first.text);
    change(after, taxPricing);
    for (const version of ['v2', 'v3']) {
      const again = await put(service, sent, { version });
      assert.deepEqual([again.status, again.text], [200, first.text]);
    }
    // Another order with this Id, and this order with another Id, are what they would be without the stored one.
    const other = await put(service, { ...sent, Items: [{ ...sent.Items[0], Quantity: 2 }] });
    const asNew = await put(service, { ...sent, Id: newId() });
    assert.ok(['409 201', '400 400'].includes(`${other.status} ${asNew.status}`), `${other.status} ${asNew.status}`);
  }
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

test('requests lists the received requests with headers, body, status and fault', async () => {
  const { setDown, failNext, requests, ...service } = testing.createTestService({ registry });
  const sent = order(newId());
  failNext('409', 'drop-after');
  assert.equal((await put(service, sent)).status, 409);
  await assert.rejects(put(service, sent), TypeError);
  await put(service, sent);
  setDown(true);
  await put(service, sent, { version: 'v2' });
  await service.fetch(`${service.baseUrl}/v3/x?a=1`, { headers: { 'X-Trace': 'a' } });
  const path = `/v3/ServiceOrder(${sent.Id})`;
  const headers = { accept: 'application/json', authorization: 'Bearer ***', 'content-type': 'application/json' };
  const seen = (path, status, fault) => ({
    ...{ method: 'PUT', url: `https://intake.test${path}`, path, orderId: sent.Id, headers },
    ...{ body: JSON.stringify(sent), status, fault },
  });
  const other = { method: 'GET', url: 'https://intake.test/v3/x?a=1', path: '/v3/x', orderId: null };
  assert.deepEqual(requests, [
    seen(path, 409, '409'),
    seen(path, null, 'drop-after'),
    seen(path, 200, null),
    seen(path.replace('v3', 'v2'), 503, 'down'),
    { ...other, headers: { 'x-trace': 'a' }, body: null, status: 404, fault: null },
  ]);
  for (let count = 0; count < 300; count++) await service.fetch(`${service.baseUrl}/v3/x`);
  assert.equal(requests.length, 200);
  service.reset();
  assert.deepEqual(requests, []);
});

test('no request shows a token, however it was sent', async () => {
  const service = testing.createTestService({ registry });
  for (const authorization of [
    'Bearer soi_storefront',
    'bearer  soi_storefront x',
    'soi_storefront',
    'Token soi_storefront',
  ]) {
    await put(service, order(newId()), { headers: { authorization } });
  }
  assert.equal(service.requests.length, 4);
  assert.doesNotMatch(JSON.stringify(service.requests), /soi_storefront/);
  assert.deepEqual(
    service.requests.map(({ headers }) => headers.authorization),
    ['Bearer ***', 'bearer ***', '***', '***'],
  );
});

test('createClient takes the client options as they are', async () => {
  for (const options of [{}, { registry }, { baseUrl: 'http://127.0.0.1:8080/orders/', token: 'another' }]) {
    const service = testing.createTestService(options);
    const { baseUrl, token, fetch } = service;
    assert.deepEqual(service.clientOptions, { baseUrl, token, fetch, allowBrowserToken: true });
    const { status } = await client.createClient(service.clientOptions).createOrder(order(newId()));
    assert.equal(status, 201);
    assert.doesNotMatch(JSON.stringify(service.requests), new RegExp(`Bearer ${token}`));
  }
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

test('an unknown fault throws a TypeError, and injects none', async () => {
  const service = testing.createTestService({ registry });
  for (const fault of [
    'latency',
    'latency=300001',
    '',
    '200',
    200,
    399,
    600,
    '5000',
    'html=',
    'html=199',
    'html=600',
    null,
  ]) {
    assert.throws(() => service.failNext('500', fault), TypeError, String(fault));
  }
  assert.equal((await put(service, order(newId()))).status, 201);
});

test('failNext takes every status from 400 to 599, as a number or a string', async () => {
  const service = testing.createTestService({ registry });
  const sent = order(newId());
  for (let status = 400; status < 600; status++) {
    service.failNext(status, String(status));
    for (let time = 0; time < 2; time++) {
      const response = await put(service, sent);
      assert.equal(response.status, status);
      assert.equal(response.headers.get('content-type'), 'application/problem+json');
      assert.equal(response.json().status, status);
    }
  }
  assert.equal(service.requests.at(-1).fault, '599');
  assert.deepEqual(service.orders, []);
});

test('a page of HTML, and a redirect, store nothing', async () => {
  const service = testing.createTestService({ registry });
  const sent = order(newId());
  service.failNext('html', 'html=403', 'html=503', 'redirect');
  for (const status of [200, 403, 503]) {
    const page = await put(service, sent);
    assert.deepEqual([page.status, page.headers.get('content-type')], [status, 'text/html; charset=utf-8']);
    assert.match(page.text, /^<!doctype html>/);
  }
  const redirect = await put(service, sent);
  assert.deepEqual([redirect.status, redirect.text], [302, '']);
  assert.notEqual(new URL(redirect.headers.get('location')).origin, new URL(service.baseUrl).origin);
  assert.deepEqual(service.orders, []);
  assert.equal((await put(service, sent)).status, 201);
});

test('a wrong option is an OptionError with its pointer', () => {
  const { companies, integrators, tokens } = registry;
  const [company] = companies;
  const [token] = tokens;
  for (const [options, pointer] of [
    [null, ''],
    [{ tokn: 'x' }, '/tokn'],
    [{ token: '' }, '/token'],
    [{ token: 'a b' }, '/token'],
    [{ registry, token: 'another' }, '/token'],
    [{ baseUrl: 'localhost' }, '/baseUrl'],
    [{ baseUrl: 'http://intake.test' }, '/baseUrl'],
    [{ maxBodyBytes: 0 }, '/maxBodyBytes'],
    [{ registry: null }, '/registry'],
    [{ registry: {} }, '/registry/companies'],
    [{ registry: { companies, integrators: [], tokens } }, '/registry/integrators'],
    [{ registry: { companies, integrators, tokens: [] } }, '/registry/tokens'],
    [{ registry: { ...registry, stores: [] } }, '/registry/stores'],
    [{ registry: { ...registry, companies: [{ id: 1 }] } }, '/registry/companies/0/locations'],
    [{ registry: { ...registry, companies: [company, { ...company, id: '1' }] } }, '/registry/companies/1/id'],
    [
      { registry: { ...registry, companies: [{ id: 1, locations: [{ id: 1, taxPricing: 'inclusive' }] }] } },
      '/registry/companies/0/locations/0/taxPricing',
    ],
    [{ registry: { ...registry, integrators: [{ id: 'x', name: 'x' }] } }, '/registry/integrators/0/id'],
    [{ registry: { ...registry, integrators: [{ id: newId(), name: ' ' }] } }, '/registry/integrators/0/name'],
    [{ registry: { ...registry, integrators: [{ id: newId(), name: '\ud800' }] } }, '/registry'],
    [{ registry: { ...registry, tokens: [{ ...token, companies: [0] }] } }, '/registry/tokens/0/companies/0'],
    [{ registry: { ...registry, tokens: [{ ...token, token: 'a b' }] } }, '/registry/tokens/0/token'],
    [{ registry: { ...registry, tokens: [{ token: 'x' }] } }, '/registry/tokens/0/companies'],
    [{ registry: { ...registry, tokens: [{ ...token, integrators: ['x'] }] } }, '/registry/tokens/0/integrators/0'],
  ]) {
    assert.throws(
      () => testing.createTestService(/** @type {any} */ (options)),
      (/** @type {any} */ error) =>
        error.name === 'OptionError' && error.option === pointer && !/undefined/.test(error.message),
      JSON.stringify(options),
    );
  }
});

test('what a registry lists twice is an OptionError, and so is an id that is too large', () => {
  const { companies, integrators, tokens } = registry;
  const [{ locations }] = companies;
  /** @type {[object, string][]} */
  const cases = [
    [
      { companies: [...companies, { id: 1501, locations: [{ id: 3000 }] }] },
      '/registry/companies/2/id appears more than once',
    ],
    [
      { companies: [{ id: 1501, locations: [...locations, { id: 2302 }] }] },
      '/registry/companies/0/locations/3/id appears more than once in this company',
    ],
    [
      { integrators: [...integrators, { id: integrators[0].id.toUpperCase(), name: 'Web' }] },
      '/registry/integrators/2/id appears more than once',
    ],
    [{ tokens: [...tokens, { ...tokens[0], companies: [] }] }, '/registry/tokens/2/token appears more than once'],
    [{ companies: [{ id: 2 ** 31, locations: [] }] }, '/registry/companies/0/id must be from 1 to 2147483647'],
    [
      { companies: [{ id: 1, locations: [{ id: 2 ** 40 }] }] },
      '/registry/companies/0/locations/0/id must be from 1 to 2147483647',
    ],
  ];
  for (const [change, message] of cases) {
    assert.throws(() => testing.createTestService({ registry: { ...registry, ...change } }), {
      name: 'OptionError',
      option: message.split(' ')[0],
      message: `option ${message}`,
    });
  }
});

test('a registry that is changed so that it lists a company twice is refused at the next request', async () => {
  const changing = structuredClone(registry);
  const service = testing.createTestService({ registry: changing });
  changing.companies.push({ id: 1501, locations: [] });
  await assert.rejects(put(service, order(newId())), /companies\[2\]\.id appears more than once/);
});

test('a fault that a request asks for comes before the faults of failNext', async () => {
  const service = testing.createTestService({ registry });
  service.failNext('500');
  const sent = order(newId());
  assert.equal((await put(service, sent, { headers: { 'x-fault': '429' } })).status, 429);
  assert.deepEqual([(await put(service, sent)).status, (await put(service, sent)).status], [500, 201]);
});
