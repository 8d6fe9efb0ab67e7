/** Tests responses that may not be the service's, on the stores that need no database server. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { creates, page } from '../client/fault-server.mjs';
import { RETRY, clientOf, createOutboxOn, numbered } from './harness.mjs';
import { memoryStore } from './memory-store.mjs';
import { STORES, setUp } from './set-up.mjs';
import { testSuspectResponses } from './suspect.mjs';

for (const [name, newStore] of Object.entries(STORES)) {
  testSuspectResponses(name, (t, setting) => setUp(t, { store: newStore(), ...setting }));
}

describe("responses that may not be the service's, to two processes that share a store", () => {
  test('a page that each of them gets once settles nothing, although both have created orders before', async (t) => {
    const store = memoryStore();
    const { outbox, server, until, advance, platform, settled } = await setUp(t, { store });
    const client = clientOf(server.baseUrl);
    const other = createOutboxOn(platform, { client, store: { ...store, close: async () => {} }, retry: RETRY });
    t.after(async () => {
      const stopping = other.stop({ timeoutMs: 0 });
      await advance(0);
      await stopping;
    });
    other.start();
    await outbox.add(numbered(0));
    await settled(numbered(0).Id);
    outbox.start();
    for (let n = 1; n < 5; n++) {
      await outbox.add(numbered(n));
      await settled(numbered(n).Id);
    }

    server.playAlways(page(403));
    await outbox.add(numbered(9));
    await until(
      async () => server.requests.length >= 105 || (await outbox.get(numbered(9).Id)).state === 'refused',
      'a hundred responses to the order, or its refusal',
    );
    const { state, reason } = await outbox.get(numbered(9).Id);
    assert.deepEqual([state, reason], ['waiting', 'PermissionError']);

    server.playAlways(creates);
    const { state: last } = await settled(numbered(9).Id);
    assert.equal(last, 'created');
  });
});
