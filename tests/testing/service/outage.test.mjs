/** The outage of `make demo` runs, and every order is at the reference service, once. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { nodeWithSqlite } from '../../../scripts/node.mjs';
import { root } from '../../../scripts/places.mjs';

test('24 orders outlast refused connections, 503 and pages, and are at the point of sale, each once', async () => {
  const program = join(root, 'examples/outage.mjs');
  const { stdout } = await promisify(execFile)(nodeWithSqlite(), ['--no-warnings', program]);
  const causes = [...stdout.matchAll(/^ +deliveries are held back: (.*)$/gm)].map(([, cause]) => cause);
  const suspect = 'The responses may not be from the service: a page, a redirect, or a 403, 404 or 405.';
  assert.deepEqual(causes, [
    'No connection to the service can be made, so nothing is sent.',
    'Several orders in a row failed. (503)',
    `${suspect} (200, text/html)`,
    `${suspect} (403, text/html)`,
  ]);
  assert.match(stdout, /^ +24 orders wait, 0 are created, 0 are refused$/m);
  const ids = [...stdout.matchAll(/^ +(\S{36}) +once, receipt \d+$/gm)].map(([, id]) => id);
  assert.equal(new Set(ids).size, 24);
  assert.equal(stdout.match(/: 8 orders were added, the service has 8$/gm)?.length, 3);
});
