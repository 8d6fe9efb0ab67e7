/** A reader that has read enough, as `| head -1`, changes neither what a command does nor its exit code. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { item } from '../node/orders.mjs';
import { ndjson, numbered } from './orders.mjs';
import { folderOf, serviceOf, start, TOKEN } from './program.mjs';

const INVALID = { Items: [item({ Quantity: 0 })] };

/** Runs the program, and closes a stream of it after the first piece; returns the exit code. */
async function endedAfterFirstPiece(args, stream, { cwd, env = {}, onClosed = (_) => {} }) {
  const child = start(args, { cwd, env });
  child[stream].once('data', () => child[stream].destroy());
  child[stream].once('close', () => onClosed(undefined));
  return (await child.ended).code;
}

test('send --json to a closed pipe creates every order', async (t) => {
  const invalid = `${JSON.stringify(numbered(1000, INVALID))}\n`;
  const cwd = folderOf(t, { 'orders.ndjson': invalid + ndjson(50) });
  // The orders are created when nobody reads any more.
  const { promise: isClosed, resolve: onClosed } = Promise.withResolvers();
  const { baseUrl, paths } = await serviceOf(t, async () => {
    await isClosed;
    return { status: 201 };
  });
  const args = ['send', 'orders.ndjson', '--base-url', baseUrl, '--json'];
  const env = { SALES_ORDER_INTAKE_TOKEN: TOKEN };
  assert.equal(await endedAfterFirstPiece(args, 'stdout', { cwd, env, onClosed }), 1);
  assert.equal(new Set(paths).size, 50);
});

for (const [args, stream] of /** @type {const} */ ([
  [['check', 'orders.ndjson', '--json'], 'stdout'],
  [['request', 'orders.ndjson'], 'stderr'],
])) {
  test(`${args[0]} to a closed pipe reports invalid orders in its exit code`, async (t) => {
    const orders = Array.from({ length: 2000 }, (_, n) => `${JSON.stringify(numbered(n, INVALID))}\n`);
    const cwd = folderOf(t, { 'orders.ndjson': orders.join('') });
    assert.equal(await endedAfterFirstPiece([...args], stream, { cwd }), 1);
  });
}
