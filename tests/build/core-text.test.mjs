/**
 * Tests that the text of a module is ASCII, and is unpacked to the same bytes. tests/node/init.test.mjs unpacks the real
 * core.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import binaryen from 'binaryen';
import { builtModules } from '../../scripts/build/core.mjs';
import { sourceModule } from '../../scripts/build/core-text.mjs';
import { pkg } from '../../scripts/places.mjs';

const UNPACK = pathToFileURL(join(pkg, 'dist/esm/unpack.js')).href;

/** Returns what the module of a core's text exports as the bytes of the core. */
async function unpacked(core) {
  const code = sourceModule({ coreSource: core }).replace("'./unpack.js'", JSON.stringify(UNPACK));
  const { coreSource } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  return Buffer.from(coreSource());
}

test('a core with instructions of several bytes that the text does not know is unpacked to the same bytes', async () => {
  const core = Buffer.from(
    binaryen
      .parseText(
        `(module (memory 1) (data (i32.const 8) "\\ff\\00\\22\\5c")
          (func (export "jump") (param i32) (result f64)
            (block $a (block $b (block $c (br_table $a $b $c $b $a (local.get 0)))))
            (drop (i32.load align=1 (i32.const 8)))
            (f64.const -nan:0xfffffffffffff)))`,
      )
      .emitBinary(),
  );
  assert.ok(core.includes(Buffer.from('44ffffffffffffffff', 'hex')), 'f64.const with bytes of 255');
  assert.ok((await unpacked(core)).equals(core));
});

test('CommonJS and ECMAScript modules unpack the reference service from one text', async () => {
  const service = builtModules()['service.wasm'];
  const esm = await import(pathToFileURL(join(pkg, 'dist/esm/service-source.js')).href);
  const cjs = createRequire(import.meta.url)(join(pkg, 'dist/cjs/service-source.js'));
  assert.ok(service.equals(esm.serviceSource()));
  assert.ok(service.equals(cjs.serviceSource()));
});

test('the text is ASCII without characters that are special in HTML, so a page needs no charset', () => {
  const code = sourceModule({ coreSource: readFileSync(join(pkg, 'core.wasm')) });
  assert.match(code, /^[\n -~]*$/);
  assert.ok(!code.includes('<'));
});
