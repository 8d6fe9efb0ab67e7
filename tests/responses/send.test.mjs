/** Tests how `send` ends with one order and a reply of each row of the table, and what its journal has then. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { idOf, ndjson } from '../cli/orders.mjs';
import { finished, folderOf, start, TOKEN, until } from '../cli/program.mjs';
import { startFaultServer } from '../client/fault-server.mjs';
import { sqliteStore } from '../outbox/harness.mjs';
import { FIRSTS, isEndless, isSlow, playing, REFUSING } from './kinds.mjs';

const ID = idOf(0);
const env = { SALES_ORDER_INTAKE_TOKEN: TOKEN };

describe('send', { concurrency: 4 }, () => {
  for (const kind of FIRSTS) {
    const { title, step, fate, send: exit } = kind;
    const atStart = isSlow(kind) ? 'waiting, unknown' : kind.atStart;
    // Orders that may still succeed are sent until the user stops it.
    const goesOn = exit === 5 && atStart.startsWith('waiting') && !fate.isSuspect;

    test(`${title}: ${goesOn ? 'goes on, and ends' : 'ends'} with ${exit}; the journal has: ${atStart}`, async (t) => {
      const cwd = folderOf(t, { 'orders.ndjson': ndjson(1) });
      const server = await startFaultServer();
      server.playAlways(playing(kind, ID));
      const baseUrl = step ? server.baseUrl : REFUSING;
      const child = start(['send', 'orders.ndjson', '--base-url', baseUrl], { cwd, env });
      t.after(() => child.kill('SIGKILL'));
      const ended = finished(child);
      let shown = '';
      child.stderr.on('data', (text) => {
        shown += text;
      });
      if (goesOn) {
        const requests = isEndless(kind) ? 1 : 2;
        const isSeen = () => (step ? server.requests.length >= requests : shown.includes("can't be reached"));
        await until(isSeen, 'the order is sent');
        child.kill('SIGINT');
        await until(() => shown.includes('Stopping'), 'it stops');
        // The second one does not wait for the order in flight.
        if (isEndless(kind)) child.kill('SIGINT');
      }
      const { code, out, err } = await ended;
      assert.equal(code, exit, `${out}${err}`);
      assert.equal(await stateIn(join(cwd, 'orders.ndjson.outbox.sqlite')), atStart);
    });
  }
});

/** Returns state and outcome of the order, as the next run finds them. */
async function stateIn(journal) {
  const store = sqliteStore(journal);
  try {
    const { state, outcome } = await store.get(ID);
    return `${state}, ${outcome}`;
  } finally {
    await store.close();
  }
}
