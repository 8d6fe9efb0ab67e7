/** send and outbox: the journal, the report, resuming, tokens and exit codes. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, linkSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { item } from '../node/orders.mjs';
import { csv, idOf, MAPPING, ndjson, numbered, TEA } from './orders.mjs';
import { folderOf, jsonLines, NEVER, printed, run, serviceOf, start, TOKEN, until } from './program.mjs';

const env = { SALES_ORDER_INTAKE_TOKEN: TOKEN };
const created = () => ({ status: 201 });
const refused = (detail) => ({ status: 400, body: JSON.stringify({ Message: detail }) });
const lines = (...orders) => orders.map((order) => JSON.stringify(order)).join('\n');
const send = (file, baseUrl, ...more) => ['send', file, '--base-url', baseUrl, ...more];

test('the same command again sends nothing twice', async (t) => {
  const cwd = folderOf(t, { 'orders.ndjson': ndjson(5) });
  const { baseUrl, paths } = await serviceOf(t, created);
  assert.equal((await run(send('orders.ndjson', baseUrl), { cwd, env })).out, '5 orders: 5 created.\n');
  const again = await run(send('orders.ndjson', baseUrl), { cwd, env });
  assert.deepEqual([again.code, again.out], [0, '5 orders: 5 created (5 settled in earlier runs).\n']);
  assert.equal(paths.length, 5);
  assert.ok(!existsSync(join(cwd, 'orders.ndjson.report.ndjson')));
});

test('invalid and refused orders go to the report, with the position and the reason; the others are created', async (t) => {
  const wrong = numbered(1, { Items: [item({ Quantity: 0 })] });
  const orders = [numbered(0), wrong, numbered(2), numbered(0, { Notes: 'x' })];
  const cwd = folderOf(t, { 'orders.ndjson': `${lines(...orders)}\n` });
  const { baseUrl, paths } = await serviceOf(t, ({ path }) =>
    path.includes(idOf(2)) ? refused('The shop is closed.') : created(),
  );
  const { code, out, err } = await run(send('orders.ndjson', baseUrl), { cwd, env });
  assert.equal(code, 1);
  assert.equal(out, '4 orders: 1 created, 1 refused, 2 invalid.\n');
  assert.match(err, /What failed, and why: orders\.ndjson\.report\.ndjson/);
  assert.match(err, /outbox orders\.ndjson\.outbox\.sqlite retry --state refused/);
  const report = jsonLines(readFileSync(join(cwd, 'orders.ndjson.report.ndjson'), 'utf8'));
  const members = ({ line, state, outcome, status, detail, issues: [issue] }) =>
    [line, state, outcome, status, detail, issue?.code].join(' ');
  assert.deepEqual(report.map(members).sort(), [
    '2 invalid not-created   quantity_not_positive',
    '3 refused not-created 400 The shop is closed. ',
    '4 created created 201  duplicate_order_id',
  ]);
  const [{ column }] = report.find(({ line }) => line === 2).issues;
  assert.equal(column, JSON.stringify(wrong).indexOf('"Quantity":0') + 12);
  assert.equal(paths.length, 2);
});

test('an order whose Id an earlier one has is not sent, and takes the outcome of that one', async (t) => {
  const rows = [
    ...[numbered(0), numbered(1), numbered(0, { Notes: 'x' }), numbered(1), numbered(0, { Items: [] })],
    ...[numbered(2, { Items: [] }), numbered(2)],
  ];
  const cwd = folderOf(t, { 'orders.ndjson': lines(...rows) });
  const { baseUrl, paths } = await serviceOf(t, ({ path }) => (path.includes(idOf(1)) ? refused('No.') : created()));
  // The second run finds all of them settled.
  for (const _ of [1, 2]) {
    const { code, out, err } = await run(send('orders.ndjson', baseUrl, '--json'), { cwd, env });
    assert.equal(code, 1);
    assert.match(err, /^7 orders: 1 created.*, 1 refused, 5 invalid\.$/m);
    const settled = jsonLines(out).sort((a, b) => a.line - b.line);
    assert.deepEqual(
      settled.map(({ line, state, outcome, isChanged }) => [line, state, outcome, isChanged]),
      [
        [1, 'created', 'created', false],
        [2, 'refused', 'not-created', false],
        [3, 'created', 'created', true],
        [4, 'invalid', 'not-created', false],
        [5, 'created', 'created', true],
        [6, 'invalid', 'not-created', false],
        [7, 'invalid', 'not-created', false],
      ],
    );
    const report = jsonLines(readFileSync(join(cwd, 'orders.ndjson.report.ndjson'), 'utf8'));
    assert.deepEqual(report.map(({ line, issues }) => [line, issues.map(({ code: each }) => each)]).sort(), [
      [2, []],
      [3, ['duplicate_order_id']],
      [4, ['duplicate_order_id']],
      [5, ['duplicate_order_id', 'items_empty']],
      [6, ['items_empty']],
      [7, ['duplicate_order_id']],
    ]);
  }
  assert.equal(paths.length, 2);
});

test('every issue in the report has the form of the package, and a position', async (t) => {
  const rows = [numbered(0), numbered(0), numbered(1), numbered(2)];
  const cwd = folderOf(t, { 'orders.ndjson': lines(...rows) });
  const errors = [{ pointer: '/Items/0/Quantity', code: 'quantity_not_positive', detail: 'Too few.' }];
  const body = JSON.stringify({ title: 'Invalid', status: 422, errors });
  const { baseUrl } = await serviceOf(t, ({ path }) => (path.includes(idOf(2)) ? { status: 422, body } : created()));
  await run(send('orders.ndjson', baseUrl), { cwd, env });
  writeFileSync(join(cwd, 'orders.ndjson'), lines(rows[0], rows[1], numbered(1, { Notes: 'x' }), rows[3]));
  await run(send('orders.ndjson', baseUrl), { cwd, env });
  const report = jsonLines(readFileSync(join(cwd, 'orders.ndjson.report.ndjson'), 'utf8'));
  const issues = report
    .flatMap((line) => line.issues)
    .filter(({ code }) => code !== 'body_empty')
    .sort((a, b) => a.line - b.line);
  assert.deepEqual(
    issues.map(({ code, path, line, column }) => [code, path, line, column]),
    [
      ['duplicate_order_id', [], 2, 7],
      ['order_changed', [], 3, 1],
      ['quantity_not_positive', ['Items', 0, 'Quantity'], 4, 1],
    ],
  );
  for (const { pointer, path, params, file } of issues)
    assert.deepEqual([pointer, params, file], [path.map((name) => `/${name}`).join(''), {}, 'orders.ndjson']);
});

test('--json prints one value for each settled order', async (t) => {
  const cwd = folderOf(t, { 'orders.ndjson': ndjson(2) });
  const { baseUrl } = await serviceOf(t, created);
  const { out } = await run(send('orders.ndjson', baseUrl, '--json'), { cwd, env });
  const settled = jsonLines(out).sort((a, b) => a.line - b.line);
  assert.deepEqual(settled[1], {
    ...{ file: 'orders.ndjson', line: 2, column: 1, key: null, orderId: idOf(1), state: 'created', outcome: 'created' },
    ...{ attempts: 1, reason: null, status: 201, url: `${baseUrl}/v3/ServiceOrder(${idOf(1)})`, requestId: null },
    ...{ alreadyThere: false, isChanged: false },
  });
});

test('a refused token ends with 4 and sends nothing more; with a new one the command goes on', async (t) => {
  const cwd = folderOf(t, { 'orders.ndjson': ndjson(3) });
  const { baseUrl } = await serviceOf(t, ({ token }) => (token === TOKEN ? created() : { status: 401 }));
  const wrong = await run(send('orders.ndjson', baseUrl), { cwd, env: { SALES_ORDER_INTAKE_TOKEN: 'old-token' } });
  assert.equal(wrong.code, 4);
  assert.match(wrong.out, /3 not settled yet/);
  assert.match(
    wrong.err,
    /The service refused the token\. Get a new one\. To resume: sales-order-intake send orders\.ndjson /,
  );
  assert.doesNotMatch(wrong.out + wrong.err, /old-token/);
  assert.equal((await run(send('orders.ndjson', baseUrl), { cwd, env })).code, 0);
});

test('a token comes from a file or a command, which is asked again when the service refuses one', async (t) => {
  const cwd = folderOf(t, { 'orders.ndjson': ndjson(2), token: `${TOKEN}\n`, count: '' });
  let valid = 'token-1';
  const { baseUrl } = await serviceOf(t, ({ token, count }) => {
    // The first token ends with the first order.
    if (count === 2) valid = 'token-2';
    return [valid, TOKEN].includes(token) ? created() : { status: 401 };
  });
  const command = "printf x >> count; printf 'token-%s' $(wc -c < count)";
  const { code, err } = await run(send('orders.ndjson', baseUrl, '--concurrency', '1', '--token-command', command), {
    cwd,
  });
  assert.equal(code, 0, err);
  assert.equal(readFileSync(join(cwd, 'count'), 'utf8'), 'xx');
  const file = await run(send('orders.ndjson', baseUrl, '--outbox', 'b.sqlite', '--token-file', 'token'), { cwd });
  assert.equal(file.code, 0, file.err);
});

test('a refused token of a file that has no other one is sent once', async (t) => {
  const cwd = folderOf(t, { 'orders.ndjson': ndjson(1), token: 'old-token' });
  const { baseUrl, paths } = await serviceOf(t, () => ({ status: 401 }));
  assert.equal((await run(send('orders.ndjson', baseUrl, '--token-file', 'token'), { cwd })).code, 4);
  assert.equal(paths.length, 1);
});

test('what is wrong with a token file or command is said without its content', async (t) => {
  const cwd = folderOf(t, { 'orders.ndjson': ndjson(1), token: 'Bearer abc secret' });
  for (const [flags, problem] of /** @type {[string[], RegExp][]} */ ([
    [['--token-file', 'token'], /token is not a token/],
    [['--token-file', 'nowhere'], /there is no file nowhere/],
    [['--token-command', 'echo secret; exit 3'], /--token-command ended with 3/],
    [['--token-command', 'true'], /the output of --token-command is empty/],
    [['--token-file', 'token', '--token-command', 'true'], /exclude each other/],
  ])) {
    const { code, err } = await run(send('orders.ndjson', 'http://127.0.0.1:9', ...flags), { cwd });
    assert.equal(code, 2);
    assert.match(err, problem);
    assert.doesNotMatch(err, /secret/);
  }
  assert.ok(!existsSync(join(cwd, 'orders.ndjson.outbox.sqlite')));
});

test('a token command that fails later is named, with exit code 4', async (t) => {
  const cwd = folderOf(t, { 'orders.ndjson': ndjson(2) });
  const { baseUrl } = await serviceOf(t, () => ({ status: 401 }));
  const command = 'test ! -e once && touch once && printf secret && echo -1 || exit 3';
  const { code, err } = await run(send('orders.ndjson', baseUrl, '--token-command', command), { cwd });
  assert.equal(code, 4);
  assert.match(err, /^error: --token-command ended with 3$/m);
  assert.match(err, /^The service refused the token\. Get a new one\. To resume: /m);
  assert.doesNotMatch(err, /secret-1/);
});

test('an empty file is an error, and leaves no journal', async (t) => {
  const cwd = folderOf(t, { 'orders.ndjson': '' });
  const { code, err } = await run(send('orders.ndjson', 'http://127.0.0.1:9'), { cwd, env });
  assert.deepEqual([code, err], [1, 'error: the file orders.ndjson is empty\n']);
  assert.deepEqual(readdirSync(cwd), ['orders.ndjson']);
});

/** An hour passes in a program when it gets this signal. */
const HOUR = 'SIGUSR2';
const HOUR_PASSES = `
  const { setTimeout } = globalThis;
  globalThis.setTimeout = (action, ms, ...args) => {
    if (ms !== 3_600_000) return setTimeout(action, ms, ...args);
    process.once('${HOUR}', () => action(...args));
  };`;

test('--stop-after ends with 5 while a service is down; the next run delivers', async (t) => {
  const cwd = folderOf(t, { 'orders.ndjson': ndjson(2) });
  let isDown = true;
  const { baseUrl, paths } = await serviceOf(t, () => (isDown ? { status: 500 } : created()));
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(HOUR_PASSES)}`;
  const child = start(send('orders.ndjson', baseUrl, '--stop-after', '1h'), { cwd, env: { ...env, NODE_OPTIONS } });
  await until(() => new Set(paths).size === 2, 'both orders are sent');
  child.kill(HOUR);
  const stopped = await child.ended;
  assert.equal(stopped.code, 5);
  assert.match(stopped.out, /2 not settled yet/);
  assert.match(stopped.err, /The time of --stop-after is over\. To resume: /);
  isDown = false;
  assert.equal((await run(send('orders.ndjson', baseUrl), { cwd, env })).code, 0);
});

test('Ctrl-C settles what is in flight and prints how to resume; the next run sends the rest', async (t) => {
  const cwd = folderOf(t, { 'orders.ndjson': ndjson(30) });
  const { promise: isStopping, resolve: stopping } = Promise.withResolvers();
  const { baseUrl, paths } = await serviceOf(t, async () => {
    await isStopping;
    return created();
  });
  const child = start(send('orders.ndjson', baseUrl, '--concurrency', '2'), { cwd, env });
  await until(() => paths.length >= 1, 'an order is in flight');
  child.kill('SIGINT');
  await printed(child, 'err', /Stopping: waiting for the orders in flight/);
  stopping(undefined);
  const { code, out, err } = await child.ended;
  assert.equal(code, 5);
  assert.match(
    err,
    new RegExp(`To resume: sales-order-intake send orders.ndjson --base-url ${baseUrl} --concurrency 2`),
  );
  assert.match(out, new RegExp(`30 orders: ${paths.length} created, ${30 - paths.length} not settled yet`));
  const resumed = await run(send('orders.ndjson', baseUrl), { cwd, env });
  assert.equal(resumed.code, 0);
  assert.equal(new Set(paths).size, 30);
  assert.equal(paths.length, 30);
});

test('a second Ctrl-C ends without waiting for what is in flight', async (t) => {
  const cwd = folderOf(t, { 'orders.ndjson': ndjson(3) });
  const { baseUrl, paths } = await serviceOf(t, () => NEVER);
  const child = start(send('orders.ndjson', baseUrl), { cwd, env });
  await until(() => paths.length >= 1, 'an order is in flight');
  child.kill('SIGINT');
  await printed(child, 'err', /Stopping/);
  child.kill('SIGINT');
  const { code, err } = await child.ended;
  assert.equal(code, 5);
  assert.match(err, /Ended at once\. To resume: /);
});

test('a report or journal that is a file which the command reads is an error, and the file stays', async (t) => {
  const files = {
    ...{ 'orders.csv': csv(`1,2000,${TEA},2,19.99,`), 'mapping.json': MAPPING },
    ...{ 'options.json': { scale: 2 }, token: TOKEN, 'a.sqlite': '' },
  };
  const cwd = folderOf(t, files);
  symlinkSync('orders.csv', join(cwd, 'symbolic'));
  linkSync(join(cwd, 'mapping.json'), join(cwd, 'hard'));
  const { baseUrl, paths } = await serviceOf(t, created);
  const flags = ['--map', 'mapping.json', '--options', 'options.json', '--token-file', 'token'];
  const before = readdirSync(cwd).map((name) => [name, readFileSync(join(cwd, name), 'utf8')]);
  for (const [more, problem] of /** @type {[string[], string][]} */ ([
    [['--report', 'orders.csv'], '--report is the file of the orders'],
    [['--report', './symbolic'], '--report is the file of the orders'],
    [['--report', 'hard'], '--report is the file of --map'],
    [['--report', 'options.json'], '--report is the file of --options'],
    [['--report', join(cwd, 'token')], '--report is the file of --token-file'],
    [['--report', 'orders.csv.outbox.sqlite'], '--report is the file of the journal'],
    [['--report', 'a.sqlite', '--outbox', 'a.sqlite'], '--report is the file of the journal'],
    [['--report', 'a.sqlite.outbox-lock', '--outbox', 'a.sqlite'], '--report is the file of the journal'],
    [['--report', '.a.sqlite.outbox-marker', '--outbox', 'a.sqlite'], '--report is the file of the journal'],
    [['--report', 'a.sqlite-wal', '--outbox', 'a.sqlite'], '--report is the file of the journal'],
    [['--outbox', 'symbolic'], '--outbox is the file of the orders'],
    [['--outbox', 'token'], '--outbox is the file of --token-file'],
  ])) {
    const { code, err } = await run(send('orders.csv', baseUrl, ...flags, ...more), { cwd });
    assert.equal(code, 2, `${more} ${err}`);
    assert.ok(err.startsWith(`error: ${problem}`), err);
  }
  assert.deepEqual(paths, []);
  assert.deepEqual(
    readdirSync(cwd).map((name) => [name, readFileSync(join(cwd, name), 'utf8')]),
    before,
  );
});

test('a report that cannot be written is an error before anything is sent', async (t) => {
  const cwd = folderOf(t, { 'orders.ndjson': ndjson(1) });
  const { baseUrl, paths } = await serviceOf(t, () => refused('no'));
  for (const report of ['nowhere/report.ndjson', '.', 'orders.ndjson/report.ndjson']) {
    const { code, err } = await run(send('orders.ndjson', baseUrl, '--report', report), { cwd, env });
    assert.equal(code, 2);
    assert.match(
      err,
      /^error: the report .* can't be written: E\w+\nhint: Name a file in a folder that exists, .*: --report FILE\.$/m,
    );
  }
  assert.deepEqual(paths, []);
  assert.deepEqual(readdirSync(cwd), ['orders.ndjson']);
});

test('an older report stays until there is a new one, and goes when nothing failed', async (t) => {
  const cwd = folderOf(t, { 'orders.ndjson': ndjson(2), 'orders.ndjson.report.ndjson': 'older\n' });
  const report = join(cwd, 'orders.ndjson.report.ndjson');
  let isClosed = true;
  const { baseUrl, paths } = await serviceOf(t, ({ path }) => {
    if (!isClosed) return created();
    return path.includes(idOf(0)) ? refused('no') : NEVER;
  });
  const child = start(send('orders.ndjson', baseUrl), { cwd, env });
  const partial = `${report}.partial`;
  const isReported = () => existsSync(partial) && readFileSync(partial, 'utf8').endsWith('\n');
  await until(() => paths.length === 2 && isReported(), 'one order is in the report, and the other one in flight');
  child.kill('SIGKILL');
  await child.ended;
  assert.equal(readFileSync(report, 'utf8'), 'older\n');
  isClosed = false;
  assert.equal((await run(send('orders.ndjson', baseUrl), { cwd, env })).code, 1);
  assert.equal(jsonLines(readFileSync(report, 'utf8')).length, 1);
  await run(['outbox', 'orders.ndjson', 'retry', '--state', 'refused'], { cwd });
  assert.equal((await run(send('orders.ndjson', baseUrl), { cwd, env })).code, 0);
  assert.ok(!readdirSync(cwd).some((name) => name.includes('report')), String(readdirSync(cwd)));
});

test('outbox lists, retries and cancels; details only if asked for', async (t) => {
  const cwd = folderOf(t, { 'orders.ndjson': ndjson(3) });
  let isClosed = true;
  const { baseUrl, paths } = await serviceOf(t, ({ path }) =>
    isClosed && path.includes(idOf(1)) ? refused('Ada Byron owes us') : created(),
  );
  await run(send('orders.ndjson', baseUrl), { cwd, env });
  const all = await run(['outbox', 'orders.ndjson', 'list'], { cwd });
  assert.match(all.out, new RegExp(`^${idOf(1)} +refused +not-created +1 +RejectedError 400$`, 'm'));
  assert.match(all.out, new RegExp(`^${idOf(2)} +created`, 'm'));
  const list = ['outbox', 'orders.ndjson.outbox.sqlite', 'list', '--state', 'refused', '--json'];
  const { out: json } = await run(list, { cwd });
  const [entry] = jsonLines(json);
  assert.equal(entry.orderId, idOf(1));
  assert.ok(!('body' in entry) && !json.includes('Byron'));
  assert.match((await run(['outbox', 'orders.ndjson', 'list', '--detail'], { cwd })).out, /Ada Byron owes us/);
  const missing = await run(['outbox', 'orders.ndjson', 'retry', idOf(9)], { cwd });
  assert.equal(missing.code, 2);
  const wrong = await run(['outbox', 'orders.ndjson', 'cancel', idOf(0)], { cwd });
  assert.deepEqual([wrong.code, wrong.out], [1, '0 orders will not be sent.\n']);
  const retried = await run(['outbox', 'orders.ndjson', 'retry', '--state', 'refused'], { cwd });
  assert.deepEqual([retried.code, retried.out], [0, '1 order will be sent by the next send.\n']);
  isClosed = false;
  assert.equal((await run(send('orders.ndjson', baseUrl), { cwd, env })).code, 0);
  assert.equal(paths.length, 4);
});

test('a file that breaks off is an error, and the orders before it are in the journal', async (t) => {
  const cwd = folderOf(t, { 'orders.json': `[${JSON.stringify(numbered(0))}, ` });
  const { baseUrl } = await serviceOf(t, created);
  const { code, err } = await run(send('orders.json', baseUrl), { cwd, env });
  assert.equal(code, 1);
  assert.match(err, /error: orders\.json:1:\d+: the array of orders has no \]/);
  assert.match(err, /To resume: /);
});

test('hints quote a file name with control characters, so that they can be copied and change nothing on the terminal', async (t) => {
  const name = "q\u009b31m\nit's\\ \u202ez.ndjson";
  const cwd = folderOf(t, { [name]: ndjson(2) });
  const { baseUrl } = await serviceOf(t, ({ path }) => (path.includes(idOf(0)) ? refused('no') : { status: 401 }));
  const { code, err } = await run(send(name, baseUrl), { cwd, env });
  assert.equal(code, 4);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be printed.
  assert.doesNotMatch(err, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  const [, word = ''] = /To resume: sales-order-intake send (\$'.*') --base-url /.exec(err) ?? [];
  assert.match(err, /^What failed, and why: q\ufffd31m\ufffdit's\\ \ufffdz\.ndjson\.report\.ndjson$/m);
  const shell = spawnSync('bash', ['-c', `printf %s ${word}`], { encoding: 'utf8', env: { LC_ALL: 'C.UTF-8' } });
  assert.equal(shell.stdout, name);
});

test('standard input needs a name for the journal', async (t) => {
  const cwd = folderOf(t);
  const { baseUrl, paths } = await serviceOf(t, created);
  const without = await run(send('-', baseUrl), { cwd, env, input: ndjson(1) });
  assert.deepEqual([without.code, without.err], [2, 'error: orders of standard input need a journal: --outbox FILE\n']);
  const { code } = await run(send('-', baseUrl, '--outbox', 'j.sqlite'), { cwd, env, input: ndjson(2) });
  assert.equal(code, 0);
  assert.equal(paths.length, 2);
});
