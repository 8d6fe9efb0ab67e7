/** relay: requests that try to break it. Each gets a response or loses its connection, and the relay goes on. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { numbered } from '../orders.mjs';
import { NOBODY, serviceOf, until } from '../program.mjs';
import { answerTo } from '../served.mjs';
import { PUT, ask, logOf, put, relayed } from './relays.mjs';

const HOST = 'Host: 127.0.0.1\r\nConnection: close\r\n';
const JSON_TYPE = 'Content-Type: application/json\r\n';
const valid = JSON.stringify(numbered(0));
/** A whole PUT with this body. */
const putting = (
  body,
  { headers = JSON_TYPE, length = Buffer.byteLength(body), path = `/v3/ServiceOrder(${numbered(0).Id})` } = {},
) => `PUT ${path} HTTP/1.1\r\n${HOST}${headers}Content-Length: ${length}\r\n\r\n${body}`;
const chunked = (body, headers = '') =>
  `PUT ${PUT} HTTP/1.1\r\n${HOST}${JSON_TYPE}${headers}Transfer-Encoding: chunked\r\n\r\n${body}`;
const deep = (open, close) => open.repeat(50_000) + close.repeat(50_000);

/** The bytes that are sent, and the status of the response; null if the connection is closed without one. */
const REQUESTS = {
  'no HTTP at all': ['\x16\x03\x01\x02\x00\x01\x00garbage\r\n\r\n', 400],
  'HTTP/0.9': ['GET /\r\n\r\n', 400],
  'another version of HTTP': [`GET /ready HTTP/9.9\r\n${HOST}\r\n`, 400],
  'the preface of HTTP/2': ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  'no Host': ['GET /ready HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
  'the Host of another site': [
    `GET /orders HTTP/1.1\r\nHost: 127.0.0.1.evil.example\r\nConnection: close\r\n\r\n`,
    421,
  ],
  'the Host [::1]': [`GET /orders HTTP/1.1\r\nHost: [::1]\r\nConnection: close\r\n\r\n`, 200],
  'two Hosts': [`GET /orders HTTP/1.1\r\n${HOST}Host: evil.example\r\n\r\n`, 421],
  'an unknown method': [`BREW ${PUT} HTTP/1.1\r\n${HOST}\r\n`, 400],
  TRACE: [`TRACE ${PUT} HTTP/1.1\r\n${HOST}\r\n`, 405],
  'OPTIONS of everything': [`OPTIONS * HTTP/1.1\r\n${HOST}\r\n`, 404],
  CONNECT: [`CONNECT evil.example:443 HTTP/1.1\r\n${HOST}\r\n`, null],
  'an absolute target': [putting(valid, { path: `http://evil.example${PUT}` }), 400],
  'an absolute target that is none': [`GET http://a:b:c/none HTTP/1.1\r\n${HOST}\r\n`, 404],
  'a path out of the tree': [`GET /orders/../../etc/passwd HTTP/1.1\r\n${HOST}\r\n`, 404],
  'an escaped path that is no UTF-8': [`PUT /v3/%FF%FE HTTP/1.1\r\n${HOST}Content-Length: 0\r\n\r\n`, 404],
  'a path of a Prototype': [`GET /__proto__ HTTP/1.1\r\n${HOST}\r\n`, 404],
  'a query of a Prototype': [`GET /orders?__proto__=x&constructor=y HTTP/1.1\r\n${HOST}\r\n`, 400],
  'headers of 64 KiB': [`GET /ready HTTP/1.1\r\n${HOST}X: ${'x'.repeat(65_536)}\r\n\r\n`, 431],
  'ten thousand headers': [`GET /ready HTTP/1.1\r\n${HOST}${'X: y\r\n'.repeat(10_000)}\r\n`, 431],
  'a path of 64 KiB': [`GET /${'x'.repeat(65_536)} HTTP/1.1\r\n${HOST}\r\n`, 431],
  'a line break in a header': [`GET /ready HTTP/1.1\r\n${HOST}X: a\rb\r\n\r\n`, 400],
  'two lengths': [putting(valid, { headers: `${JSON_TYPE}Content-Length: 3\r\n` }), 400],
  'a length that is no number': [putting(valid, { length: /** @type {any} */ ('1e9') }), 400],
  'a length and chunks': [chunked('0\r\n\r\n', 'Content-Length: 5\r\n'), 400],
  'an announced length of 4 GB': [putting('{', { length: 4e9 }), 413],
  'an announced length of 5 GB': [putting('{', { length: 5e9 }), 413],
  'chunks that are garbage': [chunked('zz\r\n{}\r\n'), 400],
  'a chunk of 16 EB': [chunked('FFFFFFFFFFFFFFFFF\r\n{}\r\n'), 400],
  'chunks of 2 MiB': [chunked(`200000\r\n${'x'.repeat(0x200000)}\r\n0\r\n\r\n`), 413],
  'two types': [putting(valid, { headers: `${JSON_TYPE}Content-Type: text/plain\r\n` }), 415],
  'a compressed body': [putting(valid, { headers: `${JSON_TYPE}Content-Encoding: gzip\r\n` }), 415],
  'no body': [putting(''), 400],
  'half of a JSON document': [putting(valid.slice(0, 50)), 400],
  'a body that is no UTF-8': [
    Buffer.from(putting(valid.replace('Green', 'Gr\xff\xfen'), { length: valid.length }), 'latin1'),
    400,
  ],
  'arrays in arrays': [putting(deep('[', ']')), 400],
  'objects in objects': [putting(deep('{"a":', '}')), 400],
  'a JSON string of a Prototype': [putting(`{"__proto__":{"Id":1},${valid.slice(1)}`), 202],
  'two members of the same name': [putting(valid.replace('{', '{"CompanyId":1,')), 400],
  'a number of 100,000 digits': [putting(valid.replace('19.99', '9'.repeat(100_000))), 400],
  'two Authorizations': [putting(valid, { headers: `${JSON_TYPE}Authorization: a\r\nAuthorization: b\r\n` }), 409],
  'an upgrade': [
    `GET /orders HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n`,
    200,
  ],
  'two requests in one, the second garbage': [`GET /ready HTTP/1.1\r\nHost: localhost\r\n\r\n\0\0\r\n\r\n`, 400],
};

test('each hostile request gets its status as problem details, and after each the relay accepts an order', async (t) => {
  const relay = await relayed(t, { baseUrl: NOBODY });
  const failures = [];
  const requests = Object.entries(REQUESTS);
  assert.ok(requests.length >= 30);
  for (const [n, [name, [request, expected]]] of requests.entries()) {
    const text = /** @type {string} */ (await answerTo({ baseUrl: relay.url }, request));
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1] ?? Number.NaN) || null;
    if (status !== expected) failures.push(`${name}: ${status} instead of ${expected}\n${text.slice(0, 400)}`);
    if (status && status >= 400 && !text.includes('application/problem+json'))
      failures.push(`${name}: no problem details`);
    const next = await put(relay, numbered(1000 + n));
    if (next.status !== 202) failures.push(`${name}: the next order is ${next.status}`);
  }
  assert.deepEqual(failures, []);
  assert.equal((await ask(relay, '/ready')).status < 300, true);
  assert.equal(relay.child.exitCode, null);
  assert.equal(relay.child.shown.err, '');
});

test('a request that a browser reports as one of another site is 403, and changes nothing', async (t) => {
  const relay = await relayed(t, { baseUrl: NOBODY });
  await put(relay);
  const { Id } = numbered(0);
  const body = JSON.stringify(numbered(1));
  /** @type {[path: string, method: string, body?: string][]} */
  const requests = [
    [`/v3/ServiceOrder(${numbered(1).Id})`, 'PUT', body],
    [`/v2/ServiceOrder(${numbered(1).Id})`, 'PUT', body],
    [`/orders/${Id}`, 'PUT', valid],
    [`/orders/${Id}/retry`, 'POST'],
    [`/orders/${Id}/cancel`, 'POST'],
    ['/evaluate', 'POST', `{"order":${valid}}`],
  ];
  const foreign = [
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site', Origin: relay.url },
    { 'Sec-Fetch-Site': '' },
    { Origin: 'https://evil.example' },
    { Origin: relay.url.replace(/\d+$/, '1') },
    { Origin: 'null' },
  ];
  const own = [{ 'Sec-Fetch-Site': 'same-origin' }, { 'Sec-Fetch-Site': 'none' }, { Origin: relay.url }];
  for (const [path, method, content] of requests) {
    const asked = (headers) =>
      ask(relay, path, { method, headers: { 'Content-Type': 'application/json', ...headers }, body: content });
    for (const headers of foreign) {
      const { status, json } = await asked(headers);
      assert.deepEqual([status, json.type], [403, 'urn:sales-order-intake:problem:cross-site'], `${method} ${path}`);
    }
    for (const headers of own) assert.notEqual((await asked(headers)).status, 403, `${method} ${path}`);
  }
  assert.equal((await ask(relay, `/orders/${Id}`, { headers: { Origin: 'https://evil.example' } })).status, 200);
  const { json } = await ask(relay, '/orders');
  assert.equal(json.orders.length, 2);
});

for (const [whose, env, headers] of /** @type {[string, object, string][]} */ ([
  ['without a client token', {}, ''],
  ['with one', { SALES_ORDER_RELAY_CLIENT_TOKEN: 'of-the-shops' }, 'Authorization: Bearer of-the-shops\r\n'],
])) {
  test(`a Host that is no host is 400 at a relay ${whose}`, async (t) => {
    const relay = await relayed(t, { baseUrl: NOBODY, env });
    for (const host of ['u:p@x.example', 'u@localhost', 'localhost/x', 'local host', 'localhost:80:80', '']) {
      for (const path of ['/', '/orders']) {
        const text = await answerTo(
          { baseUrl: relay.url },
          `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${headers}Connection: close\r\n\r\n`,
        );
        assert.match(`${text}`, /^HTTP\/1\.1 400 /, host);
      }
    }
  });
}

test('requests that are sent before the response to the one before get theirs, in order', async (t) => {
  const relay = await relayed(t, { baseUrl: NOBODY });
  await put(relay);
  const get = (path, more = '') => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`;
  const { Id } = numbered(0);
  const pipelined = [
    get(`/orders/${Id}`, 'Prefer: wait=1\r\n'),
    get('/orders/none'),
    get('/ready', 'Connection: close\r\n'),
  ];
  const text = await answerTo({ baseUrl: relay.url }, pipelined.join(''));
  assert.deepEqual(
    [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status) - (Number(status) === 204 ? 4 : 0)),
    [200, 404, 200],
  );
});

test('a sender that goes in the middle of a body leaves nothing', async (t) => {
  const relay = await relayed(t, { baseUrl: NOBODY });
  await new Promise((closed) => {
    const socket = connect(Number(new URL(relay.url).port), '127.0.0.1', () => {
      socket.write(putting(valid).slice(0, -40), () => socket.resetAndDestroy());
    });
    socket.on('close', closed);
  });
  assert.deepEqual((await ask(relay, '/orders')).json, { orders: [], next: null });
  assert.equal((await put(relay)).status, 202);
});

/** Connections that have written this, and read nothing. They end with the test. */
async function unread(t, { url }, count, text) {
  const sockets = Array.from({ length: count }, () => connect(Number(new URL(url).port), '127.0.0.1').pause());
  t.after(() => sockets.forEach((socket) => void socket.on('error', () => {}).destroy()));
  for (const socket of sockets) socket.on('error', () => {});
  await Promise.all(sockets.map((socket) => new Promise((written) => socket.write(text, written))));
  return sockets;
}

const TOKEN = { SALES_ORDER_RELAY_CLIENT_TOKEN: 'of-the-shops' };
const WITH_TOKEN = { Authorization: 'Bearer of-the-shops' };

for (const [whose, header] of [
  ['without a token', ''],
  ['with the token', 'Authorization: Bearer of-the-shops\r\n'],
]) {
  test(`bodies that senders ${whose} announce and do not send leave room for those of others`, async (t) => {
    const relay = await relayed(t, { baseUrl: NOBODY, env: TOKEN });
    await unread(t, relay, 1100, putting('', { headers: JSON_TYPE + header, length: 65_536 }));
    assert.equal((await put(relay, numbered(0), WITH_TOKEN)).status, 202);
  });
}

test('a sender without a token gets its 401 before its body has come', async (t) => {
  const relay = await relayed(t, { baseUrl: NOBODY, env: TOKEN });
  const [socket] = await unread(t, relay, 1, putting('', { length: 2000 }));
  const [data] = await once(/** @type {any} */ (socket).resume(), 'data');
  assert.match(String(data), /^HTTP\/1\.1 401 /);
});

test('16 requests of a connection run at the same time; the others wait, and all get their responses in order', async (t) => {
  const { promise: isHeld, resolve: release } = Promise.withResolvers();
  const service = await serviceOf(t, () => isHeld.then(() => ({ status: 201 })));
  const relay = await relayed(t, service);
  await put(relay);
  const get = `GET /orders/${numbered(0).Id} HTTP/1.1\r\nHost: localhost\r\nPrefer: wait=60\r\n\r\n`;
  const puts = Array.from({ length: 20 }, (_, n) => {
    const order = numbered(n + 1);
    const text = putting(JSON.stringify(order), { path: `/v3/ServiceOrder(${order.Id})` });
    return n === 19 ? text : text.replace('Connection: close\r\n', '');
  });
  const responses = answerTo({ baseUrl: relay.url }, get + puts.join(''));
  const stored = async () => (await ask(relay, '/orders')).json.orders.length;
  await until(async () => (await stored()) >= 16, '15 more orders');
  // Requests that came later run meanwhile.
  await put(relay, numbered(100));
  assert.equal(await stored(), 17);
  release(undefined);
  const statuses = [...(await responses).matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status));
  assert.deepEqual(statuses, [200, ...Array(20).fill(202)]);
});

test('a connection on which requests pile up is closed, and others are served', async (t) => {
  const relay = await relayed(t, { baseUrl: NOBODY, env: TOKEN, flags: ['--quiet'] });
  const sockets = await unread(t, relay, 20, 'GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2000));
  assert.equal((await put(relay, numbered(0), WITH_TOKEN)).status, 202);
  const responses = sockets.map(async (socket) => {
    let text = '';
    socket.on('data', (data) => {
      text += data;
    });
    if (!socket.closed) await new Promise((end) => socket.resume().once('close', end));
    return text.split('HTTP/1.1 401 ').length - 1;
  });
  for (const count of await Promise.all(responses)) assert.ok(count <= 64, `${count} responses`);
});

test('the requests of a connection that is closed end, those behind the first one too', async (t) => {
  const relay = await relayed(t, { baseUrl: NOBODY });
  await put(relay);
  const wait = `GET /orders/${numbered(0).Id} HTTP/1.1\r\nHost: localhost\r\nPrefer: wait=60\r\n\r\n`;
  const [socket] = await unread(t, relay, 1, `GET /orders/none HTTP/1.1\r\nHost: localhost\r\n\r\n${wait.repeat(5)}`);
  const states = () => logOf(relay.child, 'request').filter(({ route }) => route === 'state').length;
  await until(() => states() === 1, 'the first request of the connection');
  socket?.resetAndDestroy();
  await until(() => states() === 6, 'the end of those that waited');
});
