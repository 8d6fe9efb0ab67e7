/** Tests the options of one call (time-outs, retries, headers), and what a call returns about its request. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minimalOrder } from '../node/orders.mjs';
import { rejection } from '../thrown.mjs';
import { client, clientOf, ORDER_ID, TOKEN, numbered } from './clients.mjs';
import { settle, sleep } from './clock.mjs';
import { answer, resetsBeforeHeaders, stallsBeforeHeaders, stallsInBody, startFaultServer } from './fault-server.mjs';

/** Defines a test with a server that plays a script. */
function withServer(title, script, run) {
  test(title, async () => {
    const server = await startFaultServer(...script);
    await run(server);
  });
}

const failing = new Array(20).fill(answer(503));

withServer("a call's maxRetries wins over the client's, for this call only", failing, async (server) => {
  const sender = clientOf(server.baseUrl, { maxRetries: 1 });
  const attempts = [];
  for (const options of [undefined, { maxRetries: 0 }, { maxRetries: 2 }, { maxRetries: undefined }]) {
    attempts.push((await rejection(sender.createOrder(minimalOrder(), options))).attempts);
  }
  assert.deepEqual(attempts, [2, 1, 3, 2]);
});

withServer("a call's timeoutMs ends its attempts", [stallsBeforeHeaders, stallsBeforeHeaders], async (server) => {
  const error = await rejection(
    clientOf(server.baseUrl).createOrder(minimalOrder(), { timeoutMs: 2000, maxRetries: 1 }),
  );
  assert.ok(error instanceof client.TimeoutError);
  assert.equal(error.attempts, 2);
  assert.match(error.message, /within 2 s;/);
});

withServer("a call's totalTimeoutMs ends the order", [stallsBeforeHeaders], async (server) => {
  const error = await rejection(clientOf(server.baseUrl).createOrder(minimalOrder(), { totalTimeoutMs: 3000 }));
  assert.ok(error instanceof client.TimeoutError);
  assert.equal(error.attempts, 1);
});

withServer(
  'headers of the client and of the call are added to every request; those of the call win',
  [answer(503)],
  async (server) => {
    const sender = clientOf(server.baseUrl, { headers: { 'X-Shop': 'north', 'X-Both': 'client' } });
    await sender.createOrder(minimalOrder(), { headers: { 'x-both': 'call', 'Idempotency-Key': 'k-1' } });
    await sender.createOrder(minimalOrder());
    const sent = server.requests.map(({ headers }) => [
      headers['x-shop'],
      headers['x-both'],
      headers['idempotency-key'],
    ]);
    assert.deepEqual(sent, [
      ['north', 'call', 'k-1'],
      ['north', 'call', 'k-1'],
      ['north', 'client', undefined],
    ]);
    for (const { headers } of server.requests) assert.equal(headers.authorization, `Bearer ${TOKEN}`);
  },
);

withServer(
  'a function of headers is called for each attempt, of the client and of the call',
  [answer(503), answer(503)],
  async (server) => {
    const sender = clientOf(server.baseUrl, {
      headers: ({ orderId, attempt }) => ({ Traceparent: `${orderId}/${attempt}`, 'X-Both': 'client' }),
    });
    await sender.createOrder(minimalOrder(), { headers: { 'x-both': 'call' } });
    await sender.createOrder(minimalOrder(), { headers: ({ attempt }) => ({ 'X-Both': `call ${attempt}` }) });
    assert.deepEqual(
      server.requests.map(({ headers }) => [headers.traceparent, headers['x-both']]),
      [
        [`${ORDER_ID}/1`, 'call'],
        [`${ORDER_ID}/2`, 'call'],
        [`${ORDER_ID}/3`, 'call'],
        [`${ORDER_ID}/1`, 'call 1'],
      ],
    );
    for (const { headers } of server.requests) assert.equal(headers.authorization, `Bearer ${TOKEN}`);
  },
);

withServer(
  'a function of headers that throws is called again; if it fails, the error has its cause, and the attempt is not made',
  [answer(503)],
  async (server) => {
    const own = new Error('no key');
    const events = [];
    const hooks = Object.fromEntries(
      ['onRequest', 'onResponse', 'onError'].map((name) => [name, ({ attempt }) => events.push([name, attempt])]),
    );
    const headers = ({ attempt }) => {
      if (attempt === 2) throw own;
      return {};
    };
    const sender = clientOf(server.baseUrl, { headers, hooks });
    const error = await rejection(sender.createOrder(minimalOrder()));
    assert.deepEqual([error.name, error.cause, error.isSent], ['ConnectionError', own, false]);
    assert.deepEqual([error.attempts, error.outcome, error.retryable], [1, 'unknown', true]);
    assert.equal(server.requests.length, 1);
    assert.deepEqual(events, [
      ['onRequest', 1],
      ['onResponse', 1],
    ]);
    // The client remembers that the fate of the order is unknown.
    server.playAlways(answer(409));
    assert.equal((await rejection(sender.createOrder(minimalOrder()))).outcome, 'unknown');
  },
);

test('before anything is sent, a function of headers that throws leaves the outcome not-created', async () => {
  let calls = 0;
  const own = new Error('no key');
  const fetch = async () => assert.fail('nothing is sent');
  const headers = () => {
    calls++;
    throw own;
  };
  const error = await rejection(clientOf('https://x.example', { fetch, headers }).createOrder(minimalOrder()));
  assert.deepEqual([error.cause, error.attempts, error.outcome, calls], [own, 0, 'not-created', 4]);
  assert.equal(error.failure, 'headers function failed');
  assert.match(
    error.message,
    /^The headers function failed, so nothing was sent; PUT v3\/.*, 0 attempts\. The order was not created\.$/,
  );
});

test('an order is sent once its function of headers works again', async () => {
  let calls = 0;
  const fetch = async (_, { body }) => new Response(body, { status: 201 });
  const headers = () => {
    if (++calls < 3) throw new Error('no key');
    return {};
  };
  const { attempts } = await clientOf('https://x.example', { fetch, headers }).createOrder(minimalOrder());
  assert.deepEqual([attempts, calls], [1, 3]);
});

test('a function of headers that throws for one order of a batch does not hold up the others', async () => {
  const fetch = async (_, { body }) => new Response(body, { status: 201 });
  const headers = ({ orderId }) => {
    if (orderId === numbered(1).Id) throw new Error('no key');
    return {};
  };
  const batch = clientOf('https://x.example', { fetch }).createOrders(
    [0, 1, 2].map((n) => numbered(n)),
    { headers },
  );
  const { created, failed } = await batch;
  assert.equal(created, 2);
  assert.deepEqual(
    failed.map(({ index, error }) => [index, error.name, error.outcome]),
    [[1, 'ConnectionError', 'not-created']],
  );
});

test('headers that a function returns are checked as others are', async () => {
  const fetch = async (_, { body }) => new Response(body, { status: 201 });
  const sender = clientOf('https://x.example', { fetch });
  for (const [returned, option] of /** @type {any[][]} */ ([
    [{ Authorization: 's3cret' }, '/headers/Authorization'],
    [{ 'transfer-encoding': 's3cret' }, '/headers/transfer-encoding'],
    [{ 'X-A': 's3cret\n' + 'X-B: 1' }, '/headers/X-A'],
    [{ 'X-A': 7 }, '/headers/X-A'],
    [undefined, '/headers'],
    [Promise.resolve({}), '/headers'],
    [new Headers(), '/headers'],
  ])) {
    const error = await rejection(sender.createOrder(minimalOrder(), { headers: () => returned }));
    assert.deepEqual([error.cause.name, error.cause.option], ['OptionError', option]);
    assert.deepEqual([error.attempts, error.outcome], [0, 'not-created']);
    assert.ok(!`${error.message}${error.cause.message}`.includes('s3cret'));
  }
});

for (const name of [
  ...['Authorization', 'authorization', 'ACCEPT', 'Content-Type', 'Host', 'Content-Length', 'Transfer-Encoding'],
  ...['Upgrade', 'Keep-Alive', 'Expect', 'Connection', 'Proxy-Connection', 'TE', 'Trailer'],
]) {
  test(`header ${name} cannot be set`, async () => {
    const headers = { [name]: 's3cret' };
    const expected = {
      name: 'OptionError',
      option: `/headers/${name}`,
      message: /^option \/headers\/\S+ cannot be set/,
    };
    assert.throws(() => clientOf('https://x.example', { headers }), expected);
    await assert.rejects(clientOf('https://x.example').createOrder(minimalOrder(), { headers }), expected);
  });
}

test('an invalid header is an OptionError that does not show its value', () => {
  for (const headers of [
    { 'X A': 's3cret' },
    { 'X-A': 's3cret\nX-B: 1' },
    { 'X-A': 'gehe\u{1f375}im' },
    { 'X-A': 7 },
    { 'X-A': undefined },
    { '': 'x' },
  ]) {
    assert.throws(
      () => clientOf('https://x.example', { headers }),
      (/** @type {any} */ error) => {
        assert.equal(error.name, 'OptionError');
        return !/s3cret|geheim/.test(error.message);
      },
    );
  }
});

// ---------------------------------------------------------------- requestId and detail

withServer(
  'the request id is in the result and in errors; null and absent if there is none',
  [
    answer(201, JSON.stringify(minimalOrder()), { 'X-Request-Id': 'r-1' }),
    answer(201, JSON.stringify(minimalOrder())),
    answer(400, '{}', { 'Request-Id': 'r-2 ' }),
    answer(400),
    answer(201, JSON.stringify(minimalOrder({ Id: '11111111-2222-4333-8444-555555555555' })), {
      'X-Correlation-Id': 'r-3',
    }),
  ],
  async (server) => {
    const sender = clientOf(server.baseUrl, { maxRetries: 0 });
    const send = () => sender.createOrder(minimalOrder());
    assert.equal((await send()).requestId, 'r-1');
    assert.equal((await send()).requestId, null);
    assert.equal((await rejection(send())).requestId, 'r-2');
    assert.ok(!('requestId' in (await rejection(send()))));
    assert.equal((await rejection(send())).requestId, 'r-3');
  },
);

withServer(
  'a 403 has its reason in detail, and not in its message',
  [
    answer(403, '{"detail":"Location 2000 of Ms Quillfeather is not yours."}', {
      'Content-Type': 'application/problem+json',
    }),
  ],
  async (server) => {
    const error = await rejection(clientOf(server.baseUrl).createOrder(minimalOrder()));
    assert.ok(error instanceof client.PermissionError);
    assert.equal(error.detail, 'Location 2000 of Ms Quillfeather is not yours.');
    assert.doesNotMatch(error.message, /Quillfeather/);
    assert.ok(!Object.keys(error).includes('detail'));
  },
);

withServer('an error without a reason has no detail', [answer(400)], async (server) => {
  assert.ok(!('detail' in (await rejection(clientOf(server.baseUrl).createOrder(minimalOrder())))));
});

// ---------------------------------------------------------------- onError

/** Creates a client that records the events of its hooks. */
function watched(baseUrl, options) {
  /** @type {any[]} */
  const events = [];
  const hooks = {};
  for (const name of ['onRequest', 'onResponse', 'onError', 'onRetry'])
    hooks[name] = (event) => events.push([name, event]);
  return { events, sender: clientOf(baseUrl, { hooks, ...options }) };
}

withServer(
  'onError reports attempts without a response; each onRequest is followed by exactly one of onResponse and onError',
  [resetsBeforeHeaders, stallsBeforeHeaders, answer(503), stallsInBody],
  async (server) => {
    const { events, sender } = watched(server.baseUrl, { timeoutMs: 4000, maxRetries: 4 });
    await sender.createOrder(minimalOrder());
    const ends = events.filter(([name]) => name !== 'onRetry');
    assert.deepEqual(
      ends.map(([name, { attempt }]) => `${name} ${attempt}`),
      [
        ...[
          'onRequest 1',
          'onError 1',
          'onRequest 2',
          'onError 2',
          'onRequest 3',
          'onResponse 3',
          'onRequest 4',
          'onError 4',
        ],
        ...['onRequest 5', 'onResponse 5'],
      ],
    );
    const errors = events.filter(([name]) => name === 'onError').map(([, event]) => event);
    assert.deepEqual(
      errors.map(({ reason }) => reason),
      ['ConnectionError', 'TimeoutError', 'TimeoutError'],
    );
    for (const { durationMs, failure, ...event } of errors) {
      assert.ok(durationMs >= 0);
      assert.deepEqual(Object.keys(event).sort(), ['attempt', 'method', 'orderId', 'path', 'reason', 'version']);
      assert.equal(failure, event.reason === 'ConnectionError' ? 'connection lost (ECONNRESET)' : undefined);
    }
    const retries = events.filter(([name]) => name === 'onRetry').map(([, { failure }]) => failure);
    assert.deepEqual(retries, ['connection lost (ECONNRESET)', undefined, undefined, undefined]);
  },
);

withServer(
  'onError reports an abort in flight, and none if no attempt was started',
  [stallsBeforeHeaders],
  async (server) => {
    const { events, sender } = watched(server.baseUrl);
    await rejection(sender.createOrder(minimalOrder(), { signal: AbortSignal.abort() }));
    assert.equal(events.length, 0);
    const controller = new AbortController();
    const sending = rejection(sender.createOrder(minimalOrder(), { signal: controller.signal }));
    await sleep(1);
    controller.abort();
    await sending;
    assert.deepEqual(
      events.map(([name, { reason }]) => [name, reason]),
      [
        ['onRequest', undefined],
        ['onError', 'AbortedError'],
      ],
    );
  },
);

// ---------------------------------------------------------------- delivery by a relay

const ORDER = JSON.stringify(minimalOrder());
const OTHER = '{"Id":"11111111-2222-4333-8444-555555555555"}';
for (const [what, status, Location, body, url, delivery, orderId] of /** @type {any[][]} */ ([
  ['a path', 202, '/d/7', '{"id":"7","state":"waiting"}', '', 'https://x.example/d/7', undefined],
  ['a path that is relative to the request', 202, '../d/7', '', '', 'https://x.example/a/d/7', undefined],
  [
    'a path that is relative to the response',
    202,
    'd/7',
    '',
    'https://o.example/b/order',
    'https://o.example/b/d/7',
    undefined,
  ],
  ['an address', 202, 'https://relay.example/7', '', '', 'https://relay.example/7', undefined],
  ['a path, with the order', 202, '/d/7', ORDER, '', 'https://x.example/d/7', ORDER_ID],
  ['a path, with a delivery that has its own Id', 202, '/d/7', OTHER, '', 'https://x.example/d/7', undefined],
  ['a path, after creation', 201, '/d/7', ORDER, '', undefined, ORDER_ID],
])) {
  test(`${status} with ${what} as Location: delivery is ${delivery ?? 'null'}`, async () => {
    const response = new Response(body || null, { status, headers: { Location } });
    Object.defineProperty(response, 'url', { value: url });
    const sender = clientOf('https://x.example/a', { fetch: async () => response });
    const created = await sender.createOrder(minimalOrder());
    assert.deepEqual([created.delivery?.href, created.order?.Id, created.issues], [delivery, orderId, []]);
  });
}

test('202 with a Location that is empty or no address of HTTP accepts nothing', async () => {
  for (const Location of ['', 'http://[', 'javascript:alert(1)']) {
    const fetch = async () => new Response(null, { status: 202, headers: { Location } });
    const sender = clientOf('https://x.example', { fetch, maxRetries: 0 });
    const error = await rejection(sender.createOrder(minimalOrder()));
    assert.ok(error instanceof client.UnexpectedResponseError, Location);
  }
});

// ---------------------------------------------------------------- a fetch that ignores its signal

test('after an abort, the body of a late response is cancelled, not read', async () => {
  let [pulled, cancelled] = [0, false];
  const pull = (controller) => controller.enqueue(new Uint8Array(++pulled));
  const cancel = () => void (cancelled = true);
  /** @type {(response: Response) => void} */
  let respond = () => {};
  const fetch = () => new Promise((resolve) => (respond = resolve));
  const { signal, abort } = withAbort();
  const sending = rejection(clientOf('https://x.example', { fetch }).createOrder(minimalOrder(), { signal }));
  await settle();
  abort();
  assert.ok((await sending) instanceof client.AbortedError);
  respond(new Response(new ReadableStream({ pull, cancel }, { highWaterMark: 0 })));
  await settle();
  assert.deepEqual([pulled, cancelled], [0, true]);
});

function withAbort() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}
