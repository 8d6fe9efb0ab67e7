/** Tests that a pause may end between any two looks at the clock. A timer of Node fires up to a millisecond early. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { handClock } from '../hand-clock.mjs';
import { clientOf, collected, manyOrders } from './clients.mjs';

/** How long a look takes, and how early timers fire, in milliseconds: so that the pause ends between any two looks. */
const LOOK_MS = 0.01;
const EARLY_MS = Array.from({ length: 50 }, (_, looks) => (looks + 0.5) * LOOK_MS);

/** Sends orders whose second response asks for a pause. */
async function sent(earlyMs, send) {
  const clock = handClock();
  let looked = 0;
  const now = () => clock.platform.now() + (looked += LOOK_MS);
  const platform = { ...clock.platform, now, after: (ms, callback) => clock.platform.after(ms - earlyMs, callback) };
  let requests = 0;
  const fetch = async () => {
    if (++requests === 2) return new Response(null, { status: 429, headers: { 'Retry-After': '1' } });
    return new Response(null, { status: requests === 1 ? 503 : 201, headers: { 'Content-Length': '0' } });
  };
  const retry = { baseMs: 0, capMs: 0 };
  const sending = send(clientOf('https://intake.test', { fetch, retry }, platform));
  let isOver = false;
  sending.finally(() => (isOver = true)).catch(() => {});
  await clock.settle();
  while (!isOver && (await clock.next()));
  return sending;
}

test('an order is sent again after a pause that ends while the client looks at the clock', async () => {
  for (const earlyMs of EARLY_MS) {
    const { attempts } = await sent(earlyMs, (client) => client.createOrder([...manyOrders(1)][0]));
    assert.equal(attempts, 3, `${earlyMs} ms early`);
  }
});

test('so are the orders of a batch', async () => {
  for (const earlyMs of EARLY_MS) {
    const results = await sent(earlyMs, (client) => collected(client.createOrders(manyOrders(3), { concurrency: 2 })));
    assert.ok(
      results.every(({ ok }) => ok),
      `${earlyMs} ms early`,
    );
  }
});
