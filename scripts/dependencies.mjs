/**
 * Installs the npm dependencies of folders that have a lock file, in exactly the locked versions:
 * `node scripts/dependencies.mjs tests docs`. Does nothing if they are installed. npm prints errors only: its
 * warnings say that a package, whose version is pinned, would prefer a later Node or was deprecated.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './places.mjs';
import { run } from './run.mjs';

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const folder of process.argv.slice(2)) installDependencies(folder);

/**
 * @param {string} folder
 * @param {{ omit?: string }} [options] With `dev`, installs no `devDependencies`; those that are installed stay.
 */
export function installDependencies(folder, { omit } = {}) {
  const cwd = join(root, folder);
  // npm stores a copy of the lock file, with what it has installed.
  const installed = packages(join(cwd, 'node_modules/.package-lock.json'));
  const lock = join(cwd, 'package-lock.json');
  if (installed === packages(lock) || (omit === 'dev' && installed === packages(lock, omit))) return;
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  run('npm', omit ? [...args, `--omit=${omit}`] : args, { cwd, shell: process.platform === 'win32' });
}

/** Name and version of every package that a lock file lists for all platforms. */
function packages(lockFile, omit = '') {
  if (!existsSync(lockFile)) return undefined;
  const entries = Object.entries(JSON.parse(readFileSync(lockFile, 'utf8')).packages);
  return JSON.stringify(
    entries
      .filter(([name, { optional, devOptional }]) => name.startsWith('node_modules/') && !optional && !devOptional)
      .filter(([, entry]) => !entry[omit])
      .map(([name, { version }]) => [name, version]),
  );
}
