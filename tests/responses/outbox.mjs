/** Cases for every store: what the outbox makes of each response of the table. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { numbered } from '../outbox/harness.mjs';
import { clientOptions, KINDS, playing } from './kinds.mjs';

/** How many results of an order that goes on waiting are looked at. */
const RESULTS = 3;
const order = numbered(1);

/** @param {(t: import('node:test').TestContext, setting?: object) => any} setUp As in ../outbox/set-up.mjs, with an empty store. */
export function testResponses(name, setUp) {
  describe(`the outbox on ${name}`, { concurrency: 8 }, () => {
    for (const kind of KINDS) {
      const { title, atStart, others, suspect } = kind;

      test(`${title}, with no order created yet: ${atStart}`, async (t) => {
        const { outbox, results, isSettled, until } = await started(t, kind, setUp);
        await outbox.add(order);
        await until(() => isSettled() || results().length >= RESULTS, `${RESULTS} results`);
        assert.equal(stateOf(results().at(-1)), atStart);
        assert.deepEqual(new Set(results().map(({ isSuspect }) => isSuspect)), new Set([suspect !== undefined]));
      });

      test(`${title}, while others are created: ${others}`, async (t) => {
        const { outbox, settled, results, isSettled, until } = await started(t, kind, setUp);
        let count = 1;
        const createAnother = async () => {
          const another = numbered(++count);
          await outbox.add(another);
          assert.equal((await settled(another.Id)).state, 'created');
        };
        await createAnother();
        await outbox.add(order);
        // Each suspect response closes the gate; then it takes another order to prove the way.
        let suspected = 0;
        const counted = () => results().filter(({ isSuspect }) => isSuspect).length;
        for (;;) {
          const isOver = () => isSettled() || results().length - counted() >= RESULTS;
          await until(() => isOver() || counted() > suspected, `${RESULTS} results`);
          if (isOver()) break;
          assert.equal(results().at(-1).state, 'waiting');
          suspected = counted();
          assert.ok(suspected < 20, `${suspected} suspect responses`);
          await createAnother();
        }
        assert.equal(stateOf(results().at(-1)), others);
        assert.equal(suspected > 0, suspect === 'always');
      });
    }
  });
}

async function started(t, kind, setUp) {
  const { server, outbox, events, settled, until } = await setUp(t, {
    ...{ client: clientOptions(kind, order.Id), retry: { baseMs: 5, capMs: 20 } },
  });
  server.playAlways(playing(kind, order.Id));
  outbox.start();
  const results = () => events.filter(({ name, orderId }) => name === 'onResult' && orderId === order.Id);
  const isSettled = () => results().some(({ state }) => state !== 'waiting');
  return { outbox, settled, results, isSettled, until };
}

function stateOf({ state, outcome }) {
  return `${state}, ${outcome}`;
}
