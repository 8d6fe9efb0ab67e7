/**
 * Builds the package from scratch a second time, from a copy of the sources in another folder, with another folder for
 * cargo's own files. Fails unless every file is the same as in pkg/.
 */
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
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
import { dirname, join } from 'node:path';
import { pkg, root, tools } from './places.mjs';
import { fail, output, run } from './run.mjs';

const elsewhere = mkdtempSync(join(realpathSync(tmpdir()), 'sales-order-intake-built-elsewhere-'));
process.on('exit', () => rmSync(elsewhere, { recursive: true, force: true }));
const copy = join(elsewhere, 'the/same/sources');
const listed = output('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
for (const file of listed?.split('\0') ?? fail('git ls-files failed')) {
  const source = join(root, file);
  if (!file || !existsSync(source)) continue;
  mkdirSync(dirname(join(copy, file)), { recursive: true });
  cpSync(source, join(copy, file));
}
const cargoHome = join(elsewhere, 'cargo');
mkdirSync(cargoHome);
mkdirSync(join(copy, 'target'));
symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
symlinkSync(tools, join(copy, 'target/tools'));
symlinkSync(join(process.env.CARGO_HOME ?? join(homedir(), '.cargo'), 'registry'), join(cargoHome, 'registry'));
run(process.execPath, ['scripts/build.mjs'], {
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
