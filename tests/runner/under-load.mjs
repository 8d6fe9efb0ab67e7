/**
 * Runs a command beside two busy loops for each core: `node tests/runner/under-load.mjs make test`. A test that depends
 * on the speed of the machine fails here.
 */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { run } from '../../scripts/run.mjs';

for (let count = 0; count < 2 * availableParallelism(); count++) {
  const loop = spawn(process.execPath, ['--eval', 'while (true);'], { stdio: 'ignore' });
  loop.unref();
  process.on('exit', () => loop.kill('SIGKILL'));
}
const [program, ...args] = process.argv.slice(2);
// Its times are not those of a quiet machine.
run(program, args, { env: { ...process.env, LIMITS: '' } });
