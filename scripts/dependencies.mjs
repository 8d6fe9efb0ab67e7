/**
 * The npm dependencies of folders of this repository, exactly as their lock files have them:
 * `node scripts/dependencies.mjs tests/schema …`. Does nothing where all is there.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './places.mjs';
import { run } from './run.mjs';

if (process.argv[1] === fileURLToPath(import.meta.url)) process.argv.slice(2).forEach(installDependencies);

export function installDependencies(folder) {
  const cwd = join(root, folder);
  // npm keeps a copy of what it installed, without the root's own entry.
  if (packages(join(cwd, 'node_modules/.package-lock.json')) === packages(join(cwd, 'package-lock.json'))) return;
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd, shell: process.platform === 'win32' });
}

/** Name and version of all that a lock file lists for every platform. */
function packages(lockFile) {
  if (!existsSync(lockFile)) return undefined;
  const entries = Object.entries(JSON.parse(readFileSync(lockFile, 'utf8')).packages);
  return JSON.stringify(
    entries.filter(([name, entry]) => name && !entry.optional).map(([name, { version }]) => [name, version]),
  );
}
