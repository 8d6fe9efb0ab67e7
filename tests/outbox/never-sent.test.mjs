/** Tests that an order of which nothing was sent stays one that was never sent: no attempt counts, and a person may cancel it (D31). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numbered } from './harness.mjs';
import { newStore, setUp } from './set-up.mjs';

const order = numbered(0);
const fails = () => {
  throw new Error('no signing key');
};
const never = () => new Promise(() => {});

/** A connection that fails with this code of Node before anything is sent. */
const cannotConnect = (code) => ({
  fetch: () => Promise.reject(new TypeError('fetch failed', { cause: { code, syscall: 'connect' } })),
});

/** The clients that send nothing, with the reason and the detail of the entry. */
const NO_HEADERS = 'headers function failed';
const UNTRUSTED = 'DEPTH_ZERO_SELF_SIGNED_CERT';
const CLIENTS = /** @type {[string, object, string, string | null][]} */ ([
  ['a function of headers that throws', { headers: fails }, 'ConnectionError', NO_HEADERS],
  ['headers that are none', { headers: () => ({ 'X-A': 'a\nb' }) }, 'ConnectionError', NO_HEADERS],
  ['a token function that throws', { token: fails }, 'AuthenticationError', null],
  ['a token that is later than tokenTimeoutMs', { token: never, tokenTimeoutMs: 20 }, 'AuthenticationError', null],
  ['a token that is later than totalTimeoutMs', { token: never, totalTimeoutMs: 20 }, 'AuthenticationError', null],
  ['a refused connection', cannotConnect('ECONNREFUSED'), 'ConnectionError', 'connection refused (ECONNREFUSED)'],
  ['an untrusted certificate', cannotConnect(UNTRUSTED), 'ConnectionError', `certificate not trusted (${UNTRUSTED})`],
]);

for (const [what, client, reason, detail] of CLIENTS) {
  test(`${what}: no attempt counts, and the order can be replaced and cancelled`, async (t) => {
    const { outbox, server, events, until } = await setUp(t, { client, store: newStore() });
    outbox.start();
    await outbox.add(order);
    const results = () => events.filter((event) => event.name === 'onResult');
    await until(() => results().length >= 3, 'three results');
    for (const { state, outcome, attempts, reason: its, failure } of results())
      assert.deepEqual([state, outcome, attempts, its, failure], ['waiting', 'not-created', 0, reason, detail]);
    const entry = await until(async () => {
      const found = await outbox.get(order.Id);
      return found.state === 'waiting' && found;
    });
    assert.deepEqual([entry.outcome, entry.attempts, entry.detail], ['not-created', 0, detail]);
    assert.deepEqual([entry.can.cancel, entry.can.replace], [true, true]);
    assert.equal(server.requests.length, 0);
  });

  test(`${what}, until the deadline: the order has stalled, and can be cancelled`, async (t) => {
    const { outbox, settled } = await setUp(t, { client, store: newStore(), deadlineMs: 300 });
    outbox.start();
    await outbox.add(order);
    const { state, reason: its, outcome, attempts, can } = await settled(order.Id);
    assert.deepEqual([state, its, outcome, attempts], ['stalled', 'Deadline', 'not-created', 0]);
    assert.deepEqual([can.cancel, can.replace], [true, true]);
  });
}

test('an order that a stop interrupts while it waits for a token was not sent', async (t) => {
  let isAsked = false;
  const token = () => {
    isAsked = true;
    return never();
  };
  const { outbox, store, until, advance } = await setUp(t, { client: { token }, store: newStore() });
  outbox.start();
  await outbox.add(order);
  await until(() => isAsked, 'the token function is called');
  const stopping = outbox.stop({ timeoutMs: 0 });
  await advance(0);
  await stopping;
  const { state, outcome, attempts } = await store.get(order.Id);
  assert.deepEqual([state, outcome, attempts], ['waiting', 'not-created', 0]);
});

test('an order is sent once its function of headers works again', async (t) => {
  let calls = 0;
  const headers = () => (++calls < 4 ? fails() : {});
  const { outbox, settled } = await setUp(t, { client: { headers }, store: newStore() });
  outbox.start();
  await outbox.add(order);
  const { state, attempts } = await settled(order.Id);
  assert.deepEqual([state, attempts, calls], ['created', 1, 4]);
});

test('headers that fail for one order hold up no other', async (t) => {
  const headers = ({ orderId }) => (orderId === order.Id ? fails() : {});
  const { outbox, settled, events } = await setUp(t, { client: { headers }, store: newStore() });
  outbox.start();
  await outbox.add(order);
  for (let n = 1; n <= 12; n++) {
    await outbox.add(numbered(n));
    assert.equal((await settled(numbered(n).Id)).state, 'created');
  }
  assert.deepEqual(
    events.filter((event) => event.name === 'onGate'),
    [],
  );
  assert.equal((await outbox.get(order.Id)).outcome, 'not-created');
});

test('headers that fail for every order close the gate', async (t) => {
  const { outbox, events, until } = await setUp(t, { client: { headers: fails }, store: newStore() });
  outbox.start();
  for (let n = 0; n < 12; n++) await outbox.add(numbered(n, { EntityId: 2000 + (n % 2) }));
  const closed = await until(() => events.find(({ name: hook, scope }) => hook === 'onGate' && scope === 'service'));
  assert.deepEqual([closed.pause.cause, closed.pause.failure], ['failures', 'headers function failed']);
});

test('a client that throws a value that can not be read: the order waits, and the outcome is unknown', async (t) => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const wrap = () => ({ createOrder: () => Promise.reject(proxy) });
  const { outbox, events, until } = await setUp(t, { wrap });
  outbox.start();
  await outbox.add(order);
  await until(() => events.filter(({ name }) => name === 'onResult').length >= 2, 'two results');
  const result = events.find(({ name }) => name === 'onResult');
  assert.deepEqual([result.state, result.outcome, result.reason], ['waiting', 'unknown', 'Error']);
  assert.ok(events.some(({ name, operation }) => name === 'onError' && operation === 'send'));
});

test('an option that the client rejects before it sends anything counts no attempt', async (t) => {
  const wrap = (inner) => ({ createOrder: (request) => inner.createOrder(request, { maxRetries: -1 }) });
  const { outbox, events, until } = await setUp(t, { wrap });
  outbox.start();
  await outbox.add(order);
  await until(() => events.filter(({ name }) => name === 'onResult').length >= 2, 'two results');
  const { state, outcome, attempts, reason } = events.find(({ name }) => name === 'onResult');
  assert.deepEqual([state, outcome, attempts, reason], ['waiting', 'not-created', 0, 'OptionError']);
});
