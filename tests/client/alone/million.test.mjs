import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const MIB = 1024 * 1024;

test('100,000 orders from a generator: what is retained does not grow', { timeout: 600_000 }, () => {
  const program = fileURLToPath(new URL('million.mjs', import.meta.url));
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--expose-gc', program, '100000'], {
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  const { created, retained } = JSON.parse(stdout);
  assert.equal(created, 100_000);
  // 80,000 orders later.
  assert.ok(retained.at(-1) - retained[1] < 2 * MIB, `bytes by tenth: ${retained}`);
});
