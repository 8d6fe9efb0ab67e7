/**
 * Runs a program with another Node than the machine's: `node tests/outbox/run.mjs 24 --test …`. Its binary comes from the
 * lock file of this folder.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installDependencies } from '../../scripts/dependencies.mjs';
import { run } from '../../scripts/run.mjs';

/** Returns the path of Node of this major version. */
export function nodeOf(major) {
  installDependencies('tests/outbox');
  const folder = fileURLToPath(new URL(`node_modules/node${major}`, import.meta.url));
  const program = join(folder, 'bin/node');
  // Dependencies are installed without running their scripts; this one downloads the binary for the platform.
  if (!existsSync(program)) run(process.execPath, ['installArchSpecificPackage'], { cwd: folder });
  return program;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [major, ...args] = process.argv.slice(2);
  run(nodeOf(major), args);
}
