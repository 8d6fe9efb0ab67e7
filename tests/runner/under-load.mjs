/**
 * Runs the tests that wait for something beside two busy loops for each core; ONLY names others. A test that depends on
 * the speed of the machine fails here.
 */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { run } from '../../scripts/run.mjs';

const WAITING = [
  ...['client', 'testing', 'outbox', 'simulation', 'traces', 'responses', 'cli', 'relay', 'testing-service', 'service'],
  ...['postgres', 'simulation-postgres', 'terminal', 'mcp', 'relay-all', 'browser', 'demo', 'shop'],
];

for (let count = 0; count < 2 * availableParallelism(); count++) {
  const loop = spawn(process.execPath, ['--eval', 'while (true);'], { stdio: 'ignore' });
  loop.unref();
  process.on('exit', () => loop.kill('SIGKILL'));
}
const { ONLY = WAITING.join() } = process.env;
// Its times are not those of a quiet machine.
run(process.execPath, ['tests/runner/main.mjs', 'all'], { env: { ...process.env, ONLY, LIMITS: '' } });
