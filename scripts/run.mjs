import { spawnSync } from 'node:child_process';

/** Runs a program in the foreground; a failure ends this script with its status. */
export function run(program, args, options = {}) {
  const { status, error } = spawnSync(program, args, { stdio: 'inherit', ...options });
  if (error) fail(`${program} could not be run: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

/** Output of a program, or undefined where it is not there or fails. */
export function output(program, args, options = {}) {
  const { status, stdout } = spawnSync(program, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    ...options,
  });
  return status === 0 ? stdout.trim() : undefined;
}

export function fail(message) {
  console.error(message);
  process.exit(1);
}
