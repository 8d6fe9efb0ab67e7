/**
 * The program as users run it: `npx sales-order-intake`, in a project that has the packed package, by one of the versions of
 * Node that it promises.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { delimiter, dirname, join } from 'node:path';
import { target } from '../../scripts/places.mjs';
import { projects } from '../node/installed.mjs';
import { nodeOf } from '../outbox/run.mjs';

export { until } from '../outbox/until.mjs';

export const VERSIONS = ['20', '22', '24'];
export const TOKEN = 'token-of-the-cli-tests';
export const MAIN = join(projects().esmProject, 'node_modules/sales-order-intake/dist/cli/main.js');

/** What a program printed, and its exit code. */
/** @typedef {{ code: number | null, out: string, err: string }} Result */

/**
 * Runs `npx sales-order-intake …`.
 *
 * @param {string[]} args
 * @param {{ node?: string, cwd?: string, env?: object, input?: string }} [options]
 * @returns {Promise<Result>}
 */
export function npx(args, { node = '24', cwd, env = {}, input } = {}) {
  const binaries = dirname(nodeOf(node));
  const path = [binaries, process.env.PATH].join(delimiter);
  // npx looks for the package in the project, and runs its program in the folder of the user.
  const npm = ['--offline', '--prefix', projects().esmProject, 'exec', '--', 'sales-order-intake', ...args];
  const child = spawn('npm', npm, { cwd, env: cleanEnv({ ...env, PATH: path }) });
  // npm warns of settings of the machine.
  return finished(child, input).then((result) => ({ ...result, err: result.err.replace(/^npm warn .*\n/gm, '') }));
}

/**
 * Runs the program without npx, which takes a second to start.
 *
 * @param {string[]} args
 * @param {{ node?: string, cwd?: string, env?: object, input?: string }} [options]
 */
export function run(args, { node = '24', cwd, env = {}, input } = {}) {
  return finished(start(args, { node, cwd, env }), input);
}

/**
 * Starts the program.
 *
 * @param {string[]} args
 * @param {{ node?: string, cwd?: string, env?: object }} [options]
 */
export function start(args, { node = '24', cwd, env = {} } = {}) {
  return spawn(nodeOf(node), [MAIN, ...args], { cwd, env: cleanEnv(env) });
}

/**
 * @param {any} child
 * @param {string} [input]
 * @returns {Promise<Result>}
 */
export function finished(child, input) {
  const result = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => {
    result.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    result.err += text;
  });
  child.stdin.on('error', () => {});
  child.stdin.end(input ?? '');
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, ...result })));
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
 * A service on loopback that responds as a test wants it to; it lists the paths it was asked for, and the bodies.
 *
 * @typedef {{ path: string, token: string, body: string, count: number }} Received
 * @typedef {{ status: number, body?: string, headers?: Record<string, string>, delayMs?: number }} Response
 *
 * @param {any} t
 * @param {(request: Received) => Response} respond
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
    const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
    const { status, body = '', headers = {}, delayMs = 0 } = respond({ path, token, body: received, count });
    const sent = { 'Content-Type': 'application/json', ...headers };
    setTimeout(() => response.writeHead(status, sent).end(body), delayMs);
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', () => listening(undefined)));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return { baseUrl: `http://127.0.0.1:${port}`, paths, bodies };
}

/** Runs SQL on a journal that no command has open. Returns the rows of the last statement. */
export function sql(journal, ...statements) {
  const script = `
    const database = new (require('node:sqlite').DatabaseSync)(process.argv[1]);
    const [last, ...others] = JSON.parse(process.argv[2]).reverse();
    for (const statement of others.reverse()) database.exec(statement);
    console.log(JSON.stringify(database.prepare(last).all()));
    database.close();`;
  const output = execFileSync(nodeOf('24'), ['--no-warnings', '-e', script, journal, JSON.stringify(statements)]);
  return JSON.parse(output.toString());
}
