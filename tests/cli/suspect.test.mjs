/** Responses that may not be from the service (D51), and orders that it already has (D53). */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { idOf, ndjson, numbered } from './orders.mjs';
import { finished, folderOf, jsonLines, printed, run, serviceOf, start, TOKEN } from './program.mjs';

const env = { SALES_ORDER_INTAKE_TOKEN: TOKEN };
const created = () => ({ status: 201 });
const page = () => ({
  status: 200,
  body: '<!doctype html><title>My shop</title>',
  headers: { 'Content-Type': 'text/html' },
});
const send = (baseUrl, ...more) => ['send', 'orders.ndjson', '--base-url', baseUrl, ...more];
const statesIn = async (cwd) => {
  const { out } = await run(['outbox', 'orders.ndjson', 'list', '--json'], { cwd });
  return new Set(jsonLines(out).map(({ state }) => state));
};

for (const [what, answer, came] of /** @type {const} */ ([
  ['a page with status 200', page(), 'HTTP 200, text/html'],
  ['404 without a body', { status: 404 }, 'HTTP 404, application/json'],
  ['403 in JSON', { status: 403, body: '{"Message":"Ada Byron may not"}' }, 'HTTP 403, application/json'],
  ['a redirect', { status: 302, headers: { Location: '/login', 'Content-Type': 'text/plain' } }, 'HTTP 302'],
])) {
  test(`${what} for five orders ends the run with 5; they wait, and the next run sends them`, async (t) => {
    const cwd = folderOf(t, { 'orders.ndjson': ndjson(40) });
    let isWrong = true;
    const { baseUrl, paths } = await serviceOf(t, () => (isWrong ? answer : created()));
    const wrong = await run(send(baseUrl), { cwd, env });
    assert.deepEqual([wrong.code, wrong.out], [5, '40 orders: 0 created, 40 not settled yet.\n'], wrong.err);
    const [, shown, url = ''] =
      /^No order was created, and responses may not come from the service: (.*) from (\S+)$/m.exec(wrong.err) ?? [];
    assert.ok(shown?.startsWith(came), wrong.err);
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/v3\/ServiceOrder\([-\da-f]{36}\)$/);
    assert.match(
      wrong.err,
      /^Check --base-url and the token's permissions\. The orders wait in the journal\. To resume: /m,
    );
    assert.doesNotMatch(wrong.err, /Byron/);
    assert.ok(new Set(paths).size >= 5 && paths.length < 40, `${paths.length} orders were sent`);
    assert.ok(!existsSync(join(cwd, 'orders.ndjson.report.ndjson')));
    assert.deepEqual(await statesIn(cwd), new Set(['waiting']));
    isWrong = false;
    const right = await run(send(baseUrl), { cwd, env });
    assert.deepEqual([right.code, right.out], [0, '40 orders: 40 created.\n'], right.err);
  });
}

test('fewer orders than five end the run when the answer to each of them was suspect', async (t) => {
  const cwd = folderOf(t, { 'orders.ndjson': ndjson(2) });
  const { baseUrl, paths } = await serviceOf(t, page);
  const { code, out } = await run(send(baseUrl), { cwd, env });
  assert.deepEqual([code, out], [5, '2 orders: 0 created, 2 not settled yet.\n']);
  assert.equal(new Set(paths).size, 2);
});

test('a page that goes away in time does not end the run', async (t) => {
  const cwd = folderOf(t, { 'orders.ndjson': ndjson(20) });
  const { baseUrl } = await serviceOf(t, ({ count }) => (count <= 2 ? page() : created()));
  const { code, out, err } = await run(send(baseUrl, '--concurrency', '1'), { cwd, env });
  assert.deepEqual([code, out], [0, '20 orders: 20 created.\n'], err);
});

test('progress says that responses may not come from the service, and shows the last', async (t) => {
  const cwd = folderOf(t, { 'orders.ndjson': ndjson(20) });
  const { baseUrl } = await serviceOf(t, page);
  const { err } = await run(send(baseUrl), { cwd, env });
  assert.match(err, /^Responses may not come from the service; next try in \d+ s: HTTP 200, text\/html\.$/m);
});

/** Lets the clock for durations run a thousand times as fast; timers take as long as ever. */
const inHurry = {
  ...env,
  NODE_OPTIONS:
    '--import=data:text/javascript,const/**/now=performance.now.bind(performance);performance.now=()=>1000*now()',
};

test('one order whose responses are suspect waits for a minute without a creation; the others are created', async (t) => {
  const cwd = folderOf(t, { 'orders.ndjson': ndjson(10) });
  const { baseUrl, paths } = await serviceOf(t, ({ path }) =>
    path.includes(idOf(0)) ? { status: 404, body: '{"Message":"no such location"}' } : created(),
  );
  const { code, out, err } = await run(send(baseUrl), { cwd, env: inHurry });
  assert.deepEqual([code, out], [5, '10 orders: 9 created, 1 not settled yet.\n'], err);
  const url = `${baseUrl}/v3/ServiceOrder(${idOf(0)})`;
  const came = `responses may not come from the service: HTTP 404, application/json from ${url}`;
  assert.ok(err.includes(`No order was created in the last minute, and ${came}`), err);
  assert.match(err, /^Check CompanyId and EntityId of the orders that are left and the token's permissions\./m);
  const { length } = paths;
  const again = await run(send(baseUrl), { cwd, env });
  assert.deepEqual(
    [again.code, again.out],
    [5, '10 orders: 9 created (9 settled in earlier runs), 1 not settled yet.\n'],
  );
  assert.equal(paths.length, length + 1);
});

test('five responses with 404 over a minute refuse an order, if others are created in between', async (t) => {
  const cwd = folderOf(t);
  let sent = 0;
  const { baseUrl } = await serviceOf(t, ({ path }) => {
    if (!path.includes(idOf(0))) return created();
    child.stdin.write(`${JSON.stringify(numbered(++sent))}\n`);
    return { status: 404 };
  });
  const files = ['--outbox', 'journal.sqlite', '--report', 'report.ndjson'];
  const args = ['send', '-', ...files, '--json', '--base-url', baseUrl];
  const child = start(args, { cwd, env: inHurry });
  child.stdin.write(`${JSON.stringify(numbered(++sent))}\n`);
  await printed(child, 'out', /"created"/);
  child.stdin.write(`${JSON.stringify(numbered(0))}\n`);
  await printed(child, 'out', /"refused"/);
  const { code, err } = await finished(child);
  assert.equal(code, 1, err);
  assert.ok(sent >= 1 + 5, `${sent} orders`);
  assert.ok(err.includes(`${sent + 1} orders: ${sent} created, 1 refused.`), err);
  const url = `${baseUrl}/v3/ServiceOrder(${idOf(0)})`;
  assert.ok(err.includes(`HTTP 404 from ${url}`), err);
  assert.equal(JSON.parse(readFileSync(join(cwd, 'report.ndjson'), 'utf8')).url, url);
});
