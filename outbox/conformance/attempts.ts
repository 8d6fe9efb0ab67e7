/** Checks of `take` and `settle`: the attempts. */
import type { Settlement } from '../store/index.js';
import { ANYTHING, ANY_ROOM, DAY_MS, type Check, equal, first, newEntry, pick, settlement, take } from './bench.js';

export const attemptsChecks: readonly Check[] = [
  {
    title: 'take records the attempt before it returns, and returns what was known before',
    async check({ open }) {
      const store = await open();
      const entry = newEntry();
      await store.add(entry);
      const taken = first(await take(store));
      equal(
        pick(taken, 'orderId', 'body', 'traceContext', 'attempts', 'outcome'),
        [entry.orderId, entry.body, entry.traceContext, 1, 'not-created'],
        'taken',
      );
      equal(pick(await store.get(entry.orderId), 'state', 'attempts'), ['sending', 1], 'stored');
      const again = await store.take({ now: Date.now(), limit: 10, room: ANY_ROOM, full: [] });
      equal(again.entries.length, 0, 'entries taken twice');
    },
  },
  {
    title: 'settle of an earlier take writes nothing, although the number of attempts is the same',
    async check({ open }) {
      const store = await open();
      await store.add(newEntry());
      const before = first(await take(store));
      const back = settlement({ state: 'waiting', outcome: 'not-created', attempts: 0, settledAt: null });
      equal(await store.settle(before, back), true, 'given back');
      const now = first(await take(store));
      equal(pick(now, 'attempts', 'traceContext'), pick(before, 'attempts', 'traceContext'), 'taken again');
      // As if the first settle had failed, so that nobody knew that it had taken effect.
      equal(await store.settle(before, back), false, 'given back a second time');
      equal(await store.settle(now, settlement({})), true, 'settled');
      equal(pick(await store.get(now.orderId), 'state', 'outcome'), ['created', 'created'], 'stored');
    },
  },
  {
    title: 'take returns only what is due, and leaves locations without room alone',
    async check({ open }) {
      const store = await open();
      const later = newEntry({ dueAt: Date.now() + DAY_MS });
      const full = newEntry({ location: '9/9' });
      const due = newEntry();
      for (const entry of [later, full, due]) await store.add(entry);
      const room = (location: string) => (location === '9/9' ? 0 : 10);
      const ids: string[] = [];
      for (let round = 0; round < 5; round++) {
        const { entries } = await store.take({ now: Date.now(), limit: 10, room, full: ['9/9'] });
        ids.push(...entries.map(({ orderId }) => orderId));
      }
      equal(ids, [due.orderId], 'taken');
      equal(first(await take(store)).orderId, full.orderId, 'taken when there is room');
    },
  },
  {
    title: 'take returns no more than there is room for, of each location and in all',
    async check({ open }) {
      const store = await open();
      for (let n = 0; n < 12; n++) await store.add(newEntry({ location: `1/${n % 2}` }));
      const { entries } = await store.take({ now: Date.now(), limit: 5, room: ANY_ROOM, full: [] });
      if (entries.length > 5) throw new Error(`took ${entries.length} of 5`);
      const counts = new Map<string, number>();
      const next = await store.take({ now: Date.now(), limit: 12, room: () => 2, full: [] });
      for (const { location } of next.entries) counts.set(location, (counts.get(location) ?? 0) + 1);
      if (Math.max(0, ...counts.values()) > 2) throw new Error('took more of a location than there was room for');
    },
  },
  {
    title: 'a location that has lost its room after much of it was due does not hold up the others',
    async check({ open }) {
      const store = await open();
      const [busy, healthy] = ['1/1', '1/2'];
      await Promise.all(Array.from({ length: 50 }, () => store.add(newEntry({ location: busy }))));
      const started = await take(store, 1, { limit: 32, room: () => 1, full: [] });
      equal(started.length, 1, 'entries taken while there was room for one');
      const ids: string[] = [];
      for (let n = 0; n < 10; n++) {
        const entry = newEntry({ location: healthy });
        await store.add(entry);
        ids.push(entry.orderId);
      }
      const room = (location: string) => (location === busy ? 0 : 8);
      const taken = await take(store, ids.length, { limit: 16, room, full: [busy] });
      equal(taken.map(({ orderId }) => orderId).sort(), ids.sort(), 'taken of the other location');
      const later = await take(store, 49);
      equal(new Set(later.map(({ location }) => location)).size, 1, 'locations taken when there is room again');
      equal(new Set([...started, ...later].map(({ orderId }) => orderId)).size, 50, 'different entries');
    },
  },
  {
    title: 'two calls of take at once never return the same entry',
    async check({ open }) {
      const store = await open();
      const wanted = 40;
      await Promise.all(Array.from({ length: wanted }, () => store.add(newEntry())));
      const ids: string[] = [];
      for (const endsAt = Date.now() + 10_000; ids.length < wanted && Date.now() < endsAt; ) {
        const results = await Promise.all(
          [1, 2, 3, 4].map(() => store.take({ now: Date.now(), limit: 7, room: ANY_ROOM, full: [] })),
        );
        ids.push(...results.flatMap(({ entries }) => entries.map(({ orderId }) => orderId)));
      }
      equal([ids.length, new Set(ids).size], [wanted, wanted], 'entries taken, and different ones');
    },
  },
  {
    title: 'settle writes every member, and a second one of the same attempt writes nothing',
    async check({ open }) {
      const store = await open();
      await store.add(newEntry());
      const taken = first(await take(store));
      const written = settlement({
        reason: 'Reason',
        requestId: 'r-1',
        detail: 'détail',
        issues: '[]',
        received: '{"Id":"x"}',
        alreadyThere: true,
        settledAt: 1_700_000_000_000,
        noticeAt: 5,
      });
      equal(await store.settle(taken, written), true, 'the first');
      equal(await store.settle(taken, settlement({ state: 'refused' })), false, 'the second');
      const stored = await store.get(taken.orderId);
      const members = Object.keys(written) as (keyof Settlement)[];
      equal(
        pick(stored, ...members),
        members.map((member) => written[member]),
        'the entry',
      );
    },
  },
  {
    title: 'an entry that waits again is taken again when it is due, with the attempts that count',
    async check({ open }) {
      const store = await open();
      await store.add(newEntry());
      const taken = first(await take(store));
      const dueAt = Date.now() + 600;
      await store.settle(
        taken,
        settlement({ state: 'waiting', outcome: 'unknown', attempts: 1, dueAt, settledAt: null }),
      );
      const again = first(await take(store));
      // Clocks of databases differ a little.
      if (Date.now() < dueAt - 300) throw new Error('it was taken before it was due');
      equal(pick(again, 'attempts', 'outcome', 'body'), [2, 'unknown', taken.body], 'taken again');
    },
  },
  {
    title: 'an entry that was being sent when its process ended is taken again, and its outcome is unknown',
    async check({ open, patienceMs }) {
      const store = await open();
      const entry = newEntry();
      await store.add(entry);
      await take(store);
      await store.close();
      const again = first(await take(await open(), 1, ANYTHING, patienceMs));
      equal(pick(again, 'orderId', 'attempts', 'outcome'), [entry.orderId, 2, 'unknown'], 'taken again');
    },
  },
];
