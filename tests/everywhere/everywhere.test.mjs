/**
 * The package from its tarball, in every runtime and bundler that the README promises. `EVERYWHERE=quick` takes the
 * cases that need little time.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bundlers } from '../bundlers/cases.mjs';
import { runtimes } from '../runtimes/cases.mjs';
import { expected } from './expected.mjs';
import { projectOf } from './project.mjs';

const quick = process.env.EVERYWHERE === 'quick';
const cases = [...runtimes, ...bundlers].filter(({ quick: isQuick }) => (quick ? isQuick : isQuick !== 'only'));

for (const { what, project, run, expect = expected } of cases) {
  test(what, { timeout: 300_000 }, async () => {
    assert.deepEqual(await run(await projectOf(project)), expect);
  });
}
