/** Pages of entries, and what may be done with them, on every store that needs no server. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { core, numbered, rejection } from './harness.mjs';
import { newStore, setUp } from './set-up.mjs';

const { OptionError } = core;
const ACTIONS = ['retry', 'replace', 'cancel', 'forget'];
/** What may be done in a state, if nothing of the order was ever sent. Nothing of an invalid one was. @type {Record<string, string[]>} */
const PERMITTED = {
  waiting: ['retry', 'replace', 'cancel'],
  sending: [],
  created: ['forget'],
  refused: ['retry', 'replace', 'forget'],
  stalled: ['retry', 'replace', 'cancel', 'forget'],
  cancelled: ['replace', 'forget'],
  invalid: ['replace', 'forget'],
};

test('pages go from the newest entry to the oldest, none twice, though entries are added meanwhile', async (t) => {
  const { outbox } = await setUp(t, { store: newStore() });
  for (let n = 0; n < 7; n++) await outbox.add(numbered(n));
  const pages = [await outbox.page({ limit: 3 })];
  await outbox.add(numbered(7));
  while (pages.at(-1).next) pages.push(await outbox.page({ limit: 3, after: pages.at(-1).next }));
  const idsOf = (entries) => entries.map(({ orderId }) => Number(orderId.slice(-3)) - 1);
  assert.deepEqual(
    pages.map(({ entries }) => idsOf(entries)),
    [[6, 5, 4], [3, 2, 1], [0]],
  );
  const { entries, next } = await outbox.page({ newestFirst: false, limit: 4 });
  assert.deepEqual(idsOf(entries), [0, 1, 2, 3]);
  assert.deepEqual(idsOf((await outbox.page({ newestFirst: false, after: next })).entries), [4, 5, 6, 7]);
  assert.equal((await outbox.page({ limit: 8 })).next, null);
  const newest = [];
  for await (const { orderId } of outbox.list({ newestFirst: true })) newest.push({ orderId });
  assert.deepEqual(idsOf(newest), [7, 6, 5, 4, 3, 2, 1, 0]);
});

test('an entry of a page has no contents, and the same of everything else as get', async (t) => {
  const { outbox } = await setUp(t, { store: newStore() });
  await outbox.add(numbered(0));
  const [summary] = (await outbox.page()).entries;
  const { order: _1, received: _2, body, ...others } = await outbox.get(numbered(0).Id);
  assert.deepEqual(summary, others);
  assert.match(body, /Quonset/);
});

test('can says what the functions do, in every state', async (t) => {
  const store = newStore();
  const { outbox } = await setUp(t, { store });
  const order = numbered(0);
  await outbox.add(order);
  const { body } = await outbox.get(order.Id);
  for (const [state, permitted] of Object.entries(PERMITTED))
    for (const outcome of ['not-created', 'unknown', 'created'])
      for (const attempts of [0, 1])
        for (const isForgotten of [false, true]) {
          const stored = { state, outcome, attempts, body: isForgotten ? null : body };
          for (const action of ACTIONS) {
            await store.change(order.Id, {}, stored);
            const [{ can }] = (await outbox.page()).entries;
            assert.deepEqual(can, (await outbox.get(order.Id)).can);
            const isRuledOut =
              (action === 'retry' && isForgotten) ||
              (['replace', 'cancel'].includes(action) && outcome !== 'not-created' && state !== 'invalid') ||
              (action === 'cancel' && attempts > 0);
            assert.equal(can[action], permitted.includes(action) && !isRuledOut);
            const corrected = { ...order, TimeSlotDisplayString: '10:00' };
            const call = action === 'replace' ? outbox.replace(corrected) : outbox[action](order.Id);
            const error = await rejection(call).catch(() => null);
            assert.equal(error === null, can[action], `${action} of ${JSON.stringify(stored)}`);
            if (error) assert.equal(error.reason, 'wrong-state');
          }
        }
});

test('a page takes only options that make sense', async (t) => {
  const { outbox } = await setUp(t);
  const wrong = {
    '/limit': [{ limit: 0 }, { limit: 501 }, { limit: 1.5 }, { limit: '5' }],
    '/after': [{ after: '' }, { after: '0' }, { after: 'x' }, { after: 5 }],
    '/contents': [{ contents: true }],
    '/newestFirst': [{ newestFirst: 'yes' }],
    '/before': [{ before: 'yesterday' }, { before: new Date(Number.NaN) }],
    '/state': [{ state: 'lost' }],
    '/limt': [{ limt: 5 }],
  };
  for (const [option, filters] of Object.entries(wrong)) {
    for (const filter of filters) {
      const error = await rejection(outbox.page(filter));
      assert.ok(error instanceof OptionError, option);
      assert.equal(error.option, option);
    }
  }
});
