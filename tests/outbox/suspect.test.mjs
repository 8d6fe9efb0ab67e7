/**
 * Tests that pages, redirects and a 403, 404 or 405 settle nothing before five of them came to an order while others were
 * created, in ten minutes (D26, D51).
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answer, creates, page, refuses } from '../client/fault-server.mjs';
import { RETRY, Suspects, clientOf, collected, createOutboxOn, handClock, numbered } from './harness.mjs';
import { memoryStore } from './memory-store.mjs';
import { newStore, setUp } from './set-up.mjs';

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
const idOf = ({ url }) => /\((.*)\)/.exec(url)?.[1];

async function addAll(outbox, count) {
  await Promise.all(Array.from({ length: count }, (_, n) => outbox.add(numbered(n, { EntityId: 1 + (n % 3) }))));
}

describe("responses that may not be the service's", () => {
  for (const [what, [step, status, mediaType]] of Object.entries(RESPONSES)) {
    test(`${WAITING} waiting orders outlast ${what}: at most one request a pause, then all are created, each once`, async (t) => {
      const { outbox, server, events, until } = await setUp(t, { store: newStore() });
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
      assert.ok(during.length <= 3 + closings().length + 1, `${during.length} requests in ${closings().length} pauses`);
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
      const { outbox, server, settled, events, until } = await setUp(t, { store: newStore(), suspectMs: 0 });
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
      assert.ok(results().length >= 5 && results().every(({ isSuspect }) => isSuspect), `${results().length} results`);
      assert.ok(results().every(({ attempts }, index) => attempts === (index === results().length - 1 ? 1 : 0)));
      assert.deepEqual(
        events.filter(({ name }) => name === 'onGate'),
        [],
      );
    });
  }

  test('without proof an order waits until its deadline, with what came, and is then stalled', async (t) => {
    const { outbox, server, store, settled, events, until, now } = await setUp(t, { store: newStore() });
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

  test('200 at the first attempt says that the service had the order already; after a lost response it does not', async (t) => {
    const { outbox, server, settled } = await setUp(t, { store: newStore() });
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

/** The clock of the test knows no chance: each wait is half of the longest. */
function waitsOf(ms) {
  return { baseMs: 2 * ms, capMs: 2 * ms };
}

/** Starts an outbox, creates an order, and adds another one, whose responses are suspect and come at this interval. */
async function withSuspect(t, setting) {
  const { waitMs, location = 1, ...others } = setting;
  const { outbox, server, events, settled, until, ...more } = await setUp(t, { retry: waitsOf(waitMs), ...others });
  const { Id } = numbered(0);
  let step = refuses(404);
  server.playAlways((exchange) => (exchange.body.includes(Id) ? step : creates)(exchange));
  outbox.start();
  let count = 0;
  const add = async (EntityId) => {
    const order = numbered(++count, { EntityId });
    await outbox.add(order);
    return (await settled(order.Id)).state;
  };
  await add(2);
  await outbox.add(numbered(0, { EntityId: location }));
  const results = () => events.filter(({ name, orderId }) => name === 'onResult' && orderId === Id);
  let seen = 0;
  /** Returns the state of the order after its next response. */
  const next = async () => {
    const result = await until(() => results()[seen], 'another response');
    seen++;
    return result.state;
  };
  /** Returns the states of the order after some responses, with a creation at a location after each. */
  const backed = async (responses, EntityId = 2) => {
    const states = [];
    for (let n = 0; n < responses; n++) {
      states.push(await next());
      await add(EntityId);
    }
    return states;
  };
  const play = (other) => {
    step = other;
  };
  return { Id, add, next, backed, play, results, outbox, server, events, settled, until, ...more };
}

describe('suspect responses to an order while others are created', () => {
  const accepts = answer(202, '', { Location: '/orders/1' });
  const waiting = (count) => Array.from({ length: count }, () => 'waiting');

  test('the fifth settles it if it comes ten minutes after the first', async (t) => {
    const { backed, results, events, server } = await withSuspect(t, { waitMs: 150_000 });
    assert.deepEqual(await backed(5), [...waiting(4), 'refused']);
    assert.deepEqual(
      results().map(({ reason, status, isSuspect, attempts }) => [reason, status, isSuspect, attempts]),
      [0, 0, 0, 0, 1].map((attempts) => ['NotFoundError', 404, true, attempts]),
    );
    assert.equal(server.requests.length, 5 + 6);
    assert.deepEqual(
      events.filter(({ name }) => name === 'onGate'),
      [],
      'no other order is held up',
    );
  });

  test('five in nine minutes settle nothing, and a sixth after ten does', async (t) => {
    const { backed } = await withSuspect(t, { waitMs: 135_000 });
    assert.deepEqual(await backed(6), [...waiting(5), 'refused']);
  });

  test('suspectMs is the time between the first and the fifth', async (t) => {
    const setting = { waitMs: 15_000 };
    const { backed } = await withSuspect(t, { ...setting, suspectMs: 60_000 });
    assert.deepEqual(await backed(5), [...waiting(4), 'refused']);
    const later = await withSuspect(t, { ...setting, suspectMs: 60_001 });
    assert.deepEqual(await later.backed(6), [...waiting(5), 'refused']);
  });

  test('one without a creation since the one before does not count', async (t) => {
    const { backed, next } = await withSuspect(t, { waitMs: 150_000 });
    const unbacked = [];
    for (let n = 0; n < 9; n++) unbacked.push(await next());
    assert.deepEqual(unbacked, waiting(9));
    // The first counted. The next one comes before a creation.
    assert.deepEqual(await backed(5), [...waiting(4), 'refused']);
  });

  test('if other orders of its location are sent, only a creation at that location counts', async (t) => {
    const { Id, add, next, backed, server } = await withSuspect(t, { waitMs: 150_000 });
    server.playAlways((exchange) => {
      if (exchange.body.includes(Id)) return refuses(404)(exchange);
      return (JSON.parse(exchange.body).EntityId === 1 ? refuses(422) : creates)(exchange);
    });
    for (let n = 0; n < 9; n++) {
      assert.equal(await next(), 'waiting');
      assert.deepEqual([await add(1), await add(2)], ['refused', 'created']);
    }
    server.playAlways((exchange) => (exchange.body.includes(Id) ? refuses(404) : creates)(exchange));
    assert.deepEqual(await backed(5, 1), [...waiting(4), 'refused']);
  });

  test('if no other orders of its location are sent, creations at other locations count', async (t) => {
    const { add, backed } = await withSuspect(t, { waitMs: 150_000 });
    assert.equal(await add(1), 'created');
    assert.deepEqual(await backed(5, 3), [...waiting(4), 'refused']);
  });

  /** Events after which the count begins again, and the order's state at the end. @type {Record<string, [(setting: any) => Promise<unknown>, string]>} */
  const others = {
    'a 503': [({ play, next }) => next(play(answer(503))), 'stalled'],
    'the acceptance of a relay': [({ play, next }) => next(play(accepts)), 'stalled'],
    'retry, called by a person,': [({ Id, outbox }) => outbox.retry(Id), 'refused'],
    'an attempt of another process that counts': [({ Id, store }) => store.change(Id, {}, { attempts: 1 }), 'refused'],
  };
  for (const [what, [happens, end]] of Object.entries(others)) {
    test(`${what} makes the count begin again`, async (t) => {
      const setting = await withSuspect(t, { waitMs: 200_000 });
      assert.deepEqual(await setting.backed(4), waiting(4));
      await setting.advance(1);
      await happens(setting);
      setting.play(refuses(404));
      assert.deepEqual(await setting.backed(5), [...waiting(4), end]);
    });
  }

  for (const [others, isEnough] of /** @type {const} */ ([
    [9_999, true],
    [10_000, false],
  ])) {
    test(`after suspect responses to ${others} other orders the count ${isEnough ? 'goes on' : 'begins again'}`, () => {
      const suspects = new Suspects(handClock().platform, 0);
      const respond = (n) => {
        const entry = { orderId: numbered(n).Id, location: `1000/${n}`, attempts: 1, deadlineAt: 1 };
        suspects.sent(entry);
        suspects.created('1000/0');
        return suspects.add(entry, true).isEnough;
      };
      for (let n = 0; n < 4; n++) assert.equal(respond(1), false);
      for (let n = 0; n < others; n++) assert.equal(respond(n + 2), false);
      assert.equal(respond(1), isEnough);
    });
  }

  test('the order waits longer after each, up to capMs, and the others are sent meanwhile', async (t) => {
    const retry = { baseMs: 1000, capMs: 10_000 };
    const { next, now } = await withSuspect(t, { waitMs: 0, retry });
    const times = [];
    for (let n = 0; n < 9; n++) {
      await next();
      times.push(now());
    }
    assert.deepEqual(
      times.slice(1).map((time, n) => time - times[n]),
      [500, 500, 500, 1000, 2000, 4000, 5000, 5000],
    );
  });

  test('a 2xx that proves nothing never settles the order', async (t) => {
    const { backed, play } = await withSuspect(t, { waitMs: 150_000 });
    play(page(200));
    assert.deepEqual(await backed(9), waiting(9));
    play(creates);
    assert.deepEqual(await backed(1), ['created']);
  });

  test('one among successes does not lower the number of requests at the same time', async (t) => {
    const wrong = numbered(0).Id;
    let held = 0;
    let isHolding = false;
    const fetch = async (url, { body }) => {
      if (String(url).includes(wrong)) return new Response('<p>', { status: 404 });
      if (!isHolding) return new Response(body, { status: 201 });
      held++;
      return new Promise(() => {});
    };
    const retry = { baseMs: 1e6, capMs: 1e6 };
    const { outbox, until, advance } = await setUp(t, { client: { fetch }, retry });
    outbox.start();
    for (let n = 1; n < 100; n++) await outbox.add(numbered(n, { EntityId: 1 + (n % 4) }));
    await until(async () => (await outbox.counts()).created === 99, 'created');
    await outbox.add(numbered(0));
    await until(async () => (await outbox.get(wrong)).status === 404, 'the page');
    isHolding = true;
    for (let n = 100; n < 150; n++) await outbox.add(numbered(n, { EntityId: 1 + (n % 4) }));
    await advance(0);
    assert.equal(held, 16);
  });
});

describe('pages for every order, after the service has created some', () => {
  for (const [scope, locations] of /** @type {const} */ ([
    ['location', 1],
    ['service', 3],
  ])) {
    test(`five orders of ${locations} in a row close the gate of the ${scope}, and there is no stampede`, async (t) => {
      const { outbox, server, events, until } = await setUp(t, { store: newStore() });
      const add = (from, to) =>
        Promise.all(
          Array.from({ length: to - from }, (_, n) =>
            outbox.add(numbered(from + n, { EntityId: 1 + (n % locations) })),
          ),
        );
      await add(0, 100);
      outbox.start();
      await until(async () => (await outbox.counts()).created === 100, 'created');
      server.playAlways(page(403));
      await add(100, 400);
      const gates = () => events.filter(({ name, isOpen }) => name === 'onGate' && isOpen === false);
      // The probes of two locations may respond one after the other.
      const closings = () => gates().filter((event) => event.scope === scope);
      await until(() => closings().length >= 8, 'eight pauses');
      const during = server.requests.length - 100;
      // The orders in flight, and as many again until five of them have ended.
      assert.ok(during <= 2 * 16 + closings().length, `${during} requests in ${closings().length} pauses`);
      assert.deepEqual(new Set(gates().map(({ pause }) => `${pause.cause} ${pause.status}`)), new Set(['suspect 403']));
      assert.equal(gates().at(-1).scope, scope);
      server.playAlways(creates);
      await until(async () => (await outbox.counts()).created === 400, 'all created');
    });
  }
});

describe("responses that may not be the service's, to two processes that share a store", () => {
  test('a page that each of them gets once settles nothing, although both have created orders before', async (t) => {
    const store = memoryStore();
    const { outbox, server, until, advance, platform, settled } = await setUp(t, { store });
    const client = clientOf(server.baseUrl);
    const other = createOutboxOn(platform, { client, store: { ...store, close: async () => {} }, retry: RETRY });
    t.after(async () => {
      const stopping = other.stop({ timeoutMs: 0 });
      await advance(0);
      await stopping;
    });
    other.start();
    await outbox.add(numbered(0));
    await settled(numbered(0).Id);
    outbox.start();
    for (let n = 1; n < 5; n++) {
      await outbox.add(numbered(n));
      await settled(numbered(n).Id);
    }

    server.playAlways(page(403));
    await outbox.add(numbered(9));
    await until(
      async () => server.requests.length >= 105 || (await outbox.get(numbered(9).Id)).state === 'refused',
      'a hundred responses to the order, or its refusal',
    );
    const { state, reason } = await outbox.get(numbered(9).Id);
    assert.deepEqual([state, reason], ['waiting', 'PermissionError']);

    server.playAlways(creates);
    const { state: last } = await settled(numbered(9).Id);
    assert.equal(last, 'created');
  });

  test('after a restart the count begins again', async (t) => {
    const store = memoryStore();
    const first = await withSuspect(t, { store, waitMs: 200_000 });
    assert.deepEqual(await first.backed(4), ['waiting', 'waiting', 'waiting', 'waiting']);
    await first.outbox.stop();
    const { outbox, settled, until } = await setUp(t, { store, client: { baseUrl: first.server.baseUrl } });
    outbox.start();
    await outbox.add(numbered(50));
    await settled(numbered(50).Id);
    const { status } = await outbox.get(first.Id);
    assert.equal(status, 404);
    await until(() => first.server.requests.length >= 4 + 5 + 3, 'another response');
    assert.equal((await outbox.get(first.Id)).state, 'waiting');
  });
});
