/** relay: what the package's client and outbox make of its responses. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freePort } from '../../../scripts/ports.mjs';
import { installed } from '../../node/installed.mjs';
import { createOutbox } from '../../outbox/harness.mjs';
import { memoryStore } from '../../outbox/memory-store.mjs';
import { numbered } from '../orders.mjs';
import { NOBODY, serviceOf, start, until } from '../program.mjs';
import { relayed, settled } from './relays.mjs';

const { client } = await installed();
const clientOf = (relay, options) => client.createClient({ baseUrl: relay.url, token: 'any', ...options });

test('an order whose first acceptance is lost is accepted', async (t) => {
  const relay = await relayed(t, { baseUrl: NOBODY });
  let requests = 0;
  /** @type {typeof fetch} */
  const losing = async (url, init) => {
    const response = await fetch(url, init);
    if (++requests > 1) return response;
    await response.text();
    throw new TypeError('fetch failed');
  };
  const sender = clientOf(relay, { fetch: losing, retry: { baseMs: 1 } });
  for (const attempts of [2, 1]) {
    const created = await sender.createOrder(numbered(0));
    assert.deepEqual([created.status, created.attempts, created.order], [200, attempts, null]);
    assert.equal(created.delivery?.href, `${relay.url}/orders/${numbered(0).Id}`);
    assert.equal(created.alreadyThere, false);
  }
});

test('an order that the service has created without a body is created, and not accepted again', async (t) => {
  const service = await serviceOf(t, () => ({ status: 204, body: '' }));
  const relay = await relayed(t, service);
  const sender = clientOf(relay, { maxRetries: 0 });
  assert.equal((await sender.createOrder(numbered(0))).status, 202);
  assert.equal((await settled(relay)).state, 'created');
  const { status, order, delivery } = await sender.createOrder(numbered(0));
  assert.deepEqual([status, order, delivery], [204, null, null]);
});

test('an outbox that sends to a relay waits while the service is down, and has every order created afterwards', async (t) => {
  const port = await freePort();
  const relay = await relayed(t, { baseUrl: `http://127.0.0.1:${port}`, token: 'kept' });
  /** @type {any[]} */
  const [gates, results] = [[], []];
  const outbox = createOutbox({
    client: clientOf(relay, { maxRetries: 0 }),
    store: memoryStore(),
    retry: { baseMs: 20, capMs: 200 },
    hooks: { onGate: (event) => gates.push(event), onResult: (event) => results.push(event) },
  });
  t.after(() => outbox.stop({ timeoutMs: 0 }));
  outbox.start();
  const orders = Array.from({ length: 5 }, (_, n) => numbered(n));
  for (const order of orders) await outbox.add(order);
  await until(() => results.filter(({ status }) => status === 200).length >= 10, 'each order to be sent again');
  assert.ok(results.every(({ state, reason }) => state === 'waiting' && reason === 'AcceptedByRelay'));
  const service = start(['serve', '--port', String(port), '--token', 'kept']);
  t.after(() => service.kill('SIGKILL'));
  for (const { Id } of orders) {
    const { state, order } = await outbox.settled(Id, { timeoutMs: 30_000 });
    assert.deepEqual([state, order?.Id], ['created', Id]);
  }
  assert.deepEqual(gates, []);
});
