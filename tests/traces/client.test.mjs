/** Tests the spans of the client: their trees after each kind of failure. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { listen } from '../../scripts/ports.mjs';
import { clientOf, manyOrders } from '../client/clients.mjs';
import { sleep } from '../client/clock.mjs';
import {
  afterStoring,
  answer,
  createsOnlyOnce,
  page,
  refuses,
  resetsBeforeHeaders,
  stallsBeforeHeaders,
  startFaultServer,
} from '../client/fault-server.mjs';
import { minimalOrder } from '../node/orders.mjs';
import { inSpan, takeTrees, textOf } from './spans.mjs';

const PUT = 'PUT /intake/v3/ServiceOrder({orderId}) CLIENT';

/**
 * Events, as a script of the service; options of the client; and the spans, with the attributes that are not
 * the same in all spans.
 *
 * @type {Record<string, { script?: Function[], options?: () => object, order?: object, tree: string }>}
 */
const CASES = {
  'the order is created': {
    tree: `
      createOrder already_there=false
        ${PUT} response.status_code=201`,
  },
  'a request times out, and the order is there': {
    script: [afterStoring(stallsBeforeHeaders)],
    tree: `
      createOrder already_there=false
        ${PUT} ERROR error.type=TimeoutError outcome=unknown
        ${PUT} request.resend_count=1 response.status_code=200`,
  },
  'a page comes with status 200': {
    script: [page(200), page(200)],
    options: () => ({ maxRetries: 1 }),
    tree: `
      createOrder ERROR error.type=UnexpectedResponseError outcome=unknown
        ${PUT} ERROR response.status_code=200 error.type=UnexpectedResponseError outcome=unknown
        ${PUT} ERROR request.resend_count=1 response.status_code=200 error.type=UnexpectedResponseError outcome=unknown`,
  },
  'a redirect is not followed': {
    script: [answer(302, '', { Location: '/login' })],
    tree: `
      createOrder ERROR error.type=UnexpectedResponseError outcome=unknown
        ${PUT} ERROR response.status_code=302 error.type=UnexpectedResponseError outcome=unknown`,
  },
  'the connection is reset after the order was stored': {
    script: [afterStoring(resetsBeforeHeaders), createsOnlyOnce],
    tree: `
      createOrder already_there=false
        ${PUT} ERROR error.type=ConnectionError outcome=unknown
        ${PUT} ERROR request.resend_count=1 response.status_code=409 error.type=409 outcome=unknown
        ${PUT} request.resend_count=2 response.status_code=200`,
  },
  'the token is refused and replaced': {
    script: [refuses(401)],
    options: () => ({ token: ({ rejected }) => inSpan('a new token', async () => `${rejected}-after`) }),
    tree: `
      createOrder already_there=false
        a new token
        ${PUT} ERROR response.status_code=401 error.type=401 outcome=not-created
        a new token
        ${PUT} request.resend_count=1 response.status_code=201`,
  },
  'another order has the Id': {
    script: [refuses(409)],
    tree: `
      createOrder ERROR error.type=ConflictError outcome=not-created
        ${PUT} ERROR response.status_code=409 error.type=409 outcome=not-created`,
  },
  'the caller aborts': {
    script: [stallsBeforeHeaders],
    options() {
      const controller = new AbortController();
      void sleep(1000).then(() => controller.abort());
      return { signal: controller.signal };
    },
    tree: `
      createOrder ERROR error.type=AbortedError outcome=unknown
        ${PUT} ERROR error.type=AbortedError outcome=unknown`,
  },
  'the time for the order ends': {
    script: [answer(503), stallsBeforeHeaders],
    options: () => ({ totalTimeoutMs: 10_000 }),
    tree: `
      createOrder ERROR error.type=TimeoutError outcome=unknown
        ${PUT} ERROR response.status_code=503 error.type=503 outcome=unknown
        ${PUT} ERROR request.resend_count=1 error.type=TimeoutError outcome=unknown`,
  },
  'the order is wrong, so that nothing is sent': {
    order: minimalOrder({ Items: [] }),
    tree: `
      createOrder ERROR error.type=OrderValidationError`,
  },
};

for (const [title, { script = [], options = () => ({}), order = minimalOrder(), tree }] of Object.entries(CASES)) {
  test(`spans if ${title}`, async (_t) => {
    const server = await startFaultServer(...script);
    const { signal, ...others } = options();
    const client = clientOf(server.baseUrl, others);
    await client.createOrder(order, { signal }).catch(() => {});
    assert.equal(takeTrees(), textOf(tree));
  });
}

test('spans if the connection is refused', async () => {
  const server = createServer();
  const baseUrl = `http://127.0.0.1:${await listen(server)}/intake`;
  await new Promise((closed) => server.close(closed));
  await assert.rejects(clientOf(baseUrl, { maxRetries: 1 }).createOrder(minimalOrder()), { name: 'ConnectionError' });
  assert.equal(
    takeTrees(),
    textOf(`
      createOrder ERROR error.type=ConnectionError outcome=not-created
        ${PUT} ERROR error.type=ConnectionError outcome=not-created
        ${PUT} ERROR request.resend_count=1 error.type=ConnectionError outcome=not-created`),
  );
});

test('each order of a batch has a span, in the trace of the program', async (_t) => {
  const server = await startFaultServer();
  await inSpan('an export', async () => {
    const { created } = await clientOf(server.baseUrl).createOrders(manyOrders(2), { concurrency: 1 });
    assert.equal(created, 2);
  });
  assert.equal(
    takeTrees(),
    textOf(`
      an export
        createOrder already_there=false
          ${PUT} response.status_code=201
        createOrder already_there=false
          ${PUT} response.status_code=201`),
  );
});
