/** Checks of `take` and `settle`: the attempts. */
import {
  ANYTHING,
  DAY_MS,
  added,
  equal,
  has,
  idsOf,
  newEntry,
  settlement,
  sortedIdsOf,
  take,
  takeOnce,
  takeOne,
} from './bench.mjs';

export const attemptsChecks = {
  'take records the attempt before it returns, and returns what was known before': async (store) => {
    const [{ orderId, body, traceContext }] = await added(store, {});
    const taken = { orderId, body, traceContext, attempts: 1, outcome: 'not-created' };
    has(await takeOne(store), taken, 'taken');
    has(await store.get(orderId), { state: 'sending', attempts: 1 }, 'stored');
    equal(await takeOnce(store), [], 'entries taken twice');
  },
  'settle of an earlier take writes nothing, although the number of attempts is the same': async (store) => {
    await added(store, {});
    const before = await takeOne(store);
    const back = settlement({ state: 'waiting', outcome: 'not-created', attempts: 0, settledAt: null });
    equal(await store.settle(before, back), true, 'given back');
    const now = await takeOne(store);
    has(now, { attempts: before.attempts, traceContext: before.traceContext }, 'taken again');
    // As after a first settle that took effect although it seemed to fail.
    equal(await store.settle(before, back), false, 'given back a second time');
    equal(await store.settle(now, settlement({})), true, 'settled');
    has(await store.get(now.orderId), { state: 'created', outcome: 'created' }, 'stored');
  },
  'take returns only what is due, and leaves locations without room alone': async (store) => {
    const [, full, due] = await added(store, { dueAt: Date.now() + DAY_MS }, { location: '9/9' }, {});
    const room = (location) => (location === '9/9' ? 0 : 10);
    const ids = [];
    for (let round = 0; round < 5; round++) ids.push(...idsOf(await takeOnce(store, { room })));
    equal(ids, [due.orderId], 'taken');
    equal((await takeOne(store)).orderId, full.orderId, 'taken when there is room');
  },
  'take returns no more than there is room for, of each location and in all': async (store) => {
    for (let n = 0; n < 12; n++) await added(store, { location: `1/${n % 2}` });
    const entries = await takeOnce(store, { limit: 5 });
    if (entries.length > 5) throw new Error(`took ${entries.length} of 5`);
    const counts = new Map();
    for (const { location } of await takeOnce(store, { limit: 12, room: () => 2 }))
      counts.set(location, (counts.get(location) ?? 0) + 1);
    if (Math.max(0, ...counts.values()) > 2) throw new Error('took more of a location than there was room for');
  },
  'a location that has lost its room after much of it was due does not hold up the others': async (store) => {
    const [busy, healthy] = ['1/1', '1/2'];
    await Promise.all(Array.from({ length: 50 }, () => store.add(newEntry({ location: busy }))));
    const started = await take(store, 1, { limit: 32, room: () => 1 });
    equal(started.length, 1, 'entries taken while there was room for one');
    const others = await added(store, ...Array.from({ length: 10 }, () => ({ location: healthy })));
    const room = (location) => (location === busy ? 0 : 8);
    const taken = await take(store, others.length, { limit: 16, room });
    equal(sortedIdsOf(taken), sortedIdsOf(others), 'taken of the other location');
    const later = await take(store, 49);
    equal(new Set(later.map(({ location }) => location)).size, 1, 'locations taken when there is room again');
    equal(new Set(idsOf([...started, ...later])).size, 50, 'different entries');
  },
  'two calls of take at once never return the same entry': async (store) => {
    const wanted = 40;
    await Promise.all(Array.from({ length: wanted }, () => store.add(newEntry())));
    const ids = [];
    for (const endsAt = Date.now() + 10_000; ids.length < wanted && Date.now() < endsAt; ) {
      const results = await Promise.all([1, 2, 3, 4].map(() => takeOnce(store, { limit: 7 })));
      ids.push(...idsOf(results.flat()));
    }
    equal([ids.length, new Set(ids).size], [wanted, wanted], 'entries taken, and different ones');
  },
  'settle writes every member, and a second one of the same attempt writes nothing': async (store) => {
    await added(store, {});
    const taken = await takeOne(store);
    const written = settlement({
      reason: 'Reason',
      requestId: 'r-1',
      detail: 'détail',
      issues: '[]',
      received: '{"Id":"x"}',
      receiptNumber: '0017',
      alreadyThere: true,
      settledAt: 1_700_000_000_000,
      noticeAt: 5,
    });
    equal(await store.settle(taken, written), true, 'the first');
    equal(await store.settle(taken, settlement({ state: 'refused' })), false, 'the second');
    has(await store.get(taken.orderId), written, 'the entry');
  },
  'an entry that waits again is taken again when it is due, with the attempts that count': async (store) => {
    await added(store, {});
    const taken = await takeOne(store);
    const dueAt = Date.now() + 600;
    await store.settle(taken, settlement({ state: 'waiting', outcome: 'unknown', dueAt, settledAt: null }));
    const again = await takeOne(store);
    // Clocks of databases differ a little.
    if (Date.now() < dueAt - 300) throw new Error('it was taken before it was due');
    has(again, { attempts: 2, outcome: 'unknown', body: taken.body }, 'taken again');
  },
  'an entry that was being sent when its process ended is taken again, and its outcome is unknown': async (
    store,
    { open, patienceMs },
  ) => {
    const [{ orderId }] = await added(store, {});
    await take(store);
    await store.close();
    const [again = null] = await take(await open(), 1, ANYTHING, patienceMs);
    has(again, { orderId, attempts: 2, outcome: 'unknown' }, 'taken again');
  },
};
