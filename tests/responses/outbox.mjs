/** Cases for every store: what the outbox makes of each response of the table. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { numbered } from '../outbox/harness.mjs';
import { clientOptions, isSlow, KINDS, playing } from './kinds.mjs';

/** How many results of an order that goes on waiting are looked at. */
const RESULTS = 3;
/** If suspect responses settle an order at all, then after five, as long as each is followed by a creation in time. */
const MOST_RESULTS = 20;
const order = numbered(1);

/**
 * @param {(t: import('node:test').TestContext, setting?: object) => any} setUp As in ../outbox/set-up.mjs, with an empty store.
 * @param {import('./kinds.mjs').Kind[]} [kinds]
 */
export function testResponses(name, setUp, kinds = KINDS) {
  describe(`the outbox on ${name}`, { concurrency: 8 }, () => {
    for (const kind of kinds) {
      const { title, atStart, others, settles } = kind;
      const { isSuspect: suspect } = kind.fate;

      test(`${title}, with no order created yet: ${atStart}`, async (t) => {
        const { outbox, results, isSettled, until } = await started(t, kind, setUp);
        await outbox.add(order);
        await until(() => isSettled() || (!settles && results().length >= RESULTS), `${RESULTS} results`);
        assert.equal(stateOf(results().at(-1)), atStart);
        if (settles === 'after four attempts') assert.equal(results().length, 4);
        assert.deepEqual(new Set(results().map(({ isSuspect }) => isSuspect)), new Set([suspect === true]));
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
        // It takes another order after each suspect response to prove the way.
        const end = suspect || settles ? isSettled : () => isSettled() || results().length >= RESULTS;
        let seen = 0;
        while (!end() && seen < MOST_RESULTS) {
          await until(() => results().length > seen, 'another result');
          seen = results().length;
          if (suspect) await createAnother();
        }
        const last = results().at(-1);
        assert.equal(stateOf(last), others);
        assert.ok(results().every(({ isSuspect }) => isSuspect === (suspect === true)));
        if (suspect) assert.ok(results().length >= (last.state === 'waiting' ? MOST_RESULTS : 5));
      });
    }
  });
}

async function started(t, kind, setUp) {
  const { server, outbox, events, settled, until } = await setUp(t, {
    ...{ client: clientOptions(kind, order.Id), suspectMs: 0 },
    retry: isSlow(kind) ? { baseMs: 120_000, capMs: 120_000 } : { baseMs: 5, capMs: 20 },
  });
  server.playAlways(playing(kind, order.Id));
  outbox.start();
  // The attempt before is not a part of the row.
  const results = () =>
    events.filter(({ name, orderId }) => name === 'onResult' && orderId === order.Id).slice(kind.after ? 1 : 0);
  const isSettled = () => results().some(({ state }) => state !== 'waiting');
  return { outbox, settled, results, isSettled, until };
}

function stateOf({ state, outcome }) {
  return `${state}, ${outcome}`;
}
