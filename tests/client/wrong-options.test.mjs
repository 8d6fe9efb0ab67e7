/**
 * Tests wrong options of createClient, createOrder and createOrders: each is an OptionError with a pointer, and nothing
 * is sent.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minimalOrder } from '../node/orders.mjs';
import { rejection, thrown } from '../thrown.mjs';
import { client, core, TOKEN } from './clients.mjs';

const { createClient } = client;
const { OptionError, prepareRequest } = core;
const GOOD = { baseUrl: 'https://intake.example.com/base/', token: TOKEN };

let requests = 0;
const fetch = async () => {
  requests++;
  return new Response(null, { status: 500 });
};
const sender = createClient({ ...GOOD, fetch });

const WRONG = [
  ['', [undefined, null, 7, 'x', true]],
  ['/token', [undefined, null, '', 'a b', 'Bearer x', 'x\n', 'é', 7, {}].map((token) => ({ ...GOOD, token }))],
  ['/version', ['v1', 'V3', 3, null].map((version) => ({ ...GOOD, version }))],
  ['/fetch', ['fetch', null, 7, {}].map((fetch) => ({ ...GOOD, fetch }))],
  ['/retry', [null, 7, 'x'].map((retry) => ({ ...GOOD, retry }))],
  [
    '/retry/baseMs',
    [-1, Number.NaN, '1', null, Number.POSITIVE_INFINITY].map((baseMs) => ({ ...GOOD, retry: { baseMs } })),
  ],
  ['/retry/capMs', [-1, Number.NaN, '1', null].map((capMs) => ({ ...GOOD, retry: { capMs } }))],
  ['/retry/attempts', [{ ...GOOD, retry: { attempts: 4 } }]],
  ['/allowBrowserToken', [1, 'true', null].map((allowBrowserToken) => ({ ...GOOD, allowBrowserToken }))],
  ['/hooks', [() => {}, null, 7, 'x'].map((hooks) => ({ ...GOOD, hooks }))],
  ['/hooks/onRequest', [null, 7, {}].map((onRequest) => ({ ...GOOD, hooks: { onRequest } }))],
  ['/hooks/onFailure', [{ ...GOOD, hooks: { onFailure() {} } }]],
  ['/hooks/onRetry', [{ ...GOOD, hooks: { onRetry: 1 } }]],
  ['/hooks/onError', [{ ...GOOD, hooks: { onError: 1 } }]],
  ['/timeout', [{ ...GOOD, timeout: 5 }]],
  ['/baseURL', [{ ...GOOD, baseURL: 'https://x.example' }]],
  ['/signal', [{ ...GOOD, signal: AbortSignal.abort() }]],
  ['/a~1b~0c', [{ ...GOOD, 'a/b~c': 1 }]],
  ['/tokenTimeoutMs', [0, -1, Number.NaN, '5', null, 2 ** 31].map((tokenTimeoutMs) => ({ ...GOOD, tokenTimeoutMs }))],
  ['/retry/a~1b', [{ ...GOOD, retry: { 'a/b': 1 } }]],
];
/** @type {[string, object[]][]} */
const REQUEST = [
  [
    '/timeoutMs',
    [0, -1, Number.NaN, '5', null, Number.POSITIVE_INFINITY, 2 ** 31, 2 ** 40].map((timeoutMs) => ({ timeoutMs })),
  ],
  ['/totalTimeoutMs', [0, -1, Number.NaN, '5', null, 2 ** 31].map((totalTimeoutMs) => ({ totalTimeoutMs }))],
  ['/maxRetries', [-1, 0.5, Number.NaN, '3', null, Number.POSITIVE_INFINITY].map((maxRetries) => ({ maxRetries }))],
  [
    '/headers',
    [null, 7, 'x', [['a', 'b']], new Headers({ a: 'b' }), new Map([['a', 'b']])].map((headers) => ({ headers })),
  ],
  ['/headers/X-Cart', [7, null, undefined, 'a\nb', 'é€'].map((value) => ({ headers: { 'X-Cart': value } }))],
  ['/headers/a b', [{ headers: { 'a b': 'x' } }]],
  ['/headers/a~1b', [{ headers: { 'a/b': 'x' } }]],
];
const SEND = [
  ['', [null, 7, 'x', true, []]],
  ['/signal', [null, 7, {}, new AbortController()].map((signal) => ({ signal }))],
  ['/earlierAttempts', ['some', true, null, 7].map((earlierAttempts) => ({ earlierAttempts }))],
  ['/sharePause', ['no', 0, null].map((sharePause) => ({ sharePause }))],
  ['/version', [{ version: 'v1' }]],
  ['/allowEmptyTaxes', [{ allowEmptyTaxes: 'yes' }]],
  ['/orderId', [{ orderId: 'x' }]],
  ['/attempts', [{ attempts: 3 }]],
  ['/a~1b', [{ 'a/b': 1 }]],
];
const BATCH = [
  [
    '/concurrency',
    [0, -1, 1.5, '8', null, Number.NaN, Number.POSITIVE_INFINITY].map((concurrency) => ({ concurrency })),
  ],
  ['/onProgress', [null, 7].map((onProgress) => ({ onProgress }))],
  ['/onResult', [null, 7].map((onResult) => ({ onResult }))],
  ['/stopOnUnauthorized', [null, 'yes', 0].map((stopOnUnauthorized) => ({ stopOnUnauthorized }))],
];
const isWrong = (error, pointer, what) => {
  assert.ok(error instanceof OptionError, `${what}: ${error?.stack}`);
  assert.equal(error instanceof TypeError, true, `${what}: ${error?.stack}`);
  assert.equal(error.option, pointer, error.message);
  assert.match(error.message, /^(the options|option \/)/);
  assert.doesNotMatch(error.message, /token-of-the-tests|u:p|Cannot/);
};

for (const [pointer, wrongs] of [
  ...WRONG,
  ...REQUEST.map(([p, list]) => [p, list.map((each) => ({ ...GOOD, ...each }))]),
])
  test(`createClient: a wrong ${pointer || 'options object'} is an OptionError with that pointer`, () => {
    for (const options of wrongs)
      isWrong(
        thrown(() => createClient(options)),
        pointer,
        JSON.stringify(options),
      );
  });

for (const [pointer, wrongs] of [...REQUEST, ...SEND])
  test(`createOrder: a wrong ${pointer || 'options object'} rejects with an OptionError with that pointer`, async () => {
    for (const options of wrongs)
      isWrong(await rejection(sender.createOrder(minimalOrder(), options)), pointer, JSON.stringify(options));
    assert.equal(requests, 0);
  });

for (const [pointer, wrongs] of [...REQUEST, ...SEND, ...BATCH])
  test(`createOrders: a wrong ${pointer || 'options object'} throws at once an OptionError with that pointer`, async () => {
    for (const options of wrongs)
      isWrong(
        thrown(() => sender.createOrders([minimalOrder()], options)),
        pointer,
        JSON.stringify(options),
      );
    assert.equal(requests, 0);
  });

test('rule options are checked for a prepared request too', async () => {
  isWrong(
    await rejection(sender.createOrder(prepareRequest(minimalOrder()), { attempts: 3 })),
    '/attempts',
    'prepared',
  );
  isWrong(
    await rejection(sender.createOrder(prepareRequest(minimalOrder()), { version: 'v1' })),
    '/version',
    'prepared',
  );
});

test('a getter that throws is an OptionError without the message of the engine', async () => {
  const throwing = (base, name) =>
    Object.defineProperty({ ...base }, name, {
      enumerable: true,
      get() {
        throw new Error('secret');
      },
    });
  for (const name of ['baseUrl', 'token', 'retry', 'hooks', 'headers', 'timeoutMs', 'version']) {
    const error = thrown(() => createClient(throwing(GOOD, name)));
    assert.ok(error instanceof OptionError, `${name}: ${error?.stack}`);
    assert.doesNotMatch(error.message, /secret/);
  }
  for (const nested of [
    { retry: throwing({}, 'baseMs') },
    { hooks: throwing({}, 'onRequest') },
    { headers: throwing({}, 'X-A') },
  ])
    assert.ok(
      thrown(() => createClient({ ...GOOD, ...nested })) instanceof OptionError,
      JSON.stringify(Object.keys(nested)),
    );
  for (const name of ['signal', 'version', 'scale', 'headers'])
    assert.ok((await rejection(sender.createOrder(minimalOrder(), throwing({}, name)))) instanceof OptionError, name);
});
