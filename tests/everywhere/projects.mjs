/**
 * Sets up users' projects: a folder for each environment, with the packed package, in a folder with the tools of all.
 *
 * They are outside the repository, because tools look for configuration, lock files and modules in the folders above.
 */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { root } from '../../scripts/places.mjs';
import { installedFile } from '../node/installed.mjs';
import { execute } from './execute.mjs';

const PLACE = join(tmpdir(), `sales-order-intake-${createHash('sha256').update(root).digest('hex').slice(0, 8)}`);
const HERE = join(root, 'tests/everywhere');
/** Their dependencies contain a program for this platform only after these scripts have run. */
const WITH_SCRIPTS = ['bun', 'deno', 'pnpm'];

/**
 * Installs the tools of all environments, or those that the quick ones need; again only if the lock file has changed.
 *
 * @param {{ quick?: boolean }} [options]
 */
export async function installTools({ quick = false } = {}) {
  const lock = readFileSync(join(HERE, 'package-lock.json'), 'utf8');
  const stamp = join(PLACE, '.installed');
  const installed = existsSync(stamp) ? readFileSync(stamp, 'utf8') : '';
  if (installed === lock || (quick && installed === `quick ${lock}`)) return;
  rmSync(PLACE, { recursive: true, force: true });
  mkdirSync(PLACE, { recursive: true });
  for (const name of ['package.json', 'package-lock.json']) cpSync(join(HERE, name), join(PLACE, name));
  // Not `npm ci`, which wants the programs for all platforms in the lock file, even those that have none.
  const npm = (...args) => execute('npm', [...args, '--no-audit', '--no-fund'], { cwd: PLACE, env: process.env });
  await npm('install', '--prefer-offline', '--ignore-scripts', ...(quick ? ['--omit=dev'] : []));
  await npm('rebuild', ...WITH_SCRIPTS);
  writeFileSync(stamp, quick ? `quick ${lock}` : lock);
}

/**
 * Sets up the project of an environment; returns its path.
 *
 * @param {{ where: string, files?: string, manifest?: object }} environment
 */
export function projectOf({ where, files, manifest = { type: 'module' } }) {
  const folder = join(PLACE, where.toLowerCase().replaceAll(/\W+/g, '-'));
  rmSync(folder, { recursive: true, force: true });
  cpSync(installedFile(''), join(folder, 'node_modules/sales-order-intake'), { recursive: true });
  const whole = { private: true, ...manifest, dependencies: { 'sales-order-intake': '*' } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(whole));
  if (files) cpSync(join(HERE, 'projects', files), folder, { recursive: true });
  writePrograms(folder);
  return folder;
}

/** Writes the program in every form: unchanged, as CommonJS, with the slim entries, and with files that a page can load. */
function writePrograms(folder) {
  cpSync(join(HERE, 'programs'), folder, { recursive: true });
  const program = readFileSync(join(folder, 'program.mjs'), 'utf8');
  writeFileSync(join(folder, 'program.cjs'), transformSync(program, { format: 'cjs' }).code);
  writeFileSync(join(folder, 'program-slim.mjs'), program.replace(/'sales-order-intake/g, "'sales-order-intake/slim"));
  const paths = program.replace(
    /'sales-order-intake(\/client)?'/g,
    "'./node_modules/sales-order-intake/dist/esm$1/index.js'",
  );
  writeFileSync(join(folder, 'program-of-files.mjs'), paths);
}

/** Returns the names in a folder of projects/. */
export function filesOfProject(files) {
  return readdirSync(join(HERE, 'projects', files));
}

/** Returns the path of a tool that all projects share. */
export function program(name) {
  return join(PLACE, 'node_modules/.bin', name);
}

/** Returns the version of a tool that a lock file pins. */
export function pinnedVersion(tool) {
  const locks = [HERE, join(root, 'tests')].map((folder) =>
    JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')),
  );
  return locks.map(({ packages }) => packages[`node_modules/${tool}`]?.version).find(Boolean);
}
