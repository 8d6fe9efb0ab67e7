/** Tests the options that createClient accepts and rejects. */
import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import { test } from 'node:test';
import { installedFile } from '../node/installed.mjs';
import { deepFreeze, minimalOrder } from '../node/orders.mjs';
import { client, ORDER_ID, TOKEN } from './clients.mjs';

const { isBrowser } = await import(pathToFileURL(installedFile('dist/esm/internals.js')).href);
const { createClient } = client;
const GOOD = { baseUrl: 'https://x.example', token: TOKEN };
const creating = async (_, { body }) => new Response(body, { status: 201 });

/** Returns the address that an order is sent to. */
async function addressWith(baseUrl) {
  let address;
  const fetch = async (url, { body }) => {
    address = url;
    return new Response(body, { status: 201 });
  };
  await createClient({ ...GOOD, baseUrl, fetch }).createOrder(minimalOrder());
  return address;
}

for (const [baseUrl, base] of [
  ['https://x.example', 'https://x.example/'],
  [new URL('https://x.example/a'), 'https://x.example/a/'],
  ['https://x.example/', 'https://x.example/'],
  ['https://x.example/a/b', 'https://x.example/a/b/'],
  ['https://x.example/a/b/', 'https://x.example/a/b/'],
  ['https://x.example:8443/a%20b//', 'https://x.example:8443/a%20b/'],
  ['HTTPS://X.EXAMPLE/Intake', 'https://x.example/Intake/'],
  ['http://localhost:3000/a', 'http://localhost:3000/a/'],
  ['http://api.localhost', 'http://api.localhost/'],
  ['http://127.9.9.9', 'http://127.9.9.9/'],
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080/'],
  ['http://127.1', 'http://127.0.0.1/'],
  ['http://[::1]:8080/a', 'http://[::1]:8080/a/'],
]) {
  test(`orders are sent below the base URL ${baseUrl}`, async () => {
    assert.equal(await addressWith(baseUrl), `${base}v3/ServiceOrder(${ORDER_ID})`);
  });
}

for (const baseUrl of [
  ...[undefined, null, '', 7, {}, '/intake', 'x.example', 'x.example/a', 'https://'],
  ...[
    'http://x.example',
    'http://localhost.x.example',
    'http://127.0.0.1.x.example',
    'http://10.0.0.1',
    'http://[::2]',
    'http://0.0.0.0',
    'ftp://x.example',
    'file:///a',
    'javascript:1',
  ],
  ...[
    'https://me:s3cret@x.example',
    'https://s3cret@x.example',
    'https://x.example?key=s3cret',
    'https://x.example#s3cret',
  ],
]) {
  test(`base URL ${baseUrl} is rejected, and not shown in the message`, () => {
    assert.throws(
      () => createClient({ ...GOOD, baseUrl }),
      (error) => {
        assert.ok(error instanceof TypeError);
        assert.equal(error.name, 'OptionError');
        assert.equal(/** @type {any} */ (error).option, '/baseUrl');
        assert.match(error.message, /^option \/baseUrl must /);
        return !error.message.includes('s3cret');
      },
    );
  });
}

for (const [options, message] of /** @type {any[][]} */ ([
  [
    { hooks: { request() {} } },
    'option /hooks/request is unknown; did you mean onRequest? The options are onRequest, ',
  ],
  [{ hooks: { onresponse() {} } }, 'option /hooks/onresponse is unknown; did you mean onResponse? The options are '],
  [{ hooks: { log() {} } }, 'option /hooks/log is unknown. The options are onRequest, onResponse, onError, onRetry'],
  [{ baseURL: 'https://x.example' }, 'option /baseURL is unknown; did you mean baseUrl? The options are baseUrl, '],
  [{ retries: 3 }, 'option /retries is unknown; did you mean maxRetries? The options are '],
])) {
  test(`a name that is no option is refused: ${message.slice(0, 60)}…`, () => {
    assert.throws(
      () => createClient({ ...GOOD, ...options }),
      (error) => {
        assert.equal(/** @type {Error} */ (error).name, 'OptionError');
        return /** @type {Error} */ (error).message.startsWith(message);
      },
    );
  });
}

test('a batch has no option orderId, and says why', () => {
  assert.throws(() => createClient(GOOD).createOrders([], { orderId: ORDER_ID }), {
    name: 'OptionError',
    message: 'option /orderId must be absent: each order has an Id of its own',
  });
});

test('without options there is no client', () => {
  for (const options of [undefined, null, 'https://x.example']) assert.throws(() => createClient(options), TypeError);
});

test('undefined is the default of every option, and options may be deeply frozen', async () => {
  const nothing = (names) => Object.fromEntries(names.map((name) => [name, undefined]));
  const request = ['timeoutMs', 'totalTimeoutMs', 'maxRetries', 'headers'];
  const sender = createClient(
    deepFreeze({
      ...GOOD,
      fetch: creating,
      ...nothing([...request, 'tokenTimeoutMs', 'version', 'acceptEmptyBody', 'allowBrowserToken']),
      retry: nothing(['baseMs', 'capMs']),
      hooks: nothing(['onRequest', 'onResponse', 'onError', 'onRetry']),
    }),
  );
  const rules = [
    'version',
    'locationTaxPricing',
    'allowEmptyTaxes',
    'records',
    'discountValueTypes',
    'orderId',
    'strict',
  ];
  const all = deepFreeze(nothing([...request, ...rules, 'signal', 'earlierAttempts', 'sharePause']));
  assert.equal((await sender.createOrder(minimalOrder(), all)).status, 201);
  const batch = deepFreeze({ ...all, ...nothing(['concurrency', 'onProgress', 'onResult', 'stopOnUnauthorized']) });
  for await (const { ok } of sender.createOrders([minimalOrder()], batch)) assert.equal(ok, true);
  createClient({ ...GOOD, fetch: undefined, retry: undefined, hooks: undefined });
});

test('options that are changed after createClient have no effect', async () => {
  let sent;
  const fetch = (url, init) => {
    sent = init.headers;
    return creating(url, init);
  };
  const options = { ...GOOD, fetch, headers: { 'X-Shop': 'north' }, hooks: {} };
  const sender = createClient(options);
  options.headers['X-Shop'] = 'south';
  options.token = 'other';
  await sender.createOrder(minimalOrder());
  assert.equal(new Headers(sent).get('x-shop'), 'north');
  assert.equal(new Headers(sent).get('authorization'), `Bearer ${TOKEN}`);
});

test('functions of a client can be destructured', async () => {
  const { createOrder } = createClient({ ...GOOD, fetch: async (_, { body }) => new Response(body) });
  assert.equal((await createOrder(minimalOrder())).orderId, ORDER_ID);
});

test('pages and workers are browsers; servers are not, whatever globals they have', () => {
  const document = {};
  const WorkerGlobalScope = class {};
  assert.ok(isBrowser({ document }));
  assert.ok(isBrowser({ WorkerGlobalScope, navigator: { userAgent: 'Mozilla/5.0' } }));
  assert.ok(isBrowser({ document, process: { versions: {} } }), "a bundler's substitute for process");
  for (const server of [
    {},
    { document, process: { versions: { node: '20.0.0' } } },
    { WorkerGlobalScope, Deno: {} },
    { WorkerGlobalScope, Bun: {} },
    { WorkerGlobalScope, EdgeRuntime: 'edge-runtime' },
    { WorkerGlobalScope, navigator: { userAgent: 'Cloudflare-Workers' } },
  ]) {
    assert.ok(!isBrowser(server));
  }
  assert.ok(!isBrowser());
});
