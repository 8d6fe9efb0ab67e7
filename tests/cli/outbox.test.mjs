/** What happened to an order, by the command outbox: show, list by reference and receipt, who decided, and missing. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { clientOf, createOutbox, sqliteStore } from '../outbox/harness.mjs';
import { csv, MAPPING, numbered, TEA } from './orders.mjs';
import { folderOf, jsonLines, NOBODY, run, serviceOf, TOKEN } from './program.mjs';

const env = { SALES_ORDER_INTAKE_TOKEN: TOKEN };
const tea = (key, quantity = '2') => `${key},2000,${TEA},${quantity},19.99,`;
const outbox = (cwd, ...args) => run(['outbox', ...args], { cwd, env: { TZ: 'Asia/Kolkata' } });
const created = ({ body }, ReceiptNumber) => ({
  status: 201,
  body: JSON.stringify({ ...JSON.parse(body), ReceiptNumber }),
});
const refused = { status: 422, body: '{"Message":"Ada Byron owes us"}' };

/** Sends a CSV file with these rows to a service that refuses the quantity 4. */
async function sent(t, ...rows) {
  const cwd = folderOf(t, { 'orders.csv': csv(...rows), 'mapping.json': MAPPING });
  const service = await serviceOf(t, (request) =>
    /"Quantity":4/.test(request.body) ? refused : created(request, '77'),
  );
  await run(['send', 'orders.csv', '--map', 'mapping.json', '--base-url', service.baseUrl], { cwd, env });
  return { cwd };
}

test('show tells what happened to an order in an outage, a refusal, a correction and a restore, and who decided', async (t) => {
  const cwd = folderOf(t, { 'orders.csv': csv(tea('S-1')), 'mapping.json': MAPPING });
  const send = (baseUrl, ...more) =>
    run(['send', 'orders.csv', '--map', 'mapping.json', '--base-url', baseUrl, ...more], { cwd, env });
  assert.equal((await send(NOBODY, '--stop-after', '1s')).code, 5);
  const service = await serviceOf(t, (request) =>
    request.body.includes('corrected') ? created(request, '77') : refused,
  );
  assert.equal((await send(service.baseUrl)).code, 1);
  const [{ orderId }] = jsonLines((await outbox(cwd, 'orders.csv', 'list', '--json')).out);
  writeFileSync(join(cwd, 'corrected.json'), JSON.stringify(numbered(0, { Id: orderId, Notes: 'corrected' })));
  const by = ['--by', 'Grace'];
  for (const args of [
    ['replace', '--from', 'corrected.json', ...by],
    ['backup', 'night.sqlite'],
    ['restore', 'night.sqlite'],
    ['retry', 'S-1', ...by],
  ]) {
    const { code, err } = await outbox(cwd, 'orders.csv', ...args);
    assert.equal(code, 0, err);
  }
  assert.equal((await send(service.baseUrl)).code, 0);

  const [shown] = jsonLines((await outbox(cwd, 'orders.csv', 'show', 'S-1', '--json')).out);
  assert.deepEqual([shown.orderId, shown.state, shown.receiptNumber], [orderId, 'created', '77']);
  const events = shown.history.map((event) =>
    [event.what, event.by, event.status, event.failure, event.reason, event.outcome].filter(Boolean).join(' '),
  );
  assert.deepEqual(
    // In a second, there are several attempts to connect.
    events.filter((event, n) => event !== events[n - 1]),
    [
      'added',
      'attempt connection refused (ECONNREFUSED) ConnectionError not-created',
      'attempt 422 RejectedError not-created',
      'settled RejectedError not-created',
      'replace Grace',
      'restored restored unknown',
      'retry Grace',
      'attempt 201 created',
      'settled created',
    ],
  );
  for (const { at } of shown.history) assert.match(at, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  const { code, out } = await outbox(cwd, 'orders.csv', 'show', orderId);
  assert.equal(code, 0);
  assert.doesNotMatch(out, /Byron|corrected/);
  const time = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \+05:30`;
  for (const line of [
    /^Reference +S-1$/m,
    /^State +created$/m,
    /^Receipt +77$/m,
    new RegExp(`^${time} +added$`, 'm'),
    new RegExp(`^${time} +attempt +422, RejectedError, not-created, \\d+ ms$`, 'm'),
    new RegExp(`^${time} +retry +by Grace$`, 'm'),
    /^Permitted +forget$/m,
  ]) {
    assert.match(out, line);
  }
});

test("the service's own text is shown only if it is asked for", async (t) => {
  const { cwd } = await sent(t, tea('S-1', '4'));
  const text = 'Ada Byron owes us';
  for (const flags of [[], ['--json']]) {
    assert.ok(!(await outbox(cwd, 'orders.csv', 'show', 'S-1', ...flags)).out.includes(text));
    assert.ok((await outbox(cwd, 'orders.csv', 'show', 'S-1', '--detail', ...flags)).out.includes(text));
  }
});

test('orders are found by reference, by its beginning, and by receipt number', async (t) => {
  const { cwd } = await sent(t, tea('S-1', '4'), tea('S-2'), tea('S-22'));
  const found = async (...flags) =>
    jsonLines((await outbox(cwd, 'orders.csv', 'list', '--json', ...flags)).out).map(({ reference }) => reference);
  assert.deepEqual(await found('--reference', 'S-2'), ['S-2', 'S-22']);
  assert.deepEqual(await found('S-2'), ['S-2']);
  assert.deepEqual((await found('--receipt', '77')).sort(), ['S-2', 'S-22']);
  assert.deepEqual(await found('--receipt', '78'), []);
  for (const [args, problem] of /** @type {[string[], RegExp][]} */ ([
    [['show'], /outbox show needs the Ids of orders, or --state/],
    [['show', 'S-9'], /the journal has no order S-9/],
    [['list', '--reason', 'restore'], /there is no reason restore\nhint: Did you mean restored\?/],
    [['list', '--reference', 'x'.repeat(101)], /--reference must be a string of 1 to 100 characters/],
    [['list', '--by', 'Ada'], /outbox list takes no --by/],
    [['retry', 'S-1', '--by', 'x'.repeat(201)], /--by must be a string of 1 to 200/],
    [['missing'], /outbox missing needs a file/],
  ])) {
    const { code, err } = await outbox(cwd, 'orders.csv', ...args);
    assert.deepEqual([code, problem.test(err)], [2, true], err);
  }
});

test('a key that is too long for a reference, or has control characters, is found by its beginning', async (t) => {
  const long = `${'k'.repeat(120)}`;
  const { cwd } = await sent(t, tea(long), tea('"a\tb"', '3'));
  const [first, second] = jsonLines((await outbox(cwd, 'orders.csv', 'list', '--json')).out);
  assert.deepEqual([first.reference, second.reference], [long.slice(0, 100), 'a\ufffdb']);
  assert.equal((await outbox(cwd, 'orders.csv', 'show', long)).code, 0);
  const other = await outbox(cwd, 'orders.csv', 'show', `${long}x`);
  assert.match(other.err, /^error: a key of more than 100 characters.*\nhint: Name the order by its Id/);
  writeFileSync(join(cwd, 'carts.txt'), `${long}\n${long}x\na\tb\n`);
  const { code, out } = await outbox(cwd, 'orders.csv', 'missing', 'carts.txt', '--json');
  assert.deepEqual([code, jsonLines(out).map(({ line, state }) => [line, state])], [1, [[2, 'missing']]]);
  writeFileSync(join(cwd, 'carts.csv'), 'Order\n"x\ncarts.csv:9: y"\n');
  const broken = await outbox(cwd, 'orders.csv', 'missing', 'carts.csv');
  assert.match(broken.out, /^carts\.csv:2: x\ufffdcarts\.csv:9: y: never added$/m);
});

test('missing prints the carts that were never added, wait or were refused, and adds up', async (t) => {
  const { cwd } = await sent(t, tea('S-1', '4'), tea('S-2'), tea('S-3'));
  writeFileSync(join(cwd, 'carts.csv'), 'Paid;Order\r\nyes;S-1\r\nyes;S-2\r\nyes;S-2\r\nyes;S-9\r\n');
  const { code, out, err } = await outbox(cwd, 'orders.csv', 'missing', 'carts.csv');
  assert.equal(code, 1);
  // The journal knows the column from the mapping.
  assert.match(err, /^The keys are in the column Order, /);
  assert.match(out, /^carts\.csv:2: S-1: refused \(RejectedError 422\), order [\da-f-]{36}$/m);
  assert.match(out, /^carts\.csv:5: S-9: never added$/m);
  assert.match(out, /^3 keys: 1 created, 1 refused, 1 never added\.$/m);
  const json = await outbox(cwd, 'orders.csv', 'missing', 'carts.csv', '--json', '--column', 'Order');
  assert.deepEqual(
    jsonLines(json.out).map(({ line, key, state, orderId }) => [line, key, state, typeof orderId]),
    [
      [2, 'S-1', 'refused', 'string'],
      [5, 'S-9', 'missing', 'object'],
    ],
  );
  const [{ orderId }] = jsonLines((await outbox(cwd, 'orders.csv', 'list', '--json', 'S-2')).out);
  // Its Id comes from the key, so it is found without its reference.
  assert.equal((await outbox(cwd, 'orders.csv', 'forget', 'S-2')).code, 0);
  writeFileSync(join(cwd, 'carts.txt'), `S-3\n${orderId}\nS-2\n`);
  const all = await outbox(cwd, 'orders.csv', 'missing', 'carts.txt');
  assert.deepEqual([all.code, all.out], [0, '3 keys: 3 created.\n'], all.err);
  assert.deepEqual(
    jsonLines((await outbox(cwd, 'orders.csv', 'list', '--json', 'S-2')).out).map((entry) => entry.orderId),
    [orderId],
  );
  for (const [content, problem] of /** @type {[string, RegExp][]} */ ([
    ['', /carts\.csv has no keys/],
    ['a,b\n1,2\n', /carts\.csv has several columns: a, b\nhint: --column names/],
    ['a,Order\nx,\n', /carts\.csv:2:1: the row has no key/],
  ])) {
    writeFileSync(join(cwd, 'carts.csv'), content);
    const wrong = await outbox(cwd, 'orders.csv', 'missing', 'carts.csv');
    assert.match(wrong.err, problem);
    assert.notEqual(wrong.code, 0);
  }
});

test('missing finds the orders of a shop by the references that it gave, while they wait', async (t) => {
  const cwd = folderOf(t, { 'carts.csv': 'cart\n7\n8\n9\n' });
  const shop = createOutbox({ client: clientOf(NOBODY), store: sqliteStore(join(cwd, 'shop.sqlite')) });
  await shop.add(numbered(1), { reference: '7' });
  await shop.add(numbered(2, { CompanyId: 0 }), { reference: '8', invalid: 'keep' });
  const { code, out } = await outbox(cwd, 'shop.sqlite', 'missing', 'carts.csv');
  assert.equal(code, 1);
  assert.equal(out.split('\n').at(-2), '3 keys: 1 waiting, 1 invalid, 1 never added.');
  await shop.forget(numbered(2).Id);
  await shop.stop();
  const after = await outbox(cwd, 'shop.sqlite', 'missing', 'carts.csv');
  assert.equal(after.out.split('\n').at(-2), '3 keys: 1 waiting, 2 never added or forgotten.');
});

test('missing counts orders that the mapping skips apart, unless they were added', async (t) => {
  const { cwd } = await sent(t, tea('S-1'), tea('S-2'));
  writeFileSync(join(cwd, 'mapping.json'), JSON.stringify({ ...MAPPING, skip: { Comment: ['voided'] } }));
  const rows = [tea('S-1'), `${tea('S-2')}voided`, tea('S-3'), `${tea('S-3')}voided`];
  writeFileSync(join(cwd, 'month.csv'), csv(...rows));
  const missing = () => outbox(cwd, 'orders.csv', 'missing', 'month.csv', '--map', 'mapping.json');
  const { code, out } = await missing();
  assert.deepEqual([code, out], [0, '3 keys: 2 created, 1 skipped.\n']);
  writeFileSync(join(cwd, 'month.csv'), csv(...rows, tea('S-4')));
  assert.match(
    (await missing()).out,
    /^month\.csv:6: S-4: never added\n4 keys: 2 created, 1 never added, 1 skipped\.$/m,
  );
});

test('show says what is wrong with an invalid order, and where', async (t) => {
  const cwd = folderOf(t, {});
  const shop = createOutbox({ client: clientOf(NOBODY), store: sqliteStore(join(cwd, 'shop.sqlite')) });
  await shop.add(numbered(2, { CompanyId: 0 }), { reference: '8', invalid: 'keep' });
  await shop.stop();
  const shown = async (...flags) => (await outbox(cwd, 'shop.sqlite', 'show', '8', ...flags)).out;
  assert.match(await shown(), /^Issues +integer_out_of_range at \/CompanyId$/m);
  assert.match(await shown('--detail'), /^Issues +\/CompanyId: CompanyId must be between 1 and 2147483647$/m);
});
