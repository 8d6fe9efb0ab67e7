/**
 * Runs the tests on a busy machine: `node tests/runner/under-load.mjs test all` runs `make test` and `make test-all`, each beside
 * two busy loops for every core. What depends on the speed of the machine fails here.
 */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { run } from '../../scripts/run.mjs';

const loops = Array.from({ length: 2 * availableParallelism() }, () =>
  spawn(process.execPath, ['--eval', 'while (true);'], { stdio: 'ignore' }),
);
process.on('exit', () => {
  for (const loop of loops) loop.kill('SIGKILL');
});
for (const group of process.argv.slice(2)) run(process.execPath, ['tests/runner/main.mjs', group]);
