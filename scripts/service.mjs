import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { target } from './places.mjs';

/**
 * Starts a service and waits until it accepts orders: the reference service, or any program that prints its base URL and
 * token in the same way. Resolves to `{ pid, baseUrl, token, page, views, stop() }`.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, cwd?: string }} [options]
 */
export async function startService(program, args, { env = process.env, cwd } = {}) {
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  const said = await Promise.race([
    firstLines(child.stdout),
    ended.then((status) => {
      throw new Error(`${program} ended with ${status}`);
    }),
  ]);
  const find = (name) => said.filter(([first]) => first === name).map(([, value]) => value);
  return {
    pid: child.pid,
    baseUrl: find('base')[0],
    token: find('token')[0],
    page: find('page')[0],
    views: find('view'),
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/**
 * Starts the reference service with its demo company. The service must have been built.
 *
 * @param {{ database: string, build?: 'debug' | 'release', listen?: string, log?: string, page?: string }} options
 */
export function startDemoService({ database, build = 'debug', listen = '127.0.0.1:0', log = 'error', page }) {
  const flags = [
    '--listen',
    listen,
    '--database',
    database,
    '--log',
    log,
    ...(page === undefined ? [] : ['--page', page]),
  ];
  return startService(join(target, build, 'sales-order-intake-server'), ['serve', '--demo', ...flags]);
}

/** Reads lines until none comes for a moment: `base URL  <url>`, `token <token>`, `page <url>`, `view <url>`. */
async function firstLines(stream) {
  const lines = [];
  const reader = createInterface({ input: stream });
  await new Promise((resolve) => {
    let quiet;
    reader.on('line', (line) => {
      lines.push(line.replace(/^base URL/, 'base').split(/\s+/));
      clearTimeout(quiet);
      quiet = setTimeout(resolve, 100);
    });
    reader.on('close', resolve);
  });
  return lines;
}
