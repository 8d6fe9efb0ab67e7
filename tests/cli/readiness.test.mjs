/** The probes of a store, with one that hangs. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { build } from 'esbuild';
import { pkg, root } from '../../scripts/places.mjs';
import { until } from './program.mjs';

const { outputFiles } = await build({
  entryPoints: [join(root, 'cli/http/http-response.ts')],
  alias: { '#serve': join(pkg, 'dist/esm/serve/index.js') },
  bundle: true,
  platform: 'node',
  format: 'esm',
  write: false,
});
const { readinessOf } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? '')}`);

test('a probe that hangs is given up after two seconds with the reason, and the next one is a new one', async (t) => {
  let probes = 0;
  const failure = readinessOf(
    () => (++probes === 1 ? new Promise(() => {}) : Promise.resolve()),
    () => 'it failed',
  );
  // The time-out holds no process open.
  const open = setInterval(() => {}, 1000);
  t.after(() => clearInterval(open));
  assert.deepEqual(await Promise.all([failure(), failure()]), Array(2).fill('the store did not respond within 2 s'));
  assert.equal(probes, 1);
  await until(async () => (await failure()) === null, 'a second probe');
  assert.equal(probes, 2);
});

test('the result of a probe is used for a second, and says why it failed', async () => {
  let probes = 0;
  const failure = readinessOf(
    () => Promise.reject(new Error(`no disk ${++probes}`)),
    ({ message }) => message,
  );
  assert.equal(await failure(), 'no disk 1');
  await until(async () => (await failure()) === 'no disk 2', 'a second probe');
});
