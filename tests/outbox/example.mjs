/** Runs an example in a doc comment. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { installedFile } from '../node/installed.mjs';
import { folderOf } from './harness.mjs';

/**
 * Runs the example of a function in a project, and returns what it prints.
 *
 * @param {import('node:test').TestContext} t
 * @param {string} project A folder with the package, and with what the example needs.
 * @param {string} file The entry of the outbox that has the function.
 * @param {string} name
 */
export function outputOfExample(t, project, file, name) {
  const docs = readFileSync(installedFile(`dist/cjs/outbox/${file}/index.d.ts`), 'utf8').replace(/^ \* ?/gm, '');
  const examples = Array.from(docs.matchAll(/```js\n(.*?)```/gs), ([, code]) => code);
  const code = examples.find((example) => example.includes(`${name}(`));
  assert.ok(code, name);
  // A program finds the package from its own folder, but writes its files into a temporary one.
  const program = `process.chdir(${JSON.stringify(folderOf(t))});\n`;
  const inFolder = code.replace(/^((?:import .*\n)+)/m, `$1${program}`);
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['--no-warnings', '--input-type=module', '--eval', inFolder],
    { cwd: project, encoding: 'utf8' },
  );
  assert.deepEqual([status, stderr], [0, '']);
  return stdout;
}
