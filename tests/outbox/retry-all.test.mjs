/** Tests `retryAll`: which entries it sends again and how many it reports. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { collected, rejection, numbered } from './harness.mjs';
import { newStore, setUp } from './set-up.mjs';

const DAY_MS = 86_400_000;

/** Entries in every state, of two locations; the older half was added and settled a day before. */
const ENTRIES = [
  { state: 'refused', reason: 'RejectedError' },
  { state: 'refused', reason: 'NotFoundError' },
  { state: 'stalled', reason: 'Deadline', outcome: 'unknown' },
  { state: 'created', outcome: 'created' },
  { state: 'cancelled' },
  { state: 'waiting', reason: 'RateLimitError' },
  { state: 'sending' },
];

/** Fills a store; order `n` and order `n + 7` differ in age and location. */
async function filled(t, store) {
  const { outbox, now: time, ...others } = await setUp(t, { store });
  const now = time();
  for (let n = 0; n < 2 * ENTRIES.length; n++) {
    const isOld = n < ENTRIES.length;
    await outbox.add(numbered(n, { EntityId: isOld ? 1 : 2 }));
    const { state, ...members } = ENTRIES[n % ENTRIES.length];
    const isSettled = !['waiting', 'sending'].includes(state);
    const at = isOld ? now - DAY_MS : now;
    const change = {
      state,
      ...members,
      addedAt: at,
      // Not further away than the longest pause: then it would be due (D60).
      dueAt: now + 1_800_000,
      deadlineAt: now + DAY_MS,
      attempts: 3,
      noticeAt: null,
    };
    await store.change(numbered(n).Id, {}, { ...change, settledAt: isSettled ? at : null });
  }
  return { outbox, now, ...others };
}

/** The numbers of the entries that are due now. */
async function due(outbox, now) {
  const entries = await collected(outbox.list({ state: 'waiting' }));
  return entries
    .filter(({ nextAttemptAt }) => nextAttemptAt.getTime() <= now)
    .map(({ orderId }) => Number(orderId.slice(-12)) - 1);
}

describe('retryAll', () => {
  for (const [title, filter, expected] of /** @type {[string, (now: number) => any, number[]][]} */ ([
    ['everything that is refused, stalled or waiting', () => ({}), [0, 1, 2, 5, 7, 8, 9, 12]],
    ['one state', () => ({ state: 'refused' }), [0, 1, 7, 8]],
    ['some states', () => ({ states: ['stalled', 'waiting'] }), [2, 5, 9, 12]],
    ['states of which only some can be sent again', () => ({ states: ['created', 'stalled', 'sending'] }), [2, 9]],
    ['states of which none can be sent again', () => ({ states: ['created', 'cancelled', 'sending'] }), []],
    ['no states', () => ({ states: [] }), []],
    ['a reason', () => ({ states: ['refused'], reason: 'NotFoundError' }), [1, 8]],
    ['a time, in milliseconds', (now) => ({ since: now }), [7, 8, 9, 12]],
    ['a time, with a fraction', (now) => ({ since: now - 0.5 }), [7, 8, 9, 12]],
    ['a time, as a Date', (now) => ({ since: new Date(now - DAY_MS) }), [0, 1, 2, 5, 7, 8, 9, 12]],
    ['a location', () => ({ companyId: 1000, entityId: 2, state: 'refused' }), [7, 8]],
  ])) {
    test(`sends ${title}, and returns how many`, async (t) => {
      const { outbox, now, store } = await filled(t, newStore());
      assert.equal(await outbox.retryAll(filter(now)), expected.length);
      assert.deepEqual(await due(outbox, now), expected);
      for (const n of expected) {
        const { deadlineAt, settledAt, noticeAt, attempts, outcome } = await store.get(numbered(n).Id);
        assert.ok(deadlineAt > now + 2 * DAY_MS);
        const { outcome: known = 'not-created' } = ENTRIES[n % ENTRIES.length];
        assert.deepEqual([settledAt, noticeAt, attempts, outcome], [null, null, 3, known]);
      }
    });
  }

  test('does not send what was forgotten', async (t) => {
    const { outbox } = await filled(t, newStore());
    await outbox.forget(numbered(0).Id);
    assert.equal(await outbox.retryAll({ state: 'refused' }), 3);
    assert.equal((await outbox.get(numbered(0).Id)).state, 'refused');
  });

  test('a wrong filter is an OptionError, and changes nothing', async (t) => {
    const { outbox, now } = await filled(t, newStore());
    for (const [filter, pointer] of [
      [undefined, ''],
      [null, ''],
      [{ status: 403 }, '/status'],
      [{ state: 'Refused' }, '/state'],
      [{ state: 'refused', states: ['refused'] }, '/states'],
      [{ states: 'refused' }, '/states'],
      [{ states: ['refused', 'no'] }, '/states'],
      [{ reason: 403 }, '/reason'],
      [{ reason: 'BadRequest' }, '/reason'],
      [{ since: '2026-01-01' }, '/since'],
      [{ since: new Date('no date') }, '/since'],
      [{ since: Number.POSITIVE_INFINITY }, '/since'],
      [{ since: 1e300 }, '/since'],
      [{ companyId: 1000 }, '/entityId'],
      [{ companyId: '1000', entityId: 2000 }, '/companyId'],
      [{ companyId: 1000, entityId: null }, '/entityId'],
      [{ receiptNumber: Number.NaN }, '/receiptNumber'],
    ]) {
      const error = await rejection(outbox.retryAll(filter));
      assert.deepEqual([error.name, error.option], ['OptionError', pointer], JSON.stringify(filter));
    }
    assert.deepEqual(await due(outbox, now), []);
  });
});
