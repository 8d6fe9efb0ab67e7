/** Checks of what looks at entries and changes them beside the attempts. */
import { newOrderId } from 'sales-order-intake';
import type { StoredEntry } from '../store/index.js';
import { ANYTHING, ANY_ROOM, DAY_MS, type Check, equal, first, newEntry, pick, settlement, take } from './bench.js';

export const administrationChecks: readonly Check[] = [
  {
    title: 'change writes only if all of the condition holds',
    async check({ open }) {
      const store = await open();
      const { orderId } = newEntry();
      await store.add(newEntry({ orderId, body: '{"a":1}' }));
      const wrong = [
        { states: ['created'] },
        { states: ['waiting'], attempts: 1 },
        { outcome: 'unknown' },
        { noticeAt: 7 },
      ] as const;
      for (const condition of wrong) equal(await store.change(orderId, condition, { reason: 'x' }), null, 'changed');
      const condition = { states: ['waiting', 'stalled'], attempts: 0, outcome: 'not-created', hasBody: true } as const;
      const change = { state: 'cancelled', body: null, noticeAt: 9, deadlineAt: 11 } as const;
      const changed = await store.change(orderId, condition, change);
      equal(
        pick(changed, 'state', 'body', 'noticeAt', 'deadlineAt', 'reason'),
        ['cancelled', null, 9, 11, null],
        'changed',
      );
      equal(await store.change(orderId, { hasBody: true }, { reason: 'x' }), null, 'changed without a body');
      equal(await store.change(newOrderId(), {}, { reason: 'x' }), null, 'an unknown id');
      equal((await store.take({ now: Date.now(), limit: 1, room: ANY_ROOM, full: [] })).entries, [], 'taken');
    },
  },
  {
    title: 'an entry that is changed to waiting is taken, also if it waits for another day',
    async check({ open }) {
      const store = await open();
      const entry = newEntry({ dueAt: Date.now() + DAY_MS });
      await store.add(entry);
      await store.change(entry.orderId, { states: ['waiting'] }, { state: 'waiting', dueAt: Date.now() });
      const taken = first(await take(store));
      await store.settle(taken, settlement({ state: 'stalled', outcome: 'unknown' }));
      await store.change(
        entry.orderId,
        { states: ['stalled'] },
        { state: 'waiting', dueAt: Date.now(), settledAt: null },
      );
      equal(pick(first(await take(store)), 'orderId', 'outcome'), [entry.orderId, 'unknown'], 'taken');
    },
  },
  {
    title: 'list returns pages in the order of adding, by state, location and notice',
    async check({ open }) {
      const store = await open();
      const entries = Array.from({ length: 5 }, (_, n) => newEntry({ location: `1/${n % 2}` }));
      for (const entry of entries) await store.add(entry);
      const ids = entries.map(({ orderId }) => orderId);
      const page = await store.list({ after: 0, limit: 3 });
      const rest = await store.list({ after: page[2]?.position ?? 0, limit: 3 });
      equal(
        [...page, ...rest].map(({ orderId }) => orderId),
        ids,
        'both pages',
      );
      const odd = await store.list({ location: '1/1', after: 0, limit: 9 });
      equal(
        odd.map(({ orderId }) => orderId),
        [ids[1], ids[3]],
        'a location',
      );
      await store.change(ids[2] ?? '', {}, { state: 'stalled', noticeAt: 100 });
      equal((await store.list({ states: ['stalled'], after: 0, limit: 9 })).length, 1, 'a state');
      equal((await store.list({ noticeUntil: 99, after: 0, limit: 9 })).length, 0, 'before the notice');
      equal((await store.list({ noticeUntil: 100, after: 0, limit: 9 })).length, 1, 'at the notice');
    },
  },
  {
    title: 'list returns pages from the newest entry to the oldest, and entries before a time',
    async check({ open }) {
      const store = await open();
      const entries = Array.from({ length: 5 }, (_, n) => newEntry({ addedAt: 1000 + n }));
      for (const entry of entries) await store.add(entry);
      await store.change(entries[0]?.orderId ?? '', {}, { state: 'stalled', settledAt: 3000 });
      const numbers = (page: readonly StoredEntry[]) =>
        page.map((found) => entries.findIndex(({ orderId }) => orderId === found.orderId));
      const page = await store.list({ newestFirst: true, after: 0, limit: 3 });
      equal(numbers(page), [4, 3, 2], 'the first page');
      const rest = await store.list({ newestFirst: true, after: page[2]?.position ?? 0, limit: 3 });
      equal(numbers(rest), [1, 0], 'the second page');
      equal(numbers(await store.list({ before: 1003, after: 0, limit: 9 })), [1, 2], 'before a time');
      equal(numbers(await store.list({ since: 1004, before: 3001, after: 0, limit: 9 })), [0, 4], 'of a span');
    },
  },
  {
    title: 'list has no contents, unless it is asked for them',
    async check({ open }) {
      const store = await open();
      const entry = newEntry();
      await store.add(entry);
      await store.change(entry.orderId, {}, { received: '{"Id":"x"}' });
      const members = ['orderId', 'body', 'received'] as const;
      const [summary] = await store.list({ after: 0, limit: 1 });
      equal(pick(summary ?? null, ...members), [entry.orderId, null, null], 'without contents');
      equal(summary?.hasBody, true, 'whether the body is stored');
      const [whole] = await store.list({ after: 0, limit: 1, contents: true });
      equal(pick(whole ?? null, ...members), [entry.orderId, entry.body, '{"Id":"x"}'], 'with contents');
      equal(pick(await store.change(entry.orderId, {}, { body: null }), 'hasBody'), [false], 'after it was deleted');
    },
  },
  {
    title: 'list and changeAll find what may be sent only after a time',
    async check({ open }) {
      const store = await open();
      const now = Date.now();
      const [soon, late] = [newEntry({ dueAt: now }), newEntry({ dueAt: now + 3 * DAY_MS })];
      for (const entry of [soon, late]) await store.add(entry);
      const page = { states: ['waiting'], dueAfter: now + DAY_MS, after: 0, limit: 9 } as const;
      equal(
        (await store.list(page)).map(({ orderId }) => orderId),
        [late.orderId],
        'listed',
      );
      const change = { state: 'waiting', dueAt: now } as const;
      equal((await store.changeAll(page, { states: ['waiting'] }, change)).changed, 1, 'changed');
      const taken = await take(store, 2);
      equal(taken.map(({ orderId }) => orderId).sort(), [soon.orderId, late.orderId].sort(), 'taken');
    },
  },
  {
    title: 'the position of an entry that was deleted is not used again',
    async check({ open }) {
      const store = await open();
      const positions: (number | undefined)[] = [];
      for (let n = 0; n < 3; n++) {
        const { orderId } = newEntry();
        await store.add(newEntry({ orderId }));
        positions.push((await store.get(orderId))?.position);
        await store.change(orderId, {}, { state: 'created', outcome: 'created', settledAt: 1000, noticeAt: null });
        await store.sweep({ now: 0, createdBefore: 2000 });
        equal(await store.get(orderId), null, 'after the sweep');
      }
      const sorted = [...new Set(positions)].sort((a, b) => (a ?? 0) - (b ?? 0));
      equal(positions, sorted, 'positions');
    },
  },
  {
    title: 'bind: what the store has for one base URL is not sent to another, unless it is moved there',
    async check({ open }) {
      const [old, other] = ['https://old.example.com/a/', 'https://new.example.com/b/'];
      const opened = async (baseUrl: string, movedFrom?: string) => {
        const store = await open();
        if (!store.bind) throw new Error('the store has no bind(): it would send its orders to any service');
        store.bind(baseUrl, movedFrom);
        return store;
      };
      const entry = newEntry();
      const first = await opened(old);
      equal(await first.add(entry), null, 'add with the first base URL');
      await first.close();
      const wrong = await opened(other, 'https://third.example.com/');
      for (const call of [
        () => wrong.add(newEntry()),
        () => wrong.take({ now: Date.now(), ...ANYTHING }),
        () => wrong.change(entry.orderId, {}, { reason: 'x' }),
      ]) {
        const error: unknown = await call().then(
          () => null,
          (error: unknown) => error,
        );
        equal((error as { reason?: unknown } | null)?.reason, 'wrong-service', 'the reason');
        for (const baseUrl of [old, other]) {
          if (!String((error as Error).message).includes(baseUrl))
            throw new Error(`the error does not name ${baseUrl}`);
        }
      }
      await wrong.close();
      const moved = await opened(other, old);
      equal(
        (await take(moved)).map(({ orderId }) => orderId),
        [entry.orderId],
        'taken after the move',
      );
      await moved.close();
      const back = await opened(old, '*');
      equal(await back.add(newEntry()), null, 'add after a move from any');
    },
  },
  {
    title: 'count counts by state and location, and knows the oldest',
    async check({ open }) {
      const store = await open();
      for (const addedAt of [2000, 1000, 3000]) await store.add(newEntry({ addedAt }));
      const other = newEntry({ location: '1/3' });
      await store.add(other);
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
      await store.change(other.orderId, {}, { state: 'stalled' });
      equal((await store.count()).length, 2, 'with a stalled entry');
      await store.change(other.orderId, {}, { body: null });
      equal((await store.count()).length, 1, 'without a forgotten one');
    },
  },
  {
    title: 'sweep stalls what waits past its deadline, and deletes old created entries whose handler was called',
    async check({ open }) {
      const store = await open();
      const late = newEntry({ dueAt: Date.now() + DAY_MS, deadlineAt: Date.now() - 1 });
      const old = newEntry();
      const fresh = newEntry();
      const pending = newEntry();
      for (const entry of [late, old, fresh, pending]) await store.add(entry);
      const change = { state: 'created', outcome: 'created', settledAt: 1000, noticeAt: null } as const;
      await store.change(old.orderId, {}, change);
      await store.change(fresh.orderId, {}, { ...change, settledAt: Date.now() });
      await store.change(pending.orderId, {}, { ...change, noticeAt: 1000 });
      const now = Date.now();
      for (let rounds = 0; rounds < 5; rounds++) await store.sweep({ now, createdBefore: 2000 });
      const stalled = await store.get(late.orderId);
      equal(
        pick(stalled, 'state', 'reason', 'settledAt', 'noticeAt'),
        ['stalled', 'Deadline', now, now],
        'the late one',
      );
      const left = await store.list({ states: ['created'], after: 0, limit: 9 });
      equal(
        left.map(({ orderId }) => orderId),
        [fresh.orderId, pending.orderId],
        'created entries left',
      );
    },
  },
];
