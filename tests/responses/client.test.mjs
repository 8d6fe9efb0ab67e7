/** Tests what `createOrder` and `createOrders` do with each response of the table. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startFaultServer } from '../client/fault-server.mjs';
import { clientOf, collected, numbered } from '../outbox/harness.mjs';
import { clientOptions, KINDS, playing } from './kinds.mjs';

const order = numbered(1);

describe('the client', { concurrency: 8 }, () => {
  for (const kind of KINDS) {
    const { title, client: expected } = kind;
    const what = 'resolves' in expected ? expected.resolves : `${expected.error}, ${expected.outcome}`;

    /** Starts a service and a client of its own, which knows no order yet. */
    const setUp = async (t) => {
      const server = await startFaultServer();
      t.after(() => server.close());
      server.playAlways(playing(kind, order.Id));
      const options = { maxRetries: 1, retry: { baseMs: 1, capMs: 2 }, ...clientOptions(kind, order.Id) };
      return clientOf(server.baseUrl, options);
    };

    test(`createOrder: ${title}: ${what}`, async (t) => {
      const client = await setUp(t);
      const result = await client.createOrder(order).catch((error) => error);
      assert.deepEqual(summaryOf(result), { ...expected });
    });

    test(`createOrders: ${title}: ${what}`, async (t) => {
      const client = await setUp(t);
      const [result, ...others] = await collected(client.createOrders([order], { stopOnUnauthorized: false }));
      assert.deepEqual(summaryOf(result.ok ? result.created : result.error), { ...expected });
      assert.deepEqual([result.ok, others], ['resolves' in expected, []]);
    });
  }
});

/** Describes a created order or an error like the table. */
function summaryOf(result) {
  if (result instanceof Error) {
    const { name, outcome, retryable } = /** @type {any} */ (result);
    return { error: name, outcome, retryable };
  }
  const { order, alreadyThere, delivery } = result;
  return { resolves: delivery ? 'accepted' : alreadyThere ? 'already there' : 'created', hasOrder: order !== null };
}
