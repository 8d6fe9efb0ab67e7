/**
 * Builds the package from scratch a second time, from a copy of the sources in another folder, with another folder for
 * cargo's own files. Fails unless every file is the same as in pkg/.
 */
import { createHash } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pkg } from '../places.mjs';
import { fail, run } from '../run.mjs';
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

const [here, there] = [pkg, join(copy, 'pkg')].map(sums);
const different = [...new Set([...here.keys(), ...there.keys()])].filter((file) => here.get(file) !== there.get(file));
if (different.length > 0) fail(`Files that differ between two builds of the same sources: ${different.join(', ')}`);
console.log(`${here.size} files, the same in both builds; core.wasm ${here.get('core.wasm')}`);

function sums(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    statSync(join(folder, file)).isFile(),
  );
  return new Map(
    files.map((file) => [
      file,
      createHash('sha256')
        .update(readFileSync(join(folder, file)))
        .digest('hex'),
    ]),
  );
}
