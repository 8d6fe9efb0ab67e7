/** Tests what the build changes in the glue that wasm-bindgen generates. tests/node/instance.test.mjs tests it with the core. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { checkCore } from '../../scripts/build/check-core.mjs';
import { builtModules } from '../../scripts/build/core.mjs';
import { functionOf, GLUE } from '../../scripts/build/glue.mjs';
import { root } from '../../scripts/places.mjs';

const LOOP = `for (; offset < len; offset++) {
    const code = arg.charCodeAt(offset);
    if (code > 0x7F) break;
    mem[ptr + offset] = code;
}`;

test('without exactly one loop over characters the build fails', () => {
  assert.match(functionOf(`export function copy() { ${LOOP} }`), /encodeInto/);
  assert.throws(() => functionOf('export function copy() {}'), /0 times, and not once/);
  assert.throws(() => functionOf(`export function copy() { ${LOOP}; ${LOOP} }`), /2 times, and not once/);
});

test('glue that imports something, or exports more than functions, is refused', () => {
  for (const statement of ["import { log } from './snippet.js';", 'export class Order {}'])
    assert.throws(() => functionOf(`${statement}\nexport function copy() { ${LOOP} }`), /import/);
});

test('nothing in the glue runs before it is made for an instance', async () => {
  const { glue } = await import(`data:text/javascript,${encodeURIComponent(functionOf(`run(); ${LOOP}`))}`);
  assert.throws(glue, { name: 'ReferenceError', message: 'run is not defined' });
});

test('a module without a function that its glue calls, or with an import that its glue lacks, is refused', () => {
  const modules = builtModules();
  const glue = readFileSync(join(root, GLUE, 'core.js'), 'utf8');
  checkCore(modules['core.wasm'], glue);
  for (const part of [modules['orders.wasm'], modules['fates.wasm']]) {
    checkCore(part, glue, { isPart: true });
    assert.throws(() => checkCore(part, glue), /its glue calls/);
    assert.throws(() => checkCore(part, glue.replaceAll('wasm.', 'other.'), { isPart: true }), /its glue calls/);
  }
  assert.throws(() => checkCore(modules['core.wasm'], `${glue} wasm.anotherFunction()`), /its glue calls/);
  assert.throws(
    () => checkCore(modules['core.wasm'], glue.replaceAll('function __wbindgen_init', 'function init')),
    /imports __wbindgen_init_externref_table, which its glue does not have/,
  );
});
