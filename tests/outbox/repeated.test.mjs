/** Tests which refusals are repeated before they settle an order, and how a long pause of a location is ended early (D31, D33, D34). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { afterStoring, answer, creates, refuses, resetsBeforeHeaders } from '../client/fault-server.mjs';
import { numbered } from './harness.mjs';
import { newStore, setUp } from './set-up.mjs';

const order = numbered(0);
const MINUTE = 60_000;
const GONE = '{"error":{"code":499,"message":"The operation was cancelled.","status":"CANCELLED"}}';
const IN_PROGRESS = answer(409, '{"error":{"message":"Another request with this Id is in progress."}}');
const busyFor = (seconds) => answer(409, '{"message":"in progress"}', { 'Retry-After': `${seconds}` });
const locked = (seconds) => answer(423, '{"message":"Locked"}', { 'Retry-After': `${seconds}` });

const begin = async (t, setting) => {
  const world = await setUp(t, { store: newStore(), ...setting });
  world.outbox.start();
  await world.outbox.add(order);
  const results = () => world.events.filter((event) => event.name === 'onResult' && event.orderId === order.Id);
  return { ...world, results };
};

for (const status of [460, 499]) {
  test(`a ${status} after the order was stored proves nothing: the next response does`, async (t) => {
    const { settled, results, server } = await begin(t, { script: [afterStoring(answer(status, GONE))] });
    const { state, outcome, attempts, alreadyThere } = await settled(order.Id);
    assert.deepEqual([state, outcome, attempts, alreadyThere], ['created', 'created', 2, false]);
    assert.deepEqual([results()[0].state, results()[0].outcome], ['waiting', 'unknown']);
    assert.equal(server.orders.get(order.Id).creations, 1);
  });
}

test('a 409 while an earlier attempt is in progress is repeated until the order is created', async (t) => {
  const script = [afterStoring(resetsBeforeHeaders), busyFor(1), IN_PROGRESS, IN_PROGRESS, IN_PROGRESS, IN_PROGRESS];
  const { settled, results } = await begin(t, { script });
  const { state, attempts } = await settled(order.Id);
  assert.deepEqual([state, attempts], ['created', 7]);
  assert.ok(results().every(({ state: its, outcome }) => its === 'created' || outcome === 'unknown'));
});

test('a 409 that stays after an unknown attempt is repeated for ten minutes; then the order has stalled', async (t) => {
  const { server, settled, results, now } = await begin(t, {
    script: [resetsBeforeHeaders],
    retry: { baseMs: 1000, capMs: MINUTE },
  });
  server.playAlways(IN_PROGRESS);
  const { state, outcome, reason, status, settledAt } = await settled(order.Id);
  assert.deepEqual([state, outcome, reason, status], ['stalled', 'unknown', 'ConflictError', 409]);
  const sent = results().length;
  assert.ok(sent > 10, `${sent} attempts`);
  assert.ok(now() - settledAt.getTime() < 1000);
  const [, first] = results();
  assert.equal(first.state, 'waiting');
  assert.ok(results().at(-1).ageMs - first.ageMs >= 10 * MINUTE);
  assert.ok(results().at(-2).ageMs - first.ageMs < 10 * MINUTE);
});

test('the ten minutes begin anew after a retry by a person', async (t) => {
  const { server, outbox, settled, results, until } = await begin(t, {
    script: [resetsBeforeHeaders],
    retry: { baseMs: MINUTE, capMs: MINUTE },
  });
  server.playAlways(IN_PROGRESS);
  await settled(order.Id);
  const before = results().length;
  await outbox.retry(order.Id);
  await until(() => results().length > before + 2, 'three more results');
  assert.equal(results()[before].state, 'waiting');
  assert.equal(results()[before + 1].state, 'waiting');
});

test('a 409 to the first attempt is a refusal', async (t) => {
  const { settled } = await begin(t, { script: [IN_PROGRESS] });
  const { state, outcome, attempts } = await settled(order.Id);
  assert.deepEqual([state, outcome, attempts], ['refused', 'not-created', 1]);
});

test('a 4xx that asks to come back is repeated after that time, and holds up no other order', async (t) => {
  const waits = [locked(30), locked(20)];
  const script = new Array(3).fill((exchange) =>
    ((exchange.body.includes(order.Id) && waits.shift()) || creates)(exchange),
  );
  const { settled, outbox, results, events } = await begin(t, { script, concurrency: 1 });
  await outbox.add(numbered(1));
  await settled(numbered(1).Id);
  assert.equal(results().length, 1);
  const { state, attempts } = await settled(order.Id);
  assert.deepEqual([state, attempts], ['created', 3]);
  const [first, second, third] = results();
  assert.deepEqual([first.outcome, second.outcome], ['not-created', 'not-created']);
  assert.ok(second.ageMs - first.ageMs >= 30_000 && third.ageMs - second.ageMs >= 20_000);
  assert.deepEqual(
    events.filter((event) => event.name === 'onGate'),
    [],
  );
});

for (const status of [400, 409, 423]) {
  test(`the fourth ${status} that asks to come back settles the order, as it would without Retry-After`, async (t) => {
    const refused = answer(status, '{"message":"Not now"}', { 'Retry-After': '2' });
    const { settled, results, server } = await begin(t, { script: new Array(4).fill(refused) });
    const { state, outcome, attempts } = await settled(order.Id);
    assert.deepEqual([state, outcome, attempts, server.requests.length], ['refused', 'not-created', 4, 4]);
    assert.deepEqual(
      new Set(
        results()
          .slice(0, 3)
          .map((result) => result.state),
      ),
      new Set(['waiting']),
    );
  });
}

test('attempts that meet another trouble are not among the four', async (t) => {
  const script = [answer(503), locked(1), answer(429), locked(1), answer(425), locked(1), answer(503), creates];
  const { settled } = await begin(t, { script });
  // The outcome is unknown since the first 503, so three refusals settle nothing either.
  const { state, attempts } = await settled(order.Id);
  assert.deepEqual([state, attempts], ['created', 8]);
});

test('a 4xx without Retry-After settles an order at once, whatever came before', async (t) => {
  const { settled } = await begin(t, { script: [locked(1), answer(425), refuses(423)] });
  const { state, outcome, attempts } = await settled(order.Id);
  assert.deepEqual([state, outcome, attempts], ['refused', 'not-created', 3]);
});

test('during an hour of Retry-After a location gets one order a minute, until one is created', async (t) => {
  const { server, outbox, events, settled, until, advance, now } = await setUp(t, { store: newStore() });
  let isDown = true;
  const sent = [];
  server.playAlways((exchange) => {
    if (JSON.parse(exchange.body).EntityId !== 1) return creates(exchange);
    sent.push(now());
    const isFirst = sent.length === 1;
    // A probe that fails in another way does not end the pause.
    if (isDown) return answer(503, '', isFirst ? { 'Retry-After': '3600' } : {})(exchange);
    return creates(exchange);
  });
  outbox.start();
  await outbox.add(numbered(0, { EntityId: 1 }));
  await until(() => events.some((event) => event.name === 'onGate'), 'the pause');
  for (let n = 1; n < 20; n++) await outbox.add(numbered(n, { EntityId: 1 + (n % 2) }));
  for (let n = 1; n < 20; n += 2) await settled(numbered(n).Id);
  await until(() => sent.length === 4, 'three probes');
  const waits = sent.slice(1).map((at, index) => at - sent[index]);
  assert.ok(
    waits.every((ms) => ms >= MINUTE && ms < MINUTE + 2000),
    `${waits}`,
  );
  isDown = false;
  await settled(numbered(2).Id);
  for (let n = 2; n < 20; n += 2) await settled(numbered(n).Id);
  assert.ok(now() - sent[3] < 2 * MINUTE, `${now() - sent[3]} ms`);
  // The one that was asked to wait does so.
  assert.equal((await outbox.get(numbered(0).Id)).state, 'waiting');
  await advance(60 * MINUTE);
  assert.equal((await settled(numbered(0).Id)).state, 'created');
});
