/** Checks of the functions for many entries, `list`, `count` and `sweep`, and of `bind`. */

import { DAY_MS, added, equal, has, idsOf, newEntry, sortedIdsOf, take, takeOnce } from './bench.mjs';

/** Lists entries, at most nine by default. Returns the index of each among the added ones. */
async function found(store, entries, page) {
  const ids = idsOf(entries);
  return (await store.list({ after: 0, limit: 9, ...page })).map(({ orderId }) => ids.indexOf(orderId));
}

/** Returns the position of an entry, to list what follows it. */
async function positionOf(store, entry) {
  return (entry && (await store.get(entry.orderId)))?.position ?? 0;
}

export const administrationChecks = {
  'list returns pages in the order of adding, by state, location and notice': async (store) => {
    const entries = await added(store, ...[0, 1, 0, 1, 0].map((n) => ({ location: `1/${n}` })));
    equal(await found(store, entries, { limit: 3 }), [0, 1, 2], 'the first page');
    const after = await positionOf(store, entries[2]);
    equal(await found(store, entries, { limit: 3, after }), [3, 4], 'the second page');
    equal(await found(store, entries, { location: '1/1' }), [1, 3], 'a location');
    await store.change(entries[2]?.orderId ?? '', {}, { state: 'stalled', noticeAt: 100 });
    equal(await found(store, entries, { states: ['stalled'] }), [2], 'a state');
    equal(await found(store, entries, { noticeUntil: 99 }), [], 'before the notice');
    equal(await found(store, entries, { noticeUntil: 100 }), [2], 'at the notice');
  },
  'list returns pages from the newest entry to the oldest, and entries before a time': async (store) => {
    const entries = await added(store, ...[0, 1, 2, 3, 4].map((n) => ({ addedAt: 1000 + n })));
    await store.change(entries[0]?.orderId ?? '', {}, { state: 'stalled', settledAt: 3000 });
    equal(await found(store, entries, { newestFirst: true, limit: 3 }), [4, 3, 2], 'the first page');
    const after = await positionOf(store, entries[2]);
    equal(await found(store, entries, { newestFirst: true, limit: 3, after }), [1, 0], 'the second page');
    equal(await found(store, entries, { before: 1003 }), [1, 2], 'before a time');
    equal(await found(store, entries, { since: 1004, before: 3001 }), [0, 4], 'of a span');
  },
  'list has no contents, unless it is asked for them': async (store) => {
    const [{ orderId, body }] = await added(store, {});
    const received = '{"Id":"x"}';
    await store.change(orderId, {}, { received });
    const [summary = null] = await store.list({ after: 0, limit: 1 });
    has(summary, { orderId, body: null, received: null, hasBody: true }, 'without contents');
    const [whole = null] = await store.list({ after: 0, limit: 1, contents: true });
    has(whole, { orderId, body, received }, 'with contents');
    has(await store.change(orderId, {}, { body: null }), { hasBody: false }, 'after it was deleted');
  },
  'list and changeAll find what may be sent only after a time': async (store) => {
    const now = Date.now();
    const entries = await added(store, { dueAt: now }, { dueAt: now + 3 * DAY_MS });
    const page = { states: ['waiting'], dueAfter: now + DAY_MS, after: 0, limit: 9 };
    equal(await found(store, entries, page), [1], 'listed');
    const change = { state: 'waiting', dueAt: now };
    equal((await store.changeAll(page, { states: ['waiting'] }, change)).changed, 1, 'changed');
    equal(sortedIdsOf(await take(store, 2)), sortedIdsOf(entries), 'taken');
  },
  'list filters by several states, by the reason, and by when an entry was settled or, before that, added': async (
    store,
  ) => {
    const states = ['waiting', 'stalled', 'refused', 'stalled'];
    const entries = await added(store, ...states.map((_, n) => ({ addedAt: 1000 + n })));
    for (const [n, state] of states.entries()) {
      const settled = { state, reason: `Reason${n % 2}`, settledAt: 2000 + n };
      if (n > 0) await store.change(entries[n]?.orderId ?? '', {}, settled);
    }
    equal(await found(store, entries, { states: ['stalled', 'waiting'] }), [0, 1, 3], 'two states');
    equal(await found(store, entries, { states: [] }), [], 'no state');
    equal(await found(store, entries, { reason: 'Reason1' }), [1, 3], 'a reason');
    equal(await found(store, entries, { since: 2002 }), [2, 3], 'since a time');
    equal(await found(store, entries, { since: 1000 }), [0, 1, 2, 3], 'since the first was added');
    equal(await found(store, entries, { since: 1001 }), [1, 2, 3], 'since it was added, of one that waits');
    equal(await found(store, entries, { states: ['stalled'], reason: 'Reason1', since: 2002 }), [3], 'all three');
  },
  'the position of an entry that was deleted is not used again': async (store) => {
    const positions = [];
    for (let n = 0; n < 3; n++) {
      const [entry] = await added(store, {});
      positions.push(await positionOf(store, entry));
      const { orderId } = entry;
      await store.change(orderId, {}, { state: 'created', outcome: 'created', settledAt: 1000, noticeAt: null });
      await store.sweep({ now: 0, createdBefore: 2000 });
      equal(await store.get(orderId), null, 'after the sweep');
    }
    const sorted = [...new Set(positions)].sort((a, b) => a - b);
    equal(positions, sorted, 'positions');
  },
  'bind: what the store has for one base URL is not sent to another, unless it is moved there': async (
    store,
    { open },
  ) => {
    const [old, other] = ['https://old.example.com/a/', 'https://new.example.com/b/'];
    const bind = (opened, baseUrl, movedFrom) => {
      if (!opened.bind) throw new Error('the store has no bind(): it would send its orders to any service');
      opened.bind(baseUrl, movedFrom);
    };
    const entry = newEntry();
    bind(store, old);
    equal(await store.add(entry), null, 'add with the first base URL');
    await store.close();
    const wrong = await open();
    bind(wrong, other, 'https://third.example.com/');
    for (const call of [
      () => wrong.add(newEntry()),
      () => takeOnce(wrong),
      () => wrong.change(entry.orderId, {}, { reason: 'x' }),
    ]) {
      const error = await call().catch((thrown) => thrown);
      equal(error?.reason, 'wrong-service', 'the reason');
      for (const baseUrl of [old, other]) {
        if (!String(error.message).includes(baseUrl)) throw new Error(`the error does not name ${baseUrl}`);
      }
    }
    equal((await wrong.get(entry.orderId))?.orderId, entry.orderId, 'get');
    equal((await wrong.list({ after: 0, limit: 9 })).length, 1, 'list');
    equal((await wrong.count()).length, 1, 'count');
    equal((await wrong.history(entry.orderId)).length, 1, 'history');
    await wrong.close();
    const moved = await open();
    bind(moved, other, old);
    equal(idsOf(await take(moved)), [entry.orderId], 'taken after the move');
    await moved.close();
    const back = await open();
    bind(back, old, '*');
    equal(await back.add(newEntry()), null, 'add after a move from any');
  },
  'count counts by state and location, and knows the oldest': async (store) => {
    await added(store, ...[2000, 1000, 3000].map((addedAt) => ({ addedAt })));
    const [other] = await added(store, { location: '1/3' });
    await store.change(other.orderId, {}, { state: 'refused' });
    const rows = [...(await store.count())].sort((a, b) => (a.location < b.location ? -1 : 1));
    equal(
      rows.map(({ state, location, entries, oldestAddedAt }) => [state, location, entries, oldestAddedAt]),
      [
        ['waiting', '1/2', 3, 1000],
        ['refused', '1/3', 1, other.addedAt],
      ],
      'the counts',
    );
    await store.change(other.orderId, {}, { body: null });
    equal((await store.count()).length, 1, 'without a forgotten refused entry');
    await store.change(other.orderId, {}, { state: 'stalled' });
    equal((await store.count()).length, 1, 'without a forgotten stalled entry');
  },
  'sweep stalls what waits past its deadline, and deletes old created entries whose handler was called': async (
    store,
  ) => {
    const passed = { dueAt: Date.now() + DAY_MS, deadlineAt: Date.now() - 1 };
    const [late, old, fresh, pending] = await added(store, passed, {}, {}, {});
    const change = { state: 'created', outcome: 'created', settledAt: 1000, noticeAt: null };
    await store.change(old.orderId, {}, change);
    await store.change(fresh.orderId, {}, { ...change, settledAt: Date.now() });
    await store.change(pending.orderId, {}, { ...change, noticeAt: 1000 });
    const now = Date.now();
    for (let rounds = 0; rounds < 5; rounds++) await store.sweep({ now, createdBefore: 2000 });
    const stalled = { state: 'stalled', reason: 'Deadline', settledAt: now, noticeAt: now };
    has(await store.get(late.orderId), stalled, 'the late one');
    equal(await found(store, [fresh, pending], { states: ['created'] }), [0, 1], 'created entries left');
  },
};
