/** A reader that has read enough, as `| head -1`, changes neither what a command does nor its exit code. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { item } from '../node/orders.mjs';
import { ndjson, numbered } from './orders.mjs';
import { folderOf, serviceOf, start, TOKEN } from './program.mjs';

const INVALID = { Items: [item({ Quantity: 0 })] };

/** Runs the program, and closes a stream of it after the first piece; returns the exit code. */
function endedAfterFirstPiece(args, stream, { cwd, env = {} }) {
  const child = start(args, { cwd, env });
  for (const other of [child.stdout, child.stderr]) other.resume();
  child[stream].once('data', () => child[stream].destroy());
  return new Promise((resolve) => child.on('close', resolve));
}

test('send --json to a closed pipe creates every order', async (t) => {
  const invalid = `${JSON.stringify(numbered(1000, INVALID))}\n`;
  const cwd = folderOf(t, { 'orders.ndjson': invalid + ndjson(50) });
  const { baseUrl, paths } = await serviceOf(t, () => ({ status: 201, delayMs: 20 }));
  const args = ['send', 'orders.ndjson', '--base-url', baseUrl, '--json'];
  const code = await endedAfterFirstPiece(args, 'stdout', { cwd, env: { SALES_ORDER_INTAKE_TOKEN: TOKEN } });
  assert.equal(code, 1);
  assert.equal(new Set(paths).size, 50);
});

test('check --json to a closed pipe reports invalid orders in its exit code', async (t) => {
  const orders = Array.from({ length: 2000 }, (_, n) => `${JSON.stringify(numbered(n, INVALID))}\n`);
  const cwd = folderOf(t, { 'orders.ndjson': orders.join('') });
  assert.equal(await endedAfterFirstPiece(['check', 'orders.ndjson', '--json'], 'stdout', { cwd }), 1);
});

test('request with its errors to a closed pipe keeps its exit code', async (t) => {
  const orders = Array.from({ length: 2000 }, (_, n) => `${JSON.stringify(numbered(n, INVALID))}\n`);
  const cwd = folderOf(t, { 'orders.ndjson': orders.join('') });
  assert.equal(await endedAfterFirstPiece(['request', 'orders.ndjson'], 'stderr', { cwd }), 1);
});
