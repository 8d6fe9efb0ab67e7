import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run.mjs';

/**
 * Returns the program of a Node that npm installed in this folder. Dependencies are installed without running their
 * scripts; the script of this one downloads the binary for the platform.
 */
export function nodeIn(folder) {
  const program = join(folder, 'bin/node');
  if (!existsSync(program)) run(process.execPath, ['installArchSpecificPackage'], { cwd: folder });
  return program;
}
