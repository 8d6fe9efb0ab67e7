/** Tests what happens to orders in flight and to handlers when the outbox stops. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { creates, stallsBeforeHeaders } from '../client/fault-server.mjs';
import { clientOf, createOutbox, failureOf, numbered, until } from './harness.mjs';
import { STORES, setUp } from './set-up.mjs';

for (const [name, newStore] of Object.entries(STORES)) {
  describe(`stop on ${name}`, () => {
    test('waits for orders in flight, and starts no further order', async (t) => {
      const { outbox, server, store } = await setUp(t, { store: newStore(), concurrency: 1 });
      let release;
      server.playAlways((exchange) => {
        release = () => creates(exchange);
      });
      await outbox.add(numbered(1));
      await outbox.add(numbered(2));
      outbox.start();
      await until(() => release);
      const stopping = outbox.stop();
      release();
      await stopping;
      assert.equal((await store.get(numbered(1).Id)).state, 'created');
      assert.equal((await store.get(numbered(2).Id)).state, 'waiting');
      assert.equal((await failureOf(outbox.add(numbered(3)))).reason, 'stopped');
    });

    test('aborts an attempt that takes too long; its outcome is unknown', async (t) => {
      const { outbox, server, store } = await setUp(t, { store: newStore() });
      server.playAlways(stallsBeforeHeaders);
      await outbox.add(numbered(1));
      outbox.start();
      await until(() => server.requests.length === 1);
      await outbox.stop({ timeoutMs: 10 });
      const { state, outcome } = await store.get(numbered(1).Id);
      assert.deepEqual([state, outcome], ['waiting', 'unknown']);
    });

    test('happens at the end of a block with await using', async () => {
      const store = newStore();
      let isClosed = false;
      store.close = async () => {
        isClosed = true;
      };
      const outbox = createOutbox({ client: clientOf('http://127.0.0.1:9'), store });
      await outbox[Symbol.asyncDispose]();
      assert.ok(isClosed);
    });
  });
}
