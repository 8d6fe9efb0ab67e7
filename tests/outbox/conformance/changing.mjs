/** Checks of `change` and `changeAll`, also in a transaction of the caller. */
import { core } from '../harness.mjs';
import { DAY_MS, added, equal, has, idsOf, settlement, sortedIdsOf } from './bench.mjs';
import { take, takeOnce, takeOne } from './bench.mjs';

/** The members that a corrected order changes. */
const CORRECTED = { body: '{"new":"größer"}', version: 'v2', location: '3/4', traceContext: null };
const UNSENT = { ...CORRECTED, attempts: 0, outcome: 'not-created' };

/** Returns the change that `outbox.replace` writes. */
function replacement() {
  const now = Date.now();
  const times = { addedAt: now, dueAt: now, deadlineAt: now + DAY_MS, settledAt: null };
  return { ...UNSENT, ...times, state: 'waiting', reason: null, status: null };
}

/** Adds an entry that the service has refused. */
async function refused(store) {
  await added(store, {});
  const taken = await takeOne(store);
  const change = { state: 'refused', outcome: 'not-created', reason: 'RejectedError', status: 400 };
  await store.settle(taken, settlement(change));
  return taken.orderId;
}

async function changeAll(store, page, condition, change) {
  const sizes = [];
  for (let after = 0; after !== null; ) {
    if (sizes.length > 9) throw new Error('changeAll does not come to an end');
    const part = await store.changeAll({ ...page, after }, condition, change);
    sizes.push(part.changed);
    after = part.last;
  }
  return { sizes, changed: sizes.reduce((sum, size) => sum + size, 0) };
}

export const changingChecks = {
  'an entry that gets another body, version and location is taken with these': async (store) => {
    const refusedId = await refused(store);
    const [waiting] = await added(store, {});
    for (const orderId of [waiting.orderId, refusedId]) {
      const changed = await store.change(orderId, { outcome: 'not-created' }, replacement());
      has(changed, { state: 'waiting', ...UNSENT }, 'changed');
      const room = (location) => (location === '3/4' ? 10 : 0);
      const taken = await takeOne(store, { limit: 10, room });
      has(taken, { orderId, ...UNSENT, attempts: 1 }, 'taken');
    }
  },
  "an entry changed in the caller's transaction is changed and taken after its commit, never after a rollback": async (
    store,
    { begin },
  ) => {
    if (!begin) return;
    const orderId = await refused(store);
    const before = await store.get(orderId);
    const change = replacement();
    const back = await begin(store);
    const lost = await store.change(orderId, { states: ['refused'] }, change, back.transaction);
    has(lost, { state: 'waiting', body: CORRECTED.body }, 'changed');
    await back.rollback();
    equal(await store.get(orderId), before, 'after the rollback');
    equal(await takeOnce(store), [], 'taken after the rollback');
    const tx = await begin(store);
    equal(await store.change(orderId, { states: ['created'] }, change, tx.transaction), null, 'another condition');
    const changed = await store.change(orderId, { states: ['refused'] }, change, tx.transaction);
    has(changed, { state: 'waiting' }, 'changed');
    await tx.commit();
    has(await takeOne(store), { orderId, ...UNSENT, attempts: 1 }, 'taken');
  },
  'change writes only if all of the condition holds': async (store) => {
    const [{ orderId }] = await added(store, { body: '{"a":1}' });
    const wrong = [
      { states: ['created'] },
      { states: ['waiting'], attempts: 1 },
      { outcome: 'unknown' },
      { noticeAt: 7 },
    ];
    for (const condition of wrong) equal(await store.change(orderId, condition, { reason: 'x' }), null, 'changed');
    const condition = { states: ['waiting', 'stalled'], attempts: 0, outcome: 'not-created', hasBody: true };
    const change = { state: 'cancelled', body: null, noticeAt: 9, deadlineAt: 11 };
    has(await store.change(orderId, condition, change), { ...change, reason: null }, 'changed');
    equal(await store.change(orderId, { hasBody: true }, { reason: 'x' }), null, 'changed without a body');
    equal(await store.change(core.newOrderId(), {}, { reason: 'x' }), null, 'an unknown id');
    equal(await takeOnce(store), [], 'taken');
  },
  'an entry that is changed to waiting is taken, also if it waits for another day': async (store) => {
    const [{ orderId }] = await added(store, { dueAt: Date.now() + DAY_MS });
    await store.change(orderId, { states: ['waiting'] }, { state: 'waiting', dueAt: Date.now() });
    await store.settle(await takeOne(store), settlement({ state: 'stalled', outcome: 'unknown' }));
    const again = { state: 'waiting', dueAt: Date.now(), settledAt: null };
    await store.change(orderId, { states: ['stalled'] }, again);
    has(await takeOne(store), { orderId, outcome: 'unknown' }, 'taken');
  },
  'changeAll changes the entries of all pages that meet the condition, and these are taken': async (store) => {
    const entries = await added(store, {}, {}, {}, {}, {}, {}, {});
    const ids = idsOf(entries);
    const stalled = { state: 'stalled', reason: 'Deadline', settledAt: 5000 };
    for (const orderId of ids) await store.change(orderId, {}, stalled);
    await store.change(ids[1] ?? '', {}, { body: null });
    await store.change(ids[3] ?? '', {}, { state: 'created', outcome: 'created' });
    await store.change(ids[5] ?? '', {}, { reason: 'NotFoundError' });
    const change = { state: 'waiting', dueAt: Date.now(), settledAt: null };
    const page = { states: ['stalled'], reason: 'Deadline', after: 0, limit: 2 };
    const { sizes, changed } = await changeAll(store, page, { states: ['stalled'], hasBody: true }, change);
    equal(changed, 4, `changed, as ${sizes}`);
    if (Math.max(...sizes) > page.limit) throw new Error(`changed more than a page at once: ${sizes}`);
    const expected = entries.filter((_, index) => index % 2 === 0);
    equal(sortedIdsOf(await take(store, 4)), sortedIdsOf(expected), 'taken');
    const left = await store.list({ states: ['stalled', 'created'], after: 0, limit: 9 });
    equal(idsOf(left), [ids[1], ids[3], ids[5]], 'left');
    for (const [index, state] of ['stalled', 'created', 'stalled'].entries())
      has(left[index] ?? null, { state, settledAt: 5000 }, 'left as it was');
  },
  'changeAll starts after a position, and returns null for the last when there are no further entries': async (
    store,
  ) => {
    equal(await store.changeAll({ after: 0, limit: 5 }, {}, { reason: 'x' }), { changed: 0, last: null }, 'of none');
    await added(store, {}, {}, {});
    const [, second, third] = await store.list({ after: 0, limit: 9 });
    const half = await store.changeAll({ after: 0, limit: 2 }, {}, { reason: 'x' });
    equal(half, { changed: 2, last: second?.position }, 'the first page');
    const rest = await store.changeAll({ after: half.last ?? 0, limit: 2 }, {}, { reason: 'y' });
    equal(rest, { changed: 1, last: null }, 'the last page');
    has(await store.get(third?.orderId), { reason: 'y' }, 'the last entry');
  },
};
