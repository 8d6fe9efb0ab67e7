import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Runs a program in the foreground; a failure ends this script with its status. */
export function run(program, args, options = {}) {
  const { status, error } = spawnSync(program, args, { stdio: 'inherit', ...options });
  if (error) fail(`${program} could not be run: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

/**
 * Runs a program while this script goes on, and resolves when it ends; a failure ends this script with its status, and
 * with it the other programs that it started.
 */
export function start(program, args, options = {}) {
  const child = spawn(program, args, { stdio: 'inherit', ...options });
  const stop = () => child.kill();
  process.once('exit', stop);
  return new Promise((resolve) => {
    child.on('error', (error) => fail(`${program} could not be run: ${error.message}`));
    child.on('close', (status) => {
      process.off('exit', stop);
      if (status !== 0) process.exit(status ?? 1);
      resolve(undefined);
    });
  });
}

/** Returns the output of a program, or `undefined` if it doesn't exist or fails. */
export function output(program, args, options = {}) {
  const { status, stdout } = spawnSync(program, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    ...options,
  });
  return status === 0 ? stdout.trim() : undefined;
}

/** Returns the path of the program that a variable names, or of the first of these names in the PATH; else `undefined`. */
export function programOf(variable, ...names) {
  const named = process.env[variable];
  if (named) return existsSync(named) ? named : fail(`${variable} names ${named}, which doesn't exist`);
  const folders = (process.env.PATH ?? '').split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path));
}

/**
 * Prints a message and ends the script with status 1.
 *
 * @param {string} message
 * @returns {never}
 */
export function fail(message) {
  console.error(message);
  process.exit(1);
}
