/**
 * Runs a program with another Node than the machine's: `node tests/outbox/run.mjs 24 --test …`. Its binary comes from the
 * lock file of this folder.
 */
import { fileURLToPath } from 'node:url';
import { installDependencies } from '../../scripts/dependencies.mjs';
import { nodeIn } from '../../scripts/node-binary.mjs';
import { run } from '../../scripts/run.mjs';

/** Returns the path of Node of this major version. */
export function nodeOf(major) {
  installDependencies('tests/outbox');
  return nodeIn(fileURLToPath(new URL(`node_modules/node${major}`, import.meta.url)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [major, ...args] = process.argv.slice(2);
  run(nodeOf(major), args);
}
