import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

test('100,000 orders from a generator: memory stays flat', { timeout: 600_000 }, () => {
  // A small heap is collected often, so garbage does not hide what is retained.
  const flags = ['--max-old-space-size=40', '--max-semi-space-size=4'];
  const program = fileURLToPath(new URL('million.mjs', import.meta.url));
  const { stdout, stderr, status } = spawnSync(process.execPath, [...flags, program, '100000'], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  const { created, peakMibByTenth } = JSON.parse(stdout);
  assert.equal(created, 100_000);
  const [early, late] = [peakMibByTenth.slice(0, 5), peakMibByTenth.slice(5)].map((peaks) => Math.max(...peaks));
  assert.ok(late <= early + 8, `MiB by tenth: ${peakMibByTenth}`);
});
