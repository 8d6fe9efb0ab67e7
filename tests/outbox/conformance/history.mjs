/** Checks of `history`, and of finding an entry by its reference and its receipt number. */
import { core } from '../harness.mjs';
import { ANYTHING, added, equal, has, idsOf, newEntry, settlement, take, takeOne } from './bench.mjs';

const NONE = {
  ...{ by: null, status: null, failure: null, outcome: null, reason: null, durationMs: null, processId: null },
};

/** Returns the events of an entry without the process that made an attempt. */
async function eventsOf(store, orderId) {
  return (await store.history(orderId)).map((event) => ({ ...event, processId: null }));
}

/** Returns what happened to an entry. */
async function storyOf(store, orderId) {
  return (await store.history(orderId)).map(({ what, at, reason }) => [what, what === 'retry' ? at : reason]);
}

export const historyChecks = {
  'history has the attempts that were settled, and what people did, also after the store is opened again': async (
    store,
    { open },
  ) => {
    equal(await store.history(core.newOrderId()), [], 'of an unknown id');
    const [{ orderId, addedAt }] = await added(store, {});
    const attempt = {
      at: 2000,
      what: 'attempt',
      status: 503,
      outcome: 'unknown',
      reason: 'ServerError',
      durationMs: 7,
    };
    const waiting = settlement({ state: 'waiting', outcome: 'unknown', dueAt: Date.now(), settledAt: null });
    const first = await takeOne(store);
    equal(await store.settle(first, { ...waiting, event: attempt }), true, 'settled');
    equal(await store.settle(first, { ...waiting, event: attempt }), false, 'settled twice');
    const last = { at: 3000, what: 'settled', failure: 'host not found', outcome: 'unknown', durationMs: 8 };
    await store.settle(await takeOne(store), settlement({ state: 'stalled', outcome: 'unknown', event: last }));
    const retry = { at: 4000, what: 'retry', by: 'Zoë 🙂' };
    equal(
      await store.change(orderId, { states: ['created'] }, { reason: 'x', event: retry }),
      null,
      'another condition',
    );
    has(await store.change(orderId, {}, { state: 'waiting', event: retry }), { orderId, state: 'waiting' }, 'changed');
    await store.change(orderId, {}, { reason: 'x' });
    const given = await takeOne(store);
    await store.settle(given, { ...waiting, attempts: 1 });
    const page = { states: ['waiting'], after: 0, limit: 9 };
    equal(
      (await store.changeAll(page, {}, { reason: 'x', event: { ...retry, at: 5000, by: null } })).changed,
      1,
      'changed all',
    );
    await store.close();
    const expected = [{ at: addedAt, what: 'added' }, ...[attempt, last, retry, { at: 5000, what: 'retry' }]].map(
      (event) => ({ ...NONE, ...event }),
    );
    const events = await eventsOf(await open(), orderId);
    equal(events.length, expected.length, 'events');
    for (const [index, event] of expected.entries()) has(events[index], event, `event ${index}`);
  },
  'history has the first and the latest 100 events': async (store) => {
    const [{ orderId }, other] = await added(store, {}, {});
    const changes = [];
    for (let at = 1; at <= 203; at++) {
      changes.push(store.change(orderId, {}, { reason: 'x', event: { at, what: 'retry' } }));
      // Several connections could change it in another order.
      if (store.now) await changes.at(-1);
    }
    await Promise.all(changes);
    await store.change(other.orderId, {}, { reason: 'x', event: { at: 9, what: 'retry' } });
    const times = (await store.history(orderId)).slice(1).map(({ at }) => at);
    equal([times.length, times[0], times[99], times[100], times[199]], [200, 1, 100, 104, 203], 'the times');
    equal((await store.history(other.orderId)).length, 2, 'events of another entry');
  },
  'history has what the store does itself: a deadline that passes, and an invalid order that is added': async (
    store,
  ) => {
    const late = newEntry({ deadlineAt: 1000, dueAt: Date.now() + 9_999_999 });
    const state = { state: 'invalid', reason: 'OrderValidationError', issues: '[]', settledAt: 2000, noticeAt: 3000 };
    const invalid = newEntry({ ...state, path: null, expected: null, location: '/7' });
    for (const entry of [late, invalid]) equal(await store.add(entry), null, 'add');
    has(await store.get(invalid.orderId), { ...state, location: '/7' }, 'the invalid entry');
    for (let rounds = 0; rounds < 3; rounds++) await store.sweep({ now: Date.now(), createdBefore: 0 });
    equal(await store.take({ now: Date.now(), ...ANYTHING }).then(({ entries }) => entries), [], 'taken');
    const settled = { what: 'settled', outcome: 'not-created' };
    has((await store.history(late.orderId))[1], { ...settled, reason: 'Deadline' }, 'the deadline');
    has((await store.history(invalid.orderId))[1], { ...settled, at: 2000, reason: state.reason }, 'the invalid one');
    equal((await store.count()).map(({ state }) => state).sort(), ['invalid', 'stalled'], 'counted');
    await store.change(invalid.orderId, {}, { body: null });
    equal((await store.count()).length, 1, 'counted without the one that was forgotten');
  },
  'history has an attempt whose process ended, with an unknown outcome': async (store, { open, patienceMs }) => {
    const [{ orderId }] = await added(store, {});
    const startedAt = Date.now();
    await take(store);
    await store.close();
    const reopened = await open();
    await take(reopened, 1, ANYTHING, patienceMs);
    const events = await reopened.history(orderId);
    equal(events.length, 2, 'events');
    has(events[1], { what: 'attempt', status: null, outcome: 'unknown', durationMs: null }, 'the attempt');
    // Only several processes have to be distinguished.
    equal(typeof events[1].processId, store.isOfOneProcess ? 'object' : 'string', 'the type of the process');
    if (Math.abs(events[1].at - startedAt) > 60_000) throw new Error(`the attempt began at ${events[1].at}`);
  },
  'forget leaves nothing of the history but itself, and an entry that is deleted leaves nothing': async (store) => {
    const [{ orderId }, old] = await added(store, {}, {});
    await store.change(orderId, {}, { reason: 'x', event: { at: 1, what: 'retry', by: 'Robin' } });
    await store.change(orderId, {}, { body: null, reference: null, event: { at: 2, what: 'forget', by: 'Kim' } });
    equal(
      await storyOf(store, orderId),
      [
        ['added', null],
        ['forget', null],
      ],
      'after forget',
    );
    const created = { state: 'created', outcome: 'created', settledAt: 1000, event: { at: 1, what: 'settled' } };
    await store.change(old.orderId, {}, created);
    for (let rounds = 0; rounds < 3; rounds++) await store.sweep({ now: 0, createdBefore: 2000 });
    equal(await store.history(old.orderId), [], 'after the sweep');
  },
  'list finds entries by the beginning of their reference, and by their receipt number': async (store) => {
    const references = ['A-1', 'A-10', 'a-1', 'Ä%_', null];
    const entries = await added(store, ...references.map((reference) => ({ reference })));
    const ids = idsOf(entries);
    await store.change(ids[1] ?? '', {}, { state: 'created', outcome: 'created', receiptNumber: '0017' });
    const found = async (page) =>
      idsOf(await store.list({ after: 0, limit: 9, ...page })).map((orderId) => ids.indexOf(orderId));
    equal(await found({ reference: 'A-1' }), [0, 1], 'two that begin with it');
    equal(await found({ reference: 'A-1', newestFirst: true, limit: 1 }), [1], 'the newest');
    equal(await found({ reference: 'A-1', states: ['waiting'], location: '1/2' }), [0], 'with a state');
    equal(await found({ reference: 'A-1', states: [] }), [], 'with no state');
    equal(
      await found({ reference: 'A-1', after: await store.get(ids[0]).then(({ position }) => position) }),
      [1],
      'after one',
    );
    equal(await found({ reference: 'Ä%_' }), [3], 'characters with a meaning in patterns');
    equal(await found({ reference: '%' }), [], 'a pattern');
    equal(await found({ receiptNumber: '0017' }), [1], 'a receipt');
    equal(await found({ receiptNumber: '17' }), [], 'another receipt');
    const changed = await store.changeAll(
      { reference: 'A-', states: ['waiting'], after: 0, limit: 9 },
      {},
      { reference: 'B' },
    );
    equal([changed.changed, await found({ reference: 'B' })], [1, [0]], 'after a change of all');
  },
};
