/** Runs the examples in the doc comments, and checks that they print what their comments promise. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { installedFile } from '../node/installed.mjs';
import { folderOf } from './harness.mjs';
import { projectWithEngine } from './postgres.mjs';

for (const { file, name, printed } of [
  { file: 'outbox/outbox', name: 'createOutbox', printed: /^waiting\n/ },
  { file: 'outbox/sqlite/index', name: 'sqliteStore', printed: /^$/ },
  { file: 'outbox/postgres/index', name: 'postgresStore', printed: /^$/ },
  { file: 'outbox/postgres/published-schema', name: 'postgresSchema', printed: /^true\n$/ },
  { file: 'outbox/conformance/index', name: 'storeChecks', printed: /^(.+ function\n){21}$/ },
]) {
  test(`the example of ${name} runs`, (t) => {
    const docs = readFileSync(installedFile(`dist/esm/${file}.d.ts`), 'utf8').replace(/^ \* ?/gm, '');
    const code = /```js\n(.*?)```/s.exec(docs)?.[1] ?? '';
    assert.ok(code.includes(`${name}(`));
    // A program finds the package from its own folder, but writes its files into a temporary one.
    const program = `process.chdir(${JSON.stringify(folderOf(t))});\n`;
    const inFolder = code.replace(/^((?:import .*\n)+)/m, `$1${program}`);
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      ['--no-warnings', '--input-type=module', '--eval', inFolder],
      { cwd: join(projectWithEngine()), encoding: 'utf8' },
    );
    assert.deepEqual([status, stderr], [0, '']);
    assert.match(stdout, printed);
  });
}
