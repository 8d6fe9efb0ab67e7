/**
 * Runs a program with another Node than the machine's: `node scripts/node.mjs 24 --test FILE`; or with any that has SQLite:
 * `node scripts/node.mjs sqlite --test FILE`. tests/package.json pins the versions. Each is fetched when it is first used.
 */
import { existsSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installDependencies } from './dependencies.mjs';
import { root } from './places.mjs';
import { fail, output, run } from './run.mjs';

/** Returns the program of Node in this major version. */
export function nodeOf(major) {
  installDependencies('tests', { omit: 'dev' });
  const folder = join(root, `tests/node_modules/node${major}`);
  const program = join(folder, 'bin/node');
  // Dependencies are installed without running their scripts; the script of this one fetches the program for the platform.
  if (!existsSync(program) && output(process.execPath, ['installArchSpecificPackage'], { cwd: folder }) === undefined)
    fail(`Node ${major} could not be fetched`);
  return program;
}

/** Returns the Node of this process if it has `node:sqlite` without a flag (22.13 or later), else Node 24. */
export function nodeWithSqlite() {
  return isBuiltin('node:sqlite') ? process.execPath : nodeOf(24);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [version, ...args] = process.argv.slice(2);
  run(version === 'sqlite' ? nodeWithSqlite() : nodeOf(version), args);
}
