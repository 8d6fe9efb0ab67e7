/** Checks of `add`: what is stored, also in a transaction of the caller. */
import { core } from '../harness.mjs';
import { equal, has, idsOf, newEntry, take } from './bench.mjs';

export const addingChecks = {
  'add stores every member, and keeps it when the store is opened again': async (store, { open }) => {
    const entry = newEntry({ reference: 'Cart 1042 ✓' });
    equal(await store.add(entry), null, 'add of a new entry');
    await store.close();
    const stored = await (await open()).get(entry.orderId);
    has(stored, { ...entry }, 'the entry');
    has(stored, { state: 'waiting', outcome: 'not-created', attempts: 0 }, 'its beginning');
    const absent = {
      reason: null,
      status: null,
      requestId: null,
      detail: null,
      issues: null,
      received: null,
      receiptNumber: null,
      settledAt: null,
      noticeAt: null,
    };
    has(stored, absent, 'what it does not have');
  },
  'add returns the entry that has the id already, unchanged, also if both come at once': async (store) => {
    const entry = newEntry();
    const other = { ...entry, body: '{}', location: '3/4' };
    const results = await Promise.all([entry, entry, entry].map((each) => store.add(each)));
    equal(results.filter((each) => each === null).length, 1, 'entries that were new');
    has(await store.add(other), { body: entry.body }, 'the entry that add returns');
    has(await store.get(entry.orderId), { location: '1/2' }, 'the entry that is stored');
    equal(await store.get(core.newOrderId()), null, 'get of an unknown id');
  },
  'an entry that is added now has times by the clock of the store, if it has one': async (store) => {
    if (!store.now) return;
    const later = Date.now() + 300 * 3_600_000;
    const entry = newEntry({ addedAt: later, dueAt: later, deadlineAt: later + 1000, isAddedNow: true });
    const before = await store.now();
    await store.add(entry);
    const stored = await store.get(entry.orderId);
    const late = (stored?.addedAt ?? 0) - before;
    equal(late > -1000 && late < 60_000, true, 'whether it was added now');
    const { addedAt = 0, dueAt = 0, deadlineAt = 0 } = stored ?? {};
    equal([dueAt - addedAt, deadlineAt - addedAt], [0, 1000], 'the other times, from when it was added');
    equal(idsOf(await take(store, 1, { now: addedAt })), [entry.orderId], 'taken');
  },
  "an entry added in the caller's transaction is stored after its commit, and never after a rollback": async (
    store,
    { begin },
  ) => {
    if (!begin) return;
    const [stored, lost] = [newEntry(), newEntry()];
    const back = await begin(store);
    equal(await store.add(lost, back.transaction), null, 'add');
    await back.rollback();
    const tx = await begin(store);
    equal(await store.add(stored, tx.transaction), null, 'add');
    await tx.commit();
    equal(await store.get(lost.orderId), null, 'after the rollback');
    equal(idsOf(await take(store)), [stored.orderId], 'taken');
  },
};
