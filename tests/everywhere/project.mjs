/**
 * Sets up a user's project: the tools of its lockfile, and the package installed from the tarball.
 *
 * It is outside the repository, because tools look for configuration, lockfiles and modules in the folders above.
 * It is installed again only if the lockfile or the package changes.
 */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { transformSync } from 'esbuild';
import { pack } from '../../scripts/pack.mjs';
import { root } from '../../scripts/places.mjs';
import { fingerprint } from '../node/installed.mjs';
import { execute } from './execute.mjs';

const PLACE = join(tmpdir(), `sales-order-intake-${createHash('sha256').update(root).digest('hex').slice(0, 8)}`);
const HERE = join(root, 'tests/everywhere');

/** Sets up the project of a folder like `runtimes/deno`; returns its path. */
export async function projectOf(name) {
  const source = join(root, 'tests', name);
  const folder = join(PLACE, name);
  mkdirSync(folder, { recursive: true });
  for (const file of readdirSync(folder))
    if (file !== 'node_modules' && file !== '.installed') rmSync(join(folder, file), { recursive: true });
  cpSync(source, folder, { recursive: true, filter: (path) => basename(path) !== 'node_modules' });
  const tarball = packed();
  const lock = join(source, 'package-lock.json');
  const wanted = `${tarball}\n${existsSync(lock) ? readFileSync(lock, 'utf8') : ''}`;
  const stamp = join(folder, '.installed');
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
    rmSync(stamp, { force: true });
    await execute('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', tarball], {
      cwd: folder,
      env: process.env,
    });
    writeFileSync(stamp, wanted);
  }
  writePrograms(folder);
  return folder;
}

function packed() {
  const name = `sales-order-intake-${fingerprint()}.tgz`;
  for (const file of readdirSync(PLACE)) if (file.endsWith('.tgz') && file !== name) rmSync(join(PLACE, file));
  if (!existsSync(join(PLACE, name))) pack(join(PLACE, name));
  return join(PLACE, name);
}

/** Writes the program in every form: unchanged, as CommonJS, with the slim entries, and with files that a page can load. */
function writePrograms(folder) {
  for (const file of ['main.mjs', 'main.cjs', 'page.mjs', 'program.mjs']) cpSync(join(HERE, file), join(folder, file));
  const program = readFileSync(join(HERE, 'program.mjs'), 'utf8');
  writeFileSync(join(folder, 'program.cjs'), transformSync(program, { format: 'cjs' }).code);
  writeFileSync(join(folder, 'program-slim.mjs'), program.replace(/'sales-order-intake/g, "'sales-order-intake/slim"));
  const files = program.replace(
    /'sales-order-intake(\/client)?'/g,
    "'./node_modules/sales-order-intake/dist/esm$1/index.js'",
  );
  writeFileSync(join(folder, 'program-of-files.mjs'), files);
}

/** Returns the path of a tool of the project. */
export function program(folder, name) {
  return join(folder, 'node_modules/.bin', name);
}

/** Returns the version of a tool that the lockfile of a project pins. */
export function pinnedVersion(name, tool) {
  const lock = JSON.parse(readFileSync(join(root, 'tests', name, 'package-lock.json'), 'utf8'));
  return lock.packages[`node_modules/${tool}`].version;
}
