/**
 * Counts the instructions of the core for one order of three lines of each kind, compiled for this machine: the one
 * figure that no other program disturbs. Run as a script, it prints them.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root, target } from '../scripts/places.mjs';
import { fail, run, programOf } from '../scripts/run.mjs';
import { spawnSync } from 'node:child_process';

const KINDS = ['plain', 'discounts', 'estimated'];
const CALLS = 200;

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(instructions() ?? 'valgrind is not installed');

/** Returns the instructions of an evaluation by kind of order; `undefined` if valgrind is not installed. */
export function instructions() {
  const valgrind = programOf('VALGRIND', 'valgrind');
  if (!valgrind) return undefined;
  const program = ['--package', 'sales-order-intake-wasm', '--example', 'instructions', '--profile', 'wasm'];
  run('cargo', ['build', '--quiet', '--locked', ...program], { cwd: root });
  const each = (kind) => (counted(valgrind, kind, 2 * CALLS) - counted(valgrind, kind, CALLS)) / CALLS;
  return Object.fromEntries(KINDS.map((kind) => [kind, Math.round(each(kind))]));
}

/** Returns the instructions of the whole program, which evaluates an order `calls` times. */
function counted(valgrind, kind, calls) {
  const program = join(target, 'wasm/examples/instructions');
  const args = ['--tool=callgrind', '--callgrind-out-file=/dev/null', program, kind, `${calls}`];
  const { stderr } = spawnSync(valgrind, args, { encoding: 'utf8' });
  const [, count] = stderr?.match(/Collected : (\d+)/) ?? fail(`valgrind counted no instructions: ${stderr}`);
  return Number(count);
}
