import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { nodeWithSqlite } from './node.mjs';
import { pkg, target } from './places.mjs';

/**
 * Starts a service and waits until it accepts orders: the reference service, or any program that prints its base URL and
 * token in the same way. Resolves to `{ pid, baseUrl, token, page, views, lines, stop() }` when it has printed the line
 * `last`. The service responds to nothing before it has printed all lines, so `views` is complete after the first
 * response.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, cwd?: string, last?: 'base' | 'page' | 'view' }} [options]
 */
export async function startService(program, args, { env = process.env, cwd, last = 'base' } = {}) {
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  /** Each `base URL  <url>`, `token <token>`, `page <url>` or `view <url>`. */
  const said = [];
  const printed = new Promise((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      said.push(line.replace(/^base URL/, 'base').split(/\s+/));
      if (said.at(-1)?.[0] === last) resolve(undefined);
    });
  });
  await Promise.race([
    printed,
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
    get views() {
      return find('view');
    },
    /** Returns the words that it has printed. */
    lines: said,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/**
 * Starts the reference service of the package, `sales-order-intake serve`, with its demo company. The package must have been
 * built.
 *
 * @param {{ keep?: string, port?: number, page?: string }} [options] The file that keeps its orders, and the page's folder.
 */
export function startDemoService({ keep, port = 0, page } = {}) {
  const token = process.env.SALES_ORDER_INTAKE_DEMO_TOKEN;
  const flags = Object.entries({ keep, page, token }).flatMap(([name, value]) => (value ? [`--${name}`, value] : []));
  const args = [join(pkg, 'dist/cli/main.js'), 'serve', '--demo', '--port', String(port), ...flags];
  return startService(process.execPath, args, { last: 'view' });
}

/**
 * Starts the native reference service with its demo company. It must have been built.
 *
 * @param {{ database: string, build?: 'debug' | 'release' }} options
 */
export function startNativeService({ database, build = 'debug' }) {
  const flags = ['--listen', '127.0.0.1:0', '--database', database, '--log', 'error'];
  return startService(join(target, build, 'sales-order-intake-server'), ['serve', '--demo', ...flags], {
    last: 'page',
  });
}

/**
 * Starts the relay of the package, and waits until it listens. The package must have been built.
 *
 * @param {string} baseUrl that of the service; it may be down
 * @param {string} outbox
 * @param {{ clientToken?: string }} [options]
 */
export async function startRelay(baseUrl, outbox, { clientToken } = {}) {
  const flags = ['--quiet', '--listen', '0', '--base-url', baseUrl, '--outbox', outbox];
  const token = clientToken === undefined ? [] : ['--client-token', clientToken];
  const args = ['--no-warnings', join(pkg, 'dist/cli/main.js'), 'relay', ...flags, ...token];
  const child = spawn(nodeWithSqlite(), args, {
    env: { ...process.env, SALES_ORDER_INTAKE_TOKEN: 'a-token' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  return {
    baseUrl: JSON.parse(line).url,
    token: clientToken,
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
