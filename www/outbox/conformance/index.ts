import { newOrderId } from 'sales-order-intake';
import type { NewEntry, Settlement, Store, StoredEntry, TakeOptions, TakenEntry } from '../store.js';

/** Where the stores of one check store their entries: empty at first. */
export interface StoreLocation {
  /** Opens a store at this location; can be called again after it was closed. */
  open(): Store | Promise<Store>;
  /** Begins a transaction as a caller would, for `store.add(entry, transaction)`. Omitted if the store has none. */
  begin?(store: Store): Promise<{ transaction: unknown; commit(): Promise<void>; rollback(): Promise<void> }>;
  /** Removes what was stored. */
  dispose?(): void | Promise<void>;
}

/** One check, for the test runner of your choice. */
export interface StoreCheck {
  title: string;
  /** Rejects if the store does not conform. */
  run(): Promise<void>;
}

/**
 * Returns the checks that a store for {@link createOutbox} must pass.
 *
 * @param createLocation Returns a new, empty location for each check.
 * @param options.patienceMs How long a store may take to give up on a process that died. Default 30,000.
 *
 * @example
 * ```js
 * import { storeChecks } from 'sales-order-intake/outbox/conformance';
 * import { sqliteStore } from 'sales-order-intake/outbox/sqlite';
 *
 * for (const { title, run } of storeChecks(() => ({ open: () => sqliteStore(':memory:') }))) {
 *   console.log(title, typeof run); // test(title, run)
 * }
 * ```
 */
export function storeChecks(
  createLocation: () => StoreLocation | Promise<StoreLocation>,
  options: { patienceMs?: number } = {},
): StoreCheck[] {
  const { patienceMs = 30_000 } = options;
  return CHECKS.map(({ title, check }) => ({
    title,
    async run() {
      const location = await createLocation();
      const opened: Store[] = [];
      const bench: Bench = {
        location,
        patienceMs,
        async open() {
          const store = await location.open();
          opened.push(store);
          return store;
        },
      };
      try {
        await check(bench);
      } finally {
        for (const store of opened) await store.close();
        await location.dispose?.();
      }
    },
  }));
}

interface Bench {
  location: StoreLocation;
  patienceMs: number;
  open(): Promise<Store>;
}

const ANY_ROOM = () => 1000;
const ANYTHING: Omit<TakeOptions, 'now'> = { limit: 100, room: ANY_ROOM, full: [] };
const DAY_MS = 86_400_000;

function newEntry(changes: Partial<NewEntry> = {}): NewEntry {
  const now = Date.now();
  const orderId = newOrderId();
  const body = JSON.stringify({ Id: orderId, Note: 'Grüße 🙂 \u0001' });
  return {
    ...{ orderId, version: 'v3', body, location: '1/2', addedAt: now, dueAt: now, deadlineAt: now + DAY_MS },
    ...changes,
  } as NewEntry;
}

function settlement(changes: Partial<Settlement>): Settlement {
  return {
    ...{ state: 'created', outcome: 'created', attempts: 1, dueAt: Date.now(), reason: null, status: 201 },
    ...{ requestId: null, detail: null, issues: null, received: null, settledAt: Date.now(), noticeAt: null },
    ...changes,
  } as Settlement;
}

/** Takes what is due; asks again while nothing is, for stores that find out later. */
async function take(store: Store, least = 1, options = ANYTHING, patienceMs = 10_000): Promise<TakenEntry[]> {
  const entries: TakenEntry[] = [];
  for (const endsAt = Date.now() + patienceMs; ; ) {
    const taken = await store.take({ now: Date.now(), ...options });
    entries.push(...taken.entries);
    if (entries.length >= least) return entries;
    if (Date.now() > endsAt) throw new Error(`take returned ${entries.length} entries, not ${least}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function equal(actual: unknown, expected: unknown, what: string): void {
  const [found, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (found !== wanted) throw new Error(`${what}: ${found}, not ${wanted}`);
}

function first<T>(items: readonly T[]): T {
  const [item] = items;
  if (item === undefined) throw new Error('there is none');
  return item;
}

function pick(entry: StoredEntry | null, ...members: (keyof StoredEntry)[]): unknown[] {
  return members.map((member) => entry?.[member]);
}

const CHECKS: { title: string; check(bench: Bench): Promise<void> }[] = [
  {
    title: 'add stores every member, and keeps it when the store is opened again',
    async check({ open }) {
      const store = await open();
      const entry = newEntry();
      equal(await store.add(entry, undefined), null, 'add of a new entry');
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
      const added = await Promise.all([entry, entry, entry].map((each) => store.add(each, undefined)));
      equal(added.filter((each) => each === null).length, 1, 'entries that were new');
      equal((await store.add(other, undefined))?.body, entry.body, 'the body');
      equal((await store.get(entry.orderId))?.location, '1/2', 'the location');
      equal(await store.get(newOrderId()), null, 'get of an unknown id');
    },
  },
  {
    title: 'take records the attempt before it returns, and returns what was known before',
    async check({ open }) {
      const store = await open();
      const entry = newEntry();
      await store.add(entry, undefined);
      const taken = first(await take(store));
      equal(
        pick(taken, 'orderId', 'body', 'attempts', 'outcome'),
        [entry.orderId, entry.body, 1, 'not-created'],
        'taken',
      );
      equal(pick(await store.get(entry.orderId), 'state', 'attempts'), ['sending', 1], 'stored');
      const again = await store.take({ now: Date.now(), limit: 10, room: ANY_ROOM, full: [] });
      equal(again.entries.length, 0, 'entries taken twice');
    },
  },
  {
    title: 'take returns only what is due, and leaves locations without room alone',
    async check({ open }) {
      const store = await open();
      const later = newEntry({ dueAt: Date.now() + DAY_MS });
      const full = newEntry({ location: '9/9' });
      const due = newEntry();
      for (const entry of [later, full, due]) await store.add(entry, undefined);
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
      for (let n = 0; n < 12; n++) await store.add(newEntry({ location: `1/${n % 2}` }), undefined);
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
      await Promise.all(Array.from({ length: 50 }, () => store.add(newEntry({ location: busy }), undefined)));
      const started = await take(store, 1, { limit: 32, room: () => 1, full: [] });
      equal(started.length, 1, 'entries taken while there was room for one');
      const ids: string[] = [];
      for (let n = 0; n < 10; n++) {
        const entry = newEntry({ location: healthy });
        await store.add(entry, undefined);
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
      await Promise.all(Array.from({ length: wanted }, () => store.add(newEntry(), undefined)));
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
      await store.add(newEntry(), undefined);
      const taken = first(await take(store));
      const written = settlement({
        ...{ reason: 'Reason', requestId: 'r-1', detail: 'détail', issues: '[]', received: '{"Id":"x"}', noticeAt: 5 },
        settledAt: 1_700_000_000_000,
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
      await store.add(newEntry(), undefined);
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
      await store.add(entry, undefined);
      await take(store);
      await store.close();
      const again = first(await take(await open(), 1, ANYTHING, patienceMs));
      equal(pick(again, 'orderId', 'attempts', 'outcome'), [entry.orderId, 2, 'unknown'], 'taken again');
    },
  },
  {
    title: 'change writes only if all of the condition holds',
    async check({ open }) {
      const store = await open();
      const { orderId } = newEntry();
      await store.add(newEntry({ orderId, body: '{"a":1}' }), undefined);
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
      await store.add(entry, undefined);
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
      for (const entry of entries) await store.add(entry, undefined);
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
      equal((await store.list({ state: 'stalled', after: 0, limit: 9 })).length, 1, 'a state');
      equal((await store.list({ noticeUntil: 99, after: 0, limit: 9 })).length, 0, 'before the notice');
      equal((await store.list({ noticeUntil: 100, after: 0, limit: 9 })).length, 1, 'at the notice');
    },
  },
  {
    title: 'count counts by state and location, and knows the oldest',
    async check({ open }) {
      const store = await open();
      for (const addedAt of [2000, 1000, 3000]) await store.add(newEntry({ addedAt }), undefined);
      const other = newEntry({ location: '1/3' });
      await store.add(other, undefined);
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
      const [late, old, fresh, pending] = [
        ...[newEntry({ dueAt: Date.now() + DAY_MS, deadlineAt: Date.now() - 1 }), newEntry(), newEntry(), newEntry()],
      ];
      for (const entry of [late, old, fresh, pending]) if (entry) await store.add(entry, undefined);
      const change = { state: 'created', outcome: 'created', settledAt: 1000, noticeAt: null } as const;
      await store.change(old?.orderId ?? '', {}, change);
      await store.change(fresh?.orderId ?? '', {}, { ...change, settledAt: Date.now() });
      await store.change(pending?.orderId ?? '', {}, { ...change, noticeAt: 1000 });
      const now = Date.now();
      for (let rounds = 0; rounds < 5; rounds++) await store.sweep({ now, createdBefore: 2000 });
      const stalled = await store.get(late?.orderId ?? '');
      equal(
        pick(stalled, 'state', 'reason', 'settledAt', 'noticeAt'),
        ['stalled', 'Deadline', now, now],
        'the late one',
      );
      const left = await store.list({ state: 'created', after: 0, limit: 9 });
      equal(
        left.map(({ orderId }) => orderId),
        [fresh?.orderId, pending?.orderId],
        'created entries left',
      );
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
