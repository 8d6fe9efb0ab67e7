/** Cases for every store: pages, redirects and refusals of every order settle nothing until the service has created an order (D26, D51). */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answer, creates, page, refuses } from '../client/fault-server.mjs';
import { collected, numbered } from './harness.mjs';

const WAITING = 600;
const PAGES = {
  'a page with 200': [page(200), 200, 'text/html'],
  'a page with 403': [page(403), 403, 'text/html'],
  'a page with 404': [page(404), 404, 'text/html'],
  'a redirect': [page(302, { Location: 'https://elsewhere.example/sorry' }), 302, 'text/html'],
};
const idOf = ({ url }) => /\((.*)\)/.exec(url)?.[1];

async function addAll(outbox, count) {
  await Promise.all(Array.from({ length: count }, (_, n) => outbox.add(numbered(n, { EntityId: 1 + (n % 3) }))));
}

/** @param {(t: import('node:test').TestContext, setting?: object) => any} setUp As in set-up.mjs, with an empty store. */
export function testSuspectResponses(name, setUp) {
  describe(`responses that may not be the service's, on ${name}`, () => {
    for (const [what, [step, status, mediaType]] of Object.entries(PAGES)) {
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

    test('an order that gets an empty 404 for good holds up nobody, and is refused', async (t) => {
      const { outbox, server, events, until } = await setUp(t);
      const wrong = numbered(300).Id;
      server.playAlways((exchange) => (exchange.body.includes(wrong) ? answer(404)(exchange) : creates(exchange)));
      await addAll(outbox, WAITING);
      outbox.start();
      await until(async () => (await outbox.counts()).refused === 1, 'refused');
      await until(async () => (await outbox.counts()).created === WAITING - 1, 'the others created');
      const { state, outcome, reason, status } = await outbox.get(wrong);
      assert.deepEqual([state, outcome, reason, status], ['refused', 'not-created', 'NotFoundError', 404]);
      const closings = events.filter(({ name, isOpen }) => name === 'onGate' && !isOpen);
      assert.ok(closings.length <= 2, `${closings.length} pauses`);
      const attempts = server.requests.filter((request) => idOf(request) === wrong);
      assert.ok(attempts.length <= 3, `${attempts.length} requests`);
    });

    for (const status of [403, 404, 405]) {
      test(`${status} in JSON for every order settles none, because none was created; then all are created`, async (t) => {
        const { outbox, server, events, until } = await setUp(t);
        server.playAlways(refuses(status));
        await addAll(outbox, 50);
        outbox.start();
        await until(() => events.filter(({ name }) => name === 'onGate').length >= 4, 'four pauses');
        const { refused, pause } = await outbox.counts();
        assert.deepEqual(
          [refused, pause.cause, pause.status, pause.mediaType],
          [0, 'suspect', status, 'application/json'],
        );
        server.playAlways(creates);
        await until(async () => (await outbox.counts()).created === 50, 'created');
      });

      test(`${status} in JSON settles an order at once when the service has created another`, async (t) => {
        const { outbox, server, settled, events } = await setUp(t, {
          script: [creates, refuses(status)],
        });
        outbox.start();
        await outbox.add(numbered(1));
        await settled(numbered(1).Id);
        await outbox.add(numbered(2));
        const { state, attempts } = await settled(numbered(2).Id);
        assert.deepEqual([state, attempts, server.requests.length], ['refused', 1, 2]);
        assert.deepEqual(
          events.filter(({ name }) => name === 'onGate'),
          [],
        );
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

    test('an order that is redirected for good is stalled, because it may have been created', async (t) => {
      const { outbox, server, until } = await setUp(t);
      const wrong = numbered(1).Id;
      server.playAlways((exchange) => (exchange.body.includes(wrong) ? page(301)(exchange) : creates(exchange)));
      await addAll(outbox, 10);
      outbox.start();
      await until(async () => (await outbox.counts()).stalled === 1, 'stalled');
      await until(async () => (await outbox.counts()).created === 9, 'the others created');
      const { outcome, reason, status } = await outbox.get(wrong);
      assert.deepEqual([outcome, reason, status], ['unknown', 'UnexpectedResponseError', 301]);
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
      assert.deepEqual([entry.state, entry.outcome, entry.reason], ['stalled', 'not-created', 'Deadline']);
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
