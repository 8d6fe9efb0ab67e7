/** Tests that no test is left out silently: each file of tests is in a part, and each part has tests. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { output } from '../../scripts/run.mjs';
import { root } from '../../scripts/places.mjs';
import { filesOf, PARTS } from '../parts.mjs';

test('every file of tests belongs to a part', () => {
  const steps = Object.values(PARTS).flatMap((parts) => Object.values(parts).flatMap((part) => part.steps));
  const inParts = new Set(steps.flatMap((step) => (typeof step === 'string' ? [] : filesOf(step))));
  const files = output('git', ['ls-files', 'tests'], { cwd: root })?.split('\n') ?? [];
  assert.deepEqual(
    files.filter((file) => file.endsWith('.test.mjs') && !inParts.has(file)),
    [],
  );
});

test('a name that no part and no test has is an error', () => {
  const env = { ...process.env, ONLY: 'klient' };
  const { status, stderr } = spawnSync(process.execPath, ['tests/runner/run.mjs'], {
    cwd: root,
    env,
    encoding: 'utf8',
  });
  assert.deepEqual([status, stderr.slice(0, 30)], [1, 'No part and no test is klient.']);
});
