/**
 * Builds the package from scratch a second time, from a copy of the sources in another folder, with another folder for
 * cargo's own files. Fails unless every file is the same as in pkg/.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pkg } from '../places.mjs';
import { run } from '../run.mjs';
import { copySourcesTo } from './copy.mjs';

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
run('diff', ['--recursive', '--brief', pkg, join(copy, 'pkg')]);
console.log('Both builds gave the same files');
