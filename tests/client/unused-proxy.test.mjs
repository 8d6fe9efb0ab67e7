/** Tests that a failed connection is explained if the environment names a proxy that Node does not use. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minimalOrder } from '../node/orders.mjs';
import { rejection } from '../thrown.mjs';
import { client } from './clients.mjs';

const VARIABLES = [
  'https_proxy',
  'HTTPS_PROXY',
  'http_proxy',
  'HTTP_PROXY',
  'all_proxy',
  'ALL_PROXY',
  'no_proxy',
  'NO_PROXY',
];
const PROXY = 'http://me:s3cret@proxy.test:8080';
const ADVICE = 'set NODE_USE_ENV_PROXY=1 (Node 22.21, 24.5 or later)';
const DISPATCHER = Symbol.for('undici.globalDispatcher.1');
const NEW_DISPATCHER = Symbol.for('undici.globalDispatcher.2');

/** Returns the error about a host that is not found, in this environment. The platform's fetch is replaced. */
async function errorIn(environment, { baseUrl = 'https://intake.example.com', code = 'ENOTFOUND', ...options } = {}) {
  const [fetch, ...before] = [globalThis.fetch, ...VARIABLES.map((name) => process.env[name])];
  for (const name of VARIABLES) delete process.env[name];
  Object.assign(process.env, environment);
  globalThis.fetch = async () => {
    throw new TypeError('fetch failed', { cause: Object.assign(new Error('of the platform'), { code }) });
  };
  try {
    const sender = client.createClient({ baseUrl, token: 'a-token', maxRetries: 0, ...options });
    return await rejection(sender.createOrder(minimalOrder()));
  } finally {
    globalThis.fetch = fetch;
    for (const [index, name] of VARIABLES.entries()) {
      if (before[index] === undefined) delete process.env[name];
      else process.env[name] = before[index];
    }
  }
}

for (const [environment, options, advice] of /** @type {any[][]} */ ([
  [{ HTTPS_PROXY: PROXY }, {}, `HTTPS_PROXY is set, but Node does not use it: ${ADVICE}`],
  [{ HTTP_PROXY: PROXY }, {}, `HTTP_PROXY is set, but Node does not use it: ${ADVICE}`],
  [{ https_proxy: PROXY }, { code: 'ECONNREFUSED' }, `https_proxy is set, but Node does not use it: ${ADVICE}`],
  [
    { ALL_PROXY: PROXY },
    { code: 'UND_ERR_CONNECT_TIMEOUT' },
    `ALL_PROXY is set, but Node does not use it: set HTTPS_PROXY and NODE_USE_ENV_PROXY=1 (Node 22.21, 24.5 or later)`,
  ],
  [{ HTTPS_PROXY: PROXY, NO_PROXY: 'other.example.com,example.org,test' }, {}, `HTTPS_PROXY is set`],
  [{ HTTPS_PROXY: PROXY, NO_PROXY: 'example.com:8443' }, {}, `HTTPS_PROXY is set`],
])) {
  test(`${Object.keys(environment).join(' and ')}: a connection that can't be made is explained by the proxy`, async () => {
    const { name, message, failure, outcome } = await errorIn(environment, options);
    assert.deepEqual([name, outcome], ['ConnectionError', 'not-created']);
    assert.ok(failure.includes(`; ${advice}`), failure);
    assert.ok(message.includes(failure), message);
    assert.doesNotMatch(message, /s3cret|proxy\.test/);
  });
}

for (const [what, environment, options] of /** @type {any[][]} */ ([
  ['without a proxy', {}],
  ['an empty variable', { HTTPS_PROXY: '' }],
  ['NO_PROXY for all', { HTTPS_PROXY: PROXY, NO_PROXY: '*' }],
  ['NO_PROXY with the host', { HTTPS_PROXY: PROXY, no_proxy: 'localhost, INTAKE.example.com' }],
  ['NO_PROXY with the domain', { HTTPS_PROXY: PROXY, NO_PROXY: 'example.com' }],
  ['NO_PROXY with all subdomains', { HTTPS_PROXY: PROXY, NO_PROXY: 'a.test .example.com' }],
  ['NO_PROXY with a wildcard and the port', { HTTPS_PROXY: PROXY, NO_PROXY: '*.example.com:443' }],
  ['a service on this machine', { HTTP_PROXY: PROXY }, { baseUrl: 'http://127.0.0.1:4010' }],
  ['a fetch of your own', { HTTPS_PROXY: PROXY }, { fetch: (url, init) => globalThis.fetch(url, init) }],
  ['a certificate that was refused', { HTTPS_PROXY: PROXY }, { code: 'CERT_HAS_EXPIRED' }],
  ['a connection that was lost later', { HTTPS_PROXY: PROXY }, { code: 'ECONNRESET' }],
])) {
  test(`${what}: nothing is said of a proxy`, async () => {
    const { name, message } = await errorIn(environment, options);
    assert.equal(name, 'ConnectionError');
    assert.doesNotMatch(message, /proxy/i);
  });
}

test('a dispatcher of the program or of Node is used, so nothing is said of a proxy', async (t) => {
  class EnvHttpProxyAgent {}
  const before = [DISPATCHER, NEW_DISPATCHER].map((name) => globalThis[name]);
  t.after(() => Object.assign(globalThis, { [DISPATCHER]: before[0], [NEW_DISPATCHER]: before[1] }));
  Object.assign(globalThis, { [DISPATCHER]: new EnvHttpProxyAgent(), [NEW_DISPATCHER]: undefined });
  assert.doesNotMatch((await errorIn({ HTTPS_PROXY: PROXY })).message, /proxy/i);
});
