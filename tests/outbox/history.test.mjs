/** Tests the history of an order (D66), its reference (D67), and orders that are kept although they are invalid (D65). */
import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { describe, test } from 'node:test';
import { answer, creates } from '../client/fault-server.mjs';
import { PERSONAL, collected, rejection, numbered } from './harness.mjs';
import { newStore, setUp } from './set-up.mjs';

const { Id } = numbered(1);
const refuses = answer(400, '{"Message":"Xaviera may not ring at the violet door."}', {
  'content-type': 'application/json',
});
const busy = answer(429, '', { 'retry-after': '1' });

/** What of an event does not depend on the clock. */
const timeless = (events) => events.map(({ at: _, durationMs: __, ...event }) => event);
const invalidOrder = (changes = {}) => numbered(1, { Items: [], EntityId: 'Xaviera', ...changes });

describe('the history', () => {
  test('has a pause, a refusal, a correction and the creation in order, and who did what', async (t) => {
    const { outbox, settled, events, now } = await setUp(t, { store: newStore(), script: [busy, refuses, creates] });
    const startedAt = now();
    outbox.start();
    await outbox.add(numbered(1), { reference: 'cart 7' });
    await settled(Id);
    await outbox.replace(numbered(1, { Notes: 'corrected' }), { by: 'Kim' });
    const entry = await settled(Id);
    const history = await outbox.history(Id.toUpperCase());
    const [outcome, reason] = ['not-created', 'RejectedError'];
    assert.deepEqual(timeless(history), [
      { what: 'added' },
      { what: 'attempt', status: 429, outcome, reason: 'RateLimitError' },
      { what: 'attempt', status: 400, outcome, reason },
      { what: 'settled', outcome, reason },
      { what: 'replace', by: 'Kim' },
      { what: 'attempt', status: 201, outcome: 'created' },
      { what: 'settled', outcome: 'created' },
    ]);
    assert.ok(history.every(({ at }, n) => at.getTime() >= (n === 0 ? startedAt : history[n - 1].at.getTime())));
    assert.ok(history.every(({ what, durationMs }) => (what === 'attempt') === Number.isInteger(durationMs)));
    assert.equal(history.at(-1).at.getTime(), entry.settledAt.getTime());
    assert.equal(inspect(history, { depth: 9 }).match(PERSONAL), null);
    assert.doesNotMatch(JSON.stringify(events), /cart 7|Kim/);
    assert.deepEqual(await outbox.history('not an Id'), []);
  });

  test('has who retried, cancelled and forgot an order, and nothing from before it was forgotten', async (t) => {
    const { outbox } = await setUp(t, { store: newStore() });
    await outbox.add(numbered(1), { reference: 'cart 7' });
    await outbox.retry(Id, { by: 'Kim' });
    assert.equal(await outbox.retryAll({ reference: 'cart' }, { by: 'Robin' }), 1);
    await outbox.cancel(Id);
    const people = timeless(await outbox.history(Id));
    const retries = ['Kim', 'Robin'].map((by) => ({ what: 'retry', by }));
    assert.deepEqual(people, [{ what: 'added' }, ...retries, { what: 'cancel' }]);
    assert.equal((await rejection(outbox.retry(Id, { by: 'Kim' }))).reason, 'wrong-state');
    assert.equal((await outbox.forget(Id, { by: 'Kim' })).reference, null);
    assert.deepEqual(timeless(await outbox.history(Id)), [{ what: 'added' }, { what: 'forget', by: 'Kim' }]);
  });
});

describe('an invalid order', () => {
  test('is rejected by default, and kept if the caller asks: with its issues, never sent, for the handler', async (t) => {
    const handled = [];
    const setting = { store: newStore(), onSettled: (entry) => handled.push(entry) };
    const { outbox, server, until } = await setUp(t, setting);
    outbox.start();
    const rejected = await rejection(outbox.add(invalidOrder()));
    assert.equal(rejected.name, 'OrderValidationError');
    assert.equal(await outbox.get(Id), null);
    const added = await outbox.add(invalidOrder(), { invalid: 'keep', reference: 'cart 7' });
    assert.deepEqual(added, { orderId: Id, state: 'invalid', isNew: true, issues: rejected.issues });
    await until(() => handled.length > 0, 'the handler was called');
    const entry = await outbox.settled(Id);
    const { state, outcome, reason, companyId, entityId, reference, attempts, can } = entry;
    assert.deepEqual(
      [state, outcome, reason, companyId, entityId, reference, attempts],
      ['invalid', 'not-created', 'OrderValidationError', 1000, null, 'cart 7', 0],
    );
    assert.deepEqual(can, { retry: false, replace: true, cancel: false, forget: true });
    assert.deepEqual([entry.issues, JSON.parse(entry.body)], [rejected.issues, invalidOrder()]);
    const [settled] = timeless(await outbox.history(Id)).slice(1);
    assert.deepEqual(settled, { what: 'settled', outcome, reason });
    const { invalid, waiting, locations } = await outbox.counts();
    assert.deepEqual([invalid, waiting], [1, 0]);
    assert.deepEqual([locations[0].invalid, locations[0].companyId, locations[0].entityId], [1, 1000, null]);
    assert.equal((await collected(outbox.list({ state: 'invalid' }))).length, 1);
    assert.equal(await outbox.retryAll({}), 0);
    assert.deepEqual([server.requests.length, handled.length, handled[0].state], [0, 1, 'invalid']);
  });

  test('that is added again is the same entry, and a corrected one has to replace it', async (t) => {
    const { outbox, server, settled } = await setUp(t, { store: newStore(), script: [creates] });
    const keep = /** @type {const} */ ({ invalid: 'keep' });
    outbox.start();
    await outbox.add(invalidOrder(), keep);
    const again = await outbox.add(Object.fromEntries(Object.entries(invalidOrder()).reverse()), keep);
    assert.deepEqual([again.isNew, again.state], [false, 'invalid']);
    for (const other of [invalidOrder({ Notes: 'other' }), numbered(1)]) {
      const error = await rejection(outbox.add(other, keep));
      assert.equal(error.reason, 'duplicate');
      assert.match(error.message, /replace/);
      assert.equal(error.message.match(PERSONAL), null);
    }
    const still = await outbox.replace(invalidOrder({ CompanyId: null }), {
      ...keep,
      by: 'Kim',
      reference: 'cart 8',
    });
    assert.equal(still.state, 'invalid');
    const { companyId, reference, issues } = await outbox.get(Id);
    assert.deepEqual([companyId, reference, issues], [null, 'cart 8', still.issues]);
    assert.equal((await rejection(outbox.replace(invalidOrder()))).name, 'OrderValidationError');
    await outbox.replace(numbered(1), { by: 'Robin' });
    const created = await settled(Id);
    assert.deepEqual([created.state, created.reference, created.companyId], ['created', 'cart 8', 1000]);
    assert.equal(server.requests.length, 1);
    const events = timeless(await outbox.history(Id)).map(({ what, by = '' }) => `${what} ${by}`.trim());
    const expected = ['added', 'settled', 'replace Kim', 'replace Robin', 'attempt', 'settled'];
    assert.deepEqual(events, expected);
  });

  test('that may have been sent before can be corrected, and a 409 does not prove that it was not', async (t) => {
    const conflicts = answer(409, '{"Message":"Another order."}');
    const { outbox, until } = await setUp(t, { store: newStore(), script: [conflicts] });
    await outbox.add(invalidOrder(), { invalid: 'keep', earlierAttempts: 'unknown' });
    assert.equal((await outbox.get(Id)).can.replace, true);
    await outbox.replace(numbered(1));
    outbox.start();
    const entry = await until(async () => {
      const found = await outbox.get(Id);
      return found.status === 409 && found;
    }, 'the conflict');
    assert.deepEqual([entry.state, entry.outcome], ['waiting', 'unknown']);
  });

  test('is rejected if it cannot be stored: without an Id, or with a value that JSON cannot represent', async (t) => {
    const { outbox } = await setUp(t, { store: newStore() });
    const cycle = /** @type {any} */ ({});
    cycle.Notes = cycle;
    for (const changes of [{ Id: 'x' }, { Id: undefined }, { Notes: () => {} }, cycle, { CompanyId: Number.NaN }]) {
      const error = await rejection(outbox.add(invalidOrder(changes), { invalid: 'keep' }));
      assert.equal(error.name, 'OrderValidationError');
    }
    assert.deepEqual(await collected(outbox.list()), []);
  });
});

test('a reference is found by its beginning, and a created order by its receipt number', async (t) => {
  const created = ({ body, response }) =>
    answer(201, JSON.stringify({ ...JSON.parse(body), ReceiptNumber: '17' }))({ response });
  const { outbox, settled } = await setUp(t, { script: [created, creates] });
  await outbox.add(numbered(1), { reference: 'Cart 1042' });
  await outbox.add(numbered(2));
  outbox.start();
  const { receiptNumber } = await settled(Id);
  await settled(numbered(2).Id);
  assert.equal(receiptNumber, '17');
  const found = async (filter) => (await outbox.page(filter)).entries.map(({ orderId }) => orderId);
  assert.deepEqual(await found({ reference: 'Cart 10', states: ['created'] }), [Id]);
  assert.deepEqual(await found({ reference: 'art' }), []);
  for (const number of ['17', 17]) {
    assert.deepEqual(await found({ receiptNumber: number }), [Id]);
  }
});

test('references and names of people that lists could not show are an OptionError', async (t) => {
  const { outbox } = await setUp(t);
  await outbox.add(numbered(2), { reference: `${'🙂'.repeat(100)}` });
  const wrong = ['', 'a\nb', 'x'.repeat(101), '\ud800', 7, null];
  for (const reference of /** @type {any[]} */ (wrong)) {
    for (const call of [outbox.add(numbered(1), { reference }), outbox.page({ reference })]) {
      assert.equal((await rejection(call)).option, '/reference', inspect(reference));
    }
  }
  for (const by of /** @type {any[]} */ (['', 'a\tb', 7, 'x'.repeat(201)])) {
    const calls = ['retry', 'cancel', 'forget'].map((action) => outbox[action](numbered(2).Id, { by }));
    for (const call of [...calls, outbox.retryAll({}, { by }), outbox.replace(numbered(2), { by })]) {
      assert.equal((await rejection(call)).option, '/by', inspect(by));
    }
  }
  assert.equal((await rejection(outbox.add(numbered(1), /** @type {any} */ ({ by: 'Kim' })))).option, '/by');
  assert.equal((await rejection(outbox.add(numbered(1), /** @type {any} */ ({ invalid: true })))).option, '/invalid');
});
