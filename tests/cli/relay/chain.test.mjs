/** relay: what an outbox, or another relay, makes of an order that a relay does not deliver. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installed } from '../../node/installed.mjs';
import { createOutbox } from '../../outbox/harness.mjs';
import { memoryStore } from '../../outbox/memory-store.mjs';
import { numbered } from '../orders.mjs';
import { NOBODY, folderOf, run, serviceOf } from '../program.mjs';
import { ask, logOf, put, relayed, settled } from './relays.mjs';

const { client } = await installed();
const bad = numbered(50, { Notes: 'REFUSE' });

/** A service that creates orders, and responds otherwise to the bad one. */
function serviceBut(t, refuse) {
  let count = 0;
  return serviceOf(t, ({ body }) => (body.includes('REFUSE') ? refuse(++count) : { status: 201, body }));
}

/** An outbox that sends to a relay, and the gates that closed. */
function outboxTo(t, relay) {
  /** @type {any[]} */
  const gates = [];
  const outbox = createOutbox({
    client: client.createClient({ baseUrl: relay.url, token: 'any', maxRetries: 0 }),
    store: memoryStore(),
    retry: { baseMs: 20, capMs: 200 },
    hooks: { onGate: (event) => gates.push(event) },
  });
  t.after(() => outbox.stop({ timeoutMs: 0 }));
  return { outbox: outbox.start(), gates };
}

test('an order that the service refuses is refused at each relay and in the outbox before it, and holds up no other', async (t) => {
  const service = await serviceBut(t, () => ({ status: 422, body: '{"Message":"No such product"}' }));
  const second = await relayed(t, service);
  const first = await relayed(t, { baseUrl: second.url });
  const { outbox, gates } = outboxTo(t, first);
  await outbox.add(numbered(0));
  assert.equal((await outbox.settled(numbered(0).Id, { timeoutMs: 60_000 }))?.state, 'created');
  await outbox.add(bad);
  const others = [1, 2, 3, 4, 5].map((n) => numbered(n));
  for (const order of others) await outbox.add(order);
  for (const { Id } of others) {
    assert.equal((await outbox.settled(Id, { timeoutMs: 60_000 }))?.state, 'created');
  }
  const ofRelays = [await settled(second, bad), await settled(first, bad)];
  const refusals = [...ofRelays, await outbox.settled(bad.Id, { timeoutMs: 60_000 })];
  for (const relay of [first, second]) {
    assert.equal((await ask(relay, '/ready')).status, 204);
    assert.deepEqual(logOf(relay.child, 'gate'), []);
  }
  assert.deepEqual(gates, []);
  for (const entry of refusals) {
    const { state, outcome, reason, status, detail } = entry ?? {};
    assert.deepEqual(
      [state, outcome, reason, status, detail],
      ['refused', 'not-created', 'RejectedError', 422, 'No such product'],
    );
  }
});

test('an order that has stalled at a relay stalls in the outbox before it, and holds up no other', async (t) => {
  const service = await serviceBut(t, (count) => ({ status: count === 1 ? 500 : 422, body: '{"Message":"no"}' }));
  const relay = await relayed(t, service);
  const { outbox, gates } = outboxTo(t, relay);
  await outbox.add(bad);
  await outbox.add(numbered(1));
  const entry = await outbox.settled(bad.Id, { timeoutMs: 60_000 });
  assert.deepEqual([entry?.state, entry?.outcome], ['stalled', 'unknown']);
  assert.equal((await outbox.settled(numbered(1).Id, { timeoutMs: 60_000 }))?.state, 'created');
  assert.deepEqual(gates, []);
});

test('an order that was cancelled at a relay is cancelled in the outbox before it, and not created', async (t) => {
  const file = `${folderOf(t)}/relay.sqlite`;
  const before = await relayed(t, { baseUrl: NOBODY, outbox: file });
  await put(before, bad);
  before.child.kill('SIGTERM');
  await before.child.ended;
  assert.equal((await run(['outbox', file, 'cancel', bad.Id])).code, 0);
  const relay = await relayed(t, { baseUrl: NOBODY, outbox: file });
  const { outbox, gates } = outboxTo(t, relay);
  await outbox.add(bad);
  const entry = await outbox.settled(bad.Id, { timeoutMs: 60_000 });
  assert.deepEqual([entry?.state, entry?.outcome], ['cancelled', 'not-created']);
  assert.deepEqual(gates, []);
});
