/** Checks of `add`: what is stored, also in a transaction of the caller. */
import { newOrderId } from 'sales-order-intake';
import type { NewEntry } from '../store/index.js';
import { type Check, equal, newEntry, pick, take } from './bench.js';

export const addingChecks: readonly Check[] = [
  {
    title: 'add stores every member, and keeps it when the store is opened again',
    async check({ open }) {
      const store = await open();
      const entry = newEntry();
      equal(await store.add(entry), null, 'add of a new entry');
      await store.close();
      const stored = await (await open()).get(entry.orderId);
      const members = Object.keys(entry) as (keyof NewEntry)[];
      equal(
        pick(stored, ...members),
        members.map((member) => entry[member]),
        'the entry',
      );
      equal(pick(stored, 'state', 'outcome', 'attempts'), ['waiting', 'not-created', 0], 'its beginning');
      const absent = [
        'reason',
        'status',
        'requestId',
        'detail',
        'issues',
        'received',
        'settledAt',
        'noticeAt',
      ] as const;
      equal(
        pick(stored, ...absent),
        absent.map(() => null),
        'what it does not have',
      );
    },
  },
  {
    title: 'add returns the entry that has the id already, unchanged, also if both come at once',
    async check({ open }) {
      const store = await open();
      const entry = newEntry();
      const other = { ...entry, body: '{}', location: '3/4' };
      const added = await Promise.all([entry, entry, entry].map((each) => store.add(each)));
      equal(added.filter((each) => each === null).length, 1, 'entries that were new');
      equal((await store.add(other))?.body, entry.body, 'the body');
      equal((await store.get(entry.orderId))?.location, '1/2', 'the location');
      equal(await store.get(newOrderId()), null, 'get of an unknown id');
    },
  },
  {
    title: "an entry added in the caller's transaction is stored after its commit, and never after a rollback",
    async check({ open, location }) {
      const store = await open();
      if (!location.begin) return;
      const [stored, lost] = [newEntry(), newEntry()];
      const back = await location.begin(store);
      equal(await store.add(lost, back.transaction), null, 'add');
      await back.rollback();
      const tx = await location.begin(store);
      equal(await store.add(stored, tx.transaction), null, 'add');
      await tx.commit();
      equal(await store.get(lost.orderId), null, 'after the rollback');
      equal(
        (await take(store)).map(({ orderId }) => orderId),
        [stored.orderId],
        'taken',
      );
    },
  },
];
