/**
 * The example of docs/contributing/adding-a-rule.md, followed to its end: the repository with its diffs passes the
 * tests that it names.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { copySourcesTo } from '../../../scripts/build/copy.mjs';
import { root, target } from '../../../scripts/places.mjs';
import { programOf } from '../../../scripts/run.mjs';
import { applied } from '../contributing.mjs';

/**
 * Outside the copy, which is made anew. A folder of its own: cargo takes two copies of a package in one folder for the
 * same.
 */
const built = join(target, 'adding-a-rule/built');
const copy = join(target, 'adding-a-rule/copy');
const CORE = ['--package', 'sales-order-intake', '--package', 'sales-order-intake-wasm'];
const cargo = programOf('CARGO', 'cargo');

describe('a repository with the rule', { skip: cargo === undefined && 'Rust is missing' }, () => {
  before(() => {
    rmSync(copy, { recursive: true, force: true });
    copySourcesTo(copy);
    const page = readFileSync(join(root, 'docs/contributing/adding-a-rule.md'), 'utf8');
    for (const [file, text] of applied(page)) writeFileSync(join(copy, file), text);
  });

  test('passes the vectors and the tests of the core', () => {
    succeeds(cargo, ['run', '--locked', '--package', 'xtask', '--', 'generate']);
    succeeds(cargo, ['test', '--locked', ...CORE, '--lib', '--test', 'vectors']);
  });

  test('is formatted, and no file is too long', () => {
    succeeds(cargo, ['fmt', '--all', '--check']);
    succeeds(process.execPath, ['scripts/check/modules.mjs']);
  });

  test('documents the code with its decision', () => {
    const read = (file) => readFileSync(join(copy, file), 'utf8');
    assert.match(read('src/issue-codes.md'), /^\| `delivery_without_time` \| warning \| A delivery has .* \| D70 \|$/m);
    assert.match(read('pkg-template/src/issue-codes.ts'), /^ {2}\| 'delivery_without_time'$/m);
  });
});

/** Runs a program in the copy. */
function succeeds(program, args, env = {}) {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: copy,
    env: { ...process.env, CARGO_TARGET_DIR: built, ...env },
    encoding: 'utf8',
  });
  assert.equal(status, 0, `${stdout}\n${stderr}`);
}
