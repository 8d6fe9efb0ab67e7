/** Checks of changes that replace an order, and of `changeAll`. */
import type { Change, Condition, OutboxStore, Page } from '../store/index.js';
import { ANYTHING, DAY_MS, type Check, equal, first, newEntry, pick, settlement, take } from './bench.js';

/** What `outbox.replace` writes. */
function replacement(): Change {
  const now = Date.now();
  return {
    state: 'waiting',
    outcome: 'not-created',
    attempts: 0,
    version: 'v2',
    location: '3/4',
    body: '{"new":"größer"}',
    addedAt: now,
    dueAt: now,
    deadlineAt: now + DAY_MS,
    traceContext: null,
    reason: null,
    status: null,
    settledAt: null,
  };
}

const REPLACED = ['body', 'version', 'location', 'traceContext', 'attempts', 'outcome'] as const;

/** Adds an entry that the service has refused. */
async function refused(store: OutboxStore): Promise<string> {
  await store.add(newEntry());
  const taken = first(await take(store));
  const change = { state: 'refused', outcome: 'not-created', reason: 'RejectedError', status: 400 } as const;
  await store.settle(taken, settlement(change));
  return taken.orderId;
}

async function changeAll(store: OutboxStore, page: Page, condition: Condition, change: Change) {
  const sizes: number[] = [];
  for (let after: number | null = 0; after !== null; ) {
    if (sizes.length > 9) throw new Error('changeAll does not come to an end');
    const part = await store.changeAll({ ...page, after }, condition, change);
    sizes.push(part.changed);
    after = part.last;
  }
  return { sizes, changed: sizes.reduce((sum, size) => sum + size, 0) };
}

export const changingChecks: readonly Check[] = [
  {
    title: 'an entry that gets another body, version and location is taken with these',
    async check({ open }) {
      const store = await open();
      const refusedId = await refused(store);
      const waiting = newEntry();
      await store.add(waiting);
      const change = replacement();
      for (const orderId of [waiting.orderId, refusedId]) {
        const changed = await store.change(orderId, { outcome: 'not-created' }, change);
        equal(
          pick(changed, 'state', ...REPLACED),
          ['waiting', change.body, 'v2', '3/4', null, 0, 'not-created'],
          'changed',
        );
        const room = (location: string) => (location === '3/4' ? 10 : 0);
        const taken = first(await take(store, 1, { limit: 10, room, full: ['1/2'] }));
        equal(
          pick(taken, 'orderId', ...REPLACED),
          [orderId, change.body, 'v2', '3/4', null, 1, 'not-created'],
          'taken',
        );
      }
    },
  },
  {
    title: "an entry changed in the caller's transaction is changed and taken after its commit, never after a rollback",
    async check({ open, location }) {
      const store = await open();
      if (!location.begin) return;
      const orderId = await refused(store);
      const before = await store.get(orderId);
      const change = replacement();
      const back = await location.begin(store);
      const lost = await store.change(orderId, { states: ['refused'] }, change, back.transaction);
      equal(pick(lost, 'state', 'body'), ['waiting', change.body], 'changed');
      await back.rollback();
      equal(await store.get(orderId), before, 'after the rollback');
      equal((await store.take({ now: Date.now(), ...ANYTHING })).entries, [], 'taken after the rollback');
      const tx = await location.begin(store);
      equal(await store.change(orderId, { states: ['created'] }, change, tx.transaction), null, 'another condition');
      equal(
        pick(await store.change(orderId, { states: ['refused'] }, change, tx.transaction), 'state'),
        ['waiting'],
        'changed',
      );
      await tx.commit();
      const taken = first(await take(store));
      equal(pick(taken, 'orderId', ...REPLACED), [orderId, change.body, 'v2', '3/4', null, 1, 'not-created'], 'taken');
    },
  },
  {
    title: 'changeAll changes the entries of all pages that meet the condition, and these are taken',
    async check({ open }) {
      const store = await open();
      const entries = Array.from({ length: 7 }, () => newEntry());
      for (const entry of entries) await store.add(entry);
      const ids = entries.map(({ orderId }) => orderId);
      const stalled = { state: 'stalled', reason: 'Deadline', settledAt: 5000 } as const;
      for (const orderId of ids) await store.change(orderId, {}, stalled);
      await store.change(ids[1] ?? '', {}, { body: null });
      await store.change(ids[3] ?? '', {}, { state: 'created', outcome: 'created' });
      await store.change(ids[5] ?? '', {}, { reason: 'NotFoundError' });
      const change = { state: 'waiting', dueAt: Date.now(), settledAt: null } as const;
      const page = { states: ['stalled'], reason: 'Deadline', after: 0, limit: 2 } as const;
      const { sizes, changed } = await changeAll(store, page, { states: ['stalled'], hasBody: true }, change);
      equal(changed, 4, `changed, as ${sizes}`);
      if (Math.max(...sizes) > page.limit) throw new Error(`changed more than a page at once: ${sizes}`);
      const taken = await take(store, 4);
      const expected = [0, 2, 4, 6].map((index) => ids[index]);
      equal(taken.map(({ orderId }) => orderId).sort(), expected.sort(), 'taken');
      const left = await store.list({ states: ['stalled', 'created'], after: 0, limit: 9 });
      equal(
        left.map(({ orderId, state, settledAt }) => [orderId, state, settledAt]),
        [
          [ids[1], 'stalled', 5000],
          [ids[3], 'created', 5000],
          [ids[5], 'stalled', 5000],
        ],
        'left as they were',
      );
    },
  },
  {
    title: 'changeAll starts after a position, and returns null for the last when there are no further entries',
    async check({ open }) {
      const store = await open();
      equal(await store.changeAll({ after: 0, limit: 5 }, {}, { reason: 'x' }), { changed: 0, last: null }, 'of none');
      for (let n = 0; n < 3; n++) await store.add(newEntry());
      const [, second, third] = await store.list({ after: 0, limit: 9 });
      const half = await store.changeAll({ after: 0, limit: 2 }, {}, { reason: 'x' });
      equal(half, { changed: 2, last: second?.position }, 'the first page');
      const rest = await store.changeAll({ after: half.last ?? 0, limit: 2 }, {}, { reason: 'y' });
      equal(rest, { changed: 1, last: null }, 'the last page');
      equal(pick(await store.get(third?.orderId as never), 'reason'), ['y'], 'the last entry');
    },
  },
  {
    title: 'list filters by several states, by the reason, and by when an entry was settled or, before that, added',
    async check({ open }) {
      const store = await open();
      const states = ['waiting', 'stalled', 'refused', 'stalled'] as const;
      const entries = states.map((_, n) => newEntry({ addedAt: 1000 + n }));
      for (const [n, entry] of entries.entries()) {
        await store.add(entry);
        const settled = { state: states[n] ?? 'waiting', reason: `Reason${n % 2}`, settledAt: 2000 + n };
        if (n > 0) await store.change(entry.orderId, {}, settled);
      }
      const found = async (filter: Partial<Page>) =>
        (await store.list({ ...filter, after: 0, limit: 9 })).map(({ orderId }) =>
          entries.findIndex((entry) => entry.orderId === orderId),
        );
      equal(await found({ states: ['stalled', 'waiting'] }), [0, 1, 3], 'two states');
      equal(await found({ states: [] }), [], 'no state');
      equal(await found({ reason: 'Reason1' }), [1, 3], 'a reason');
      equal(await found({ since: 2002 }), [2, 3], 'since a time');
      equal(await found({ since: 1000 }), [0, 1, 2, 3], 'since the first was added');
      equal(await found({ since: 1001 }), [1, 2, 3], 'since it was added, of one that waits');
      equal(await found({ states: ['stalled'], reason: 'Reason1', since: 2002 }), [3], 'all three');
    },
  },
];
