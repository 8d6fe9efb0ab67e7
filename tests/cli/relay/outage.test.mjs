/** relay: the service is down, the store fails, the relay is killed or stopped. */
import assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import { connect } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { freePort } from '../../../scripts/ports.mjs';
import { numbered } from '../orders.mjs';
import { NOBODY, printed, serviceOf, start, until } from '../program.mjs';
import { served } from '../served.mjs';
import { ask, listed, logOf, put, relayed, settled } from './relays.mjs';

const GUID = numbered(0).Id;

test('while the service is down orders are accepted; when it is up they are delivered', async (t) => {
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const relay = await relayed(t, { baseUrl, token: 'kept' });
  for (let n = 0; n < 20; n++) assert.equal((await put(relay, numbered(n))).status, 202);
  await until(() => logOf(relay.child, 'gate').some(({ isOpen }) => !isOpen), 'the gate to close');
  const held = await ask(relay, '/ready');
  assert.deepEqual([held.status, held.json.pause.cause, held.json.pause.companyId], [200, 'unreachable', null]);
  const failure = 'connection refused (ECONNREFUSED)';
  assert.equal(held.json.pause.failure, failure);
  assert.equal(logOf(relay.child, 'attempt')[0].failure, failure);
  assert.equal(logOf(relay.child, 'gate')[0].pause.failure, failure);
  const service = start(['serve', '--port', String(port), '--token', 'kept']);
  t.after(() => service.kill('SIGKILL'));
  for (let n = 0; n < 20; n++) assert.equal((await settled(relay, numbered(n))).state, 'created');
  assert.equal((await ask(relay, '/ready')).status, 204);
});

test('a refused token holds deliveries back; /ready and the log name it, and say what to do about it', async (t) => {
  const service = await served();
  t.after(() => service.child.kill('SIGKILL'));
  const relay = await relayed(t, { baseUrl: service.baseUrl, token: 'wrong' });
  assert.equal((await put(relay)).status, 202);
  await until(() => logOf(relay.child, 'gate').length > 0, 'the gate to close');
  const { status, json } = await ask(relay, '/ready');
  assert.deepEqual([status, json.status, json.pause.cause, json.pause.status], [200, 'ready', 'token', 401]);
  for (const { meaning, remedy } of [json.pause, logOf(relay.child, 'gate')[0].pause, logOf(relay.child, 'attempt')[0]])
    assert.deepEqual([/token/.test(meaning), /^Renew the token/.test(remedy)], [true, true]);
  const { text } = await ask(relay, '/metrics');
  assert.match(text, /^sales_order_relay_paused\{cause="token"\} 1$/m);
});

test('a service that asks for a pause holds deliveries to its location back, and /ready and /metrics say so', async (t) => {
  let isBusy = true;
  const { baseUrl } = await serviceOf(t, () =>
    isBusy ? { status: 503, headers: { 'Retry-After': '1' } } : { status: 201 },
  );
  const relay = await relayed(t, { baseUrl });
  assert.equal((await put(relay)).status, 202);
  await until(() => logOf(relay.child, 'gate').length > 0, 'the gate of the location to close');
  assert.equal(logOf(relay.child, 'gate')[0].scope, 'location');
  const { status, json } = await ask(relay, '/ready');
  const { CompanyId, EntityId } = numbered(0);
  assert.deepEqual(
    [status, json.pause.cause, json.pause.status, json.pause.companyId, json.pause.entityId],
    [200, 'retry-after', 503, CompanyId, EntityId],
  );
  assert.match((await ask(relay, '/metrics')).text, /^sales_order_relay_paused\{cause="retry-after"\} 1$/m);
  isBusy = false;
  assert.equal((await settled(relay)).state, 'created');
  assert.equal((await ask(relay, '/ready')).status, 204);
  assert.match((await ask(relay, '/metrics')).text, /^sales_order_relay_paused\{cause=""\} 0$/m);
});

test('after SIGKILL every order that was accepted is there and is created once', async (t) => {
  const service = await served(['--fault', 'latency=20=1', '--fault', 'drop-after=0.1', '--fault', '503=0.1']);
  t.after(() => service.child.kill('SIGKILL'));
  let relay = await relayed(t, service);
  const accepted = new Set();
  for (let round = 0; round < 3; round++) {
    const killed = relay.child;
    let isKilled = false;
    const putting = Array.from({ length: 8 }, async (_, lane) => {
      for (let n = 0; !isKilled && n < 100; n++) {
        const number = round * 1000 + lane * 100 + n;
        const { status } = await put(relay, numbered(number)).catch(() => ({ status: 0 }));
        if (status === 202) accepted.add(number);
      }
    });
    await until(() => accepted.size >= 30 * (round + 1), 'orders to be accepted');
    killed.kill('SIGKILL');
    isKilled = true;
    await Promise.all([...putting, killed.ended]);
    relay = await relayed(t, { ...service, outbox: relay.file });
  }
  for (const number of accepted) assert.equal((await settled(relay, numbered(number))).state, 'created');
  const orders = await listed(relay);
  // A response may have been lost after its order was durable.
  assert.ok(orders.length >= accepted.size);
  assert.equal(new Set(orders.map(({ orderId }) => orderId)).size, orders.length);
});

for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT'])) {
  test(`${signal} stops accepting, lets the running attempt settle, and ends with 0`, async (t) => {
    const { promise: isReleased, resolve: release } = Promise.withResolvers();
    const service = await serviceOf(t, async () => {
      await isReleased;
      return { status: 201 };
    });
    const relay = await relayed(t, service);
    await put(relay);
    await until(() => service.paths.length === 1, 'the attempt');
    const waiting = ask(relay, `/orders/${GUID}`, { headers: { Prefer: 'wait=60' } });
    await until(async () => (await ask(relay, '/metrics')).text.includes('route="metrics"'), 'a second request');
    relay.child.kill(signal);
    await printed(relay.child, 'err', /^Stopping: waiting for the orders in flight\./m);
    // Who waits gets the state as it is.
    assert.equal((await waiting).json.state, 'sending');
    await assert.rejects(ask(relay, '/ready'), { message: 'fetch failed' });
    assert.equal(relay.child.exitCode, null);
    release(undefined);
    assert.equal((await relay.child.ended).code, 0);
    assert.deepEqual(
      logOf(relay.child, 'attempt').map(({ orderId, state }) => [orderId, state]),
      [[GUID, 'created']],
    );
    const again = await relayed(t, { ...service, outbox: relay.file });
    assert.equal((await settled(again)).state, 'created');
    assert.equal(service.paths.length, 1);
  });
}

test('a second Ctrl-C ends the relay at once, with exit code 5', async (t) => {
  const { promise, resolve: release } = Promise.withResolvers();
  const service = await serviceOf(t, () => promise);
  const relay = await relayed(t, service);
  await put(relay);
  await until(() => service.paths.length === 1, 'the attempt');
  relay.child.kill('SIGINT');
  await printed(relay.child, 'err', /^Stopping: waiting for the orders in flight\./m);
  relay.child.kill('SIGINT');
  assert.equal((await relay.child.ended).code, 5);
  release({ status: 201 });
});

test('a sender that stalls does not hold up the end', async (t) => {
  const relay = await relayed(t, { baseUrl: NOBODY });
  const socket = connect(Number(new URL(relay.url).port), '127.0.0.1');
  socket.on('error', () => {});
  t.after(() => socket.destroy());
  socket.write(`PUT /v3/ServiceOrder(${GUID}) HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n`);
  socket.write('Content-Type: application/json\r\n\r\n{');
  await until(async () => (await ask(relay, '/ready')).status === 204, 'the relay');
  relay.child.kill('SIGTERM');
  assert.equal((await relay.child.ended).code, 0);
});

test('while another program locks its file, the relay says so', async (t) => {
  const relay = await relayed(t, { baseUrl: NOBODY });
  const database = new DatabaseSync(relay.file);
  t.after(() => database.close());
  // The relay itself may be writing.
  database.exec('PRAGMA busy_timeout = 10000; BEGIN IMMEDIATE');
  const { status, json } = await ask(relay, '/ready');
  const detail = 'No order can be stored: another process has locked the file (SQLITE_5).';
  assert.deepEqual([status, json?.detail], [503, detail]);
});

test('without its file the relay accepts nothing, and is not ready', async (t) => {
  const relay = await relayed(t, { baseUrl: NOBODY });
  assert.equal((await put(relay)).status, 202);
  assert.equal((await ask(relay, '/ready')).status % 100, (await ask(relay, '/ready')).status - 200);
  renameSync(relay.file, `${relay.file}.away`);
  const { status, headers, json } = await put(relay, numbered(1));
  assert.deepEqual([status, json.type], [503, 'urn:sales-order-intake:problem:unavailable']);
  assert.equal(headers.get('retry-after'), '1');
  await until(async () => (await ask(relay, '/ready')).status === 503, '/ready to notice');
  const { json: reason } = await ask(relay, '/ready');
  assert.equal(reason.detail, 'No order can be stored: the store failed.');
  renameSync(`${relay.file}.away`, relay.file);
  await until(async () => (await ask(relay, '/ready')).status < 300, '/ready to notice');
  assert.equal((await put(relay, numbered(1))).status, 202);
});
