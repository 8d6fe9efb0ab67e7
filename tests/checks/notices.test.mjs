/** Tests that the notices name the crates whose source locations are in the modules of the package. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { builtModules } from '../../scripts/build/core.mjs';
import { root } from '../../scripts/places.mjs';

/** The build gives the crates' folders this name. */
const CRATE = /\/deps\/([\w-]+?)-(\d[\w.+-]*)/g;
const notices = readFileSync(join(root, 'pkg-template/NOTICES.md'), 'utf8');

for (const [file, module] of Object.entries(builtModules()).filter(([file]) => file.endsWith('.wasm'))) {
  test(`${file} has no crate without a notice`, () => {
    const crates = [...module.toString('latin1').matchAll(CRATE)].map(([, name, version]) => `${name} ${version}`);
    assert.ok(crates.length > 0);
    assert.deepEqual(
      [...new Set(crates)].filter((crate) => !notices.includes(`\n- ${crate}: `)),
      [],
    );
  });
}
