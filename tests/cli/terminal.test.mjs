/** On a terminal: colours, width, progress, Ctrl-C; and what the environment says about colours elsewhere. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { freePort } from '../../scripts/ports.mjs';
import { nodeOf } from '../outbox/run.mjs';
import { item } from '../node/orders.mjs';
import { idOf, ndjson, numbered } from './orders.mjs';
import { cleanEnv, folderOf, MAIN, run, serviceOf, sql, TOKEN, until } from './program.mjs';

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
 * @param {{ cols?: number, env?: object, cwd?: string, node?: string }} [options]
 */
function onTerminal(args, { cols = 80, env = {}, cwd, node = '24' } = {}) {
  const terminal = spawnTerminal(nodeOf(node), [MAIN, ...args], {
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

/** Without colours and movements of the cursor. */
function plain(text) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what a terminal receives.
  return text.replace(/\u001b\[[?\d;]*[A-Za-z]/g, '').replaceAll('\r\n', '\n');
}

for (const node of ['20', '24']) {
  test(`colours are for terminals, NO_COLOR and FORCE_COLOR decide otherwise, in Node ${node}`, async (t) => {
    const cwd = folderOf(t, { 'order.json': numbered(0, { Items: [item({ Quantity: 0 })] }) });
    const args = ['check', 'order.json'];
    const shown = async (env) => {
      const result = onTerminal(args, { cwd, env, node });
      assert.equal(await result.ended, 1);
      return result.text;
    };
    assert.ok((await shown({})).includes(RED));
    assert.ok(!(await shown({ NO_COLOR: '1' })).includes(ESCAPE));
    const piped = async (env) => (await run(args, { cwd, env, node })).out;
    assert.ok(!(await piped({})).includes(ESCAPE));
    assert.ok((await piped({ FORCE_COLOR: '1' })).includes(RED));
    assert.equal(plain(await piped({ FORCE_COLOR: '1' })), await piped({}));
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

for (const node of ['22', '24']) {
  test(`progress is drawn on a terminal in Node ${node}: bar, numbers, rate, time left`, async (t) => {
    const cwd = folderOf(t, { 'orders.ndjson': ndjson(40) });
    const { baseUrl } = await serviceOf(t, () => ({ status: 201, delayMs: 200 }));
    const args = ['send', 'orders.ndjson', '--base-url', baseUrl, '--concurrency', '4'];
    const result = onTerminal(args, { cwd, node, env: { SALES_ORDER_INTAKE_TOKEN: TOKEN } });
    assert.equal(await result.ended, 0);
    assert.match(plain(result.text), /\[#+-+\] \d+\/40 {2}[\d.]+\/s, \d+ s left {2}\d+ created/);
    // The cursor comes back, and the summary stays.
    assert.ok(result.text.includes(`${ESCAPE}?25h`));
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
  const { baseUrl } = await serviceOf(t, () => ({ status: 201, delayMs: 300 }));
  const args = ['send', 'orders.ndjson', '--base-url', baseUrl, '--concurrency', '2'];
  const result = onTerminal(args, { cwd, cols: 40, env: { SALES_ORDER_INTAKE_TOKEN: TOKEN } });
  assert.equal(await result.ended, 0);
  const drawn = plain(result.text)
    .split(/[\r\n]+/)
    .filter((line) => /^\d+\/10/.test(line));
  assert.ok(drawn.length > 0 && drawn.every(({ length }) => length < 40), drawn.join('\n'));
});

test('progress says that the service is down, and Ctrl-C in the terminal stops', async (t) => {
  const cwd = folderOf(t, { 'orders.ndjson': ndjson(3) });
  const args = ['send', 'orders.ndjson', '--base-url', `http://127.0.0.1:${await freePort()}`];
  const result = onTerminal(args, { cwd, env: { SALES_ORDER_INTAKE_TOKEN: TOKEN } });
  await until(
    () => /can't be reached \(connection refused\); next try in \d+ s/.test(plain(result.text)),
    'the state of the gate',
  );
  result.terminal.write('\u0003');
  assert.equal(await result.ended, 5);
  assert.match(
    plain(result.text).replaceAll('\n', ' '),
    /3 orders: 0 created, 3 not settled yet\. +To resume: sales-order-intake send/,
  );
  assert.ok(result.text.includes(`${ESCAPE}?25h`));
});

test('elsewhere progress is plain lines, and the trouble of the service is one as well', async (t) => {
  const cwd = folderOf(t, { 'orders.ndjson': ndjson(3) });
  const args = ['send', 'orders.ndjson', '--base-url', `http://127.0.0.1:${await freePort()}`, '--stop-after', '6s'];
  const { code, out, err } = await run(args, { cwd, env: { SALES_ORDER_INTAKE_TOKEN: TOKEN } });
  assert.equal(code, 5);
  assert.ok(!`${out}${err}`.includes(ESCAPE));
  assert.match(err, /^The service can't be reached \(connection refused\); next try in \d+ s\.$/m);
  assert.match(err, /^0 of 3 orders settled: 0 created$/m);
});

test('progress says why orders wait, without anything that the service says', async (t) => {
  const cwd = folderOf(t, { 'orders.ndjson': ndjson(1) });
  const { baseUrl } = await serviceOf(t, () => ({
    ...{ status: 503, body: '{"Message":"Ada Byron"}', headers: { 'Retry-After': '1' } },
  }));
  for (const [url, says] of [
    [baseUrl, /Location \d+\/\d+ is held back \(HTTP 503\); next try in \d+ s\./],
    ['https://no-such-host.invalid', /The service can't be reached \(host not found\); next try in \d+ s\./],
  ]) {
    const args = ['send', 'orders.ndjson', '--base-url', String(url), '--outbox', `${String(url).length}.sqlite`];
    const result = onTerminal([...args, '--stop-after', '3s'], { cwd, env: { SALES_ORDER_INTAKE_TOKEN: TOKEN } });
    assert.equal(await result.ended, 5);
    assert.match(plain(result.text), /** @type {RegExp} */ (says));
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
  const result = onTerminal([...args, '--stop-after', '2s'], { cwd, env });
  assert.equal(await result.ended, 5);
  assert.match(plain(result.text), /2\/3 .*0 created, 1 already there, 1 changed afterwards/);
});

test('progress says that the token was refused and another one is asked for, on a terminal and elsewhere', async (t) => {
  const says = 'The service refused the token; asking for another one.';
  for (const isTerminal of [true, false]) {
    const cwd = folderOf(t, { 'orders.ndjson': ndjson(3) });
    const { baseUrl } = await serviceOf(t, ({ token }) => (token === 'second' ? { status: 201 } : { status: 401 }));
    const command = 'test -e once && sleep 1 && echo second || { touch once; echo first; }';
    const args = ['send', 'orders.ndjson', '--base-url', baseUrl, '--token-command', command];
    let text = '';
    if (isTerminal) {
      const result = onTerminal(args, { cwd });
      assert.equal(await result.ended, 0);
      text = plain(result.text);
    } else {
      const { code, err } = await run(args, { cwd });
      assert.equal(code, 0);
      text = err;
      assert.match(err, /asking for another one\.\nThe service takes orders again\.$/m);
    }
    assert.ok(text.includes(says), text);
    assert.doesNotMatch(text, /first|second|can't be reached|refuses/);
  }
});
