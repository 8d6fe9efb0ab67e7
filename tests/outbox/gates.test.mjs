/** Tests when deliveries pause, for a location and for the service, and how they resume. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answer, creates, stallsBeforeHeaders, startFaultServer } from '../client/fault-server.mjs';
import { clientOf, numbered, until } from './harness.mjs';
import { STORES, setUp } from './set-up.mjs';

for (const [name, newStore] of Object.entries(STORES)) {
  describe(`gates on ${name}`, () => {
    test('a failing location delays only its own orders', async (t) => {
      const { outbox, settled, server, events } = await setUp(t, { store: newStore() });
      server.playAlways((exchange) =>
        JSON.parse(exchange.body).EntityId === 1
          ? answer(429, '', { 'Retry-After': '3600' })(exchange)
          : creates(exchange),
      );
      for (let n = 0; n < 40; n++) await outbox.add(numbered(n, { EntityId: n % 2 === 0 ? 2 : 1 }));
      outbox.start();
      for (let n = 0; n < 40; n += 2) await settled(numbered(n).Id);
      const sent = server.requests.filter(({ body }) => JSON.parse(body).EntityId === 1);
      assert.ok(sent.length <= 8, `${sent.length} attempts at the failing location`);
      const closed = events.filter(({ name, isOpen }) => name === 'onGate' && !isOpen);
      assert.deepEqual(
        closed.map(({ scope, entityId }) => [scope, entityId]),
        [['location', 1]],
      );
      const { locations, isPaused } = await outbox.counts();
      assert.equal(isPaused, false);
      assert.deepEqual(
        locations.map(({ entityId, waiting, isPaused }) => [entityId, waiting, isPaused]),
        [[1, 20, true]],
      );
    });

    test('a rejected token pauses all orders: one request for a new token, one probe, no counted attempt', async (t) => {
      const asked = [];
      let isGood = false;
      const token = ({ rejected }) => {
        asked.push(rejected);
        return isGood ? 'good' : `bad-${asked.length}`;
      };
      const { outbox, server, events } = await setUp(t, {
        client: { token },
        concurrency: 64,
        store: newStore(),
        retry: { baseMs: 500, capMs: 500 },
      });
      server.playAlways((exchange) =>
        exchange.headers.authorization === 'Bearer good' ? creates(exchange) : answer(401)(exchange),
      );
      for (let n = 0; n < 1000; n++) await outbox.add(numbered(n, { EntityId: 1 + (n % 10) }));
      outbox.start();
      await until(() => events.some(({ name, isOpen }) => name === 'onGate' && !isOpen), 'closed');
      assert.equal(asked.filter(Boolean).length, 1, 'one request for a new token');
      assert.equal(server.requests.length, 2);
      await until(async () => (await outbox.counts()).sending === 0, 'the result written');
      for await (const { attempts, state } of outbox.list()) assert.deepEqual([attempts, state], [0, 'waiting']);
      isGood = true;
      await until(async () => (await outbox.counts()).created === 1000, 'created');
      assert.equal(server.orders.size, 1000);
    });

    test('1,000 orders in flight whose token is rejected request one new token', async (t) => {
      const asked = [];
      const token = ({ rejected }) => {
        asked.push(rejected);
        return `token-${asked.length}`;
      };
      const { outbox, server } = await setUp(t, {
        ...{ client: { token }, concurrency: 1000, concurrencyPerLocation: 1000, store: newStore() },
      });
      let refused = 0;
      server.playAlways((exchange) => {
        // The first token expires when the ramp has reached its maximum.
        if (exchange.headers.authorization === 'Bearer token-1' && server.orders.size >= 1100) {
          refused++;
          return answer(401)(exchange);
        }
        return creates(exchange);
      });
      for (let n = 0; n < 2500; n++) await outbox.add(numbered(n, { EntityId: 1 + (n % 10) }));
      outbox.start();
      await until(async () => (await outbox.counts()).created === 2500, 'created');
      assert.ok(refused > 50, `${refused} refused`);
      assert.equal(asked.filter(Boolean).length, 1);
      assert.equal(server.orders.size, 2500);
    });

    test('a service that is down costs probes, but no attempts', async (t) => {
      const server = await startFaultServer();
      const { baseUrl } = server;
      await server.close();
      const { outbox, store, events } = await setUp(t, { store: newStore(), wrap: () => clientOf(baseUrl) });
      for (let n = 0; n < 50; n++) await outbox.add(numbered(n, { EntityId: 1 + (n % 5) }));
      outbox.start();
      await until(() => events.filter(({ name }) => name === 'onGate').length >= 3, 'three probes');
      await outbox.stop();
      for (const { attempts, state, outcome } of await store.list({ after: 0, limit: 100 })) {
        assert.deepEqual([attempts, state, outcome], [0, 'waiting', 'not-created']);
      }
    });

    test('orders of one location never take the whole concurrency', async (t) => {
      const { outbox, settled, server } = await setUp(t, { store: newStore(), concurrency: 8 });
      server.playAlways((exchange) =>
        JSON.parse(exchange.body).EntityId === 1 ? stallsBeforeHeaders(exchange) : creates(exchange),
      );
      for (let n = 0; n < 20; n++) await outbox.add(numbered(n, { EntityId: 1 }));
      for (let n = 20; n < 40; n++) await outbox.add(numbered(n, { EntityId: 2 }));
      outbox.start();
      for (let n = 20; n < 40; n++) await settled(numbered(n).Id);
      assert.equal(server.requests.filter(({ body }) => JSON.parse(body).EntityId === 1).length, 4);
    });

    test('a location that never responds does not stop the others while orders keep coming', async (t) => {
      const { outbox, server } = await setUp(t, { store: newStore() });
      server.playAlways((exchange) =>
        JSON.parse(exchange.body).EntityId === 1 ? stallsBeforeHeaders(exchange) : creates(exchange),
      );
      outbox.start();
      for (let n = 0; n < 300; n++) {
        await outbox.add(numbered(2 * n, { EntityId: 1 }));
        await outbox.add(numbered(2 * n + 1, { EntityId: 2 + (n % 3) }));
        await new Promise((resolve) => setTimeout(resolve, 4));
      }
      await until(async () => (await outbox.counts()).created === 300, 'all others created');
    });
  });
}
