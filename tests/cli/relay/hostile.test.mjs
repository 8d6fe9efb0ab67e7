/** relay: requests that try to break it. Each gets a response or loses its connection, and the relay goes on. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { numbered } from '../orders.mjs';
import { NOBODY } from '../program.mjs';
import { answerTo } from '../served.mjs';
import { PUT, ask, put, relayed } from './relays.mjs';

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

/** What is sent, and the status of the response; null if the connection is closed without one. */
const REQUESTS = {
  'no HTTP at all': ['\x16\x03\x01\x02\x00\x01\x00garbage\r\n\r\n', 400],
  'HTTP/0.9': ['GET /\r\n\r\n', 400],
  'another version of HTTP': [`GET /ready HTTP/9.9\r\n${HOST}\r\n`, 400],
  'the preface of HTTP/2': ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  'no Host': ['GET /ready HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
  'two Hosts': [`GET /orders HTTP/1.1\r\n${HOST}Host: evil.example\r\n\r\n`, 421],
  'an unknown method': [`BREW ${PUT} HTTP/1.1\r\n${HOST}\r\n`, 400],
  TRACE: [`TRACE ${PUT} HTTP/1.1\r\n${HOST}\r\n`, 405],
  'OPTIONS of everything': [`OPTIONS * HTTP/1.1\r\n${HOST}\r\n`, 404],
  CONNECT: [`CONNECT evil.example:443 HTTP/1.1\r\n${HOST}\r\n`, null],
  'an absolute target': [putting(valid, { path: `http://evil.example${PUT}` }), 400],
  'an absolute target that is none': [`GET http://a:b:c/ HTTP/1.1\r\n${HOST}\r\n`, 404],
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
  assert.deepEqual((await ask(relay, '/orders')).json, { orders: [] });
  assert.equal((await put(relay)).status, 202);
});
