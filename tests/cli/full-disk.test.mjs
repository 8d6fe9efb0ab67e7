/** A disk that is full under what a command prints (D62). */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { freePort } from '../../scripts/ports.mjs';
import { ndjson, numbered } from './orders.mjs';
import { cleanEnv, folderOf, followed, MAIN, serviceOf, TOKEN, until } from './program.mjs';
import { put, settled } from './relay/relays.mjs';

const env = { SALES_ORDER_INTAKE_TOKEN: TOKEN };
const NO_STACK = /fault of the program|^\s+at /m;
const skip = !existsSync('/dev/full');
const send = (baseUrl, ...more) => ['send', 'orders.ndjson', '--base-url', baseUrl, ...more];

/** Starts the program after a command of the shell. `"$@"` is the program. */
function startIn(shell, args, cwd) {
  return followed(spawn('sh', ['-c', shell, 'sh', process.execPath, MAIN, ...args], { cwd, env: cleanEnv(env) }));
}

test('send --json on a full disk creates every order, and its exit code is that of the orders', { skip }, async (t) => {
  const cwd = folderOf(t, { 'orders.ndjson': ndjson(50) });
  const { baseUrl, paths } = await serviceOf(t, () => ({ status: 201 }));
  const { code, err } = await startIn('exec "$@" > /dev/full', send(baseUrl, '--json'), cwd).ended;
  assert.equal(code, 0, err);
  assert.equal(new Set(paths).size, 50);
  assert.match(err, /^error: standard output can't be written: ENOSPC$/m);
  assert.match(err, /^50 orders: 50 created\.$/m);
  assert.doesNotMatch(err, NO_STACK);
});

test('send whose progress and errors go to a full disk creates every order', { skip }, async (t) => {
  const cwd = folderOf(t, { 'orders.ndjson': ndjson(50) });
  const { baseUrl } = await serviceOf(t, () => ({ status: 201 }));
  const { code, out } = await startIn('exec "$@" 2> /dev/full', send(baseUrl), cwd).ended;
  assert.deepEqual([code, out], [0, '50 orders: 50 created.\n']);
});

test('a relay whose log goes to a full disk accepts and delivers orders', { skip }, async (t) => {
  const { baseUrl } = await serviceOf(t, ({ body }) => ({ status: 201, body }));
  const port = await freePort();
  const args = ['relay', '--base-url', baseUrl, '--listen', `${port}`, '--outbox', 'relay.sqlite'];
  const child = startIn('exec "$@" > /dev/full', args, folderOf(t));
  t.after(() => child.kill('SIGKILL'));
  const relay = { url: `http://127.0.0.1:${port}` };
  const isReady = () =>
    fetch(`${relay.url}/ready`).then(
      (response) => response.ok,
      () => false,
    );
  await until(async () => child.exitCode !== null || (await isReady()), 'the relay to be ready');
  for (const n of [0, 1]) {
    assert.equal((await put(relay, numbered(n))).status, 202);
    assert.equal((await settled(relay, numbered(n))).state, 'created');
  }
  child.kill('SIGTERM');
  const { code, err } = await child.ended;
  assert.equal(code, 0);
  assert.match(err, /^error: standard output can't be written: ENOSPC$/m);
  assert.doesNotMatch(err, NO_STACK);
});
