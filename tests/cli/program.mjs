/** The program of the installed package, run by the Node that runs the tests. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after } from 'node:test';
import { target } from '../../scripts/places.mjs';
import { listen } from '../../scripts/ports.mjs';
import { projects } from '../node/installed.mjs';
import { until } from '../outbox/until.mjs';

export { until };

export const TOKEN = 'token-of-the-cli-tests';
export const MAIN = join(projects().esmProject, 'node_modules/sales-order-intake/dist/cli/main.js');
/** Nobody listens on this port: it is not assigned, and only root could take it. */
export const NOBODY = 'http://127.0.0.1:2';
export const NEVER = new Promise(() => {});

/** The output of a program, and its exit code. */
/** @typedef {{ code: number | null, out: string, err: string }} Result */
/**
 * @typedef {{ cwd?: string, env?: object, node?: string, main?: string }} Options `node` is the program of another Node, `main`
 *   that of another installation.
 */

const running = new Set();
// One that a failed test leaves would keep this process alive.
after(() => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * Runs the program until it ends.
 *
 * @param {string[]} args
 * @param {Options & { input?: string }} [options]
 */
export function run(args, { input, ...options } = {}) {
  return finished(start(args, options), input);
}

/**
 * Starts the program.
 *
 * @param {string[]} args
 * @param {Options} [options]
 */
export function start(args, { cwd, env = {}, node = process.execPath, main = MAIN } = {}) {
  return followed(spawn(node, [main, ...args], { cwd, env: cleanEnv(env) }));
}

/** Follows what a process prints: `shown` is that so far, `ended` all of it with the exit code. */
export function followed(child) {
  const shown = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => {
    shown.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    shown.err += text;
  });
  child.stdin.on('error', () => {});
  running.add(child);
  /** @type {Promise<Result>} */
  const ended = new Promise((resolve) => {
    child.on('close', (code) => {
      running.delete(child);
      resolve({ code, ...shown });
    });
  });
  return Object.assign(child, { shown, ended });
}

/**
 * Ends the input of a process, and waits for its end.
 *
 * @returns {Promise<Result>}
 */
export function finished(child, input = '') {
  child.stdin.end(input);
  return child.ended;
}

/**
 * Waits until a process has printed this on one of its streams.
 *
 * @param {any} child
 * @param {'out' | 'err'} stream
 * @param {RegExp} pattern
 */
export async function printed(child, stream, pattern) {
  await until(() => pattern.test(child.shown[stream]) || !running.has(child), `${pattern} on ${stream}`);
  if (!pattern.test(child.shown[stream])) {
    throw new Error(`ended without ${pattern} on ${stream}: ${JSON.stringify(child.shown)}`);
  }
}

/** Nothing of the environment but what programs need to run: CI, NO_COLOR and others decide about colours. */
export function cleanEnv(env) {
  const { PATH, HOME } = process.env;
  return { PATH, HOME, ...env };
}

/** A folder of this test with these files, removed after it. */
export function folderOf(t, files = {}) {
  mkdirSync(join(target, 'cli'), { recursive: true });
  const folder = mkdtempSync(join(target, 'cli', 'test-'));
  t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, name), typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`);
  }
  return folder;
}

/**
 * A service on loopback that responds as a test wants it to, and when it does; it lists the paths it was asked for, and the
 * bodies.
 *
 * @typedef {{ method?: string, path: string, token: string, contentType?: string, body: string, count: number }} Received
 * @typedef {{ status: number, body?: string, headers?: Record<string, string> }} Response
 *
 * @param {any} t
 * @param {(request: Received) => Response | Promise<any>} respond
 */
export async function serviceOf(t, respond) {
  const paths = [];
  const bodies = [];
  const server = createServer(async (request, response) => {
    const path = request.url ?? '';
    paths.push(path);
    const count = paths.length;
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const received = Buffer.concat(chunks).toString();
    bodies.push(received);
    const { authorization = '', 'content-type': contentType } = request.headers;
    const token = /^Bearer (.*)$/.exec(authorization)?.[1] ?? '';
    const { method } = request;
    const {
      status,
      body = '',
      headers = {},
    } = await respond({ method, path, token, contentType, body: received, count });
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(body);
  });
  const port = await listen(server);
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { baseUrl: `http://127.0.0.1:${port}`, paths, bodies };
}

/** Runs SQL on a journal that no command has open. Returns the rows of the last statement. */
export function sql(journal, ...statements) {
  const database = new DatabaseSync(journal);
  try {
    for (const statement of statements.slice(0, -1)) database.exec(statement);
    return /** @type {any[]} */ (database.prepare(statements.at(-1) ?? '').all());
  } finally {
    database.close();
  }
}

/** Reads one JSON value per line. */
export function jsonLines(text) {
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}
