/** Large files: time that grows with their length only, memory that does not grow, and records that are too long. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { item } from '../../node/orders.mjs';
import { MAPPING, numbered, csv, TEA } from '../orders.mjs';
import { folderOf, run, start } from '../program.mjs';

/** Far above what the tests take, and far below what work that grows with the square takes: hours. */
const timeout = 300_000;
const NAMELESS = { Items: [{ ...item(), Name: undefined }] };
const MB = 1 << 20;
/** Node itself takes some 90 MB, and the longest record that is kept twice 32 MB. */
const MOST_RSS_MB = 350;
/** The program prints the peak of its resident memory, in KB, when it ends. */
const PRINT_PEAK = "process.on('exit',()=>process.stderr.write('peak '+process.resourceUsage().maxRSS))";
const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(PRINT_PEAK)}` };

test('thousands of orders in one line are checked, with an issue each, and a repeated Id is found', {
  timeout,
}, async () => {
  const orders = Array.from({ length: 4000 }, (_, n) => numbered(n, { ...NAMELESS, Notes: 'x'.repeat(200) }));
  const { code, out } = await run(['check', '-'], { input: JSON.stringify([...orders, numbered(1234)]) });
  assert.equal(code, 1);
  assert.match(out, /Checked 4,001 orders for v3\. 1 is invalid \(1 error, 4,000 warnings\)/);
  const column = JSON.stringify(orders.slice(0, 1234)).length + 1;
  assert.ok(out.includes(`error: Id is also that of the order at -:1:${column} [duplicate_order_id]`));
});

test('thousands of lines of one order are checked, with an issue each', { timeout }, async () => {
  const items = Array.from({ length: 30_000 }, () => item({ Quantity: 0 }));
  const { out } = await run(['check', '-'], { input: JSON.stringify(numbered(0, { Items: items }), null, 1) });
  assert.ok(out.length > 1000 * 80);
});

test('a hundred thousand values without anything between them are checked', { timeout }, async () => {
  const { out } = await run(['check', '-', '--json'], { input: '{}'.repeat(100_000) });
  assert.match(out.trimEnd().split('\n').at(-1) ?? '', /"line":1,"column":199999\}$/);
});

/**
 * Checks a stream that is never whole in memory; returns also the peak of the program's resident memory.
 *
 * @param {any} t
 * @param {string} format
 * @param {[string, string, string]} text The piece in the middle is repeated up to 200 MB.
 */
async function streamed(t, format, [first, middle, last]) {
  const cwd = folderOf(t, { 'mapping.json': MAPPING });
  const child = start(['check', '-', '--format', format, '--map', 'mapping.json'], { cwd, env });
  const written = (async () => {
    const write = (text) =>
      new Promise((resolve) => {
        child.stdin.write(text, resolve);
        child.once('close', resolve);
      });
    child.stdin.on('error', () => {});
    child.setMaxListeners(0);
    await write(first);
    const piece = Buffer.from(middle.repeat(Math.ceil(MB / middle.length)));
    for (let n = 0; n < 200 && child.exitCode === null; n++) await write(piece);
    child.stdin.end(last);
  })();
  const { code, ...result } = await child.ended;
  await written;
  const [, peak = ''] = /peak (\d+)$/.exec(result.err) ?? [];
  assert.ok(peak !== '' && Number(peak) / 1024 < MOST_RSS_MB, `${peak} KB`);
  return { code, out: result.out, err: result.err.replace(/peak \d+$/, '') };
}

const [ONE, TWO] = [0, 1].map((n) => JSON.stringify(numbered(n)));

test('an order of an array that is too long is an error, and the others are checked', { timeout }, async (t) => {
  const { code, out } = await streamed(t, 'json', [`[${ONE},\n {"Notes":"`, 'x', `"},${TWO}]`]);
  assert.equal(code, 1);
  assert.match(
    out,
    /^-:2:2: error: The order is larger than 33554432 bytes \[too_large\]\n[\s\S]*hint: split it into/m,
  );
  assert.match(out, /Checked 3 orders for v3\. 1 is invalid \(1 error\)/);
});

test('a line of NDJSON that is too long is an error, and the others are checked', { timeout }, async (t) => {
  const { code, out } = await streamed(t, 'ndjson', [`${ONE}\n{"Items":[`, '{"a":1},', `{}]}\n${TWO}\n`]);
  assert.equal(code, 1);
  assert.match(out, /^-:2:1: error: The order is larger than 33554432 bytes/m);
  assert.match(out, /Checked 3 orders for v3\. 1 is invalid \(1 error\)/);
});

for (const [what, first, middle, line, most] of /** @type {[string, string, string, number, string][]} */ ([
  ['first line', '', 'x', 1, '33554432 bytes'],
  ['row', csv(), ',', 2, '1048576 cells'],
  ['quoted cell', `${csv(`1,2000,${TEA},1,19.99,`)}2,"`, 'x\n', 3, '33554432 bytes'],
])) {
  test(`a ${what} of a CSV file that is too long ends the command with its position`, { timeout }, async (t) => {
    const { code, err } = await streamed(t, 'csv', [first, middle, '']);
    assert.equal(code, 1);
    assert.match(err, new RegExp(`^error: -:${line}:1: the row that begins here has more than ${most}\nhint: `, 'm'));
  });
}

test('a line of 5 MB with a warning takes no more memory than the line', { timeout }, async () => {
  const order = JSON.stringify(numbered(0, { ...NAMELESS, Notes: '茶'.repeat(5 * MB) }));
  const { out, err } = await run(['check', '-'], { env, input: order });
  assert.match(out, /3 warnings/);
  assert.ok(Number(/peak (\d+)/.exec(err)?.[1]) / 1024 < MOST_RSS_MB, err);
});
