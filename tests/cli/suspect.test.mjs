/** What comes may not be from the service, or not be new to it: pages, wrong base URLs, orders that were already there (D51, D53). */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { idOf, ndjson } from './orders.mjs';
import { folderOf, jsonLines, run, serviceOf, TOKEN } from './program.mjs';

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
      /^No order was created, and what came may not be from the service: (.*) from (\S+)$/m.exec(wrong.err) ?? [];
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

test('progress says that the way to the service is suspect, and what came', async (t) => {
  const cwd = folderOf(t, { 'orders.ndjson': ndjson(20) });
  const { baseUrl } = await serviceOf(t, page);
  const { err } = await run(send(baseUrl), { cwd, env });
  assert.match(err, /^The way to the service is suspect; next try in \d+ s: HTTP 200, text\/html\.$/m);
});

test('an order that the service has already is counted apart, with exit code 0', async (t) => {
  const cwd = folderOf(t, { 'orders.ndjson': ndjson(3) });
  const { baseUrl } = await serviceOf(t, ({ path }) =>
    path.includes(idOf(1)) ? { status: 200, body: JSON.stringify({ Id: idOf(1) }) } : created(),
  );
  const { code, out, err } = await run(send(baseUrl), { cwd, env });
  assert.deepEqual([code, out], [0, '3 orders: 2 created, 1 already there.\n']);
  assert.ok(err.includes(`Already there: ${idOf(1)}. The service had an equal order with its Id before`), err);
});

test('a refusal of one order with 404 settles it, because others are created', async (t) => {
  const cwd = folderOf(t, { 'orders.ndjson': ndjson(10) });
  const { baseUrl } = await serviceOf(t, ({ path }) => (path.includes(idOf(0)) ? { status: 404 } : created()));
  const { code, out, err } = await run(send(baseUrl), { cwd, env });
  assert.deepEqual([code, out], [1, '10 orders: 9 created, 1 refused.\n'], err);
  const url = `${baseUrl}/v3/ServiceOrder(${idOf(0)})`;
  assert.ok(err.includes(`HTTP 404 from ${url}`), err);
  assert.equal(JSON.parse(readFileSync(join(cwd, 'orders.ndjson.report.ndjson'), 'utf8')).url, url);
});
