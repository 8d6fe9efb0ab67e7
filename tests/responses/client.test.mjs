/** Tests what `createOrder` does with each response of the table. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startFaultServer } from '../client/fault-server.mjs';
import { inShort } from '../node/orders.mjs';
import { clientOf, numbered } from '../outbox/harness.mjs';
import { clientOptions, KINDS, playing } from './kinds.mjs';

const order = numbered(1);

describe('the client', { concurrency: 8 }, () => {
  for (const kind of KINDS) {
    const { title } = kind;
    const expected = expectationOf(kind);
    const what = 'resolves' in expected ? expected.resolves : `${expected.error}, ${expected.outcome}`;

    test(`${title}: ${what}`, async (_t) => {
      const server = await startFaultServer();
      server.playAlways(playing(kind, order.Id));
      const options = { maxRetries: 1, retry: { baseMs: 1, capMs: 2 }, ...clientOptions(kind, order.Id) };
      // A client of its own, which knows no order yet.
      const client = clientOf(server.baseUrl, options);
      const result = await client.createOrder(order).catch((error) => error);
      assert.deepEqual(summaryOf(result), { ...expected });
    });
  }
});

/**
 * Returns what the client does with the fate that the core decides: nothing else.
 *
 * @param {import('./kinds.mjs').Kind} kind
 */
function expectationOf({ fate: decided, client }) {
  const { fate, hasOrder, alreadyThere, issues = [], error, canRepeat, isSuspect = false, relayState } = decided;
  if (fate === 'created') return { resolves: alreadyThere ? 'already there' : 'created', hasOrder, issues };
  if (fate === 'accepted') return { resolves: 'accepted' };
  return { error: client ?? error, outcome: fate, retryable: canRepeat, isSuspect, relayState };
}

/** Describes a created order or an error in the same way. */
function summaryOf(result) {
  if (result instanceof Error) {
    const { name, outcome, retryable, isSuspect, relayState } = /** @type {any} */ (result);
    return { error: name, outcome, retryable, isSuspect, relayState };
  }
  const { order, alreadyThere, delivery, issues } = result;
  if (delivery) return { resolves: 'accepted' };
  return { resolves: alreadyThere ? 'already there' : 'created', hasOrder: order !== null, issues: inShort(issues) };
}
