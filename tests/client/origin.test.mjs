/** Tests what an error reports about the origin of a response: that of the service, or an outage in disguise (D30, D51). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minimalOrder } from '../node/orders.mjs';
import { rejection } from '../thrown.mjs';
import { client, clientOf } from './clients.mjs';
import { answer, creates, startFaultServer } from './fault-server.mjs';

/** Sends an order once and returns the error of this response. */
async function refused(status, body, mediaType = 'application/json') {
  const headers = new Headers(mediaType === null ? [] : [['Content-Type', mediaType]]);
  const fetch = async () => new Response(new TextEncoder().encode(body), { status, headers });
  return rejection(clientOf('https://x.example/base', { fetch, maxRetries: 0 }).createOrder(minimalOrder()));
}

const PROBLEM = '{"title":"Bad Request","detail":"No."}';

for (const [what, body, mediaType, isFromService] of /** @type {any[][]} */ ([
  ['problem+json', PROBLEM, 'application/problem+json', true],
  ['problem+json with another media type', PROBLEM, 'text/plain', true],
  ['a Message', '{"Message":"No."}', undefined, true],
  ['a Message and a ModelState', '{"Message":"No.","ModelState":{"order.Notes":["too long"]}}', undefined, true],
  ['issues without a reason', '{"errors":[{"pointer":"/Notes","detail":"too long"}]}', undefined, true],
  ['the JSON of a gateway with a reason', '{"error_description":"No route."}', undefined, true],
  ['the JSON of a gateway in another form', '{"status":404,"path":"/v3"}', undefined, false],
  ['a page', '<html><title>Forbidden</title></html>', 'text/html', false],
  ['a page that is declared as JSON', '<html><title>Forbidden</title></html>', undefined, false],
  ['text', 'Forbidden by rule 7', 'text/plain', false],
  ['a JSON string', '"No."', undefined, false],
  ['a JSON array', '["No."]', undefined, false],
  ['JSON null', 'null', undefined, false],
  ['JSON without a reason', '{}', undefined, false],
  ['JSON that is cut off', PROBLEM.slice(0, -2), undefined, false],
  ['nothing', '', undefined, false],
  ['nothing, without a media type', '', null, false],
])) {
  test(`a 4xx with ${what} is ${isFromService ? "the service's own" : 'suspect'}`, async () => {
    for (const [status, isSuspect] of /** @type {[number, boolean][]} */ ([
      ...[400, 409, 422].map((each) => [each, !isFromService]),
      ...[403, 404, 405, 501].map((each) => [each, true]),
      ...[401, 408, 429, 500, 503].map((each) => [each, false]),
    ])) {
      const error = await refused(status, body, mediaType);
      assert.equal(error.isSuspect, isSuspect, String(status));
      assert.equal(error.mediaType, mediaType === null ? undefined : (mediaType ?? 'application/json'));
      assert.ok(error.url.startsWith('https://x.example/base/v3/ServiceOrder('), error.url);
      assert.equal(error.status, status);
    }
  });
}

test('a lost connection is not suspect, and a redirect is', async () => {
  const lost = () => Promise.reject(new TypeError('fetch failed'));
  const error = await rejection(
    clientOf('https://x.example', { fetch: lost, maxRetries: 0 }).createOrder(minimalOrder()),
  );
  assert.equal(error.isSuspect, false);
  for (const member of ['mediaType', 'status']) assert.ok(!(member in error), member);
  assert.equal((await refused(302, PROBLEM)).isSuspect, true);
});

test('mediaType is in lower case and without parameters', async () => {
  assert.equal((await refused(400, '', 'Text/HTML; charset=utf-8')).mediaType, 'text/html');
});

for (const status of [300, 301, 302, 303, 307, 308]) {
  test(`${status} is an UnexpectedResponseError with outcome unknown: not followed, and not retried`, async () => {
    const location = 'https://portal.example/sign-in?token=s-3cr3t';
    const server = await startFaultServer(
      answer(status, '<p>Sign in</p>', { 'Content-Type': 'text/html', Location: location }),
      creates,
    );
    const error = await rejection(clientOf(server.baseUrl).createOrder(minimalOrder()));
    assert.ok(error instanceof client.UnexpectedResponseError);
    assert.deepEqual(
      [error.outcome, error.retryable, error.status, error.attempts, error.mediaType],
      ['unknown', false, status, 1, 'text/html'],
    );
    assert.ok(error.url.startsWith(server.baseUrl), error.url);
    assert.match(error.message, /responded with a redirect, which is not followed/);
    assert.doesNotMatch(error.message, /s-3cr3t/);
    assert.equal(server.requests.length, 1);
  });
}

test('a redirect as a browser shows it, without a status, is an UnexpectedResponseError too', async () => {
  const fetch = async () => ({ status: 0, type: 'opaqueredirect', url: '', headers: new Headers(), body: null });
  const error = await rejection(clientOf('https://x.example', { fetch }).createOrder(minimalOrder()));
  assert.ok(error instanceof client.UnexpectedResponseError);
  assert.deepEqual([error.outcome, error.attempts, error.status], ['unknown', 1, undefined]);
});

test('detail has at most 1,000 characters, and is not cut inside of one', async () => {
  const { detail } = await refused(422, JSON.stringify({ detail: `${'x'.repeat(999)}🙂 and more` }));
  assert.equal(Array.from(detail).length <= 1001, true);
  assert.ok(detail.startsWith('x'.repeat(999)));
  assert.doesNotMatch(detail, /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/);
  assert.ok(!detail.includes('more'));
  assert.equal(Array.from((await refused(422, JSON.stringify({ detail: 'x'.repeat(50_000) }))).detail).length, 1000);
});

test('a reason with half a surrogate pair, or with NUL, is no reason to fail', async () => {
  for (const detail of ['abc \\ud83d def', 'abc \\u0000 def']) {
    const error = await refused(422, `{"title":"Unprocessable","detail":"${detail}"}`);
    assert.ok(error instanceof client.RejectedError);
    assert.equal(error.outcome, 'not-created');
  }
});
