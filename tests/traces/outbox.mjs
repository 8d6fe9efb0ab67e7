/** Cases for every store: the spans of adds and deliveries, and how they are linked. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { afterStoring, answer, page, refuses, resetsBeforeHeaders } from '../client/fault-server.mjs';
import { numbered } from '../outbox/harness.mjs';
import { inSpan, instrumentation, takeSpans, textOf, treesOf } from './spans.mjs';

const PUT = 'PUT /intake/v3/ServiceOrder({orderId}) CLIENT';
const CREATED = `deliver order CONSUMER state=created outcome=created attempts=1 → add order
          createOrder already_there=false
            ${PUT} response.status_code=201`;
const { Id } = numbered(1);

/**
 * What happens to an order until it is settled, as a script of the service, and the spans: first of the shop, then of the
 * deliveries. An arrow is a link.
 *
 * @type {Record<string, { script?: Function[], tree: string }>}
 */
const CASES = {
  'is created': {
    tree: `
        check-out
          add order PRODUCER state=waiting
        ${CREATED}`,
  },
  'is created after a 503': {
    script: [answer(503)],
    tree: `
        check-out
          add order PRODUCER state=waiting
        deliver order CONSUMER ERROR error.type=ServerError state=waiting outcome=unknown attempts=1 → add order
          createOrder ERROR error.type=ServerError outcome=unknown
            ${PUT} ERROR response.status_code=503 error.type=503 outcome=unknown
        deliver order CONSUMER state=created outcome=created attempts=2 → add order
          createOrder already_there=false
            ${PUT} response.status_code=201`,
  },
  'is refused': {
    script: [refuses(400)],
    tree: `
        check-out
          add order PRODUCER state=waiting
        deliver order CONSUMER ERROR error.type=RejectedError state=refused outcome=not-created attempts=1 → add order
          createOrder ERROR error.type=RejectedError outcome=not-created
            ${PUT} ERROR response.status_code=400 error.type=400 outcome=not-created`,
  },
  'stalls, because it may be there and is refused': {
    script: [afterStoring(resetsBeforeHeaders), refuses(422)],
    tree: `
        check-out
          add order PRODUCER state=waiting
        deliver order CONSUMER ERROR error.type=ConnectionError state=waiting outcome=unknown attempts=1 → add order
          createOrder ERROR error.type=ConnectionError outcome=unknown
            ${PUT} ERROR error.type=ConnectionError outcome=unknown
        deliver order CONSUMER ERROR error.type=RejectedError state=stalled outcome=unknown attempts=2 → add order
          createOrder ERROR error.type=RejectedError outcome=unknown
            ${PUT} ERROR response.status_code=422 error.type=422 outcome=unknown`,
  },
  'outlasts a page with status 200': {
    script: [page(200)],
    tree: `
        check-out
          add order PRODUCER state=waiting
        deliver order CONSUMER ERROR error.type=UnexpectedResponseError state=waiting outcome=unknown attempts=0 → add order
          createOrder ERROR error.type=UnexpectedResponseError outcome=unknown
            ${PUT} ERROR response.status_code=200 error.type=UnexpectedResponseError outcome=unknown
        ${CREATED}`,
  },
};

/** Returns the spans once this many deliveries have ended, which is after the order was settled. */
async function spansWith(deliveries, until) {
  const spans = [];
  await until(() => {
    spans.push(...takeSpans());
    return spans.filter(({ name }) => name === 'deliver order').length >= deliveries;
  }, `${deliveries} spans of deliveries`);
  return spans;
}

/**
 * @param {(t: import('node:test').TestContext, setting?: object) => any} setUp As in set-up.mjs.
 * @param {(t: import('node:test').TestContext) => () => any} newLocation Returns a function that opens a store, empty at first.
 */
export function testTraces(name, setUp, newLocation) {
  describe(`traces of an outbox on ${name}`, () => {
    for (const [what, { script = [], tree }] of Object.entries(CASES)) {
      test(`spans of an order that ${what}`, async (t) => {
        const { outbox, settled, until } = await setUp(t, { store: newLocation(t)(), script });
        takeSpans();
        await inSpan('check-out', () => outbox.add(numbered(1)));
        outbox.start();
        await settled(Id);
        assert.equal(treesOf(await spansWith(tree.split('deliver order').length - 1, until)), textOf(tree));
      });
    }

    test('a delivery after a restart is linked to the add before it', async (t) => {
      const open = newLocation(t);
      takeSpans();
      const before = await setUp(t, { store: open() });
      await before.outbox.add(numbered(1));
      await before.outbox.stop();
      const [added] = takeSpans();
      const after = await setUp(t, { store: open(), movedFrom: '*' });
      after.outbox.start();
      await after.settled(Id);
      const spans = await spansWith(1, after.until);
      assert.equal(treesOf(spans, [added]), textOf(`\n        ${CREATED}`));
      const { links } = spans.find(({ name }) => name === 'deliver order');
      const { traceId, spanId, traceFlags } = added.spanContext();
      assert.deepEqual(
        links.map(({ context }) => [context.traceId, context.spanId, context.traceFlags, context.isRemote]),
        [[traceId, spanId, traceFlags, true]],
      );
    });

    test('a corrected order is linked to its replacement, and a retry to what it was before', async (t) => {
      const { outbox, server, settled, until } = await setUp(t, { store: newLocation(t)(), script: [refuses(400)] });
      takeSpans();
      await outbox.start().add(numbered(1));
      await settled(Id);
      server.playAlways(refuses(400));
      await inSpan('correction', () => outbox.replace(numbered(1, { EntityId: 2001 })));
      await settled(Id);
      server.playAlways(answer(201));
      await inSpan('again', () => outbox.retry(Id));
      await settled(Id);
      const linked = (await spansWith(3, until)).filter(({ name }) => name === 'deliver order');
      const lines = linked.map(({ links, attributes }) => [
        attributes['sales_order_intake.entity_id'],
        attributes['sales_order_intake.state'],
        links.length,
      ]);
      assert.deepEqual(lines, [
        [2000, 'refused', 1],
        [2001, 'refused', 1],
        [2001, 'created', 1],
      ]);
      const [first, second, third] = linked.map(({ links }) => links[0].context.spanId);
      assert.notEqual(first, second);
      assert.equal(second, third);
    });

    test('an order that was added without a trace is delivered, with no link', async (t) => {
      instrumentation.disable();
      const { outbox, settled, until } = await setUp(t, { store: newLocation(t)() });
      await outbox.add(numbered(1));
      instrumentation.enable();
      takeSpans();
      outbox.start();
      await settled(Id);
      assert.equal(treesOf(await spansWith(1, until)), textOf(`\n        ${CREATED.replace(' → add order', '')}`));
    });

    test('an order that cannot be added has a span that says so', async (t) => {
      const { outbox } = await setUp(t, { store: newLocation(t)() });
      await outbox.add(numbered(1));
      takeSpans();
      await assert.rejects(outbox.add(numbered(1, { Items: [] })), { name: 'OrderValidationError' });
      await assert.rejects(outbox.add(numbered(1, { EntityId: 2001 })), { name: 'OutboxError' });
      assert.equal(
        treesOf(takeSpans()),
        textOf(`
          add order PRODUCER ERROR error.type=OrderValidationError
          add order PRODUCER ERROR error.type=OutboxError`),
      );
    });

    test('the handler runs in the span of the delivery; an outbox that a request has started delivers in other traces', async (t) => {
      const onSettled = () => inSpan('mail', async () => {});
      const { outbox, settled, until } = await setUp(t, { store: newLocation(t)(), onSettled });
      takeSpans();
      await inSpan('request', async () => outbox.start());
      await outbox.add(numbered(1));
      await settled(Id);
      assert.equal(
        treesOf(await spansWith(1, until)),
        textOf(`
        request
        add order PRODUCER state=waiting
        ${CREATED}
          mail`),
      );
    });
  });
}
