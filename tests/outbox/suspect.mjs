/**
 * Cases for every store: pages, redirects and a 403, 404 or 405 settle nothing before five of them came to an order
 * while others were created (D26, D51). The ten minutes are in suspect.test.mjs: some stores have a clock of their own.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answer, creates, page, refuses } from '../client/fault-server.mjs';
import { chance } from '../simulation/simulator/time.mjs';
import { collected, numbered } from './harness.mjs';

const WAITING = 300;
const RESPONSES = {
  'a page with 200': [page(200), 200, 'text/html'],
  'a page with 403': [page(403), 403, 'text/html'],
  '403 in JSON': [refuses(403), 403, 'application/json'],
  '404 in JSON': [refuses(404), 404, 'application/json'],
  '405 in JSON': [refuses(405), 405, 'application/json'],
  'a redirect': [page(302, { Location: 'https://elsewhere.example/sorry' }), 302, 'text/html'],
};
/** Responses that settle an order if they come for good. @type {Record<string, [(exchange: any) => void, string, string, string, number]>} */
const FOR_GOOD = {
  'an empty 404': [answer(404), 'refused', 'not-created', 'NotFoundError', 404],
  'a page with 422': [page(422), 'refused', 'not-created', 'RejectedError', 422],
  '403 in JSON': [refuses(403), 'refused', 'not-created', 'PermissionError', 403],
  '404 in JSON': [refuses(404), 'refused', 'not-created', 'NotFoundError', 404],
  '405 in JSON': [refuses(405), 'refused', 'not-created', 'RejectedError', 405],
  'a redirect': [page(301), 'stalled', 'unknown', 'UnexpectedResponseError', 301],
  '501 in JSON': [refuses(501), 'stalled', 'unknown', 'ServerError', 501],
  'a page with 501': [page(501), 'stalled', 'unknown', 'ServerError', 501],
};
/** Responses of nodes that do not have the route yet. */
const WITHOUT_ROUTE = {
  '404 in JSON': answer(404, '{"Message":"No HTTP resource was found that matches the request URI."}'),
  'a page with 404': page(404),
  '403 in JSON': answer(403, '{"message":"Forbidden"}'),
  'a page with 403': page(403),
  '405 in JSON': answer(405, '{"Message":"The requested resource does not support http method PUT."}'),
  'a redirect': page(302, { Location: '/login' }),
  'a page with 501': page(501),
  '501 in JSON': answer(501, '{"message":"Not implemented"}'),
  'a page with 200': page(200),
};
const idOf = ({ url }) => /\((.*)\)/.exec(url)?.[1];

async function addAll(outbox, count) {
  await Promise.all(Array.from({ length: count }, (_, n) => outbox.add(numbered(n, { EntityId: 1 + (n % 3) }))));
}

/** @param {(t: import('node:test').TestContext, setting?: object) => any} setUp As in set-up.mjs, with an empty store. */
export function testSuspectResponses(name, setUp) {
  describe(`responses that may not be the service's, on ${name}`, () => {
    for (const [what, [step, status, mediaType]] of Object.entries(RESPONSES)) {
      test(`${WAITING} waiting orders outlast ${what}: at most one request a pause, then all are created, each once`, async (t) => {
        const { outbox, server, events, until } = await setUp(t);
        server.playAlways(step);
        await addAll(outbox, WAITING);
        outbox.start();
        const closings = () => events.filter(({ name, isOpen }) => name === 'onGate' && !isOpen);
        await until(() => closings().length >= 6, 'six pauses');

        const { pause, created, refused, stalled } = await outbox.counts();
        assert.deepEqual([created, refused, stalled], [0, 0, 0]);
        assert.deepEqual([pause.cause, pause.status, pause.mediaType], ['suspect', status, mediaType]);
        assert.equal(pause.since.getTime(), closings()[0].pause.since.getTime(), 'since the beginning');
        const during = server.requests.map(idOf);
        // Four started together.
        assert.ok(
          during.length <= 3 + closings().length + 1,
          `${during.length} requests in ${closings().length} pauses`,
        );
        assert.equal(new Set(during).size, during.length, 'another order for each probe');
        assert.ok(
          events
            .filter(({ name }) => name === 'onResult')
            .every(({ isSuspect, state }) => isSuspect && state === 'waiting'),
        );

        server.playAlways(creates);
        await until(async () => (await outbox.counts()).created === WAITING, 'all created');
        assert.equal(server.orders.size, WAITING);
        assert.ok([...server.orders.values()].every(({ creations }) => creations === 1));
        assert.equal((await outbox.counts()).pause, null);
      });
    }

    for (const [what, [step, state, outcome, reason, status]] of Object.entries(FOR_GOOD)) {
      test(`an order that gets ${what} for good holds up nobody, and the fifth response settles it as ${state}`, async (t) => {
        const { outbox, server, settled, events, until } = await setUp(t, { suspectMs: 0 });
        const wrong = numbered(0).Id;
        server.playAlways((exchange) => (exchange.body.includes(wrong) ? step : creates)(exchange));
        outbox.start();
        await outbox.add(numbered(1));
        await settled(numbered(1).Id);
        await outbox.add(numbered(0));
        const results = () => events.filter(({ name, orderId }) => name === 'onResult' && orderId === wrong);
        for (let n = 2, seen = 0; (await outbox.get(wrong)).settledAt === null; n++) {
          await until(() => results().length > seen, 'another response');
          seen = results().length;
          await outbox.add(numbered(n));
          assert.equal((await settled(numbered(n).Id)).state, 'created');
        }
        const entry = await outbox.get(wrong);
        assert.deepEqual(
          [entry.state, entry.outcome, entry.reason, entry.status, entry.attempts],
          [state, outcome, reason, status, 1],
        );
        assert.ok(
          results().length >= 5 && results().every(({ isSuspect }) => isSuspect),
          `${results().length} results`,
        );
        assert.ok(results().every(({ attempts }, index) => attempts === (index === results().length - 1 ? 1 : 0)));
        assert.deepEqual(
          events.filter(({ name }) => name === 'onGate'),
          [],
        );
      });
    }

    for (const [what, step] of Object.entries(WITHOUT_ROUTE)) {
      test(`a deployment in which half of the nodes respond with ${what}: all 200 orders are created, each once`, async (t) => {
        const { outbox, server, until } = await setUp(t);
        const random = chance(7);
        server.playAlways((exchange) => (random() < 0.5 ? step : creates)(exchange));
        await Promise.all(Array.from({ length: 200 }, (_, n) => outbox.add(numbered(n, { EntityId: 2300 + (n % 5) }))));
        outbox.start();
        const { created, refused, stalled } = await until(async () => {
          const counts = await outbox.counts();
          return counts.waiting + counts.sending === 0 && counts;
        }, 'all settled');
        assert.deepEqual([created, refused, stalled], [200, 0, 0]);
        assert.ok([...server.orders.values()].every(({ creations }) => creations === 1));
      });
    }

    test('other refusals in JSON settle their orders at once, also at the start', async (t) => {
      const { outbox, settled, events } = await setUp(t, { script: [refuses(422), refuses(409)] });
      await outbox.add(numbered(1));
      await outbox.add(numbered(2));
      outbox.start();
      assert.equal((await settled(numbered(1).Id)).state, 'refused');
      assert.equal((await settled(numbered(2).Id)).state, 'refused');
      assert.deepEqual(
        events.filter(({ name }) => name === 'onGate'),
        [],
      );
    });

    test('a JSON body without a reason, and an empty one, are no refusal of the service', async (t) => {
      const { outbox, server, events, until } = await setUp(t);
      const steps = [answer(400, '{}'), answer(422), answer(409, '"no"'), answer(400, '[1]')];
      server.playAlways((exchange) => steps[server.requests.length % steps.length](exchange));
      await addAll(outbox, 8);
      outbox.start();
      await until(() => events.filter(({ name }) => name === 'onResult').length >= 6, 'six results');
      assert.ok(events.filter(({ name }) => name === 'onResult').every(({ isSuspect }) => isSuspect));
      assert.equal((await outbox.counts()).refused, 0);
    });

    test('an order that always gets a page with 200 is tried again by itself, without stopping the others', async (t) => {
      const { outbox, server, events, until } = await setUp(t);
      const wrong = numbered(1).Id;
      let isOver = false;
      server.playAlways((exchange) =>
        exchange.body.includes(wrong) && !isOver ? page(200)(exchange) : creates(exchange),
      );
      await addAll(outbox, 30);
      outbox.start();
      await until(async () => (await outbox.counts()).created === 29, 'the others created');
      await until(() => server.requests.filter((request) => idOf(request) === wrong).length >= 5, 'five requests');
      assert.ok(events.filter(({ name, isOpen }) => name === 'onGate' && !isOpen).length <= 2);
      isOver = true;
      await until(async () => (await outbox.counts()).created === 30, 'created');
      assert.equal((await outbox.get(wrong)).alreadyThere, false);
    });

    test('without proof an order waits until its deadline, with what came, and is then stalled', async (t) => {
      const { outbox, server, store, settled, events, until, now } = await setUp(t);
      server.playAlways(page(403));
      await outbox.add(numbered(1));
      outbox.start();
      const { state, reason, status, attempts } = await until(
        () => events.find(({ name }) => name === 'onResult'),
        'a result',
      );
      assert.deepEqual([state, reason, status, attempts], ['waiting', 'PermissionError', 403, 0]);
      await store.change(numbered(1).Id, {}, { deadlineAt: now() });
      const entry = await settled(numbered(1).Id);
      assert.deepEqual(
        [entry.state, entry.outcome, entry.reason, entry.status],
        ['stalled', 'not-created', 'Deadline', 403],
      );
    });

    test('the acceptance of a relay is no creation: the order is sent again until the service has it', async (t) => {
      const accepts = answer(202, '', { Location: '/orders/1' });
      const { outbox, settled, server, events } = await setUp(t, { script: [accepts, accepts] });
      outbox.start();
      await outbox.add(numbered(1));
      assert.equal((await settled(numbered(1).Id)).state, 'created');
      const results = events.filter(({ name }) => name === 'onResult');
      assert.deepEqual(
        results.map(({ status, outcome, reason }) => [status, outcome, reason]),
        [
          [202, 'unknown', 'AcceptedByRelay'],
          [202, 'unknown', 'AcceptedByRelay'],
          [201, 'created', null],
        ],
      );
      assert.equal(server.requests.length, 3);
    });

    test('200 at the first attempt says that the service had the order already; after a lost response it does not', async (t) => {
      const { outbox, server, settled } = await setUp(t);
      const [before, lost] = [numbered(1), numbered(2)];
      outbox.start();
      const { body } = await outbox.add(before).then(() => settled(before.Id));
      assert.equal((await outbox.get(before.Id)).alreadyThere, false);
      server.orders.set(numbered(3).Id, { body: body.replace(before.Id, numbered(3).Id), number: 9, creations: 1 });
      await outbox.add(numbered(3));
      assert.equal((await settled(numbered(3).Id)).alreadyThere, true);
      let isLost = false;
      server.playAlways((exchange) => {
        if (isLost) return creates(exchange);
        isLost = true;
        exchange.store();
        exchange.response.socket.resetAndDestroy();
      });
      await outbox.add(lost);
      const entry = await settled(lost.Id);
      assert.deepEqual([entry.status, entry.alreadyThere], [200, false]);
      assert.equal((await collected(outbox.list({ state: 'created' }))).length, 3);
    });
  });
}
