/** Tests an outage of six hours with 100,000 waiting orders, on a clock that the test controls. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { folderOf } from '../harness.mjs';

test('while 100,000 orders wait for six hours, memory is flat and no attempt is counted; the end causes no stampede', (t) => {
  const program = fileURLToPath(new URL('../waiting.mjs', import.meta.url));
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--no-warnings', program, join(folderOf(t), 'orders.sqlite'), '100000'],
    { encoding: 'utf8' },
  );
  assert.equal(stderr, '');
  const { outageRequests, waiting, attempts, delaySeconds, firstTenths, delivered, mostInFlight, mib } =
    JSON.parse(stdout);
  t.diagnostic(stdout.trim());
  assert.equal(waiting, 100_000);
  assert.equal(attempts, 0);
  // A probe every 10 to 20 seconds, once the pauses have grown.
  assert.ok(outageRequests < 2200, `${outageRequests} requests`);
  assert.ok(delaySeconds <= 20, `${delaySeconds} s until the first delivery`);
  assert.ok(firstTenths[0] <= 3, `${firstTenths[0]} requests in the first tenth of a second`);
  assert.ok(mostInFlight <= 16);
  assert.ok(delivered > 100);
  // Most of it is room for objects that die young; of the orders nothing is retained, as the hours show.
  assert.ok(mib.most < 280, `${mib.most} MiB`);
  assert.ok(mib.hourly[5] - mib.hourly[0] < 20, `grew from ${mib.hourly[0]} to ${mib.hourly[5]} MiB`);
});
