/** Tests successful responses in every form that they may have (D26), and responses that contradict the request. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inShort, minimalOrder } from '../node/orders.mjs';
import { client, clientOf, failureOf, ORDER_ID } from './clients.mjs';
import { answer, creates, startFaultServer } from './fault-server.mjs';

const OTHER_ID = '11111111-2222-4333-8444-555555555555';

/** Sends an order and returns the result of this response. */
async function answered(step) {
  const server = await startFaultServer(step);
  try {
    return await clientOf(server.baseUrl).createOrder(minimalOrder());
  } finally {
    await server.close();
  }
}

const respell = (change) => JSON.stringify(minimalOrder()).replaceAll(/"(\w+)":/g, (_, name) => `"${change(name)}":`);
const camel = (name) => name[0].toLowerCase() + name.slice(1);
let turn = 0;

for (const [what, body] of [
  ['Pascal case', respell((name) => name)],
  ['camel case', respell(camel)],
  ['both', respell((name) => (turn++ % 2 ? camel(name) : name))],
  ['capitals', respell((name) => name.toUpperCase())],
]) {
  test(`the names in a response may be in ${what}`, async () => {
    const { order, issues } = await answered(answer(201, body));
    assert.equal(order.Id, ORDER_ID);
    assert.equal(order.Items[0].SellAtPricePerUnit, '19.99');
    assert.deepEqual(issues, []);
  });
}

for (const [what, step, status, code] of [
  ['an empty 200', answer(200), 200, 'body_empty'],
  ['an empty 204', ({ response }) => response.writeHead(204).end(), 204, 'body_empty'],
  ['a 202 with text', answer(202, 'accepted', { 'Content-Type': 'text/plain' }), 202, 'body_not_an_order'],
  ['a 200 with an HTML page', answer(200, '<html></html>', { 'Content-Type': 'text/html' }), 200, 'body_not_an_order'],
  ['a 200 with an array', answer(200, '[]'), 200, 'body_not_an_order'],
]) {
  test(`${what} means that the order was created; order is null, with a warning`, async () => {
    const created = await answered(step);
    assert.equal(created.order, null);
    assert.equal(created.status, status);
    assert.equal(created.orderId, ORDER_ID);
    assert.deepEqual(inShort(created.issues), [`warning ${code} `]);
  });
}

test('202 with an order means that it was created, like 201', async () => {
  const { status, order } = await answered(({ body, response }) => answer(202, body)({ response }));
  assert.equal(status, 202);
  assert.equal(order.Id, ORDER_ID);
});

test('text/json and a byte order mark are read', async () => {
  const { order, issues } = await answered(({ body, response }) =>
    answer(201, `\ufeff${body}`, { 'Content-Type': 'text/json; charset=utf-8' })({ response }),
  );
  assert.equal(order.Id, ORDER_ID);
  assert.deepEqual(issues, []);
});

/** Sends an order by a fetch whose response body comes in chunks of `size` bytes. */
async function answeredInChunks(bytes, size) {
  const fetch = async () =>
    new Response(
      new ReadableStream({
        start(controller) {
          for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.subarray(at, at + size));
          controller.close();
        },
      }),
      { status: 201 },
    );
  return clientOf('https://x.example', { fetch }).createOrder(minimalOrder());
}

test('a response is decoded to the same string, however it is split into chunks', async () => {
  const Notes = 'Grüner Tee, 緑茶, 🍵';
  const bytes = new TextEncoder().encode(`\ufeff${JSON.stringify(minimalOrder({ Notes }))}`);
  for (const size of [1, 2, 3, 7, bytes.length]) {
    const { order, issues } = await answeredInChunks(bytes, size);
    assert.equal(order.Notes, Notes);
    assert.deepEqual(issues, []);
  }
});

test('bytes that are not UTF-8 damage only the string that contains them', async () => {
  const bytes = new TextEncoder().encode(JSON.stringify(minimalOrder({ Notes: 'a-b' })));
  bytes[new TextDecoder().decode(bytes).indexOf('a-b') + 1] = 0xff;
  for (const size of [5, bytes.length]) {
    const { order } = await answeredInChunks(bytes, size);
    assert.equal(order.Notes, 'a\ufffdb');
  }
});

test('a response with the Id in another form has the same Id', async () => {
  const { order } = await answered(answer(201, JSON.stringify({ id: `{${ORDER_ID.toUpperCase()}}` })));
  assert.equal(order.Id, ORDER_ID);
});

test('a response with no Id, or an unreadable one, does not contradict the request', async () => {
  for (const Id of [undefined, null, 'R-1']) {
    const { order } = await answered(answer(201, JSON.stringify({ Id, ReceiptNumber: 'R-1' })));
    assert.equal(order.ReceiptNumber, 'R-1');
  }
});

test('a response with the order of another Id is a UnexpectedResponseError with outcome unknown, and is not retried', async () => {
  const server = await startFaultServer(answer(201, JSON.stringify(minimalOrder({ Id: OTHER_ID }))));
  try {
    const error = await failureOf(clientOf(server.baseUrl).createOrder(minimalOrder()));
    assert.ok(client.isUnexpectedResponseError(error));
    assert.deepEqual([error.outcome, error.status, error.retryable, error.attempts], ['unknown', 201, false, 1]);
    assert.ok(!error.message.includes(OTHER_ID));
    assert.equal(server.requests.length, 1);
  } finally {
    await server.close();
  }
});

test('a status that HTTP does not have is a UnexpectedResponseError', async () => {
  const fetch = async () => ({ status: 700, ok: false, headers: new Headers(), body: null });
  const error = await failureOf(clientOf('https://x.example', { fetch }).createOrder(minimalOrder()));
  assert.ok(client.isUnexpectedResponseError(error));
  assert.deepEqual([error.outcome, error.status], ['unknown', 700]);
});

test('the result has the response, so that its headers can be read', async () => {
  const { response } = await answered(answer(200, '{}', { 'X-Request-Id': 'r-1' }));
  assert.equal(response.headers.get('x-request-id'), 'r-1');
  assert.equal(response.status, 200);
});

test('an endless body is not read forever', async () => {
  const MIB = 1024 * 1024;
  for (const [status, mostMib] of [
    [201, 34],
    [500, 3],
  ]) {
    let pulled = 0;
    let isCancelled = false;
    const endless = new ReadableStream({
      pull(controller) {
        pulled++;
        controller.enqueue(new Uint8Array(MIB).fill(32));
      },
      cancel() {
        isCancelled = true;
      },
    });
    const sender = clientOf('https://x.example', {
      fetch: async () => new Response(endless, { status }),
      maxRetries: 0,
    });
    const result = await sender.createOrder(minimalOrder()).catch((error) => error);
    assert.ok(status === 500 ? client.isServerError(result) : result.order === null);
    assert.ok(pulled <= mostMib, `${pulled} MiB`);
    assert.ok(isCancelled);
  }
});

test('an error has the body of its response, cut to 10,000 characters', async () => {
  const server = await startFaultServer(answer(400, 'x'.repeat(20_000)));
  try {
    const error = await failureOf(clientOf(server.baseUrl).createOrder(minimalOrder()));
    assert.equal(error.body, 'x'.repeat(10_000));
  } finally {
    await server.close();
  }
});

test('sending the same order again returns the stored order', async () => {
  const server = await startFaultServer(creates, creates);
  try {
    const sender = clientOf(server.baseUrl);
    assert.equal((await sender.createOrder(minimalOrder())).status, 201);
    assert.equal((await sender.createOrder(minimalOrder())).status, 200);
    assert.equal(server.orders.get(ORDER_ID).creations, 1);
  } finally {
    await server.close();
  }
});
