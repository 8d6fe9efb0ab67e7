/** The journal of send: corrected orders, keys, what it is for, what it forgets, and outbox replace and forget. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { installed } from '../node/installed.mjs';
import { BLEND, csv, idOf, MAPPING, ndjson, numbered, TEA } from './orders.mjs';
import { folderOf, jsonLines, NEVER, NOBODY, printed, run, serviceOf, sql, start, TOKEN, until } from './program.mjs';

const env = { SALES_ORDER_INTAKE_TOKEN: TOKEN };
const DAY_MS = 86_400_000;
const created = () => ({ status: 201 });
const refused = () => ({ status: 400, body: '{"Message":"The shop is closed."}' });
const sendCsv = (baseUrl, ...more) => ['send', 'orders.csv', '--map', 'mapping.json', '--base-url', baseUrl, ...more];
const send = (baseUrl, ...more) => ['send', 'orders.ndjson', '--base-url', baseUrl, ...more];
const reportIn = (cwd, file = 'orders.csv') => jsonLines(readFileSync(join(cwd, `${file}.report.ndjson`), 'utf8'));
const journalIn = (cwd, file = 'orders.csv') => join(cwd, `${file}.outbox.sqlite`);
const quantities = (bodies) => bodies.map((body) => JSON.parse(body).Items[0].Quantity);
const tea = (key, quantity = '2', note = '') => `${key},2000,${TEA},${quantity},19.99,${note}`;
const derived = async (key) => (await installed()).esm.deriveOrderId(MAPPING.namespace, key);

/** Sends until a condition of the program is met, and stops it with Ctrl-C. */
async function sentUntil(isMet, args, cwd) {
  const child = start(args, { cwd, env });
  await isMet(child);
  child.kill('SIGINT');
  return child.ended;
}

/** A folder with these orders, and a mapping. */
const folderWith = (t, ...rows) => folderOf(t, { 'orders.csv': csv(...rows), 'mapping.json': MAPPING });
const rewrite = (cwd, ...rows) => writeFileSync(join(cwd, 'orders.csv'), csv(...rows));
const lines = (...orders) => orders.map((order) => JSON.stringify(order)).join('\n');
const rewriteOrders = (cwd, ...orders) => writeFileSync(join(cwd, 'orders.ndjson'), lines(...orders));

test('a corrected order that was never sent is sent as the file has it now', async (t) => {
  const cwd = folderWith(t, tea('S-1'), tea('S-2'));
  assert.equal((await sentUntil((child) => printed(child, 'err', /can't be reached/), sendCsv(NOBODY), cwd)).code, 5);
  const { out: listed } = await run(['outbox', 'orders.csv', 'list'], { cwd });
  assert.match(listed, /waiting +not-created +0 +ConnectionError connection refused \(ECONNREFUSED\)$/m);
  rewrite(cwd, tea('S-1', '3'), tea('S-2'));
  const { baseUrl, bodies } = await serviceOf(t, created);
  const { code, out, err } = await run(sendCsv(baseUrl), { cwd, env });
  assert.deepEqual([code, out], [0, '2 orders: 2 created.\n'], err);
  assert.match(err, /^1 changed order replaced what was not created before\.$/m);
  assert.deepEqual(quantities(bodies).sort(), [2, 3]);
});

test('a corrected order that was refused is sent under its key; an unchanged one stays refused', async (t) => {
  const cwd = folderWith(t, tea('S-1'), tea('S-2'), tea('S-3'));
  const { baseUrl, bodies, paths } = await serviceOf(t, ({ body }) =>
    body.includes('"Quantity":2') ? refused() : created(),
  );
  assert.equal((await run(sendCsv(baseUrl), { cwd, env })).code, 1);
  rewrite(cwd, tea('S-1', '5'), tea('S-2'), tea('S-3', '6'));
  const { code, out } = await run(sendCsv(baseUrl), { cwd, env });
  assert.deepEqual([code, out], [1, '3 orders: 2 created, 1 refused.\n']);
  assert.deepEqual(quantities(bodies.slice(3)).sort(), [5, 6]);
  assert.equal(new Set(paths).size, 3);
  assert.deepEqual(
    reportIn(cwd).map(({ key, state }) => [key, state]),
    [['S-2', 'refused']],
  );
});

test('an order that was changed after it was created is reported as created with the earlier contents', async (t) => {
  const cwd = folderWith(t, tea('S-1'), tea('S-2'));
  const { baseUrl, paths } = await serviceOf(t, created);
  await run(sendCsv(baseUrl), { cwd, env });
  rewrite(cwd, tea('S-1'), tea('S-2', '3'));
  const { code, out, err } = await run(sendCsv(baseUrl, '--json'), { cwd, env });
  assert.equal(code, 1);
  assert.match(err, /^2 orders: 1 created .*, 1 created with earlier contents\.$/m);
  assert.match(
    err,
    /^Changed after they were sent: S-2\. The point of sale has the earlier contents: correct them there\.$/m,
  );
  assert.deepEqual(
    jsonLines(out)
      .map(({ key, state, isChanged }) => [key, state, isChanged])
      .sort(),
    [
      ['S-1', 'created', false],
      ['S-2', 'created', true],
    ],
  );
  const [line] = reportIn(cwd);
  assert.deepEqual([line.key, line.line, line.state, line.outcome], ['S-2', 3, 'created', 'created']);
  const [{ code: issue, message, hint }] = line.issues;
  assert.equal(issue, 'order_changed');
  assert.match(message, /^The order at the point of sale has the earlier contents/);
  assert.doesNotMatch(hint, /give .* a new/);
  assert.equal(paths.length, 2);
});

test('a changed order that may be at the point of sale is never reported as not created', async (t) => {
  const cwd = folderWith(t, tea('S-1'));
  let isSilent = true;
  const { baseUrl, bodies, paths } = await serviceOf(t, () => (isSilent ? NEVER : { status: 503 }));
  const child = start(sendCsv(baseUrl), { cwd, env });
  await until(() => paths.length === 1, 'the order is in flight');
  child.kill('SIGKILL');
  await child.ended;
  rewrite(cwd, tea('S-1', '3'));
  isSilent = false;
  const isSentAgain = () => until(() => paths.length > 1, 'the order is sent again');
  assert.equal((await sentUntil(isSentAgain, sendCsv(baseUrl), cwd)).code, 5);
  const [line] = reportIn(cwd);
  assert.deepEqual(
    [line.key, line.state, line.outcome, line.issues[0].code],
    ['S-1', 'waiting', 'unknown', 'order_changed'],
  );
  assert.match(line.issues[0].message, /^The order is or may be at the point of sale with its earlier contents/);
  const other = await serviceOf(t, created);
  sql(journalIn(cwd), `UPDATE outbox_setting SET value = '${other.baseUrl}/' WHERE name = 'base_url'`, 'SELECT 1');
  const { code, out } = await run(sendCsv(other.baseUrl), { cwd, env });
  assert.deepEqual([code, out], [1, '1 order: 0 created, 1 created with earlier contents.\n']);
  assert.deepEqual(quantities([...bodies, ...other.bodies]), Array(bodies.length + 1).fill(2));
  assert.equal(reportIn(cwd)[0].state, 'created');
});

test('an order that was created and is invalid now is reported as created', async (t) => {
  const cwd = folderOf(t, { 'orders.ndjson': ndjson(2) });
  const { baseUrl, paths } = await serviceOf(t, created);
  await run(send(baseUrl), { cwd, env });
  rewriteOrders(cwd, numbered(0), numbered(1, { Items: [] }));
  const { code, out, err } = await run(send(baseUrl, '--json'), { cwd, env });
  assert.equal(code, 1);
  assert.match(err, /^2 orders: 1 created .*, 1 created with earlier contents\.$/m);
  const settled = jsonLines(out).find(({ line }) => line === 2);
  assert.deepEqual(
    [settled.state, settled.outcome, settled.attempts, settled.isChanged],
    ['created', 'created', 1, true],
  );
  const [line] = reportIn(cwd, 'orders.ndjson');
  assert.deepEqual(
    [line.line, line.state, line.outcome, line.status, line.issues.map((issue) => issue.code)],
    [2, 'created', 'created', 201, ['order_changed', 'items_empty', 'body_empty']],
  );
  assert.equal(paths.length, 2);
});

test('an order that was created, and that only --strict makes invalid now, is not reported as changed', async (t) => {
  const cwd = folderOf(t, { 'orders.ndjson': lines(numbered(0, { notes: 'a' }), numbered(1, { notes: 'b' })) });
  const { baseUrl } = await serviceOf(t, created);
  await run(send(baseUrl), { cwd, env });
  const again = await run(send(baseUrl, '--strict'), { cwd, env });
  assert.deepEqual([again.code, again.out], [0, '2 orders: 2 created (2 settled in earlier runs).\n'], again.err);
  rewriteOrders(cwd, numbered(0, { notes: 'a' }), numbered(1, { notes: 'c' }));
  const changed = await run(send(baseUrl, '--strict'), { cwd, env });
  assert.equal(changed.code, 1);
  assert.deepEqual(
    reportIn(cwd, 'orders.ndjson').map(({ line, issues }) => [line, issues[0].code]),
    [[2, 'order_changed']],
  );
});

test('an order that may be at the point of sale and is invalid now keeps its state, and the exit code 5', async (t) => {
  const cwd = folderOf(t, { 'orders.ndjson': ndjson(1) });
  let isDown = true;
  const { baseUrl, bodies, paths } = await serviceOf(t, () => (isDown ? { status: 503 } : created()));
  const isSentAgain = () => {
    const before = paths.length;
    return until(() => paths.length > before, 'the order is sent');
  };
  assert.equal((await sentUntil(isSentAgain, send(baseUrl), cwd)).code, 5);
  rewriteOrders(cwd, numbered(0, { Items: [] }));
  const reported = ({ state, outcome, issues }) => [state, outcome, issues.map((each) => each.code)];
  const states = () => reportIn(cwd, 'orders.ndjson').map(reported);
  const codes = ['order_changed', 'items_empty'];
  const down = await sentUntil(isSentAgain, send(baseUrl), cwd);
  assert.deepEqual([down.code, down.out], [5, '1 order: 0 created, 1 not settled yet.\n']);
  assert.deepEqual(states(), [['waiting', 'unknown', codes]]);
  isDown = false;
  const up = await run(send(baseUrl), { cwd, env });
  assert.deepEqual([up.code, up.out], [1, '1 order: 0 created, 1 created with earlier contents.\n']);
  assert.deepEqual(states(), [['created', 'created', [...codes, 'body_empty']]]);
  assert.deepEqual(quantities([bodies.at(-1)]), [2]);
});

test('an order whose Id an earlier one has is not reported as not created while that one is open', async (t) => {
  const cwd = folderOf(t, { 'orders.ndjson': lines(numbered(0), numbered(0, { Notes: 'x' })) });
  const { baseUrl, paths } = await serviceOf(t, () => ({ status: 503 }));
  // By then the second row has been read.
  const isSentAgain = () => until(() => paths.length > 1, 'the order is sent again');
  const { code, out, err } = await sentUntil(isSentAgain, send(baseUrl, '--json'), cwd);
  assert.deepEqual([code, out], [5, '']);
  assert.match(err, /^2 orders: 0 created, 1 invalid, 1 not settled yet\.$/m);
  const [line] = reportIn(cwd, 'orders.ndjson');
  assert.deepEqual(
    [line.line, line.state, line.outcome, line.issues.map((issue) => issue.code)],
    [2, 'waiting', 'unknown', ['duplicate_order_id']],
  );
});

test('an order that was never sent and is invalid now is withdrawn, and sent when it is valid again', async (t) => {
  for (const Notes of [undefined, 'corrected']) {
    const cwd = folderOf(t, { 'orders.ndjson': ndjson(2) });
    const rewriteSecond = (changes) => rewriteOrders(cwd, numbered(0), numbered(1, changes));
    assert.equal((await sentUntil((child) => printed(child, 'err', /can't be reached/), send(NOBODY), cwd)).code, 5);
    rewriteSecond({ Items: [] });
    const { baseUrl, bodies, paths } = await serviceOf(t, created);
    for (const earlier of ['', ' (1 settled in earlier runs)']) {
      const { code, out } = await run(send(baseUrl), { cwd, env });
      assert.deepEqual([code, out], [1, `2 orders: 1 created${earlier}, 1 invalid.\n`]);
      const [line] = reportIn(cwd, 'orders.ndjson');
      assert.deepEqual([line.line, line.state, line.outcome], [2, 'invalid', 'not-created']);
    }
    assert.equal(paths.length, 1);
    rewriteSecond({ Notes });
    const { code, out } = await run(send(baseUrl), { cwd, env });
    assert.deepEqual([code, out], [0, '2 orders: 2 created (1 settled in earlier runs).\n']);
    assert.deepEqual([paths.length, JSON.parse(bodies[1]).Notes], [2, Notes]);
  }
});

/** Writes these orders, and sends them to nobody until all are in the journal. */
async function leftWaiting(cwd, orders, args, journal, count) {
  writeFileSync(join(cwd, args[1]), lines(...orders));
  const added = () => sql(join(cwd, journal), 'SELECT count(*) AS added FROM outbox_entry')[0].added;
  const areAdded = () => until(() => added() === count, 'all orders to be in the journal');
  const ended = await sentUntil((child) => printed(child, 'err', /can't be reached/).then(areAdded), args, cwd);
  assert.equal(ended.code, 5);
}

test('an order that was never sent and is no longer in the file is withdrawn, and sent when it is there again', async (t) => {
  const cwd = folderOf(t);
  const orders = [numbered(0), numbered(1), numbered(2)];
  await leftWaiting(cwd, orders, send(NOBODY), 'orders.ndjson.outbox.sqlite', 3);
  writeFileSync(join(cwd, 'orders.ndjson'), ndjson(2));
  const { baseUrl, paths } = await serviceOf(t, created);
  const without = await run(send(baseUrl, '--json'), { cwd, env });
  assert.equal(without.code, 0);
  assert.match(without.err, /^2 orders: 2 created\.\n1 order of the journal is no longer in the file: 1 withdrawn\.$/m);
  assert.deepEqual(
    jsonLines(without.out).find(({ orderId }) => orderId === idOf(2)),
    {
      ...{ file: null, line: null, column: null, key: null, orderId: idOf(2), state: 'cancelled' },
      ...{ outcome: 'not-created', attempts: 0, reason: null, status: null, url: null, requestId: null },
      ...{ alreadyThere: false, isChanged: false },
    },
  );
  assert.match(without.err, new RegExp(`^Withdrawn, never sent: ${idOf(2)}\\.`, 'm'));
  assert.equal(paths.length, 2);
  const listed = await run(['outbox', 'orders.ndjson', 'list', '--state', 'cancelled', '--json'], { cwd });
  assert.deepEqual(
    jsonLines(listed.out).map(({ orderId }) => orderId),
    [idOf(2)],
  );
  writeFileSync(join(cwd, 'orders.ndjson'), ndjson(3));
  const again = await run(send(baseUrl), { cwd, env });
  assert.deepEqual([again.code, again.out], [0, '3 orders: 3 created (2 settled in earlier runs).\n']);
  assert.equal(paths.length, 3);
});

test('the sum of what is created is that of the orders at the service, those of earlier runs too', async (t) => {
  const Taxes = [{ TaxId: '9c1d6f2e-8a3b-4c5d-9e7f-1a2b3c4d5e6f', TaxAmount: '2.00' }];
  const orders = [numbered(0), numbered(1, { Taxes }), numbered(2, { CompanyId: 7 })];
  const cwd = folderOf(t, { 'orders.ndjson': lines(...orders) });
  const { baseUrl } = await serviceOf(t, ({ body }) =>
    body?.includes('"CompanyId":7,') ? { status: 400, body: '{"title":"No"}' } : created(),
  );
  const sum =
    /^Sum of what is created: subtotal 79\.96, discount 0\.00, tax 2\.00 \(of 1; 1 unknown\), total 41\.98 \(of 1; 1 unknown\)\.$/m;
  for (let runs = 0; runs < 2; runs++) assert.match((await run(send(baseUrl), { cwd, env })).err, sum);
  rewriteOrders(cwd, orders[2]);
  const none = await run([...send(baseUrl), '--outbox', 'other.sqlite'], { cwd, env });
  assert.doesNotMatch(none.err, /Sum of what is created/);
});

test('orders that were or may have been sent and are no longer in the file are reported in their real state', async (t) => {
  const cwd = folderOf(t, { 'orders.ndjson': ndjson(3) });
  let isDown = true;
  const { baseUrl, paths } = await serviceOf(t, ({ path }) => {
    if (path.includes(idOf(1))) return refused();
    return path.includes(idOf(2)) && isDown ? { status: 500 } : created();
  });
  const areAsked = () => until(() => new Set(paths).size === 3, 'a request for each order');
  assert.equal((await sentUntil(areAsked, send(baseUrl), cwd)).code, 5);
  rewriteOrders(cwd, numbered(3));
  const isCreated = () => until(() => paths.some((path) => path.includes(idOf(3))), 'the order of the file');
  const open = await sentUntil(isCreated, send(baseUrl), cwd);
  assert.deepEqual(
    [open.code, open.out],
    [
      5,
      '1 order: 1 created.\n3 orders of the journal are no longer in the file: 1 created, 1 refused, 1 not settled yet.\n',
    ],
  );
  isDown = false;
  const { code, out } = await run(send(baseUrl), { cwd, env });
  assert.deepEqual(
    [code, out],
    [
      0,
      '1 order: 1 created (1 settled in earlier runs).\n3 orders of the journal are no longer in the file: 2 created, 1 refused.\n',
    ],
  );
});

test('a journal that several files share keeps the orders of the others, and says how many', async (t) => {
  const cwd = folderOf(t);
  const shared = (file, baseUrl) => ['send', file, '--base-url', baseUrl, '--outbox', 'shared.sqlite'];
  await leftWaiting(cwd, [numbered(0), numbered(1)], shared('a.ndjson', NOBODY), 'shared.sqlite', 2);
  writeFileSync(join(cwd, 'b.ndjson'), JSON.stringify(numbered(2)));
  const { baseUrl, paths } = await serviceOf(t, created);
  const { code, out } = await run(shared('b.ndjson', baseUrl), { cwd, env });
  assert.deepEqual([code, out], [0, '1 order: 1 created.\nThe journal has 2 orders of other files: 2 created.\n']);
  assert.equal(paths.length, 3);
});

test('an order that was refused and is invalid now stays refused, and is reported as invalid', async (t) => {
  const cwd = folderOf(t, { 'orders.ndjson': ndjson(1) });
  const { baseUrl, paths } = await serviceOf(t, refused);
  await run(send(baseUrl), { cwd, env });
  rewriteOrders(cwd, numbered(0, { Items: [] }));
  const { code, out } = await run(send(baseUrl), { cwd, env });
  assert.deepEqual([code, out], [1, '1 order: 0 created, 1 invalid.\n']);
  assert.deepEqual([reportIn(cwd, 'orders.ndjson')[0].outcome, paths.length], ['not-created', 1]);
});

test('orders that were already at the service are counted apart, and the first few are named', async (t) => {
  const keys = ['S-1', 'S-2', 'S-3', 'S-4', 'S-5', 'S-6', 'S-7'];
  const cwd = folderWith(t, ...keys.map((key) => tea(key)));
  const { baseUrl } = await serviceOf(t, created);
  await run(sendCsv(baseUrl), { cwd, env });
  sql(
    journalIn(cwd),
    `UPDATE outbox_entry SET already_there = 1 WHERE order_id <> '${await derived('S-4')}'`,
    'SELECT 1',
  );
  const { code, out, err } = await run(sendCsv(baseUrl), { cwd, env });
  assert.deepEqual([code, out], [0, '7 orders: 1 created (1 settled in earlier runs), 6 already there.\n']);
  assert.match(
    err,
    /^Already there: (S-\d, ){4}S-\d and 1 more\. The service had equal orders with their Ids before: two sales may share a key\.$/m,
  );
  const json = await run(sendCsv(baseUrl, '--json'), { cwd, env });
  assert.equal(jsonLines(json.out).filter(({ alreadyThere }) => alreadyThere).length, 6);
  const listed = await run(['outbox', 'orders.csv', 'list'], { cwd });
  assert.equal(listed.out.match(/201 already there$/gm)?.length, 6);
});

test("the report, outbox list and --json have the row's own key", async (t) => {
  const cwd = folderWith(t, tea('S-77'), tea('S-78', '0'), tea('', '1'), tea('S-79', '4'));
  const { baseUrl } = await serviceOf(t, ({ body }) => (body.includes('"Quantity":4') ? refused() : created()));
  const { out } = await run(sendCsv(baseUrl, '--json'), { cwd, env });
  const keysOf = (values) => values.map(({ key, state }) => `${key} ${state}`).sort();
  assert.deepEqual(keysOf(jsonLines(out)), ['S-77 created', 'S-78 invalid', 'S-79 refused', 'null invalid']);
  assert.deepEqual(keysOf(reportIn(cwd)), ['S-78 invalid', 'S-79 refused', 'null invalid']);
  const listed = await run(['outbox', 'orders.csv', 'list'], { cwd });
  assert.match(listed.out, new RegExp(`^Reference +Order .*\nS-77 +${await derived('S-77')}  created`));
  const json = await run(['outbox', 'orders.csv', 'list', '--json'], { cwd });
  assert.deepEqual(keysOf(jsonLines(json.out)), ['S-77 created', 'S-79 refused']);
});

test('a key of several columns is the JSON that the Id is derived from', async (t) => {
  const cwd = folderOf(t, { 'orders.csv': csv(tea('7')), 'mapping.json': { ...MAPPING, key: ['Order', 'Shop'] } });
  const { baseUrl } = await serviceOf(t, created);
  const [{ key, orderId }] = jsonLines((await run(sendCsv(baseUrl, '--json'), { cwd, env })).out);
  assert.deepEqual([key, orderId], ['["7","2000"]', await derived('["7","2000"]')]);
});

test('another namespace or key than that of the journal is an error that says what would happen', async (t) => {
  const cwd = folderWith(t, tea('S-1'), tea('S-2'), tea('S-3', '4'));
  const { baseUrl, paths } = await serviceOf(t, ({ body }) => (body.includes('"Quantity":4') ? refused() : created()));
  await run(sendCsv(baseUrl), { cwd, env });
  const namespace = '7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50';
  const { Notes: _, ...order } = MAPPING.order;
  for (const [mapping, from] of /** @type {[object, string][]} */ ([
    [{ ...MAPPING, namespace }, `the key "Order" in the namespace ${namespace}`],
    [{ ...MAPPING, key: ['Order', 'Shop'] }, `the key "Order", "Shop" in the namespace ${MAPPING.namespace}`],
    [{ ...MAPPING, namespace: undefined, order: { ...order, Id: 'Comment' } }, 'the column "Comment"'],
  ])) {
    writeFileSync(join(cwd, 'mapping.json'), JSON.stringify(mapping));
    const { code, err } = await run(sendCsv(baseUrl), { cwd, env });
    const known = `the key "Order" in the namespace ${MAPPING.namespace}`;
    const problem = `orders.csv.outbox.sqlite has orders whose Ids come from ${known}, not from ${from}`;
    const hint = 'Restore the mapping. If these are other orders, use another journal: --outbox FILE.';
    assert.deepEqual(
      [code, err],
      [2, `error: ${problem}: 2 orders would be sent a second time under new Ids\nhint: ${hint}\n`],
    );
  }
  assert.equal(paths.length, 3);
  writeFileSync(join(cwd, 'mapping.json'), JSON.stringify({ ...MAPPING, namespace }));
  assert.equal((await run(sendCsv(baseUrl, '--outbox', 'other.sqlite'), { cwd, env })).code, 1);
  assert.equal(new Set(paths).size, 6);
});

test('a mapping may change what does not change Ids, and everything as long as nothing was created', async (t) => {
  const cwd = folderWith(t, tea('S-1', '2', 'a note'));
  let isClosed = true;
  const { baseUrl, paths } = await serviceOf(t, () => (isClosed ? refused() : created()));
  assert.equal((await run(sendCsv(baseUrl), { cwd, env })).code, 1);
  const namespace = '7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50';
  const { Notes: _, ...order } = MAPPING.order;
  writeFileSync(join(cwd, 'mapping.json'), JSON.stringify({ ...MAPPING, namespace }));
  isClosed = false;
  assert.equal((await run(sendCsv(baseUrl), { cwd, env })).code, 0);
  writeFileSync(
    join(cwd, 'mapping.json'),
    JSON.stringify({ ...MAPPING, key: ['Order'], namespace: `{${namespace.toUpperCase()}}`, order }),
  );
  rewrite(cwd, tea('S-1', '2', 'a note'), tea('S-2'));
  const { code, out } = await run(sendCsv(baseUrl), { cwd, env });
  assert.deepEqual(
    [code, out],
    [
      1,
      '2 orders: 1 created, 1 created with earlier contents.\n1 order of the journal is no longer in the file: 1 refused.\n',
    ],
  );
  assert.equal(paths.length, 3);
});

test('when all is created, send says how to delete the personal data; outbox forget does', async (t) => {
  const cwd = folderWith(t, tea('S-1', '2', 'for Ada Byron'), `S-2,2000,${BLEND},1,12.50,for Ada Byron`);
  const { baseUrl, paths } = await serviceOf(t, created);
  const sent = await run(sendCsv(baseUrl), { cwd, env });
  assert.match(
    sent.err,
    /^The journal has personal data; send .*To delete it now:\n {2}sales-order-intake outbox orders\.csv\.outbox\.sqlite forget --state created\n$/m,
  );
  assert.ok(readFileSync(journalIn(cwd)).includes('Ada Byron'));
  const forgotten = await run(['outbox', 'orders.csv', 'forget', '--state', 'created'], { cwd });
  assert.deepEqual(
    [forgotten.code, forgotten.out],
    [0, '2 orders have no personal data in the journal any more.\n'],
    forgotten.err,
  );
  assert.ok(!readFileSync(journalIn(cwd)).includes('Ada Byron'));
  const again = await run(sendCsv(baseUrl), { cwd, env });
  assert.deepEqual([again.code, again.out], [0, '2 orders: 2 created (2 settled in earlier runs).\n']);
  assert.doesNotMatch(again.err, /personal data/);
  rewrite(cwd, tea('S-1', '3', 'for Ada Byron'), `S-2,2000,${BLEND},1,12.50,for Ada Byron`);
  const changed = await run(sendCsv(baseUrl), { cwd, env });
  assert.deepEqual(
    [changed.code, changed.out],
    [1, '2 orders: 1 created (1 settled in earlier runs), 1 created with earlier contents.\n'],
  );
  assert.equal(paths.length, 2);
});

test('send forgets what was created more than 30 days ago, and does not send it again', async (t) => {
  const cwd = folderOf(t, { 'orders.ndjson': ndjson(3) });
  const { baseUrl, paths } = await serviceOf(t, ({ path }) => (path.includes(idOf(2)) ? refused() : created()));
  await run(send(baseUrl), { cwd, env });
  const age = (n, days) =>
    `UPDATE outbox_entry SET added_at = added_at - ${days * DAY_MS}, settled_at = settled_at - ${days * DAY_MS}
     WHERE order_id = '${idOf(n)}'`;
  sql(journalIn(cwd, 'orders.ndjson'), age(0, 31), age(1, 29), age(2, 31), 'SELECT 1');
  assert.equal(
    (await run(send(baseUrl), { cwd, env })).out,
    '3 orders: 2 created (2 settled in earlier runs), 1 refused.\n',
  );
  const rows = sql(
    journalIn(cwd, 'orders.ndjson'),
    'SELECT body IS NULL AS forgotten FROM outbox_entry ORDER BY order_id',
  );
  assert.deepEqual(
    rows.map(({ forgotten }) => forgotten),
    [1, 0, 0],
  );
  assert.equal(paths.length, 3);
});

test('send forgets old orders behind one that was corrected lately', async (t) => {
  const cwd = folderOf(t, { 'orders.ndjson': ndjson(3) });
  let isRefusing = true;
  const { baseUrl } = await serviceOf(t, ({ path }) => (isRefusing && path.includes(idOf(0)) ? refused() : created()));
  await run(send(baseUrl), { cwd, env });
  // The corrected order has the position of the first one, and today's date.
  isRefusing = false;
  rewriteOrders(cwd, numbered(0, { Notes: 'corrected' }), numbered(1), numbered(2));
  await run(send(baseUrl), { cwd, env });
  const journal = journalIn(cwd, 'orders.ndjson');
  const age = `UPDATE outbox_entry SET added_at = added_at - ${31 * DAY_MS}, settled_at = settled_at - ${31 * DAY_MS}`;
  sql(journal, `${age} WHERE order_id <> '${idOf(0)}'`, 'SELECT 1');
  await run(send(baseUrl), { cwd, env });
  const kept = sql(journal, 'SELECT order_id AS id FROM outbox_entry WHERE body IS NOT NULL');
  assert.deepEqual(
    kept.map(({ id }) => id),
    [idOf(0)],
  );
});

test('a stalled order that is forgotten is given up', async (t) => {
  const cwd = folderOf(t, { 'orders.ndjson': ndjson(2) });
  const { baseUrl, paths } = await serviceOf(t, created);
  await run(send(baseUrl), { cwd, env });
  sql(
    journalIn(cwd, 'orders.ndjson'),
    `UPDATE outbox_entry SET state = 'stalled', outcome = 'unknown' WHERE order_id = '${idOf(0)}'`,
    'SELECT 1',
  );
  assert.equal((await run(send(baseUrl), { cwd, env })).code, 5);
  assert.equal((await run(['outbox', 'orders.ndjson', 'forget', idOf(0)], { cwd })).code, 0);
  const { code, out } = await run(send(baseUrl), { cwd, env });
  assert.deepEqual([code, out], [0, '2 orders: 1 created (1 settled in earlier runs), 1 given up.\n']);
  assert.equal(paths.length, 2);
});

test('outbox replace takes corrected orders, which send keeps until the file has others', async (t) => {
  const cwd = folderOf(t, { 'orders.ndjson': ndjson(3) });
  let isClosed = true;
  const { baseUrl, bodies } = await serviceOf(t, ({ path }) =>
    isClosed && !path.includes(idOf(2)) ? refused() : created(),
  );
  await run(send(baseUrl), { cwd, env });
  const notes = { Notes: 'corrected' };
  const corrected = [...[0, 1, 2].map((n) => numbered(n, notes)), numbered(1, { Items: [] }), numbered(9)];
  writeFileSync(join(cwd, 'corrected.json'), JSON.stringify(corrected));
  const replaced = await run(['outbox', 'orders.ndjson', 'replace', '--from', 'corrected.json'], { cwd });
  assert.deepEqual([replaced.code, replaced.out], [1, '2 orders will be sent by the next send.\n']);
  const errors = replaced.err.trimEnd().split('\n');
  assert.match(errors[0] ?? '', new RegExp(`^error: corrected.json:1:\\d+: Cannot replace order ${idOf(2)}.* created`));
  assert.match(errors[1] ?? '', /^error: corrected.json:1:\d+: Items /);
  assert.match(errors[2] ?? '', new RegExp(`^error: corrected.json:1:\\d+: the journal has no order ${idOf(9)}$`));
  isClosed = false;
  // The file has the earlier contents of one, and a correction of the other.
  rewriteOrders(cwd, numbered(0), numbered(1, { Notes: 'in the file' }), numbered(2));
  const { code, out } = await run(send(baseUrl), { cwd, env });
  assert.deepEqual([code, out], [0, '3 orders: 3 created (1 settled in earlier runs).\n']);
  assert.deepEqual(
    bodies
      .slice(3)
      .map((body) => JSON.parse(body).Notes)
      .sort(),
    ['corrected', 'in the file'],
  );
  // Created, and as the file has it except for what was replaced by hand.
  assert.equal((await run(send(baseUrl), { cwd, env })).code, 0);
});

test('outbox replace takes only the orders that are named', async (t) => {
  const cwd = folderOf(t, { 'orders.ndjson': ndjson(2), 'corrected.ndjson': ndjson(2) });
  const { baseUrl } = await serviceOf(t, refused);
  await run(send(baseUrl), { cwd, env });
  const replace = ['outbox', 'orders.ndjson', 'replace', '--from', 'corrected.ndjson'];
  const one = await run([...replace, idOf(1), '--json'], { cwd });
  assert.deepEqual([one.code, jsonLines(one.out)], [0, [{ orderId: idOf(1), key: null, state: 'waiting' }]]);
  const missing = await run([...replace, idOf(7)], { cwd });
  assert.deepEqual([missing.code, missing.err], [1, `error: no corrected order has the Id ${idOf(7)}\n`]);
  for (const [args, problem] of /** @type {[string[], RegExp][]} */ ([
    [['replace'], /needs --from ORDERS/],
    [['replace', '--from', 'a.csv'], /--from takes orders as JSON or NDJSON/],
    [['retry', '--state', 'refused', '--from', 'a.json'], /outbox retry takes no --from/],
    [['forget'], /needs the Ids of orders, or --state/],
  ])) {
    const { code, err } = await run(['outbox', 'orders.ndjson', ...args], { cwd });
    assert.equal(code, 2);
    assert.match(err, problem);
  }
});

test('journal, report and what SQLite keeps beside it are readable by their owner only', async (t) => {
  const cwd = folderOf(t, { 'orders.ndjson': ndjson(2) });
  const { baseUrl, paths } = await serviceOf(t, ({ path }) => (path.includes(idOf(0)) ? refused() : NEVER));
  start(send(baseUrl), { cwd, env });
  await until(() => paths.length === 2, 'both orders are sent');
  const names = readdirSync(cwd).filter((name) => name !== 'orders.ndjson');
  for (const end of ['outbox.sqlite', 'outbox.sqlite-wal', 'outbox.sqlite.outbox-lock', 'report.ndjson.partial']) {
    assert.ok(names.includes(`orders.ndjson.${end}`), `${end} is not one of ${names}`);
  }
  for (const name of names) assert.equal(statSync(join(cwd, name)).mode & 0o777, 0o600, name);
});

test('a journal is for one service; outbox move sends what waits to another base URL', async (t) => {
  const cwd = folderOf(t, { 'orders.ndjson': ndjson(2) });
  const old = await serviceOf(t, ({ body }) => (body.includes(numbered(0).Id) ? { status: 201 } : { status: 503 }));
  const stopped = await run(send(old.baseUrl, '--stop-after', '2s'), { cwd, env });
  assert.equal(stopped.code, 5, stopped.err);
  const other = await serviceOf(t, created);
  const refused = await run(send(other.baseUrl), { cwd, env });
  assert.equal(refused.code, 2);
  assert.match(
    refused.err,
    /has orders that were sent to .*, not to .*: 2 orders that may be at the first one would not/,
  );
  assert.match(refused.err, /\nhint: .*--outbox FILE/);
  assert.match(refused.err, /outbox FILE move --base-url URL/);
  const another = await serviceOf(t, created);
  assert.equal((await run(send(another.baseUrl, '--outbox', 'other.sqlite'), { cwd, env })).code, 0);
  assert.equal(another.paths.length, 2);
  const move = (...more) => run(['outbox', 'orders.ndjson', 'move', ...more], { cwd });
  assert.match((await move()).err, /outbox move needs --base-url URL/);
  const { code, out } = await move('--base-url', other.baseUrl);
  assert.deepEqual([code, out], [0, `The outbox is for ${other.baseUrl}/ now; 1 order will be sent there.\n`]);
  assert.equal((await run(send(other.baseUrl), { cwd, env })).code, 0);
  assert.equal(other.paths.length, 1);
  assert.equal((await run(send(old.baseUrl), { cwd, env })).code, 2);
});
