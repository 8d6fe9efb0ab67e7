/** relay: what it responds to orders and questions. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { installed } from '../../node/installed.mjs';
import { item } from '../../node/orders.mjs';
import { numbered } from '../orders.mjs';
import { NOBODY, folderOf, run, serviceOf, until } from '../program.mjs';
import { served } from '../served.mjs';
import { OPENAPI, PERSONAL, PUT, ask, listed, logOf, put, relayed, settled } from './relays.mjs';

const GUID = numbered(0).Id;

/** A service, and a relay before it. */
async function both(t, flags = [], settings = {}) {
  const service = await served(flags);
  t.after(() => service.child.kill('SIGKILL'));
  return { service, relay: await relayed(t, { ...service, ...settings }) };
}

test('an order is accepted with 202 and a Location, delivered once, and shown with the created order', async (t) => {
  const { service, relay } = await both(t);
  const { status, headers, json } = await put(relay);
  assert.deepEqual([status, headers.get('location')], [202, `/orders/${GUID}`]);
  assert.deepEqual(json, { orderId: GUID, state: 'waiting', issues: [] });
  const { state, outcome, attempts, order, body } = await settled(relay);
  assert.deepEqual([state, outcome, attempts, body], ['created', 'created', 1, undefined]);
  assert.equal(order.ReceiptNumber, '1');
  const { requests } = await (await fetch(`${service.baseUrl}/requests`)).json();
  assert.deepEqual(
    requests.map(({ status: each }) => each),
    [201],
  );
});

test('the same order again is 200; another one with its Id is 409 and changes nothing', async (t) => {
  const { relay } = await both(t);
  assert.equal((await put(relay)).status, 202);
  await settled(relay);
  const again = await put(relay, numbered(0, { Items: [item({ Quantity: '2.0' })] }));
  assert.deepEqual([again.status, again.json.Id, again.headers.get('location')], [200, GUID, `/orders/${GUID}`]);
  const other = await put(relay, numbered(0, { Items: [item({ Quantity: 3 })] }));
  assert.deepEqual([other.status, other.json.type], [409, 'urn:sales-order-intake:problem:conflict']);
  assert.equal((await settled(relay)).order.Items[0].Quantity, '2');
});

test('of many requests at once with the same order, one gets 202', async (t) => {
  const relay = await relayed(t, { baseUrl: NOBODY });
  const responses = await Promise.all(Array.from({ length: 20 }, () => put(relay)));
  assert.deepEqual(responses.map(({ status }) => status).sort(), [...Array(19).fill(200), 202]);
  // A client must not take any for the created order (D26).
  for (const { json } of responses) assert.deepEqual([json.orderId, json.Id], [GUID, undefined]);
});

test('an order that is invalid is 400 with its issues, as problem details of the reference service', async (t) => {
  const { service, relay } = await both(t);
  const body = JSON.stringify(numbered(0, { Items: [item({ Quantity: 0 })], CompanyId: undefined }));
  const init = { method: 'PUT', headers: { 'Content-Type': 'application/json' }, body };
  const { status, headers, json } = await ask(relay, PUT, init);
  assert.deepEqual([status, headers.get('content-type')], [400, 'application/problem+json']);
  assert.equal(json.type, 'urn:sales-order-intake:problem:invalid-order');
  const ofService = await fetch(`${service.baseUrl}${PUT}`, {
    ...init,
    headers: { ...init.headers, Authorization: `Bearer ${service.token}` },
  });
  assert.deepEqual(json, await ofService.json());
  assert.ok(json.errors.some(({ pointer, code }) => pointer === '/CompanyId' && code === 'missing'));
});

test('paths, media types and sizes are judged as by the reference service', async (t) => {
  const { service, relay } = await both(t);
  const large = JSON.stringify(numbered(0, { Notes: 'x'.repeat(1 << 20) }));
  const type = { 'Content-Type': 'application/json' };
  /** @type {[path: string, init: { method: string, headers: object, body: string }, status: number][]} */
  const requests = [
    ['/v4/ServiceOrder(1)', { method: 'PUT', headers: type, body: '{}' }, 404],
    ['/v3/ServiceOrder(1)', { method: 'PUT', headers: type, body: '{}' }, 404],
    [PUT, { method: 'POST', headers: type, body: '{}' }, 405],
    [PUT, { method: 'PUT', headers: { ...type, Accept: 'text/html' }, body: '{}' }, 406],
    [PUT, { method: 'PUT', headers: { 'Content-Type': 'text/plain' }, body: '{}' }, 415],
    [PUT, { method: 'PUT', headers: type, body: large }, 413],
  ];
  for (const [path, init, expected] of requests) {
    const { status, json } = await ask(relay, path, /** @type {RequestInit} */ (init));
    assert.equal(status, expected, path);
    const headers = { ...init.headers, Authorization: `Bearer ${service.token}` };
    assert.deepEqual(json, await (await fetch(service.baseUrl + path, { ...init, headers })).json());
  }
});

test('the service gets the token of the relay, and no header of the sender: no fault can be asked for here', async (t) => {
  const { relay } = await both(t);
  const { status } = await put(relay, numbered(0), { Authorization: 'Bearer of-the-shop', 'X-Fault': '503' });
  const { state, attempts } = await settled(relay);
  assert.deepEqual([status, state, attempts], [202, 'created', 1]);
});

test('Prefer: wait responds when the order is settled, or when the time is up', async (t) => {
  const { promise: isHeld, resolve: release } = Promise.withResolvers();
  const relay = await relayed(
    t,
    await serviceOf(t, async () => {
      await isHeld;
      return { status: 201 };
    }),
  );
  await put(relay);
  const startedAt = performance.now();
  const late = await ask(relay, `/orders/${GUID}`, { headers: { Prefer: 'respond-async, wait=1' } });
  assert.ok(performance.now() - startedAt >= 990);
  assert.deepEqual([late.json.state, late.headers.get('preference-applied')], ['sending', 'wait=1']);
  const waiting = ask(relay, `/orders/${GUID}`, { headers: { Prefer: 'wait=999' } });
  release(undefined);
  const { json, headers } = await waiting;
  assert.deepEqual([json.state, headers.get('preference-applied')], ['created', 'wait=60']);
  assert.ok(performance.now() - startedAt < 20_000);
  assert.equal((await ask(relay, `/orders/${GUID}`)).headers.get('preference-applied'), null);
  for (const seconds of ['1000000000', '9'.repeat(400)]) {
    const long = await ask(relay, `/orders/${GUID}`, { headers: { Prefer: `wait=${seconds}` } });
    assert.equal(long.headers.get('preference-applied'), 'wait=60');
  }
});

test('an order that is unknown is 404, and can be neither asked for nor retried', async (t) => {
  const relay = await relayed(t, { baseUrl: NOBODY });
  assert.equal((await ask(relay, `/orders/${GUID}`, { headers: { Prefer: 'wait=5' } })).status, 404);
  assert.equal((await ask(relay, '/orders/none')).status, 404);
  assert.equal((await ask(relay, `/orders/${GUID}/retry`, { method: 'POST' })).status, 404);
});

test('a refused order is listed without personal data, and retried', async (t) => {
  let isFixed = false;
  const detail = `${PERSONAL.FirstName} must not order`;
  const service = await serviceOf(t, () =>
    isFixed ? { status: 201 } : { status: 400, body: JSON.stringify({ title: 'Refused', detail }) },
  );
  const relay = await relayed(t, service);
  await put(relay, numbered(0, PERSONAL));
  await put(relay, numbered(1));
  const refused = await settled(relay);
  assert.deepEqual([refused.state, refused.reason, refused.detail], ['refused', 'RejectedError', detail]);
  await settled(relay, numbered(1));
  const list = await ask(relay, '/orders?state=refused,stalled&reason=RejectedError');
  assert.deepEqual(
    list.json.orders.map(({ orderId }) => orderId),
    [numbered(1).Id, GUID],
  );
  assert.deepEqual(list.json.orders[1].can, { retry: true, replace: true, cancel: false, forget: true });
  for (const value of Object.values(PERSONAL)) assert.ok(!list.text.includes(value));
  assert.equal((await ask(relay, '/orders?state=refused&state=stalled')).text, list.text);
  assert.deepEqual((await ask(relay, '/orders?state=stalled')).json, { orders: [], next: null });
  isFixed = true;
  const retried = await ask(relay, `/orders/${GUID}/retry`, { method: 'POST' });
  assert.deepEqual([retried.status, retried.json.orderId], [200, GUID]);
  assert.equal((await settled(relay)).state, 'created');
  const again = await ask(relay, `/orders/${GUID}/retry`, { method: 'POST' });
  assert.deepEqual([again.status, again.json.type], [409, 'urn:sales-order-intake:problem:wrong-state']);
});

test('a query that is wrong is 400', async (t) => {
  const relay = await relayed(t, { baseUrl: NOBODY });
  for (const [query, detail] of [
    ['state=lost', /^state must be some of waiting, sending, created, /],
    ['state=created&state=lost', /^state must be some of /],
    ['state=', /^state must be some of /],
    ['reason=None', /^reason must be one of /],
    ['reason=NotFoundError&reason=ConflictError', /^reason can be given once$/],
    ['stat=refused', /^The parameters are state, reason, reference, /],
    ['states=created', /^The parameters are /],
    ['since=yesterday', /^since must be a time such as 2026-/],
    ['before=', /^before must be a time such as /],
    ["companyId=abc&entityId='", /^companyId must be a whole number$/],
    ['companyId=1', /^entityId must be given together with companyId/],
    ['entityId=', /^entityId must be a whole number$/],
    ['limit=0', /^limit must be a whole number, 1 to 500/],
    ['limit=1.5', /^limit must be a whole number$/],
    ['limit=1&limit=2', /^limit can be given once$/],
    ['after=x', /^after must be the next of the page before/],
  ]) {
    const { status, json } = await ask(relay, `/orders?${query}`);
    assert.deepEqual([status, json.type], [400, 'urn:sales-order-intake:problem:invalid-query'], String(query));
    assert.match(json.detail, /** @type {RegExp} */ (detail));
  }
});

test('hundreds of orders are listed in pages, the newest first', async (t) => {
  const relay = await relayed(t, { baseUrl: NOBODY, flags: ['--quiet'] });
  const count = 300;
  for (let n = 0; n < count; n++) await put(relay, numbered(n, { CompanyId: n < 250 ? 1000 : 1001 }));
  assert.deepEqual(
    (await listed(relay, 'limit=120')).map(({ orderId }) => orderId),
    Array.from({ length: count }, (_, n) => numbered(count - 1 - n).Id),
  );
  const { EntityId } = numbered(0);
  const of = async (query) => (await ask(relay, `/orders?limit=500&${query}`)).json.orders.length;
  assert.equal(await of(`companyId=1001&entityId=${EntityId}`), 50);
  assert.deepEqual([await of('since=2020-01-01T00:00:00Z'), await of('before=2020-01-01')], [count, 0]);
  assert.equal((await ask(relay, '/orders')).json.orders.length, 50);
});

test('with a client token, everything but /ready and /openapi.json needs it', async (t) => {
  const env = { SALES_ORDER_RELAY_CLIENT_TOKEN: 'of-the-shops' };
  const relay = await relayed(t, { baseUrl: NOBODY, env });
  const wrong = ['', 'Bearer', 'Bearer of-the-shop', 'Bearer of-the-shops2', 'Bearer a-token', 'Basic of-the-shops'];
  for (const Authorization of wrong) {
    for (const [path, method] of [
      [PUT, 'PUT'],
      ['/orders', 'GET'],
      [`/orders/${GUID}`, 'GET'],
      [`/orders/${GUID}/retry`, 'POST'],
      ['/metrics', 'GET'],
    ]) {
      const { status, headers } = await ask(relay, path, { method, headers: { Authorization } });
      assert.deepEqual([status, headers.get('www-authenticate')], [401, 'Bearer'], `${path} with ${Authorization}`);
    }
  }
  const headers = { Authorization: 'Bearer of-the-shops' };
  assert.equal((await put(relay, numbered(0), headers)).status, 202);
  for (const path of ['/orders', `/orders/${GUID}`, '/metrics']) {
    assert.equal((await ask(relay, path, { headers })).status, 200);
  }
  for (const path of ['/ready', '/openapi.json']) assert.ok((await ask(relay, path)).status < 300);
  assert.doesNotMatch(relay.child.shown.out, /of-the-shops/);
});

test('beyond loopback the relay starts only with a client token', { timeout: 30_000 }, async (t) => {
  const cwd = folderOf(t);
  const env = { SALES_ORDER_INTAKE_TOKEN: 'x' };
  for (const listen of ['0.0.0.0:0', '[::]:0', '192.0.2.1:0', '[::ffff:0.0.0.0]:0']) {
    const { code, out, err } = await run(['relay', '--base-url', NOBODY, '--listen', listen], { cwd, env });
    assert.deepEqual([code, out], [2, ''], listen);
    assert.match(err, /^error: --listen .* needs a client token: others could send orders, and read them\n/);
  }
  const relay = await relayed(t, { baseUrl: NOBODY, listen: '0.0.0.0:0', flags: ['--client-token', 'secret'] });
  assert.equal((await put(relay)).status, 401);
});

test('a secret that is set and empty is an error, not the same as none', { timeout: 30_000 }, async (t) => {
  const cwd = folderOf(t);
  const names = ['SALES_ORDER_RELAY_CLIENT_TOKEN', 'SALES_ORDER_INTAKE_TOKEN', 'SALES_ORDER_OUTBOX'];
  for (const name of names) {
    const env = { SALES_ORDER_INTAKE_TOKEN: 'x', [name]: '' };
    const { code, out, err } = await run(['relay', '--base-url', NOBODY, '--listen', '0'], { cwd, env });
    assert.deepEqual(
      [code, out, err],
      [2, '', `error: ${name} is set, but empty\nhint: Give it a value, or unset it.\n`],
    );
  }
});

test('SALES_ORDER_OUTBOX names the file if --outbox does not', async (t) => {
  const file = join(folderOf(t), 'named.sqlite');
  const env = { SALES_ORDER_OUTBOX: file };
  await relayed(t, { baseUrl: NOBODY, outbox: null, env });
  assert.ok(existsSync(file));
});

test('a file is for one relay, and for one service', { timeout: 30_000 }, async (t) => {
  const service = await serviceOf(t, () => ({ status: 201 }));
  const relay = await relayed(t, service);
  const env = { SALES_ORDER_INTAKE_TOKEN: 'x' };
  const args = ['relay', '--listen', '0', '--outbox', relay.file, '--base-url'];
  const second = await run([...args, service.baseUrl], { env });
  assert.equal(second.code, 2);
  assert.match(second.err, /is in use by another process/);
  await put(relay);
  await settled(relay);
  relay.child.kill('SIGTERM');
  assert.equal((await relay.child.ended).code, 0);
  const other = await run([...args, NOBODY], { env });
  assert.equal(other.code, 2);
  assert.match(other.err, /has orders that were sent to/);
});

test('the metrics are OpenMetrics, and count what has happened', async (t) => {
  const { relay } = await both(t);
  await put(relay);
  await settled(relay);
  await put(relay);
  await ask(relay, '/orders/none');
  await ask(relay, '/v4/ServiceOrder');
  await ask(relay, PUT, { method: 'POST' });
  const { text, headers } = await ask(relay, '/metrics');
  assert.equal(headers.get('content-type'), 'application/openmetrics-text; version=1.0.0; charset=utf-8');
  const values = new Map(readMetrics(text));
  for (const [sample, value] of [
    ['requests_total{route="order",status="202"}', 1],
    ['requests_total{route="order",status="200"}', 1],
    ['requests_total{route="state",status="404"}', 1],
    ['requests_total{route="order",status="405"}', 1],
    ['requests_total{route="unknown",status="404"}', 1],
    ['attempts_total{result="created",reason=""}', 1],
    ['errors_total', 0],
    ['orders{state="created"}', 1],
    ['orders{state="waiting"}', 0],
    ['paused{cause=""}', 0],
  ]) {
    assert.equal(values.get(`sales_order_relay_${sample}`), value, String(sample));
  }
});

/** Reads the text format of OpenMetrics strictly: what is not of it fails. */
function readMetrics(text) {
  const lines = text.split('\n');
  assert.deepEqual(lines.splice(-2), ['# EOF', '']);
  let family = '';
  let type = '';
  return lines.flatMap((line) => {
    const [, name, rest] = /^# HELP (\w+) (.+)$/.exec(line) ?? [];
    if (name) {
      assert.ok(rest && name > '');
      family = name;
      return [];
    }
    if (line.startsWith('# ')) {
      [, type = ''] = new RegExp(`^# TYPE ${family} (counter|gauge)$`).exec(line) ?? assert.fail(line);
      return [];
    }
    const sample = `${family}${type === 'counter' ? '_total' : ''}`;
    const [, labels = '', value] =
      new RegExp(`^${sample}((?:\\{\\w+="\\w*"(?:,\\w+="\\w*")*\\})?) (\\d+(?:\\.\\d+)?)$`).exec(line) ??
      assert.fail(line);
    return [[sample + labels, Number(value)]];
  });
}

test('the relay serves its OpenAPI document, and HEAD as GET', async (t) => {
  const relay = await relayed(t, { baseUrl: NOBODY });
  const served = (await ask(relay, '/openapi.json')).json;
  const { SalesOrder, ...schemas } = served.components.schemas;
  const { SalesOrder: _, ...own } = OPENAPI.components.schemas;
  assert.deepEqual(schemas, own);
  assert.deepEqual({ ...served, components: null }, { ...OPENAPI, components: null });
  // The package's schema, with its definitions where they are now.
  assert.ok(SalesOrder.required.includes('CompanyId'));
  for (const [, pointer = ''] of JSON.stringify(served).matchAll(/"\$ref":"#([^"]+)"/g)) {
    const found = pointer
      .split('/')
      .slice(1)
      .reduce((value, name) => value?.[name], served);
    assert.ok(found, pointer);
  }
  const { status, text, headers } = await ask(relay, '/openapi.json', { method: 'HEAD' });
  assert.deepEqual([status, text], [200, '']);
  assert.ok(Number(headers.get('content-length')) > 1000);
  assert.equal((await ask(relay, '/orders', { method: 'HEAD' })).text, '');
  const { status: refused, headers: of405 } = await ask(relay, '/orders', { method: 'DELETE' });
  assert.deepEqual([refused, of405.get('allow')], [405, 'GET, HEAD']);
});

test('logs have Ids, routes and statuses, and nothing personal', async (t) => {
  const { service, relay } = await both(t, ['--fault', '503=0.3']);
  const secret = 'Basic cGVyc29uYWw=';
  for (let n = 0; n < 5; n++) await put(relay, numbered(n, PERSONAL), { Cookie: 'Zwingli', Authorization: secret });
  await put(relay, numbered(0, { ...PERSONAL, LastName: 'Other' }));
  await ask(relay, `/orders/${PERSONAL.LastName}?name=${PERSONAL.FirstName}`);
  await ask(relay, `/v3/ServiceOrder(${PERSONAL.LastName})`, { method: 'PUT', body: PERSONAL.Notes });
  for (let n = 0; n < 5; n++) await settled(relay, numbered(n));
  relay.child.kill('SIGTERM');
  const { code, out, err } = await relay.child.ended;
  assert.equal(code, 0);
  for (const value of [...Object.values(PERSONAL), secret, service.token, 'Green tea']) {
    assert.ok(!`${out}${err}`.includes(value), value);
  }
  const requests = logOf(relay.child, 'request');
  assert.deepEqual(Object.keys(requests[0]), ['time', 'event', 'route', 'orderId', 'status']);
  assert.deepEqual([requests[0].route, requests[0].orderId, requests[0].status], ['order', GUID, 202]);
  assert.ok(logOf(relay.child, 'attempt').some(({ orderId, state }) => orderId === GUID && state === 'created'));
});

test("the package's own client follows the relay's 202 with `delivery`", async (t) => {
  const { relay } = await both(t);
  const { client } = await installed();
  const { createOrder } = client.createClient({ baseUrl: relay.url, token: 'any' });
  const accepted = await createOrder(numbered(0));
  assert.deepEqual([accepted.status, accepted.order, accepted.attempts], [202, null, 1]);
  assert.equal(accepted.delivery.href, `${relay.url}/orders/${GUID}`);
  const state = await (await fetch(accepted.delivery, { headers: { Prefer: 'wait=30' } })).json();
  assert.deepEqual([state.state, state.order.Id], ['created', GUID]);
  // The same again is proof: the body is the order as the service returned it (D26).
  const again = await createOrder(numbered(0));
  assert.deepEqual([again.status, again.order.Id, again.alreadyThere], [200, GUID, true]);
  const conflict = await createOrder(numbered(0, { Notes: 'other' })).catch((error) => error);
  assert.equal(conflict.name, 'ConflictError');
  await until(() => logOf(relay.child, 'request').length >= 3, 'the log');
});
