/** Tests that no test is left out silently: each file of tests is in a part. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { root } from '../../scripts/places.mjs';
import { output } from '../../scripts/run.mjs';
import { filesOfStep, NEEDS, PARTS, withFiles } from '../runner/parts.mjs';

test('every file of tests belongs to a part, and every part has what it needs', () => {
  const inParts = new Set(PARTS.flatMap(({ steps }) => steps.flatMap(filesOfStep)));
  const files = output('git', ['ls-files', 'tests'], { cwd: root })?.split('\n') ?? [];
  assert.deepEqual(
    files.filter((file) => file.endsWith('.test.mjs') && !inParts.has(file)),
    [],
  );
  for (const { name, needs } of PARTS) for (const need of needs) assert.ok(need in NEEDS, `${name}: ${need}`);
});

test('a file of a step is run as the step runs it', () => {
  assert.equal(
    withFiles('A=1 $POSTGRES $TESTS --b recipes client', ['tests/client/retry.test.mjs']),
    'A=1 $POSTGRES $TESTS --b client/retry.test.mjs',
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
