/** Tests what the stores say in a Node that is too old for them, and where pg is not installed. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { installedFile } from '../../node/installed.mjs';
import { nodeOf } from '../../../scripts/node.mjs';

/** Runs a program in which `store` is one of the stores; returns what it prints. */
function run(node, file, code) {
  const store = pathToFileURL(installedFile(`dist/esm/outbox/${file}/index.js`)).href;
  const program = `import * as store from ${JSON.stringify(store)};
    try { ${code} } catch ({ name, reason, message }) { console.log(name, reason, message); }`;
  return spawnSync(node, ['--no-warnings', '--input-type=module', '--eval', program], { encoding: 'utf8' }).stdout;
}

test('sqliteStore in Node 20 is an error that states what is needed', () => {
  assert.match(
    run(nodeOf(20), 'sqlite', `store.sqliteStore(':memory:')`),
    /^OutboxError unsupported sqliteStore needs Node 22\.13 .*this is Node v20/,
  );
});

test('postgresStore without pg is an error that states what to install, in Node 20 too', () => {
  for (const node of [process.execPath, nodeOf(20)]) {
    const code = `await store.postgresStore({ connectionString: 'postgres://x' }).get('x');`;
    assert.match(
      run(node, 'postgres', code),
      /^OutboxError unsupported postgresStore needs pg, which is not installed; .*npm install pg@8/,
    );
  }
});
