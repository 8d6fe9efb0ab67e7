/** On a terminal: colours, width, progress, Ctrl-C. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { item } from '../../node/orders.mjs';
import { nodeOf } from '../../../scripts/node.mjs';
import { idOf, ndjson, numbered } from '../orders.mjs';
import { cleanEnv, folderOf, MAIN, NOBODY, run, serviceOf, sql, TOKEN, until } from '../program.mjs';

const { spawn: spawnTerminal } = createRequire(import.meta.url)('node-pty');
const ESCAPE = '\u001b[';
const RED = `${ESCAPE}31m`;

const running = new Set();
// One that a failed test leaves would keep this process alive.
after(() => {
  for (const terminal of running) terminal.kill('SIGKILL');
});

/**
 * Runs the program in a pseudo-terminal; stdout and stderr are both the terminal.
 *
 * @param {string[]} args
 * @param {{ cols?: number, env?: object, cwd?: string, node?: string, pipe?: string }} [options] stdout goes to `pipe`.
 */
function onTerminal(args, { cols = 80, env = {}, cwd, node = process.execPath, pipe = '' } = {}) {
  const program = pipe ? ['/bin/sh', '-c', `"$0" "$@" | ${pipe}`, node] : [node];
  const [file = '', ...words] = [...program, MAIN, ...args];
  const terminal = spawnTerminal(file, words, {
    ...{ cols, rows: 24, cwd, name: 'xterm-256color' },
    env: cleanEnv(env),
  });
  const result = {
    text: '',
    terminal,
    ended: new Promise((resolve) => terminal.onExit(({ exitCode }) => resolve(exitCode))),
  };
  terminal.onData((text) => {
    result.text += text;
  });
  running.add(terminal);
  terminal.onExit(() => running.delete(terminal));
  return result;
}

/** Waits until a program has shown this on its terminal. */
async function shows(result, pattern) {
  await until(() => pattern.test(plain(result.text)) || !running.has(result.terminal), `${pattern} on the terminal`);
  assert.match(plain(result.text), pattern);
}

/** Without colours and movements of the cursor. */
function plain(text) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what a terminal receives.
  return text.replace(/\u001b\[[?\d;]*[A-Za-z]/g, '').replaceAll('\r\n', '\n');
}

for (const major of ['20', '22', '24']) {
  test(`colours are for terminals, unless NO_COLOR is set, in Node ${major}`, async (t) => {
    const cwd = folderOf(t, { 'order.json': numbered(0, { Items: [item({ Quantity: 0 })] }) });
    const shown = async (env) => {
      const result = onTerminal(['check', 'order.json'], { cwd, env, node: nodeOf(major) });
      assert.equal(await result.ended, 1);
      return result.text;
    };
    assert.ok((await shown({})).includes(RED));
    assert.ok(!(await shown({ NO_COLOR: '1' })).includes(ESCAPE));
  });
}

test('the receipt of preview fits a narrow terminal', async (t) => {
  const order = numbered(0, {
    Items: [item({ Name: 'House blend, loose, from the last harvest', Quantity: '2.345' })],
  });
  const cwd = folderOf(t, { 'order.json': order });
  const result = onTerminal(['preview', 'order.json'], { cwd, cols: 40 });
  assert.equal(await result.ended, 0);
  const text = plain(result.text);
  assert.match(text, /^House.*… +2\.345 +19\.99 +46\.88$/m);
  const widest = Math.max(...text.split('\n').map(({ length }) => length));
  assert.ok(widest <= 40, `${widest}\n${text}`);
});

test('lines fit the width of the terminal', async (t) => {
  const cwd = folderOf(t, { 'orders.ndjson': JSON.stringify(numbered(0, { Items: [item({ Quantity: 0 })] })) });
  for (const cols of [50, 120]) {
    const frames = onTerminal(['check', 'orders.ndjson'], { cwd, cols });
    await frames.ended;
    const [line = ''] = plain(frames.text)
      .split('\n')
      .filter((each) => each.startsWith('> 1 |'));
    assert.ok(line.length <= cols && line.length > cols - 20, `${line.length} of ${cols}`);
    const help = onTerminal(['send', '--help'], { cols });
    await help.ended;
    const paragraph =
      plain(help.text)
        .split('\n')
        .find((each) => each.startsWith('Every order is written')) ?? '';
    assert.ok(paragraph.length <= cols && paragraph.length > cols - 20, `${paragraph.length} of ${cols}`);
  }
});

/**
 * Starts a service that holds every order until the test allows its creation.
 *
 * @param {any} t
 */
async function patientService(t) {
  let [created, allowed] = [0, 0];
  const held = [];
  const release = () => {
    for (; created < allowed && held.length > 0; created++) held.shift()({ status: 201 });
  };
  const service = await serviceOf(t, () => {
    const response = new Promise((resolve) => held.push(resolve));
    release();
    return response;
  });
  const allow = (count) => {
    allowed = count;
    release();
  };
  return { ...service, allow };
}

for (const major of ['22', '24']) {
  test(`progress is drawn on a terminal in Node ${major}: bar, numbers, rate, time left`, async (t) => {
    const cwd = folderOf(t, { 'orders.ndjson': ndjson(40) });
    const { baseUrl, allow } = await patientService(t);
    const args = ['send', 'orders.ndjson', '--base-url', baseUrl, '--concurrency', '4'];
    const result = onTerminal(args, { cwd, node: nodeOf(major), env: { SALES_ORDER_INTAKE_TOKEN: TOKEN } });
    // The rate is that since the first time it is drawn.
    await shows(result, /\[-+\] 0\/40 {2}0 created/);
    allow(20);
    await shows(result, /\[#{10}-{10}\] 20\/40 {2}[\d.]+\/s, \d+ s left {2}20 created/);
    allow(40);
    assert.equal(await result.ended, 0);
    // The summary stays.
    assert.match(plain(result.text), /40 orders: 40 created\.\n(?!\[)/);
    const widest = Math.max(
      ...plain(result.text)
        .split(/[\r\n]+/)
        .map(({ length }) => length),
    );
    assert.ok(widest <= 80, String(widest));
  });
}

test('a narrow terminal gets the numbers without the bar', async (t) => {
  const cwd = folderOf(t, { 'orders.ndjson': ndjson(10) });
  const { baseUrl, allow } = await patientService(t);
  const args = ['send', 'orders.ndjson', '--base-url', baseUrl, '--concurrency', '2'];
  const result = onTerminal(args, { cwd, cols: 40, env: { SALES_ORDER_INTAKE_TOKEN: TOKEN } });
  await shows(result, /0\/10 {2}0 created/);
  allow(5);
  await shows(result, /5\/10 {2}[\d.]+\/s, .* left/);
  allow(10);
  assert.equal(await result.ended, 0);
  const drawn = plain(result.text)
    .split(/[\r\n]+/)
    .filter((line) => /^\d+\/10/.test(line));
  assert.ok(drawn.length > 0 && drawn.every(({ length }) => length < 40), drawn.join('\n'));
});

test('progress says that the service is down, and Ctrl-C in the terminal stops', async (t) => {
  const cwd = folderOf(t, { 'orders.ndjson': ndjson(3) });
  const args = ['send', 'orders.ndjson', '--base-url', NOBODY];
  const result = onTerminal(args, { cwd, env: { SALES_ORDER_INTAKE_TOKEN: TOKEN } });
  await shows(result, /can't be reached; next try in \d+ s: connection refused/);
  result.terminal.write('\u0003');
  assert.equal(await result.ended, 5);
  assert.match(
    plain(result.text).replaceAll('\n', ' '),
    /3 orders: 0 created, 3 not settled yet\. +To resume: sales-order-intake send/,
  );
});

test('progress says why orders wait, without anything that the service says', async (t) => {
  const cwd = folderOf(t, { 'orders.ndjson': ndjson(1) });
  const { baseUrl } = await serviceOf(t, () => ({
    ...{ status: 503, body: '{"Message":"Ada Byron"}', headers: { 'Retry-After': '1' } },
  }));
  for (const [url, says] of /** @type {[string, RegExp][]} */ ([
    [baseUrl, /Location \d+\/\d+ is held back; next try in \d+ s: HTTP 503\./],
    ['https://no-such-host.invalid', /The service can't be reached; next try in \d+ s: host not found/],
  ])) {
    const args = ['send', 'orders.ndjson', '--base-url', url, '--outbox', `${url.length}.sqlite`];
    const result = onTerminal(args, { cwd, env: { SALES_ORDER_INTAKE_TOKEN: TOKEN } });
    await shows(result, says);
    result.terminal.write('\u0003');
    assert.equal(await result.ended, 5);
    assert.doesNotMatch(result.text, new RegExp(`Byron|${TOKEN}`));
  }
});

test('progress counts apart what was already there, and what was changed afterwards', async (t) => {
  const cwd = folderOf(t, { 'orders.ndjson': ndjson(3) });
  const { baseUrl } = await serviceOf(t, () => ({ status: 201 }));
  const args = ['send', 'orders.ndjson', '--base-url', baseUrl];
  const env = { SALES_ORDER_INTAKE_TOKEN: TOKEN };
  assert.equal((await run(args, { cwd, env })).code, 0);
  const isOf = (n) => `order_id = '${idOf(n)}'`;
  sql(
    join(cwd, 'orders.ndjson.outbox.sqlite'),
    `UPDATE outbox_entry SET already_there = 1 WHERE ${isOf(0)}`,
    `UPDATE outbox_entry SET body = '{}' WHERE ${isOf(1)}`,
    `UPDATE outbox_entry SET state = 'waiting', outcome = 'unknown', due_at = ${Date.now() + 3_600_000} WHERE ${isOf(2)}`,
    'SELECT 1',
  );
  const result = onTerminal(args, { cwd, env });
  await shows(result, /2\/3 .*0 created, 1 already there, 1 changed afterwards/);
  result.terminal.write('\u0003');
  assert.equal(await result.ended, 5);
});

test('what takes longer than a second shows above its progress what it finds, and leaves nothing else', async (t) => {
  const orders = Array.from({ length: 4000 }, (_, n) => numbered(n, { Items: [item({ Quantity: 0 })] }));
  const cwd = folderOf(t, { 'orders.ndjson': orders.map((order) => JSON.stringify(order)).join('\n') });
  const args = ['check', 'orders.ndjson'];
  const options = { cwd, env: { NO_COLOR: '1' } };
  const result = onTerminal(args, options);
  // It writes only what its reader takes.
  result.terminal.pause();
  const paged = onTerminal(args, { ...options, pipe: '(sleep 1.5; cat)' });
  await setTimeout(1500);
  result.terminal.resume();
  const { out } = await run(args, options);
  assert.equal(await result.ended, 1);
  await until(() => result.text.trimEnd().endsWith('explains it.'), 'the last line');
  const drawn = /\[#*-*\] orders\.ndjson \d+ %.*$/;
  const parts = result.text.split(`\r${ESCAPE}0J`);
  assert.match(parts[0] ?? '', drawn);
  const left = plain(parts.map((part) => part.replace(drawn, '')).join(''));
  // Not by assert.equal, which would print both.
  const differs = [...out].findIndex((character, index) => character !== left[index]);
  assert.deepEqual([differs, left.slice(differs - 50, differs + 90)], [-1, '']);
  assert.match(left.slice(out.length), /^sales-order-intake explain \w+ explains it\.\n$/);
  await paged.ended;
  assert.ok(!paged.text.includes(ESCAPE));
});
