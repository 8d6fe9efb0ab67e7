/** Tests how `send` of the command line ends if the responses to one order are suspect, in simulated time (D51). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from './checker.mjs';
import { system } from './sources.mjs';
import { simulateJournal } from './worlds/journal.mjs';

const MINUTE = 60_000;
const ORDER = { atMs: 0, location: 1, nature: 'good', isThere: 'no', via: 'add', changes: [] };
/** With this seed, the first token is a good one. */
const PLAN = {
  ...{ world: 'send of the command line', store: 'sqlite', workers: 1, seed: 3, concurrency: 1 },
  ...{ retry: { baseMs: 1000, capMs: MINUTE }, timeoutMs: MINUTE, hasReplays: true, hasEmptyBodies: false },
  ...{ outages: [], ends: [], jumps: [], rotations: [], restores: [], troubles: [], corrections: [] },
  patienceMs: 60 * MINUTE,
};

test('it ends a minute after the last creation if only a suspect order is left, which waits', async () => {
  const orders = [{ ...ORDER, nature: 'empty 404' }, ...Array.from({ length: 10 }, () => ORDER)];
  const run = await simulateJournal({ ...PLAN, orders }, await system());
  assert.deepEqual(check(run), []);
  const first = run.history.filter(({ process }) => process === '0.1');
  const created = first.filter(({ what, state }) => what === 'sent' && state === 'created');
  assert.equal(created.length, 10);
  const { at, ending } = first.find(({ what }) => what === 'stopped');
  assert.equal(ending, 'suspect');
  const ms = at - created.at(-1).at;
  assert.ok(ms >= MINUTE && ms < 2 * MINUTE, `${ms} ms after the last creation`);
  const its = run.history.filter(({ orderId, what }) => orderId === run.orders[0].orderId && what === 'sent');
  assert.deepEqual(its, []);
});

test('the pause that the service asked for ends when an order gets another response', async () => {
  const outage = { fromMs: 0, ms: 2 * MINUTE, location: null, mode: 'status 503', retryAfterS: 600, share: 1 };
  const orders = [{ ...ORDER, isThere: 'other' }, ORDER];
  const run = await simulateJournal({ ...PLAN, patienceMs: undefined, orders, outages: [outage] }, await system());
  assert.deepEqual(check(run), []);
  const asked = run.history.filter(({ asked: pause }) => pause);
  // The order that is tried after a minute gets a longer pause.
  assert.equal(asked.length, 2);
  const first = run.history.find(({ what, status }) => what === 'response' && status < 500);
  assert.ok(first.at < asked[1].at + 600_000, `${first.at} ms`);
});
