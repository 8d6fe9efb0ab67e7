/** Runs programs in the background, so that the loopback server of this process can respond to them. */
import { spawn } from 'node:child_process';

/** Turns off colours, telemetry and checks for updates. */
export const ENVIRONMENT = {
  ...process.env,
  CI: '1',
  NO_COLOR: '1',
  FORCE_COLOR: undefined,
  NODE_OPTIONS: undefined,
  NEXT_TELEMETRY_DISABLED: '1',
  WRANGLER_SEND_METRICS: 'false',
  DENO_NO_UPDATE_CHECK: '1',
};

/**
 * Runs a program to its end. Rejects with its output if it fails.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<{ stdout: string, stderr: string }>}
 */
export function execute(program, args, { cwd, env = ENVIRONMENT } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const said = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr']) {
      child[stream].setEncoding('utf8').on('data', (text) => {
        said[stream] += text;
      });
    }
    child.once('error', reject);
    child.once('close', (status) => {
      if (status === 0) return resolve(said);
      return reject(new Error(`${[program, ...args].join(' ')} ended with ${status}:\n${said.stdout}${said.stderr}`));
    });
  });
}

/**
 * Starts a program; returns functions for its output so far, whether it has ended, and to end it with its children.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 */
export function background(program, args, { cwd, env = ENVIRONMENT } = {}) {
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text));
  const ended = new Promise((resolve) => {
    child.once('close', (status) => resolve(status));
    child.once('error', (error) => {
      said += error.message;
      resolve(error);
    });
  });
  return {
    said: () => said,
    ended,
    async stop() {
      try {
        process.kill(-(/** @type {number} */ (child.pid)), 'SIGKILL');
      } catch {
        // It has ended by itself.
      }
      await ended;
    },
  };
}

/** Fetches the URL until it responds, or until the server has ended. */
export async function answering(url, server) {
  let ended = false;
  server.ended.then(() => (ended = true));
  for (const start = Date.now(); !ended && Date.now() - start < 60_000; ) {
    const response = await fetch(url).catch(() => undefined);
    if (response) return response;
    await new Promise((later) => setTimeout(later, 100));
  }
  throw new Error(`${url} does not respond:
${server.said()}`);
}
