/** The scripts of completion are valid in their shells. tests/cli/show.test.mjs runs that of bash. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { folderOf, run } from '../program.mjs';

for (const shell of ['zsh', 'fish']) {
  const skip = spawnSync(shell, ['-c', '']).error && `${shell} is missing`;
  test(`the completion of ${shell} is a script of ${shell}`, { skip }, async (t) => {
    const cwd = folderOf(t, { script: (await run(['completion', shell])).out });
    const { status, stderr } = spawnSync(shell, ['-n', 'script'], { cwd, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
  });
}
