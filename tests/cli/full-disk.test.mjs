/** A disk that is full under what a command prints, under the journal or under the report (D62). */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { freePort } from '../../scripts/ports.mjs';
import { ndjson, numbered } from './orders.mjs';
import {
  cleanEnv,
  folderOf,
  followed,
  jsonLines,
  MAIN,
  NOBODY,
  printed,
  run,
  serviceOf,
  sql,
  start,
  TOKEN,
  until,
} from './program.mjs';
import { put, settled } from './relay/relays.mjs';

const env = { SALES_ORDER_INTAKE_TOKEN: TOKEN };
const NO_STACK = /fault of the program|^\s+at /m;
const skip = !existsSync('/dev/full');
const send = (baseUrl, ...more) => ['send', 'orders.ndjson', '--base-url', baseUrl, ...more];

/** Starts the program after a command of the shell. `"$@"` is the program. */
function startIn(shell, args, cwd) {
  return followed(spawn('sh', ['-c', shell, 'sh', process.execPath, MAIN, ...args], { cwd, env: cleanEnv(env) }));
}

/** As on a disk that has this many bytes for each file: what goes beyond is an I/O error. */
const limited = (bytes) => `ulimit -f ${bytes / 512}; exec "$@"`;

/** Sends to nobody until all orders are in the journal. */
async function waitingIn(cwd, count) {
  const child = start(send(NOBODY), { cwd, env });
  await printed(child, 'err', /can't be reached|refused/);
  const journal = join(cwd, 'orders.ndjson.outbox.sqlite');
  const added = () => sql(journal, 'SELECT count(*) AS added FROM outbox_entry')[0].added;
  await until(() => added() === count, 'all orders to be in the journal');
  child.kill('SIGINT');
  await child.ended;
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

test('a command whose result can not be written ends with 1', { skip }, async (t) => {
  const cwd = folderOf(t, { 'orders.ndjson': ndjson(2) });
  for (const args of [['--help'], ['id'], ['mapping', 'shopify'], ['explain'], ['request', 'orders.ndjson']]) {
    const { code, err } = await startIn('exec "$@" > /dev/full', args, cwd).ended;
    assert.deepEqual([code, err], [1, "error: standard output can't be written: ENOSPC\n"], args[0]);
  }
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

for (const [when, { count, isAdded = false, limits }] of Object.entries({
  'while orders are added': { count: 1000, limits: [512 << 10] },
  'while results are written': { count: 50, isAdded: true, limits: [64 << 10] },
  'when the journal is opened': { count: 1, limits: [512, 16 << 10, 32 << 10, 48 << 10] },
})) {
  test(`a disk that is full ${when} ends send with 5 and how to resume; the next run sends all`, async (t) => {
    const cwd = folderOf(t, { 'orders.ndjson': ndjson(count) });
    const { baseUrl, paths } = await serviceOf(t, () => ({ status: 201 }));
    if (isAdded) await waitingIn(cwd, count);
    for (const bytes of limits) {
      const { code, out, err } = await startIn(limited(bytes), send(baseUrl, '--concurrency', '1'), cwd).ended;
      assert.equal(code, 5, err);
      assert.match(err, /^error: orders\.ndjson\.outbox\.sqlite can't be written: /m);
      assert.match(err, /To resume: sales-order-intake send orders\.ndjson /);
      assert.doesNotMatch(err, NO_STACK);
      assertAddsUp(out);
    }
    if (limits.length > 1) assert.deepEqual(paths, []);
    const again = await run(send(baseUrl), { cwd, env });
    assert.equal(again.code, 0, again.err);
    assert.equal(new Set(paths).size, count);
  });
}

test('outbox and relay on a full disk end with 5, without a stack trace', async (t) => {
  const cwd = folderOf(t, { 'orders.ndjson': ndjson(100) });
  await waitingIn(cwd, 100);
  const relay = ['relay', '--base-url', NOBODY, '--listen', '0', '--outbox', 'orders.ndjson.outbox.sqlite'];
  for (const args of [['outbox', 'orders.ndjson', 'cancel', '--state', 'waiting'], relay]) {
    const { code, err } = await startIn(limited(args === relay ? 16 << 10 : 40 << 10), args, cwd).ended;
    assert.equal(code, 5, err);
    assert.match(err, /^error: orders\.ndjson\.outbox\.sqlite can't be written: disk I\/O error\n/);
    assert.doesNotMatch(err, NO_STACK);
  }
});

test('a disk that is full while the report is written ends send with 5; the next run writes all of it', async (t) => {
  const invalid = Array.from({ length: 1000 }, (_, n) => JSON.stringify(numbered(n, { CompanyId: 0 })));
  const cwd = folderOf(t, { 'orders.ndjson': invalid.join('\n') });
  const { baseUrl } = await serviceOf(t, () => ({ status: 201 }));
  const { code, err } = await startIn(limited(256 << 10), send(baseUrl), cwd).ended;
  assert.equal(code, 5, err);
  assert.match(err, /^error: the report orders\.ndjson\.report\.ndjson can't be written: EFBIG$/m);
  assert.match(err, /^To resume: /m);
  assert.equal((await run(send(baseUrl), { cwd, env })).code, 1);
  assert.equal(jsonLines(readFileSync(join(cwd, 'orders.ndjson.report.ndjson'), 'utf8')).length, 1000);
});

/** The orders that were read are those that the summary names. */
function assertAddsUp(out) {
  const [read = 0, ...parts] = [...out.replace(/\(.*?\)/, '').matchAll(/[\d,]+(?= )/g)].map(([n]) =>
    Number(n.replaceAll(',', '')),
  );
  assert.equal(
    parts.reduce((sum, n) => sum + n, 0),
    read,
    out,
  );
}
