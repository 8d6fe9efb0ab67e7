/** Tests that a location that always fails does not slow down the others, in simulated time. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numbered } from './harness.mjs';
import { newStore, setUp } from './set-up.mjs';

const ORDERS = 300;
const WARM = 50;
const RESPONSE_MS = 10;
const BETWEEN_MS = 4;
const ALLOWED = 1.5;

/**
 * Returns the 99th percentile of the milliseconds from `add` to the result, for orders of the locations without faults.
 *
 * @param {import('node:test').TestContext} t
 * @param {() => Response | Promise<Response>} [fault] What location 1 responds.
 */
async function p99(t, fault) {
  let clock;
  const fetch = async (_, { body }) => {
    await new Promise((resolve) => clock.after(RESPONSE_MS, () => resolve(undefined)));
    return fault && JSON.parse(body).EntityId === 1 ? fault() : new Response(body, { status: 201 });
  };
  const { outbox, events, advance, platform } = await setUp(t, { store: newStore(), client: { fetch } });
  clock = platform;
  outbox.start();
  const ages = () =>
    events.filter(({ name, entityId }) => name === 'onResult' && entityId !== 1).map(({ ageMs }) => ageMs);
  // Waits until the ramp at the start is over.
  for (let n = 0; n < WARM; n++) await outbox.add(numbered(10_000 + n, { EntityId: 2 }));
  while (ages().length < WARM) await advance(RESPONSE_MS);
  for (let n = 0; n < ORDERS; n++) {
    await Promise.all([
      outbox.add(numbered(2 * n, { EntityId: 1 })),
      outbox.add(numbered(2 * n + 1, { EntityId: 2 + (n % 3) })),
    ]);
    await advance(BETWEEN_MS);
  }
  for (let n = 0; n < ORDERS && ages().length < WARM + ORDERS; n++) await advance(BETWEEN_MS);
  const sorted = ages()
    .slice(WARM)
    .sort((a, b) => a - b);
  assert.equal(sorted.length, ORDERS, 'all others created');
  return sorted[Math.floor(0.99 * ORDERS)];
}

let quiet = 0;
/** @type {[string, () => Response | Promise<Response>][]} */
const faults = [
  ['answers 503', () => new Response(null, { status: 503 })],
  ['asks for an hour', () => new Response(null, { status: 429, headers: { 'Retry-After': '3600' } })],
  ['answers 500', () => new Response(null, { status: 500 })],
  ['never answers', () => new Promise(() => {})],
];
for (const [what, fault] of faults) {
  test(`while one location ${what}, the others' p99 stays within ${ALLOWED} × of a quiet run`, async (t) => {
    quiet ||= await p99(t);
    const disturbed = await p99(t, fault);
    t.diagnostic(`${quiet} and ${disturbed} ms`);
    assert.ok(disturbed <= ALLOWED * quiet, `${quiet} and ${disturbed} ms`);
  });
}
