/** Tests that `retryAll` of many orders sends each once, and that its memory is flat. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { folderOf } from '../harness.mjs';

/** As many as there are in an outage of hours: `make nightly` retries 100,000. */
const ORDERS = Number(process.env.ORDERS ?? 30_000);
const BODY_BYTES = 350;

test(`${ORDERS} refused orders are sent again, each once, and memory is flat`, (t) => {
  const program = fileURLToPath(new URL('../retry-all.mjs', import.meta.url));
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--no-warnings', '--expose-gc', program, join(folderOf(t), 'orders.sqlite'), String(ORDERS)],
    { encoding: 'utf8' },
  );
  assert.equal(stderr, '');
  t.diagnostic(stdout.trim());
  const { changed, changedAgain, waiting, once, mib } = JSON.parse(stdout);
  assert.deepEqual(
    { changed, changedAgain, waiting, once },
    { changed: ORDERS, changedAgain: 0, waiting: ORDERS, once: ORDERS },
  );
  const bodiesMib = (ORDERS * BODY_BYTES) / 2 ** 20;
  assert.ok(mib.most - mib.before < bodiesMib / 4, `grew from ${mib.before} to ${mib.most} MiB`);
});
