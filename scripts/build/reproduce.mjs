/**
 * Builds the package from scratch a second time, from a copy of the sources in another folder, with another folder for
 * cargo's own files. Fails unless every file is the same as in pkg/.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pkg } from '../places.mjs';
import { fail, run } from '../run.mjs';
import { copySourcesTo } from './copy.mjs';
import { sumsOf } from './hash.mjs';

const elsewhere = mkdtempSync(join(realpathSync(tmpdir()), 'sales-order-intake-built-elsewhere-'));
process.on('exit', () => rmSync(elsewhere, { recursive: true, force: true }));
const copy = join(elsewhere, 'the/same/sources');
copySourcesTo(copy);
const cargoHome = join(elsewhere, 'cargo');
mkdirSync(cargoHome);
symlinkSync(join(process.env.CARGO_HOME ?? join(homedir(), '.cargo'), 'registry'), join(cargoHome, 'registry'));
run(process.execPath, ['scripts/build/build.mjs'], {
  cwd: copy,
  env: { ...process.env, CARGO_HOME: cargoHome, CARGO_TARGET_DIR: undefined },
});

const [here, there] = [pkg, join(copy, 'pkg')].map((folder) => sumsOf(folder).trimEnd().split('\n'));
const files = (lines, others) => lines.filter((line) => !others.includes(line)).map((line) => line.split('  ')[1]);
const different = [...new Set([...files(here, there), ...files(there, here)])];
if (different.length > 0) fail(`Files that differ between two builds of the same sources: ${different.join(', ')}`);
const [core] = here.find((line) => line.endsWith('  core.wasm'))?.split('  ') ?? fail('pkg/ has no core.wasm');
console.log(`${here.length} files, the same in both builds; core.wasm ${core}`);
