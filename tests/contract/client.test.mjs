/** Tests createClient and createOrder against a real server on loopback that fails by script. */
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { after, describe, test } from 'node:test';
import { listen } from '../../scripts/ports.mjs';
import {
  afterStoring,
  answer,
  creates,
  resetsBeforeHeaders,
  resetsInBody,
  stallsBeforeHeaders,
  stallsInBody,
  startFaultServer,
} from '../client/fault-server.mjs';
import { installed, runProgram } from '../node/installed.mjs';
import { cart, deepFreeze, fullOrder, ID, NAMESPACE, order, rejection, thrown } from './orders.mjs';

const { esm, client: clientEntry, cjsClient } = await installed();
const { isOptionError, isOrderValidationError, prepareRequest } = esm;
const { createClient, OrderIntakeError } = clientEntry;

const TOKEN = 'token-of-the-contract';
const QUICK = { baseMs: 1, capMs: 2 };
const servers = [];
after(() => Promise.all(servers.map((server) => server.close())));

async function serverWith(...script) {
  const server = await startFaultServer(...script);
  servers.push(server);
  return server;
}

/** Starts a server with this script, and creates a client of it with short waits. */
async function setUp(script, options = {}) {
  const server = await serverWith(...script);
  const events = [];
  const record = (name) => (event) => events.push({ name, ...event });
  const hooks = Object.fromEntries(
    ['onRequest', 'onResponse', 'onError', 'onRetry'].map((name) => [name, record(name)]),
  );
  const client = createClient({ baseUrl: server.baseUrl, token: TOKEN, retry: QUICK, hooks, ...options });
  return { server, client, events };
}

/** Asserts that each onRequest is followed by exactly one of onResponse and onError, before the next onRequest. */
function assertPaired(events) {
  const attempts = events.filter(({ name }) => name !== 'onRetry');
  assert.ok(attempts.length > 0 && attempts.length % 2 === 0, JSON.stringify(events));
  attempts.forEach(({ name, attempt }, i) => {
    assert.equal(attempt, (i >> 1) + 1);
    if (i % 2 === 0) assert.equal(name, 'onRequest');
    else assert.ok(name === 'onResponse' || name === 'onError');
  });
}

describe('createOrder', () => {
  test('returns what the contract lists', async () => {
    const { client, server } = await setUp([
      (exchange) => {
        exchange.response.setHeader('X-Request-Id', 'r-7');
        return creates(exchange);
      },
    ]);
    const created = await client.createOrder(deepFreeze(order()));
    const members = [
      ...['order', 'orderId', 'status', 'attempts', 'issues', 'requestId', 'response', 'delivery', 'alreadyThere'],
    ];
    assert.deepEqual(Object.keys(created).sort(), members.sort());
    assert.equal(created.order.ReceiptNumber, 'R-1');
    assert.equal(created.order.Items[0].SellAtPricePerUnit, '19.99');
    assert.deepEqual([created.orderId, created.status, created.attempts], [ID, 201, 1]);
    assert.equal(created.requestId, 'r-7');
    assert.equal(created.delivery, null);
    assert.equal(created.alreadyThere, false);
    assert.ok(created.response instanceof Response);
    assert.equal(created.response.headers.get('content-type'), 'application/json');
    assert.equal(server.requests[0].url, `/intake/v3/ServiceOrder(${ID})`);
    assert.equal(server.requests[0].method, 'PUT');
    assert.equal(server.requests[0].body, prepareRequest(order()).body);
  });

  test('requestId is null if the response has none', async () => {
    const { client } = await setUp([]);
    assert.equal((await client.createOrder(order())).requestId, null);
  });

  test('an order without an Id is rejected before anything is sent', async () => {
    const { client, server, events } = await setUp([]);
    for (const input of [cart(), order({ Id: undefined }), order({ Id: null }), order({ Id: '' })]) {
      const error = await rejection(client.createOrder(input));
      assert.ok(isOrderValidationError(error));
      assert.equal(error.issues.find(({ severity }) => severity === 'error').pointer, '/Id');
    }
    assert.ok(isOrderValidationError(await rejection(client.createOrder(cart(), { orderId: ID }))));
    assert.deepEqual([server.requests.length, events.length], [0, 0]);
  });

  for (const input of [undefined, null, 7, 'x', [], {}, () => 1, JSON.stringify({})])
    test(`rejects ${typeof input} ${JSON.stringify(input)} with an OrderValidationError`, async () => {
      const { client, server } = await setUp([]);
      assert.ok(isOrderValidationError(await rejection(client.createOrder(input))));
      assert.equal(server.requests.length, 0);
    });

  test('a prepared request is sent byte for byte, even if it was stored as JSON, has no issues, or is deeply frozen', async () => {
    const prepared = prepareRequest(fullOrder(), { version: 'v2' });
    const { issues, ...stored } = prepared;
    const { headers, ...bare } = stored;
    for (const each of [
      prepared,
      JSON.parse(JSON.stringify(prepared)),
      stored,
      bare,
      deepFreeze(structuredClone(prepared)),
    ]) {
      const { client, server } = await setUp([]);
      const created = await client.createOrder(each);
      assert.equal(created.status, 201);
      assert.equal(server.requests[0].body, prepared.body);
      assert.equal(server.requests[0].url, `/intake/v2/ServiceOrder(${ID})`);
      assert.ok(Array.isArray(created.issues));
    }
    assert.ok(Array.isArray(issues));
  });

  test('a prepared request whose id, path, version and body disagree is rejected before anything is sent', async () => {
    const prepared = prepareRequest(order());
    const { client, server } = await setUp([]);
    for (const changes of [
      { orderId: NAMESPACE },
      { version: 'v2' },
      { version: 'v9' },
      { path: `v3/ServiceOrder(${NAMESPACE})` },
      { path: '../x' },
      { body: prepareRequest(order({ Id: NAMESPACE })).body },
      { body: '{}' },
      { body: '' },
      { orderId: undefined },
    ])
      assert.ok(isOrderValidationError(await rejection(client.createOrder({ ...prepared, ...changes }))));
    assert.equal(server.requests.length, 0);
  });

  test('version of the call wins over that of the client, which wins over v3', async () => {
    const { client, server } = await setUp([], { version: 'v2' });
    await client.createOrder(order());
    await client.createOrder(order(), { version: 'v3' });
    await client.createOrder(order(), { version: undefined });
    assert.deepEqual(
      server.requests.map(({ url }) => url.slice(8, 10)),
      ['v2', 'v3', 'v2'],
    );
  });

  test('an empty 201 or 204 is a success; with acceptEmptyBody any empty 2xx; order is null, with a warning', async () => {
    for (const { status, options } of [
      { status: 201, options: {} },
      { status: 204, options: {} },
      { status: 200, options: { acceptEmptyBody: true } },
      { status: 299, options: { acceptEmptyBody: true } },
    ]) {
      const { client } = await setUp([answer(status)], options);
      const created = await client.createOrder(order());
      assert.deepEqual([created.status, created.order, created.delivery], [status, null, null]);
      assert.equal(created.issues.filter(({ severity }) => severity === 'warning').length, 1);
    }
  });

  test('any other 2xx without the order is an UnexpectedResponseError that says what came, retried, with an unknown outcome', async () => {
    for (const { status, body } of [
      { status: 200, body: '' },
      { status: 201, body: 'ok' },
      { status: 202, body: '<html>' },
      { status: 299, body: 'null' },
      { status: 200, body: '{}' },
      { status: 201, body: `{"Id":"${NAMESPACE}"}` },
    ]) {
      const { client, server } = await setUp([]);
      server.playAlways(answer(status, body));
      const error = await rejection(client.createOrder(order()));
      assert.deepEqual(
        [error.name, error.outcome, error.retryable, error.attempts],
        ['UnexpectedResponseError', 'unknown', true, 4],
      );
      assert.deepEqual([error.status, error.mediaType], [status, 'application/json']);
      assert.equal(error.url, `${server.baseUrl}/v3/ServiceOrder(${ID})`);
    }
  });

  test('alreadyThere: the service had the order before the first attempt of this call', async () => {
    const { client } = await setUp([]);
    assert.equal((await client.createOrder(order())).alreadyThere, false);
    const again = await client.createOrder(order());
    assert.deepEqual([again.status, again.alreadyThere], [200, true]);
    const { client: unlucky } = await setUp([afterStoring(resetsBeforeHeaders)]);
    const second = await unlucky.createOrder(order());
    assert.deepEqual([second.status, second.alreadyThere], [200, false]);
  });

  test('202 with Location is a delivery by a relay; Location with another status is not', async () => {
    for (const { status, location, href } of [
      { status: 202, location: '/deliveries/7', href: (base) => new URL('/deliveries/7', base).href },
      { status: 202, location: 'https://relay.example.com/7', href: () => 'https://relay.example.com/7' },
      { status: 201, location: '/deliveries/7', href: () => undefined },
    ]) {
      const { client, server } = await setUp([
        answer(status, status === 202 ? '{"deliveryId":"d-1"}' : JSON.stringify(order()), { Location: location }),
      ]);
      const { delivery } = await client.createOrder(order());
      assert.equal(delivery?.href, href(server.baseUrl));
      assert.ok(delivery === null || delivery instanceof URL);
    }
  });
});

describe('headers', () => {
  test('of the client and of the call are sent, in any case the one of the call wins; the three of D39 are always present', async () => {
    const { client, server } = await setUp([], { headers: deepFreeze({ 'X-Shop': 'north', 'x-other': 'a' }) });
    await client.createOrder(order(), { headers: { 'x-shop': 'south', Idempotency: 'k' } });
    await client.createOrder(order(), { headers: undefined });
    const [{ headers: first }, { headers: second }] = server.requests;
    assert.deepEqual([first['x-shop'], first['x-other'], first.idempotency], ['south', 'a', 'k']);
    assert.deepEqual([second['x-shop'], second['x-other'], second.idempotency], ['north', 'a', undefined]);
    for (const headers of [first, second]) {
      assert.equal(headers.authorization, `Bearer ${TOKEN}`);
      assert.equal(headers.accept, 'application/json');
      assert.equal(headers['content-type'], 'application/json');
    }
  });

  test('those three cannot be replaced, whatever the case of the name', async () => {
    const { client, server } = await setUp([]);
    for (const name of ['Authorization', 'authorization', 'ACCEPT', 'content-Type']) {
      const error = await rejection(client.createOrder(order(), { headers: { [name]: 'x' } }));
      assert.ok(isOptionError(error));
      assert.equal(error.option, `/headers/${name}`);
      assert.ok(
        isOptionError(thrown(() => createClient({ baseUrl: server.baseUrl, token: TOKEN, headers: { [name]: 'x' } }))),
      );
    }
    assert.equal(server.requests.length, 0);
  });
});

describe('errors', () => {
  /** @type {Record<string, [string, boolean]>} */
  const STATUS = {
    400: ['RejectedError', false],
    401: ['AuthenticationError', false],
    403: ['PermissionError', false],
    404: ['NotFoundError', false],
    405: ['RejectedError', false],
    409: ['ConflictError', false],
    410: ['RejectedError', false],
    413: ['RejectedError', false],
    415: ['RejectedError', false],
    422: ['RejectedError', false],
    429: ['RateLimitError', true],
    500: ['ServerError', true],
    501: ['ServerError', false],
    502: ['ServerError', true],
    503: ['ServerError', true],
    504: ['ServerError', true],
    599: ['ServerError', true],
    408: ['RejectedError', true],
    302: ['UnexpectedResponseError', false],
    307: ['UnexpectedResponseError', false],
  };
  for (const [status, [name, retryable]] of Object.entries(STATUS))
    test(`${status} is a ${name}, ${retryable ? '' : 'not '}retryable`, async () => {
      const body = '{"detail":"Because of Ada.","errors":[{"pointer":"/FirstName","code":"odd","detail":"no"}]}';
      const headers = { 'X-Request-Id': 'r-9', Location: 'http://127.0.0.1:9/' };
      const { client, server, events } = await setUp([answer(Number(status), body, headers)], { maxRetries: 0 });
      const error = await rejection(client.createOrder(order({ FirstName: 'Ada' })));
      for (const base of [clientEntry[name], OrderIntakeError, Error]) assert.ok(error instanceof base);
      assert.equal(error.name, name);
      assert.deepEqual([error.orderId, error.version, error.attempts], [ID, 'v3', 1]);
      assert.equal(error.retryable, retryable);
      assert.equal(error.status, Number(status));
      assert.equal(error.requestId, 'r-9');
      assert.equal(error.detail, 'Because of Ada.');
      assert.equal(error.body, body);
      assert.equal(error.issues[0].pointer, '/FirstName');
      const isProof = Number(status) >= 400 && Number(status) < 500 && status !== '408';
      assert.equal(error.outcome, isProof ? 'not-created' : 'unknown');
      assert.match(error.message, new RegExp(ID));
      assert.doesNotMatch(error.message, /Ada|token-of/);
      assert.doesNotMatch(JSON.stringify(events), /Ada|token-of/);
      assert.equal(server.requests.length, 1);
      assertPaired(events);
      for (const entry of [clientEntry, cjsClient]) {
        assert.equal(entry.isOrderIntakeError(error), true);
        for (const guard of Object.keys(entry).filter(
          (key) => /^is\w+Error$/.test(key) && key !== 'isOrderIntakeError',
        ))
          assert.equal(entry[guard](error), guard === `is${name}`, guard);
      }
    });

  test('guards return false for everything else', () => {
    const timeout = new DOMException('x', 'TimeoutError');
    for (const [guard, is] of Object.entries(clientEntry).filter(([key]) => /^is\w+Error$/.test(key)))
      for (const value of [
        null,
        undefined,
        7,
        'x',
        {},
        { name: guard.slice(2), orderId: ID, outcome: 'unknown' },
        new Error('x'),
        timeout,
      ])
        assert.equal(is(value), false, guard);
  });

  test('each error of the contract has a class and a guard', () => {
    for (const name of [
      ...[
        'OrderIntakeError',
        'AuthenticationError',
        'PermissionError',
        'NotFoundError',
        'ConflictError',
        'RejectedError',
      ],
      ...[
        'RateLimitError',
        'ServerError',
        'ConnectionError',
        'TimeoutError',
        'AbortedError',
        'UnexpectedResponseError',
      ],
    ])
      for (const entry of [clientEntry, cjsClient]) {
        assert.equal(typeof entry[name], 'function');
        assert.equal(typeof entry[`is${name}`], 'function');
      }
  });

  test('a connection that was provably never made is not-created; one that was lost is unknown', async () => {
    const closed = createServer();
    const port = await listen(closed);
    await new Promise((done) => closed.close(done));
    const refused = createClient({ baseUrl: `http://127.0.0.1:${port}`, token: TOKEN, retry: QUICK, maxRetries: 1 });
    const error = await rejection(refused.createOrder(order()));
    assert.deepEqual(
      [error.name, error.outcome, error.retryable, error.attempts],
      ['ConnectionError', 'not-created', true, 2],
    );

    for (const fault of [resetsBeforeHeaders, resetsInBody]) {
      const { client, events } = await setUp([fault], { maxRetries: 0 });
      const lost = await rejection(client.createOrder(order()));
      assert.deepEqual([lost.name, lost.outcome, lost.retryable], ['ConnectionError', 'unknown', true]);
      assert.ok(lost.cause !== undefined);
      assertPaired(events);
      assert.equal(events[1].name, 'onError');
      assert.equal(events[1].reason, 'ConnectionError');
    }
  });

  test('a host that cannot be found is not-created', async () => {
    for (const code of ['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED']) {
      const fetch = async () => {
        throw new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code }) });
      };
      const client = createClient({ baseUrl: 'https://intake.example.com', token: TOKEN, fetch, maxRetries: 0 });
      assert.equal((await rejection(client.createOrder(order()))).outcome, 'not-created', code);
    }
  });

  for (const [what, fault] of [
    ['headers', stallsBeforeHeaders],
    ['the body', stallsInBody],
  ])
    test(`timeoutMs is per attempt, reading ${what} included: a TimeoutError with an unknown outcome`, async () => {
      const { client, events } = await setUp([fault, fault]);
      const error = await rejection(client.createOrder(order(), { timeoutMs: 150, maxRetries: 1 }));
      assert.deepEqual(
        [error.name, error.outcome, error.attempts, error.retryable],
        ['TimeoutError', 'unknown', 2, true],
      );
      assertPaired(events);
      assert.deepEqual(
        events.filter(({ name }) => name === 'onError').map(({ reason }) => reason),
        ['TimeoutError', 'TimeoutError'],
      );
    });

  test('totalTimeoutMs is over all attempts', async () => {
    const { client } = await setUp([], {});
    const { server, client: slow } = await setUp([]);
    server.playAlways(stallsBeforeHeaders);
    const error = await rejection(slow.createOrder(order(), { timeoutMs: 60_000, totalTimeoutMs: 200 }));
    assert.deepEqual([error.name, error.outcome], ['TimeoutError', 'unknown']);
    assert.equal(server.requests.length, 1);
    await client.createOrder(order());
  });

  test('signal: before anything is sent it is not-created, during an attempt it is unknown, and cause is its reason', async () => {
    const { client, server, events } = await setUp([stallsBeforeHeaders]);
    const reason = new Error('closed');
    const early = await rejection(client.createOrder(order(), { signal: AbortSignal.abort(reason) }));
    assert.deepEqual(
      [early.name, early.outcome, early.attempts, early.cause],
      ['AbortedError', 'not-created', 0, reason],
    );
    assert.equal(server.requests.length, 0);

    const controller = new AbortController();
    const sending = rejection(client.createOrder(order(), { signal: controller.signal }));
    while (server.requests.length === 0) await new Promise((tick) => setTimeout(tick, 5));
    controller.abort(reason);
    const late = await sending;
    assert.deepEqual([late.name, late.outcome, late.attempts, late.cause], ['AbortedError', 'unknown', 1, reason]);
    assertPaired(events);
  });

  test('signal stops a wait between attempts at once', async () => {
    const controller = new AbortController();
    const hooks = { onRetry: () => controller.abort() };
    const { client } = await setUp([answer(503)], {
      retry: { baseMs: 600_000, capMs: 600_000 },
      hooks,
      totalTimeoutMs: 2_000_000,
    });
    const error = await rejection(client.createOrder(order(), { signal: controller.signal }));
    assert.deepEqual([error.name, error.outcome], ['AbortedError', 'unknown']);
  });

  test('the message of an unknown outcome that cannot be retried states what to do', async () => {
    const { client } = await setUp([resetsBeforeHeaders, answer(403, '{"Message":"No"}')]);
    const error = await rejection(client.createOrder(order()));
    assert.deepEqual([error.name, error.outcome, error.retryable], ['PermissionError', 'unknown', false]);
    assert.match(error.message, /same Id|point of sale/);
    assert.match(error.message, /new Id/);
  });
});

describe('retries', () => {
  test('the same Id and the same bytes, at most maxRetries times, 3 by default', async () => {
    const { client, server, events } = await setUp([]);
    server.playAlways(answer(503));
    const error = await rejection(client.createOrder(order()));
    assert.deepEqual([error.attempts, server.requests.length], [4, 4]);
    assert.equal(new Set(server.requests.map(({ body, url }) => url + body)).size, 1);
    assert.equal(events.filter(({ name }) => name === 'onRetry').length, 3);
    assertPaired(events);
    for (const maxRetries of [0, 1, 2]) {
      const before = server.requests.length;
      await rejection(client.createOrder(order(), { maxRetries }));
      assert.equal(server.requests.length - before, maxRetries + 1);
    }
  });

  for (const [what, script] of [
    ['a lost connection', [resetsBeforeHeaders]],
    ['an order that was stored but not confirmed', [afterStoring(resetsBeforeHeaders), afterStoring(resetsInBody)]],
    ['408, 429, 500, 502', [answer(408), answer(429), answer(500)]],
  ])
    test(`a retry after ${what} creates the order once`, async () => {
      const { client, server } = await setUp(script);
      const created = await client.createOrder(order());
      assert.ok(created.status < 300);
      assert.equal(created.attempts, script.length + 1);
      assert.equal(server.orders.size, 1);
    });

  test('Retry-After wins over the jitter', async () => {
    const { client, server, events } = await setUp([answer(503, '', { 'Retry-After': '1' })]);
    await client.createOrder(order());
    const [first, second] = server.requests;
    assert.ok(second.at - first.at >= 990);
    assert.ok(events.find(({ name }) => name === 'onRetry').waitMs >= 1000);
  });

  test('Retry-After: 0 still backs off', async () => {
    const { client, server, events } = await setUp(
      [answer(429, '', { 'Retry-After': '0' }), answer(503, '', { 'Retry-After': '0' })],
      {
        retry: { baseMs: 400, capMs: 400 },
      },
    );
    await client.createOrder(order());
    const waits = events.filter(({ name }) => name === 'onRetry').map(({ waitMs }) => waitMs);
    assert.equal(waits.length, 2);
    for (const waitMs of waits) assert.ok(waitMs > 0 && waitMs <= 800, String(waitMs));
    assert.equal(server.requests.length, 3);
  });

  test('Retry-After longer than the time left is not waited for, and is in the error', async () => {
    const { client, server } = await setUp([answer(429, '', { 'Retry-After': '3600' })]);
    const error = await rejection(client.createOrder(order()));
    assert.deepEqual(
      [error.name, error.retryAfterMs, error.attempts, error.outcome],
      ['RateLimitError', 3_600_000, 1, 'not-created'],
    );
    assert.equal(server.requests.length, 1);
  });

  test('a redirect is not followed', async () => {
    const target = await serverWith();
    const { client } = await setUp([answer(307, '', { Location: target.baseUrl })]);
    assert.equal((await rejection(client.createOrder(order()))).name, 'UnexpectedResponseError');
    assert.equal(target.requests.length, 0);
  });
});

describe('outcome', () => {
  test('a 409 or 4xx after an unknown attempt is unknown', async () => {
    for (const status of [409, 400, 403]) {
      const { client } = await setUp([answer(500), answer(status)]);
      assert.equal((await rejection(client.createOrder(order()))).outcome, 'unknown');
    }
  });

  test("earlierAttempts: 'unknown' makes a rejection unknown; 'none' and undefined do not", async () => {
    for (const status of [400, 401, 403, 404, 409, 422, 429])
      for (const [earlierAttempts, outcome] of [
        ['unknown', 'unknown'],
        ['none', 'not-created'],
        [undefined, 'not-created'],
      ]) {
        const { client } = await setUp([answer(status)], { maxRetries: 0 });
        assert.equal((await rejection(client.createOrder(order(), { earlierAttempts }))).outcome, outcome, `${status}`);
      }
  });

  test('two calls in flight with the same Id affect the outcomes of each other', async () => {
    const held = [];
    const { client, server } = await setUp([(exchange) => held.push(exchange), answer(409)], { maxRetries: 0 });
    const first = client.createOrder(order());
    while (held.length === 0) await new Promise((tick) => setTimeout(tick, 5));
    const second = await rejection(client.createOrder(order()));
    assert.deepEqual([second.name, second.outcome], ['ConflictError', 'unknown']);
    creates(held[0]);
    assert.equal((await first).status, 201);
    assert.equal(server.requests.length, 2);
  });

  test('orders with other Ids are not affected', async () => {
    const { client } = await setUp([answer(500), answer(403)], { maxRetries: 0 });
    await rejection(client.createOrder(order()));
    assert.equal((await rejection(client.createOrder(order({ Id: NAMESPACE })))).outcome, 'not-created');
  });
});

describe('token', () => {
  test('a function is called once for many orders, and again after a 401 with the rejected token', async () => {
    const asked = [];
    const token = ({ rejected, signal }) => {
      asked.push([rejected, signal instanceof AbortSignal]);
      return `t${asked.length}`;
    };
    const { client, server } = await setUp([answer(401)], { token });
    await client.createOrder(order());
    await Promise.all([client.createOrder(order()), client.createOrder(order())]);
    assert.deepEqual(asked, [
      [undefined, true],
      ['t1', true],
    ]);
    assert.deepEqual(
      server.requests.slice(0, 2).map(({ headers }) => headers.authorization),
      ['Bearer t1', 'Bearer t2'],
    );
  });

  test('is single-flight', async () => {
    let calls = 0;
    const token = async () => {
      calls++;
      await new Promise((tick) => setTimeout(tick, 20));
      return 't';
    };
    const { client } = await setUp([], { token });
    await Promise.all(Array.from({ length: 5 }, () => client.createOrder(order())));
    assert.equal(calls, 1);
  });

  test('a second 401 ends the order', async () => {
    let calls = 0;
    const { client, server } = await setUp([], { token: () => `t${++calls}` });
    server.playAlways(answer(401));
    const error = await rejection(client.createOrder(order()));
    assert.deepEqual([error.name, error.status, calls, server.requests.length], ['AuthenticationError', 401, 2, 2]);
  });

  test('an error of the function is the cause, and an invalid token is neither sent nor shown', async () => {
    const cause = new Error('no');
    for (const token of [
      () => {
        throw cause;
      },
      async () => {
        throw cause;
      },
    ]) {
      const { client, server } = await setUp([], { token });
      const error = await rejection(client.createOrder(order()));
      assert.deepEqual(
        [error.name, error.cause, error.attempts, error.outcome],
        ['AuthenticationError', cause, 0, 'not-created'],
      );
      assert.equal(server.requests.length, 0);
    }
    for (const bad of ['', 'a b', 'Bearer x', 'x\n', 7, undefined, null]) {
      const { client, server } = await setUp([], { token: () => bad });
      const error = await rejection(client.createOrder(order()));
      assert.equal(error.name, 'AuthenticationError');
      assert.equal(server.requests.length, 0);
      if (typeof bad === 'string' && bad.length > 1) assert.ok(!`${error.message}${error.cause}`.includes(`"${bad}"`));
    }
  });

  test('a token string in a browser is rejected unless allowBrowserToken is set', () => {
    const code = `const { createClient } = await import('sales-order-intake/client');
      globalThis.document = {};
      Object.defineProperty(process, 'versions', { value: {} });
      Object.defineProperty(globalThis, 'navigator', { value: { userAgent: 'Mozilla' }, configurable: true });
      const baseUrl = 'https://intake.example.com';
      const outcome = (options) => { try { createClient({ baseUrl, ...options }); return 'ok'; } catch (error) { return error.option; } };
      console.log(outcome({ token: 't' }), outcome({ token: 't', allowBrowserToken: true }), outcome({ token: () => 't' }));`;
    const { stdout, stderr } = runProgram(code);
    assert.equal(stdout, '/token ok ok\n', stderr);
  });
});

describe('hooks', () => {
  test('events describe the attempt, and contain nothing of the order except its Id', async () => {
    const { client, events } = await setUp([answer(503, '', { 'X-Request-Id': 'r-1' })]);
    await client.createOrder(order({ FirstName: 'Ada', Notes: 'secret' }));
    assert.deepEqual(
      events.map(({ name }) => name),
      ['onRequest', 'onResponse', 'onRetry', 'onRequest', 'onResponse'],
    );
    for (const event of events) {
      assert.equal(event.orderId, ID);
      assert.equal(event.path, `v3/ServiceOrder(${ID})`);
    }
    assert.equal(events[1].status, 503);
    assert.equal(events[1].requestId, 'r-1');
    assert.ok(events[1].durationMs >= 0);
    assert.equal(events[2].reason, 'ServerError');
    assert.doesNotMatch(JSON.stringify(events), /Ada|secret|token-of/);
  });

  test('a hook that throws or rejects changes nothing', async () => {
    const bad = () => {
      throw new Error('hook');
    };
    const worse = async () => bad();
    for (const hook of [bad, worse]) {
      const hooks = { onRequest: hook, onResponse: hook, onError: hook, onRetry: hook };
      const { client } = await setUp([resetsBeforeHeaders, answer(500)], { hooks });
      assert.equal((await client.createOrder(order())).status, 201);
    }
  });

  test('a fetch that throws synchronously, or returns undefined, is an attempt with onError', async () => {
    for (const fetch of [
      () => {
        throw new Error('no');
      },
      () => undefined,
      async () => ({}),
    ]) {
      const { client, events } = await setUp([], { fetch, maxRetries: 0 });
      const error = await rejection(client.createOrder(order()));
      assert.ok(clientEntry.isOrderIntakeError(error), error?.stack);
      assertPaired(events);
    }
  });
});

describe('ClientOptions', () => {
  const good = { baseUrl: 'https://intake.example.com/base/', token: TOKEN };
  const WRONG = [
    ['', [undefined, null, 7, 'x', true]],
    [
      '/baseUrl',
      [
        undefined,
        null,
        '',
        'intake',
        '/intake',
        'http://intake.example.com',
        'ftp://x',
        'https://u:p@x',
        'https://x?a',
        'https://x#a',
        7,
        {},
      ].map((baseUrl) => ({ ...good, baseUrl })),
    ],
    ['/token', [undefined, null, '', 'a b', 'Bearer x', 'x\n', 'é', 7, {}].map((token) => ({ ...good, token }))],
    ['/version', ['v1', 3, null].map((version) => ({ ...good, version }))],
    ['/fetch', [null, 7, {}].map((fetch) => ({ ...good, fetch }))],
    ['/retry', [null, 7, 'x'].map((retry) => ({ ...good, retry }))],
    [
      '/retry/baseMs',
      [-1, Number.NaN, '1', null, Number.POSITIVE_INFINITY].map((baseMs) => ({ ...good, retry: { baseMs } })),
    ],
    ['/retry/capMs', [-1, Number.NaN, '1', null].map((capMs) => ({ ...good, retry: { capMs } }))],
    ['/retry/attempts', [{ ...good, retry: { attempts: 4 } }]],
    ['/allowBrowserToken', [1, 'true', null].map((allowBrowserToken) => ({ ...good, allowBrowserToken }))],
    ['/hooks', [null, 7, 'x'].map((hooks) => ({ ...good, hooks }))],
    ['/hooks/onRequest', [null, 7, {}].map((onRequest) => ({ ...good, hooks: { onRequest } }))],
    ['/hooks/onFailure', [{ ...good, hooks: { onFailure() {} } }]],
    ['/timeout', [{ ...good, timeout: 5 }]],
    ['/signal', [{ ...good, signal: AbortSignal.abort() }]],
    ['/a~1b~0c', [{ ...good, 'a/b~c': 1 }]],
    ['/retry/a~1b', [{ ...good, retry: { 'a/b': 1 } }]],
  ];
  /** @type {[string, object[]][]} */
  const REQUEST = [
    [
      '/timeoutMs',
      [0, -1, Number.NaN, '5', null, Number.POSITIVE_INFINITY, 2 ** 40].map((timeoutMs) => ({ timeoutMs })),
    ],
    ['/totalTimeoutMs', [0, -1, Number.NaN, '5', null].map((totalTimeoutMs) => ({ totalTimeoutMs }))],
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
    assert.ok(isOptionError(error), `${what}: ${error?.stack}`);
    assert.equal(error instanceof TypeError, true, `${what}: ${error?.stack}`);
    assert.equal(error.option, pointer, error.message);
    assert.doesNotMatch(error.message, /token-of-the-contract|u:p|Cannot/);
  };

  for (const [pointer, wrongs] of [
    ...WRONG,
    ...REQUEST.map(([p, list]) => [p, list.map((each) => ({ ...good, ...each }))]),
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
      const { client, server } = await setUp([]);
      for (const options of wrongs)
        isWrong(await rejection(client.createOrder(order(), options)), pointer, JSON.stringify(options));
      assert.equal(server.requests.length, 0);
    });

  for (const [pointer, wrongs] of [...REQUEST, ...SEND, ...BATCH])
    test(`createOrders: a wrong ${pointer || 'options object'} throws at once an OptionError with that pointer`, async () => {
      const { client, server } = await setUp([]);
      for (const options of wrongs)
        isWrong(
          thrown(() => client.createOrders([order()], options)),
          pointer,
          JSON.stringify(options),
        );
      assert.equal(server.requests.length, 0);
    });

  test('rule options are checked for a prepared request too', async () => {
    const { client } = await setUp([]);
    isWrong(await rejection(client.createOrder(prepareRequest(order()), { attempts: 3 })), '/attempts', 'prepared');
    isWrong(await rejection(client.createOrder(prepareRequest(order()), { version: 'v1' })), '/version', 'prepared');
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
      const error = thrown(() => createClient(throwing(good, name)));
      assert.ok(isOptionError(error), `${name}: ${error?.stack}`);
      assert.doesNotMatch(error.message, /secret/);
    }
    for (const nested of [
      { retry: throwing({}, 'baseMs') },
      { hooks: throwing({}, 'onRequest') },
      { headers: throwing({}, 'X-A') },
    ])
      assert.ok(isOptionError(thrown(() => createClient({ ...good, ...nested }))), JSON.stringify(Object.keys(nested)));
    const { client } = await setUp([]);
    for (const name of ['signal', 'version', 'scale', 'headers'])
      assert.ok(isOptionError(await rejection(client.createOrder(order(), throwing({}, name)))), name);
  });

  test('undefined is the default of every option, and options may be deeply frozen', async () => {
    const server = await serverWith();
    const nothing = (names) => Object.fromEntries(names.map((name) => [name, undefined]));
    const request = ['timeoutMs', 'totalTimeoutMs', 'maxRetries', 'headers'];
    const client = createClient(
      deepFreeze({
        baseUrl: server.baseUrl,
        token: TOKEN,
        ...nothing([...request, 'version', 'fetch', 'allowBrowserToken']),
        retry: nothing(['baseMs', 'capMs']),
        hooks: nothing(['onRequest', 'onResponse', 'onError', 'onRetry']),
      }),
    );
    const rules = ['version', 'locationTaxPricing', 'allowEmptyTaxes', 'records', 'discountValueTypes', 'orderId'];
    const all = deepFreeze(nothing([...request, ...rules, 'signal', 'earlierAttempts', 'sharePause']));
    assert.equal((await client.createOrder(order(), all)).status, 201);
    const batch = deepFreeze({ ...all, ...nothing(['concurrency', 'onProgress', 'onResult', 'stopOnUnauthorized']) });
    for await (const { ok } of client.createOrders([order()], batch)) assert.equal(ok, true);
    createClient({ baseUrl: server.baseUrl, token: TOKEN, retry: undefined, hooks: undefined });
  });

  test('options that are changed after createClient have no effect', async () => {
    const server = await serverWith();
    const options = { baseUrl: server.baseUrl, token: TOKEN, headers: { 'X-Shop': 'north' }, hooks: {} };
    const client = createClient(options);
    options.headers['X-Shop'] = 'south';
    options.token = 'other';
    await client.createOrder(order());
    assert.equal(server.requests[0].headers['x-shop'], 'north');
    assert.equal(server.requests[0].headers.authorization, `Bearer ${TOKEN}`);
  });

  for (const suffix of ['', '/', '/a/b', '/a/b///'])
    test(`path segments of the base URL are kept: ${suffix || 'none'}`, async () => {
      const server = await serverWith();
      const { origin } = new URL(server.baseUrl);
      for (const baseUrl of [origin + suffix, new URL(origin + suffix)]) {
        await createClient({ baseUrl, token: TOKEN }).createOrder(order());
        const base = suffix.replace(/\/+$/, '');
        assert.equal(server.requests.at(-1).url, `${base}/v3/ServiceOrder(${ID})`);
      }
    });

  test('http is accepted on loopback only', () => {
    for (const host of ['localhost', '127.0.0.1:8080', '[::1]:9', 'shop.localhost', '127.9.9.9'])
      createClient({ ...good, baseUrl: `http://${host}` });
    for (const host of ['localhost.example.com', '127.0.0.1.example.com', '10.0.0.1', '[::2]', '0.0.0.0'])
      assert.equal(thrown(() => createClient({ ...good, baseUrl: `http://${host}` })).option, '/baseUrl', host);
  });

  test('rules are options of the call: allowEmptyTaxes, records', async () => {
    const { client, server } = await setUp([]);
    assert.ok(isOrderValidationError(await rejection(client.createOrder(order({ Taxes: [] })))));
    await client.createOrder(order({ Taxes: [] }), { allowEmptyTaxes: true });
    assert.ok(server.requests[0].body.includes('"Taxes":[]'));
  });
});
