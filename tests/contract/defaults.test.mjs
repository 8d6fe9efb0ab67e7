/** Tests the defaults of the client on a fast clock: 60 s an attempt, 180 s in all, 3 retries, full jitter from 1 s to 20 s. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { clientOf } from '../client/clients.mjs';
import { answer, stallsBeforeHeaders, startFaultServer } from '../client/fault-server.mjs';
import { order, rejection } from './orders.mjs';

const servers = [];
after(() => Promise.all(servers.map((server) => server.close())));

async function setUp(always, options = {}) {
  const server = await startFaultServer();
  servers.push(server);
  server.playAlways(always);
  const errors = [];
  const retries = [];
  const hooks = { onError: (event) => errors.push(event), onRetry: (event) => retries.push(event) };
  return { server, errors, retries, client: clientOf(server.baseUrl, { hooks, ...options }) };
}

describe('defaults of the client', () => {
  test('an attempt may take 60 s', async () => {
    const { client, errors } = await setUp(stallsBeforeHeaders, { maxRetries: 0 });
    assert.equal((await rejection(client.createOrder(order()))).name, 'TimeoutError');
    const [{ durationMs }] = errors;
    assert.ok(durationMs >= 59_000 && durationMs < 170_000, String(durationMs));
  });

  test('all attempts together may take 180 s', async () => {
    const { client, errors } = await setUp(stallsBeforeHeaders);
    const error = await rejection(client.createOrder(order()));
    assert.equal(error.name, 'TimeoutError');
    const together = errors.reduce((sum, { durationMs }) => sum + durationMs, 0);
    assert.ok(errors.length === 3 || errors.length === 4, String(errors.length));
    assert.ok(together >= 150_000 && together < 300_000, String(together));
  });

  test('a failed attempt is repeated 3 times', async () => {
    const { client, server } = await setUp(answer(503));
    await rejection(client.createOrder(order()));
    assert.equal(server.requests.length, 4);
  });

  test('waits are random below 1 s, 2 s, 4 s …, never above 20 s', async () => {
    // The clock's random numbers are all 0.5.
    const { client, retries } = await setUp(answer(503), { maxRetries: 7 });
    await rejection(client.createOrder(order()));
    assert.deepEqual(
      retries.map(({ waitMs }) => waitMs),
      [500, 1000, 2000, 4000, 8000, 10_000, 10_000],
    );
  });

  test('501 is not repeated', async () => {
    const { client, server } = await setUp(answer(501));
    await rejection(client.createOrder(order()));
    assert.equal(server.requests.length, 1);
  });

  test('a batch starts with 4 requests at the same time, and grows to 8', async () => {
    const held = [];
    const patience = { timeoutMs: 1e9, totalTimeoutMs: 1e9 };
    const { client, server } = await setUp((exchange) => held.push(exchange), patience);
    const orders = Array.from({ length: 20 }, (_, n) =>
      order({ Id: `00000000-0000-4000-8000-${String(n + 1).padStart(12, '0')}` }),
    );
    const reading = (async () => {
      for await (const { ok } of client.createOrders(orders)) assert.ok(ok);
    })();
    /** Waits until `count` requests are held, and then long enough for one more to arrive. */
    const inFlight = async (count) => {
      while (held.length < count) await new Promise((tick) => setTimeout(tick, 5));
      await new Promise((tick) => setTimeout(tick, 100));
      assert.equal(held.length, count);
    };
    await inFlight(4);
    held.splice(0).forEach(answer(201));
    await inFlight(8);
    server.playAlways(answer(201));
    held.forEach(answer(201));
    await reading;
  });
});
