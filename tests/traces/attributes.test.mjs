/** Tests what spans say, and what is sent with requests: by the conventions, and nothing personal. */
import assert from 'node:assert/strict';
import diagnostics from 'node:diagnostics_channel';
import { test } from 'node:test';
import { inspect } from 'node:util';
import {
  context,
  createTraceState,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici';
import * as conventions from '@opentelemetry/semantic-conventions/incubating';
import { answer, startFaultServer } from '../client/fault-server.mjs';
import { PERSONAL, clientOf, numbered } from '../outbox/harness.mjs';
import { setUp } from '../outbox/set-up.mjs';
import { SalesOrderInstrumentation, inSpan, provider, takeSpans } from './spans.mjs';

const ORDER = numbered(1);
const CHANNELS = ['order', 'attempt', 'add', 'delivery', 'start'];

/** Adds an order to an outbox, and returns the spans once it is delivered, by name, and the service. */
async function delivered(t, ...script) {
  const { outbox, server, settled } = await setUp(t, { script });
  takeSpans();
  await outbox.start().add(ORDER);
  await settled(ORDER.Id);
  await outbox.stop();
  const spans = takeSpans();
  return { server, spans, named: (name) => spans.filter((span) => span.name.startsWith(name)) };
}

test('every attribute is as the guide says, with the kind of the span', async (t) => {
  const { server, named } = await delivered(t, answer(503));
  const [add] = named('add order');
  const [failed, created] = named('deliver order');
  const [, order] = named('createOrder');
  const [refused, attempt] = named('PUT');
  const port = Number(new URL(server.baseUrl).port);
  const path = `/intake/v3/ServiceOrder(${ORDER.Id})`;
  const messaging = { 'messaging.system': 'sales-order-intake', 'messaging.destination.name': 'order' };
  const delivery = {
    ...messaging,
    'messaging.operation.name': 'deliver',
    'messaging.operation.type': 'process',
    'sales_order_intake.order_id': ORDER.Id,
    'sales_order_intake.company_id': ORDER.CompanyId,
    'sales_order_intake.entity_id': ORDER.EntityId,
  };
  const request = {
    'http.request.method': 'PUT',
    'server.address': '127.0.0.1',
    'server.port': port,
    'url.full': `http://127.0.0.1:${port}${path}`,
    'url.template': '/intake/v3/ServiceOrder({orderId})',
  };
  assert.deepEqual(
    [add, failed, created, order, refused, attempt].map(({ name, kind, status, attributes }) => [
      name,
      SpanKind[kind],
      SpanStatusCode[status.code],
      attributes,
    ]),
    [
      [
        'add order',
        'PRODUCER',
        'UNSET',
        {
          ...messaging,
          'messaging.operation.name': 'add',
          'messaging.operation.type': 'send',
          'sales_order_intake.order_id': ORDER.Id,
          'sales_order_intake.state': 'waiting',
        },
      ],
      [
        'deliver order',
        'CONSUMER',
        'ERROR',
        {
          ...delivery,
          'error.type': 'ServerError',
          'sales_order_intake.state': 'waiting',
          'sales_order_intake.outcome': 'unknown',
          'sales_order_intake.attempts': 1,
        },
      ],
      [
        'deliver order',
        'CONSUMER',
        'UNSET',
        {
          ...delivery,
          'sales_order_intake.state': 'created',
          'sales_order_intake.outcome': 'created',
          'sales_order_intake.attempts': 2,
        },
      ],
      [
        'createOrder',
        'INTERNAL',
        'UNSET',
        { 'sales_order_intake.order_id': ORDER.Id, 'sales_order_intake.already_there': false },
      ],
      [
        'PUT /intake/v3/ServiceOrder({orderId})',
        'CLIENT',
        'ERROR',
        {
          ...request,
          'http.response.status_code': 503,
          'error.type': '503',
          'sales_order_intake.outcome': 'unknown',
        },
      ],
      ['PUT /intake/v3/ServiceOrder({orderId})', 'CLIENT', 'UNSET', { ...request, 'http.response.status_code': 201 }],
    ],
  );
});

test('every attribute of others is one of the newest conventions', async (t) => {
  const { spans } = await delivered(t, answer(503));
  const known = new Set(/** @type {unknown[]} */ (Object.values(conventions)));
  const names = spans.flatMap(({ attributes }) => Object.keys(attributes));
  assert.deepEqual(
    [...new Set(names)].filter((name) => !name.startsWith('sales_order_intake.') && !known.has(name)),
    [],
  );
});

test('port and address are those of the URL', async () => {
  /** @type {[baseUrl: string, address: string, port: number][]} */
  const cases = [
    ['https://intake.example.com/orders', 'intake.example.com', 443],
    ['https://intake.example.com:8443', 'intake.example.com', 8443],
    ['http://localhost', 'localhost', 80],
    ['http://[::1]:8080', '::1', 8080],
  ];
  for (const [baseUrl, address, port] of cases) {
    takeSpans();
    const fetch = async () => new Response(null, { status: 201 });
    await clientOf(baseUrl, { fetch }).createOrder(ORDER);
    const [{ attributes }] = takeSpans();
    assert.deepEqual([attributes['server.address'], attributes['server.port']], [address, port]);
  }
});

test('each request has the traceparent of its own span, whatever the program has set', async (_t) => {
  const server = await startFaultServer(answer(503));
  takeSpans();
  const headers = { traceparent: '00-11111111111111111111111111111111-1111111111111111-00', 'x-shop': '7' };
  await clientOf(server.baseUrl, { headers, retry: { baseMs: 0 } }).createOrder(ORDER);
  const attempts = takeSpans().filter(({ kind }) => kind === SpanKind.CLIENT);
  const expected = attempts.map((span) => `00-${span.spanContext().traceId}-${span.spanContext().spanId}-01`);
  assert.equal(new Set(expected).size, 2);
  assert.deepEqual(
    server.requests.map((request) => [request.headers.traceparent, request.headers['x-shop']]),
    expected.map((traceparent) => [traceparent, '7']),
  );
});

test('beside an instrumentation of fetch, a request has one span and one traceparent', async (t) => {
  const server = await startFaultServer();
  const undici = new UndiciInstrumentation();
  const disable = registerInstrumentations({ instrumentations: [undici], tracerProvider: provider });
  t.after(disable);
  takeSpans();
  await fetch(server.baseUrl, { method: 'PUT', body: '{}' }).catch(() => {});
  assert.equal(takeSpans().length, 1, 'the other instrumentation works');
  await clientOf(server.baseUrl).createOrder(ORDER);
  const requests = takeSpans().filter(({ kind }) => kind === SpanKind.CLIENT);
  assert.deepEqual(
    requests.map(({ name }) => name),
    ['PUT /intake/v3/ServiceOrder({orderId})'],
  );
  const { traceId, spanId } = requests[0].spanContext();
  assert.equal(server.requests.at(-1).headers.traceparent, `00-${traceId}-${spanId}-01`);
});

test('a link has the tracestate and the sampling of the add', async (t) => {
  const { outbox, settled } = await setUp(t);
  takeSpans();
  const remote = propagation.extract(ROOT_CONTEXT, {
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    tracestate: 'vendor=a1:b2,other=7',
  });
  await context.with(remote, () => outbox.add(ORDER));
  const [{ parentSpanContext }] = takeSpans();
  assert.equal(parentSpanContext?.spanId, 'b7ad6b7169203331');
  outbox.start();
  await settled(ORDER.Id);
  await outbox.stop();
  const [{ context: linked }] = takeSpans().find(({ name }) => name === 'deliver order')?.links ?? assert.fail();
  assert.deepEqual(
    [linked.traceId, linked.traceFlags, linked.traceState?.serialize()],
    ['0af7651916cd43dd8448eb211c80319c', 1, createTraceState('vendor=a1:b2,other=7').serialize()],
  );
});

test('neither spans nor channels have anything personal, or a token', async (t) => {
  const seen = [];
  for (const channel of CHANNELS) {
    const see = (message, name) => seen.push(`${name} ${inspect(message, { depth: 20, showHidden: true })}`);
    const events = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'];
    for (const event of events) {
      const name = `tracing:sales-order-intake:${channel}:${event}`;
      diagnostics.subscribe(name, see);
      t.after(() => diagnostics.unsubscribe(name, see));
    }
  }
  const words = 'Xaviera Quonset, customer-4711, behind the violet door';
  const order = numbered(1, { CustomerId: '3c9d2f1e-4711-4711-8711-000000004711' });
  const script = [
    answer(400, JSON.stringify({ Message: words, errors: { 'Items[0].Name': [words] } })),
    answer(503, words, { 'X-Request-Id': 'request-1', Location: `/${encodeURIComponent(words)}?name=Xaviera` }),
    answer(201, JSON.stringify({ ...order, Id: numbered(2).Id })),
    answer(409, words),
  ];
  const server = await startFaultServer(...script);
  takeSpans();
  const client = clientOf(server.baseUrl, { maxRetries: 0 });
  for (const _ of script) await client.createOrder(order).catch(() => {});
  const signal = AbortSignal.abort(new Error(words));
  await client.createOrder(order, { signal }).catch(() => {});
  const token = () => Promise.reject(new Error('token-of-the-tests'));
  await clientOf(server.baseUrl, { token, maxRetries: 0 })
    .createOrder(order)
    .catch(() => {});
  const fetch = () => Promise.reject(new Error(words, { cause: order }));
  await clientOf('https://x.example', { fetch, maxRetries: 0 })
    .createOrder(order)
    .catch(() => {});
  await client.createOrder({ ...order, Items: [{ Name: words }] }).catch(() => {});
  await client.createOrder(order);
  const { outbox, settled } = await setUp(t, { script: [script[0]] });
  await outbox.start().add(order, { reference: 'cart 4711' });
  await settled(order.Id);
  await outbox.replace({ ...order, OrderNumber: words }, { by: words });
  await settled(order.Id);
  await outbox.add({ ...order, OrderNumber: '2' }).catch(() => {});
  await outbox.stop();
  const spans = takeSpans().map(({ name, attributes, events, status, links }) =>
    inspect({ name, attributes, events, status, links }, { depth: 20 }),
  );
  for (const channel of CHANNELS)
    assert.ok(
      seen.some((text) => text.includes(`:${channel}:`)),
      channel,
    );
  assert.ok(seen.some((text) => text.includes(':error ')) && spans.length > 15, `${spans.length} spans`);
  for (const text of [...seen, ...spans]) assert.doesNotMatch(text, /4711|Xaviera|violet|Green tea/i);
  for (const text of [...seen, ...spans]) assert.doesNotMatch(text, PERSONAL);
});

test('it fits into registerInstrumentations, makes spans with the provider that it gets, and none after disable', async (_t) => {
  const server = await startFaultServer();
  const names = [];
  const tracerProvider = {
    getTracer: (name, version) => {
      names.push(`${name} ${typeof version}`);
      return trace.getTracer('other');
    },
  };
  const instrumentation = new SalesOrderInstrumentation();
  assert.equal(instrumentation.getConfig().enabled, false);
  const disable = registerInstrumentations({ instrumentations: [instrumentation], tracerProvider });
  assert.equal(instrumentation.getConfig().enabled, true);
  instrumentation.enable();
  await inSpan('twice', () => clientOf(server.baseUrl).createOrder(ORDER));
  assert.deepEqual(names, ['sales-order-intake string', 'sales-order-intake string']);
  disable();
  await clientOf(server.baseUrl).createOrder(ORDER);
  assert.equal(names.length, 2);
  assert.equal(instrumentation.getConfig().enabled, false);
});
