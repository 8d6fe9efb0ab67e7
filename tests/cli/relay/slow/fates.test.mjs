/** relay: what it says of an order after a reply of each row of the table (tests/vectors/fates/replies.json). */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startFaultServer } from '../../../client/fault-server.mjs';
import { isEndless, isSlow, KINDS, playing, REFUSING } from '../../../responses/kinds.mjs';
import { numbered } from '../../orders.mjs';
import { until } from '../../program.mjs';
import { ask, put, relayed } from '../relays.mjs';

const order = numbered(0);
/** The relay waits a minute for a response, and ten for some. */
const rows = KINDS.filter(
  (kind, index) => kind.response !== KINDS[index - 1]?.response && !isEndless(kind) && !isSlow(kind),
);

describe('the relay', { concurrency: 4 }, () => {
  for (const kind of rows) {
    const { title, step, atStart } = kind;

    test(`${title}: its state of the order is ${atStart}`, async (t) => {
      const server = await startFaultServer();
      t.after(() => server.close());
      server.playAlways(playing(kind, order.Id));
      const relay = await relayed(t, { baseUrl: step ? server.baseUrl : REFUSING });
      assert.equal((await put(relay, order)).status, 202);
      const [expected] = atStart.split(', ');
      const entry = await until(async () => {
        const { json } = await ask(relay, `/orders/${order.Id}`);
        // One that waits has been tried.
        return json.state === expected && (expected !== 'waiting' || json.reason !== null) && json;
      }, `the order is ${expected}`);
      assert.equal(`${entry.state}, ${entry.outcome}`, atStart);
    });
  }
});
