/** Tests which orders a corrected order may replace (D54), and that none is lost or sent twice. */
import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { describe, test } from 'node:test';
import { PERSONAL, core, rejection, numbered } from './harness.mjs';
import { newStore, setUp } from './set-up.mjs';

const { Id } = numbered(1);
const corrected = (changes = {}) => numbered(1, { EntityId: 2001, Notes: 'corrected, at the violet door', ...changes });

const UNTOUCHED = {
  ...{ state: 'waiting', outcome: 'not-created', attempts: 0, reason: null, status: null, requestId: null },
  ...{ detail: null, issues: null, received: null, alreadyThere: false, settledAt: null, noticeAt: null },
};

/** Takes the waiting order, and writes a result as an attempt would. */
async function settleAs(store, settlement) {
  const { entries } = await store.take({ now: Date.now(), limit: 1, room: () => 1 });
  assert.ok(await store.settle(entries[0], { ...UNTOUCHED, attempts: 1, dueAt: Date.now(), ...settlement }));
}

/**
 * The history of an order before it is replaced.
 *
 * @type {Record<string, (setting: { outbox: any, store: any }) => Promise<unknown>>}
 */
const REPLACEABLE = {
  'was never sent': async () => {},
  'was cancelled': ({ outbox }) => outbox.cancel(Id),
  'has stalled without having been created': ({ store }) => store.sweep({ now: Date.now() + 1e12, createdBefore: 0 }),
  'was refused': ({ store }) => {
    const settlement = { state: 'refused', status: 400, reason: 'RejectedError', detail: 'no', issues: '[]' };
    return settleAs(store, { ...settlement, requestId: 'r', settledAt: Date.now(), noticeAt: Date.now() });
  },
  'waits for another attempt after a refusal that proves that it was not created': ({ store }) =>
    settleAs(store, { reason: 'RateLimitError', status: 429, dueAt: Date.now() + 1e9 }),
};

/** @type {typeof REPLACEABLE} */
const SENT = {
  'is created': ({ store }) => settleAs(store, { state: 'created', outcome: 'created', settledAt: Date.now() }),
  'may be created, and waits': ({ store }) => settleAs(store, { outcome: 'unknown', dueAt: Date.now() + 1e9 }),
  'may be created, and has stalled': ({ store }) =>
    settleAs(store, { state: 'stalled', outcome: 'unknown', settledAt: Date.now() }),
  'is being sent': ({ store }) => store.take({ now: Date.now(), limit: 1, room: () => 1 }),
};

describe('replace', () => {
  for (const [title, prepare] of Object.entries(REPLACEABLE)) {
    test(`an order that ${title} is replaced, and the corrected one is sent once`, async (t) => {
      const store = newStore();
      const { outbox, server, settled } = await setUp(t, { store });
      await outbox.add(numbered(0));
      await outbox.cancel(numbered(0).Id);
      await outbox.add(numbered(1));
      const before = await outbox.get(Id);
      await prepare({ outbox, store });
      const replaced = await outbox.replace(corrected(), { version: 'v2' });
      assert.deepEqual(replaced, { orderId: Id, state: 'waiting', isNew: true, issues: [] });
      const { body, deadlineAt, addedAt, nextAttemptAt, ...entry } = await outbox.get(Id);
      assert.equal(body, core.prepareRequest(corrected()).body);
      assert.ok(
        deadlineAt >= before.deadlineAt &&
          addedAt.getTime() === before.addedAt.getTime() &&
          nextAttemptAt <= new Date(),
      );
      assert.deepEqual(entry, {
        ...{ orderId: Id, version: 'v2', companyId: 1000, entityId: 2001, state: 'waiting', outcome: 'not-created' },
        ...{ attempts: 0, settledAt: null, reason: null, status: null, requestId: null, detail: null, issues: [] },
        ...{ reference: null, receiptNumber: null, alreadyThere: false, order: null, received: null },
        can: { retry: true, replace: true, cancel: true, forget: false },
      });
      outbox.start();
      assert.equal((await settled(Id)).state, 'created');
      assert.deepEqual(
        server.requests.map(({ url, body }) => [/v2/.test(url), body]),
        [[true, body]],
      );
    });
  }

  for (const [title, prepare] of Object.entries(SENT)) {
    test(`an order that ${title} is not replaced: the error has the entry, and does not print it`, async (t) => {
      const store = newStore();
      const { outbox, events } = await setUp(t, { store });
      await outbox.add(numbered(1));
      await prepare({ outbox, store });
      const before = await outbox.get(Id);
      const error = await rejection(outbox.replace(corrected()));
      assert.deepEqual([error.name, error.reason, error.orderId], ['OutboxError', 'wrong-state', Id]);
      assert.deepEqual(error.entry, before);
      assert.equal(Object.keys(error).includes('entry'), false);
      assert.doesNotMatch(`${inspect(error)} ${JSON.stringify(error)}`, PERSONAL);
      assert.deepEqual(await outbox.get(Id), before, 'unchanged');
      assert.equal(events.filter((event) => event.name === 'onAdd').length, 1);
    });
  }

  test('an order that is not in the outbox, and one with errors, are not accepted', async (t) => {
    const { outbox } = await setUp(t, { store: newStore() });
    const error = await rejection(outbox.replace(numbered(1)));
    assert.deepEqual([error.reason, error.orderId, error.entry], ['not-found', Id, null]);
    assert.equal(await outbox.get(Id), null);
    await outbox.add(numbered(1));
    const before = await outbox.get(Id);
    assert.equal((await rejection(outbox.replace(corrected({ Items: [] })))).name, 'OrderValidationError');
    assert.equal((await rejection(outbox.replace(corrected(), { version: 'v9' }))).name, 'OptionError');
    assert.deepEqual(await outbox.get(Id), before);
  });
});
