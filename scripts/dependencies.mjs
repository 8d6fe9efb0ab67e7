/**
 * Installs the npm dependencies of folders that have a lock file of their own, exactly as it says:
 * `node scripts/dependencies.mjs tests/types`. Does nothing if all of them are installed.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './places.mjs';
import { run } from './run.mjs';

if (process.argv[1] === fileURLToPath(import.meta.url)) process.argv.slice(2).forEach(installDependencies);

export function installDependencies(folder) {
  const cwd = join(root, folder);
  // npm keeps a copy of what it installed.
  if (packages(join(cwd, 'node_modules/.package-lock.json')) === packages(join(cwd, 'package-lock.json'))) return;
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd, shell: process.platform === 'win32' });
}

/** Name and version of every package that a lock file lists for all platforms; folders of this repository aside. */
function packages(lockFile) {
  if (!existsSync(lockFile)) return undefined;
  const entries = Object.entries(JSON.parse(readFileSync(lockFile, 'utf8')).packages);
  return JSON.stringify(
    entries
      .filter(([name, { version, optional }]) => name.startsWith('node_modules/') && version && !optional)
      .map(([name, { version }]) => [name, version]),
  );
}
