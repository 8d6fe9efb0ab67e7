/** check: positions and frames in JSON, NDJSON and CSV; summaries, JSON, exit codes. */
import assert from 'node:assert/strict';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { installed } from '../node/installed.mjs';
import { item, minimalOrder } from '../node/orders.mjs';
import { BLEND, csv, idOf, MAPPING, numbered, TEA } from './orders.mjs';
import { folderOf, run, start, until } from './program.mjs';

const BAD = [item({ SellAtPricePerUnit: '$19.99' })];

test('valid orders end with 0', async (t) => {
  const cwd = folderOf(t, { 'one.json': numbered(0), 'two.json': [numbered(1), numbered(2)] });
  assert.deepEqual(await run(['check', 'one.json', 'two.json'], { cwd }), {
    code: 0,
    out: 'Checked 3 orders for v3. All are valid.\n',
    err: '',
  });
});

test('an issue has file, line and column, the lines around it, and the hint', async (t) => {
  const cwd = folderOf(t, { 'order.json': numbered(0, { Items: BAD }) });
  const { code, out } = await run(['check', 'order.json'], { cwd });
  assert.equal(code, 1);
  assert.equal(
    out,
    [
      'order.json:11:29: error: SellAtPricePerUnit must be a decimal number [not_a_decimal]',
      '   9 |       "CatalogItemId": "0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff",',
      '  10 |       "Quantity": 2,',
      '> 11 |       "SellAtPricePerUnit": "$19.99"',
      '     |                             ^^^^^^^^',
      '  12 |     }',
      '  hint: use digits and a decimal point, such as 12.50',
      '',
      'Checked 1 order for v3. It is invalid (1 error).',
      '',
    ].join('\n'),
  );
});

test('--json prints the issues of the package, each with file, line and column', async (t) => {
  const order = numbered(0, { Items: BAD, notes: 'x' });
  const cwd = folderOf(t, { 'order.json': order });
  const { code, out, err } = await run(['check', 'order.json', '--json'], { cwd });
  const { esm } = await installed();
  const [unknown, decimal] = ['unknown_member', 'not_a_decimal'].map((code) =>
    esm.validateOrder(order).issues.find((issue) => issue.code === code),
  );
  const printed = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual([code, err], [1, '']);
  assert.deepEqual(printed, [
    { ...decimal, file: 'order.json', line: 11, column: 29 },
    { ...unknown, file: 'order.json', line: 14, column: 3 },
  ]);
});

test('positions are those of the file, for each order of an array and of NDJSON', async (t) => {
  const orders = [numbered(0), numbered(1, { Items: BAD })];
  const cwd = folderOf(t, {
    'array.json': orders,
    'lines.ndjson': orders.map((order) => JSON.stringify(order)).join('\n\n'),
    'broken.ndjson': `${JSON.stringify(numbered(2))}\n{"Id": 1,}\n${JSON.stringify(numbered(3))}\n`,
  });
  const positions = async (file) => {
    const { out } = await run(['check', file, '--json'], { cwd });
    return out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
      .map(({ code, line, column }) => [code, line, column]);
  };
  assert.deepEqual(await positions('array.json'), [['not_a_decimal', 26, 31]]);
  assert.deepEqual(await positions('lines.ndjson'), [
    ['not_a_decimal', 3, JSON.stringify(orders[1]).indexOf('"$19.99"') + 1],
  ]);
  assert.deepEqual(await positions('broken.ndjson'), [['not_json', 2, 10]]);
  const { out } = await run(['check', 'broken.ndjson'], { cwd });
  assert.match(out, /Checked 3 orders for v3\. 1 is invalid/);
});

test('digits of numbers reach the core as they are in the file', async (t) => {
  const text = JSON.stringify(minimalOrder()).replace('19.99', '19.990000000000000000000001');
  const cwd = folderOf(t, { 'order.json': text });
  const { out } = await run(['check', 'order.json', '--json'], { cwd });
  assert.match(out, /"code":"price_fraction_digits"/);
  const { out: request } = await run(['request', 'order.json'], { cwd });
  assert.match(request, /"SellAtPricePerUnit":19\.990000000000000000000001/);
});

test('a long line is cut around the value, and control characters do not reach the terminal', async (t) => {
  const order = numbered(0, { Notes: 'x'.repeat(300), Items: [item({ Name: 'Tea\u009b31m', Quantity: 0 })] });
  const cwd = folderOf(t, { 'orders.ndjson': JSON.stringify(order) });
  const { out } = await run(['check', 'orders.ndjson'], { cwd });
  assert.doesNotMatch(out, /\u009b/);
  const [, line = '', marks = ''] = /(> 1 \|.*"Quantity":0.*)\n(.*\^.*)/.exec(out) ?? [];
  assert.ok(line.length <= 80, line);
  assert.equal(line.charAt(marks.indexOf('^')), '0');
});

test('the frame shows what is beside an order in its line', async () => {
  const { out } = await run(['check', '-'], { input: '[1,2]' });
  assert.match(out, /^> 1 \| \[1,2\]\n {4}\| {2}\^$/m);
  assert.match(out, /^> 1 \| \[1,2\]\n {4}\| {4}\^$/m);
  const many = Array.from({ length: 300 }, (_, n) => numbered(n, { Items: [item({ Quantity: n === 200 ? 0 : 1 })] }));
  const [, line = '', marks = ''] =
    /(> 1 \|.*)\n(.*\^.*)/.exec((await run(['check', '-'], { input: JSON.stringify(many) })).out) ?? [];
  assert.match(line, /^> 1 \| ….*"Quantity":0.*\}\]\},\{"Id":.*…$/);
  assert.equal(line.charAt(marks.indexOf('^')), '0');
});

test('an empty file is an error', async (t) => {
  const cwd = folderOf(t, { 'a.ndjson': '', 'a.json': '', 'a.csv': '', 'mapping.json': MAPPING, 'none.json': [] });
  for (const file of ['a.ndjson', 'a.json', 'a.csv']) {
    const { code, err } = await run(['check', file, '--map', 'mapping.json'], { cwd });
    assert.deepEqual([code, err], [1, `error: the file ${file} is empty\n`]);
  }
  assert.equal((await run(['check', '-'], { cwd })).err, 'error: standard input is empty\n');
  assert.equal((await run(['check', 'none.json'], { cwd })).code, 0);
});

test('two orders with the same Id are an error, also in two files', async (t) => {
  const cwd = folderOf(t, { 'a.json': numbered(0), 'b.json': numbered(0, { Id: idOf(0).toUpperCase() }) });
  const { code, out } = await run(['check', 'a.json', 'b.json'], { cwd });
  assert.equal(code, 1);
  assert.match(out, /^b\.json:2:9: error: Id is also that of the order at a\.json:2:9 \[duplicate_order_id\]/m);
});

test('standard input is -, and --strict makes warnings errors', async () => {
  const input = JSON.stringify(minimalOrder({ notes: 'x' }));
  assert.equal((await run(['check', '-'], { input })).code, 0);
  const { code, out } = await run(['check', '-', '--strict'], { input });
  assert.equal(code, 1);
  assert.match(out, /^-:1:\d+: warning: notes is not a known member/m);
  assert.doesNotMatch((await run(['check', '-', '--quiet'], { input })).out, /warning: /);
});

test('version and options count', async (t) => {
  const cwd = folderOf(t, {
    'order.json': numbered(0, { CustomerId: '5e0d1c2b-3a49-4857-a665-748392a1b0cf' }),
    'options.json': { locationTaxPricing: 'Inclusive' },
  });
  assert.match(
    (await run(['check', 'order.json', '--v2'], { cwd })).out,
    /customer_pricing_unsupported[\s\S]*for v2\./,
  );
  assert.match(
    (await run(['check', 'order.json', '--options', 'options.json'], { cwd })).out,
    /location_tax_inclusive/,
  );
});

test('a file that cannot be read as orders ends with 1', async (t) => {
  const cwd = folderOf(t, {
    'open.json': `[${JSON.stringify(numbered(0))}`,
    'two.json': '[{} {}]',
    'after.json': '[] x',
  });
  writeFileSync(join(cwd, 'latin.json'), Buffer.from('{"Notes":"caf\xe9"}', 'latin1'));
  writeFileSync(join(cwd, 'wide.json'), Buffer.from('\ufeff{}', 'utf16le'));
  for (const [file, problem] of /** @type {[string, RegExp][]} */ ([
    ['open.json', /the array of orders has no \]/],
    ['two.json', /two\.json:1:5: a comma is missing between two orders/],
    ['after.json', /after\.json:1:4: there is text after the array/],
    ['latin.json', /latin\.json is not valid UTF-8/],
    ['wide.json', /wide\.json is UTF-16/],
  ])) {
    const { code, err } = await run(['check', file], { cwd });
    assert.equal(code, 1, file);
    assert.match(err, problem);
  }
});

test('CSV: rows of one key are one order, its Id is derived, digits stay', async (t) => {
  const rows = [
    `1,2000,${TEA},2,19.990,"No. 1, please"`,
    `1,2000,${BLEND},2.345,12.50,"No. 1, please"`,
    `2,2001,${TEA},1,19.99,`,
  ];
  const cwd = folderOf(t, { 'orders.csv': `\ufeff${csv(...rows)}`, 'mapping.json': MAPPING });
  assert.match((await run(['check', 'orders.csv', '--map', 'mapping.json'], { cwd })).out, /Checked 2 orders/);
  const { out } = await run(['request', 'orders.csv', '--map', 'mapping.json', '--as', 'http'], { cwd });
  const bodies = out
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
  const { esm } = await installed();
  assert.deepEqual(
    bodies.map(({ Id, EntityId, Items, Notes }) => [Id, EntityId, Items.length, Notes]),
    [
      [esm.deriveOrderId(MAPPING.namespace, '1'), 2000, 2, 'No. 1, please'],
      [esm.deriveOrderId(MAPPING.namespace, '2'), 2001, 1, undefined],
    ],
  );
  assert.match(out, /"SellAtPricePerUnit":19\.990\}/);
});

test('CSV: an issue is at its cell, also behind quotes and line breaks', async (t) => {
  const rows = [`1,2000,"Tea, ""green""\nloose",not-a-guid,0,19.99,`, `2,2000,${TEA},1,,`];
  const cwd = folderOf(t, { 'orders.csv': csv(...rows), 'mapping.json': MAPPING });
  const { out } = await run(['check', 'orders.csv', '--map', 'mapping.json', '--json'], { cwd });
  const found = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .map(({ code, line, column }) => [code, line, column]);
  assert.deepEqual(found, [
    ['control_character', 2, 8],
    ['not_a_guid', 3, 8],
    ['quantity_not_positive', 3, 19],
    ['missing', 4, 57],
  ]);
});

test('CSV: rows that contradict each other, are apart, or have another number of cells are errors', async (t) => {
  const rows = [
    `1,2000,${TEA},1,19.99,`,
    `1,2001,${BLEND},1,19.99,`,
    `2,2000,${TEA},1,19.99,`,
    `1,2000,${TEA},1,19.99,`,
  ];
  const cwd = folderOf(t, {
    'orders.csv': csv(...rows, `,2000,${TEA},1,19.99,`, `3,2000,${TEA},1,19.99,Tea, please`),
    'mapping.json': MAPPING,
  });
  const { code, out } = await run(['check', 'orders.csv', '--map', 'mapping.json', '--quiet'], { cwd });
  assert.equal(code, 1);
  assert.match(
    out,
    /^orders\.csv:3:3: error: Shop differs from line 2, which is a row of the same order \[csv_row_differs\]/m,
  );
  assert.match(out, /^orders\.csv:5:1: error: Rows of this order are also at line 2: .* \[csv_rows_apart\]/m);
  assert.match(out, /^orders\.csv:6:1: error: The row has no Order, which identifies its order \[csv_key_empty\]/m);
  assert.match(out, /^orders\.csv:7:1: error: The row has 8 cells, but there are 7 columns \[csv_cells\]/m);
});

test('CSV: other delimiters, decimal commas, taxes, discounts and an Id of its own', async (t) => {
  const mapping = {
    key: ['Id'],
    delimiter: ';',
    decimal: ',',
    order: { ...MAPPING.order, Id: 'Id', IsDelivery: 'Delivery' },
    items: MAPPING.items,
    taxes: [{ TaxId: { value: '9c1d6f2e-7a34-4b58-8c0d-5e6f7a8b9c0d' }, TaxAmount: 'GST' }],
    discounts: [{ Name: { value: 'Coupon' }, Value: 'Coupon', ValueType: { value: 1 } }],
  };
  const head = 'Id;Shop;Product;Product id;Qty;Price;Comment;Delivery;GST;Coupon';
  const tea = TEA.replace(',', ';');
  const rows = [`${idOf(0)};2000;${tea};2,5;1,50;;yes;0,30;`, `${idOf(1)};2000;${tea};2;1.50;;no;;1,00`];
  const cwd = folderOf(t, { 'orders.csv': [head, ...rows].join('\n'), 'mapping.json': mapping });
  const { out, err } = await run(['request', 'orders.csv', '--map', 'mapping.json', '--as', 'http'], { cwd });
  const bodies = out.split('\n').filter((line) => line.startsWith('{'));
  assert.equal(bodies.length, 2, err);
  assert.match(bodies[0], /"Quantity":2\.5,"SellAtPricePerUnit":1\.50/);
  assert.match(bodies[0], /"Taxes":\[\{[^\]]*"TaxAmount":0\.30\}\]/);
  assert.match(bodies[0], /"IsDelivery":true/);
  assert.doesNotMatch(bodies[0], /Discount/);
  assert.match(bodies[1], /"SellAtPricePerUnit":1\.50[\s\S]*"Value":1\.00/);
  assert.doesNotMatch(bodies[1], /Taxes/);
});

test('CSV: a wrong mapping names its position, a missing column the columns', async (t) => {
  const { namespace: _, ...noNamespace } = MAPPING;
  const cwd = folderOf(t, {
    'orders.csv': csv(`1,2000,${TEA},1,19.99,`),
    'semicolon.csv': 'Order;Shop\n1;2\n',
    'quoted.csv': 'Order;Shop;Product\n1;2;"Tea; green"\n',
    'open.csv': `${csv(`1,2000,${TEA},1,19.99,`)}2,"2000,x\n`,
    'mapping.json': MAPPING,
    'no-id.json': noNamespace,
    'typo.json': { ...MAPPING, items: { ...MAPPING.items, Quantity: 'Quantity' } },
    'member.json': { ...MAPPING, itmes: {} },
  });
  for (const [file, map, problem, expected] of /** @type {[string, string, RegExp, number][]} */ ([
    ['orders.csv', 'no-id.json', /no-id\.json:1:1: the mapping does not say where the Id .*\nhint: Add "namespace"/, 2],
    [
      'orders.csv',
      'typo.json',
      /orders\.csv has no column "Quantity", which the mapping names\nhint: The columns are "Order", /,
      2,
    ],
    ['orders.csv', 'member.json', /member\.json:20:3: itmes is not a member of a mapping/, 2],
    ['semicolon.csv', 'mapping.json', /hint: Set "delimiter": ";" in the mapping/, 2],
    ['quoted.csv', 'mapping.json', /no column "Order", .*\nhint: Set "delimiter": ";" in the mapping/, 2],
    ['open.csv', 'mapping.json', /open\.csv:3:1: a quoted cell that begins here has no closing quote/, 1],
  ])) {
    const { code, err } = await run(['check', file, '--map', map], { cwd });
    assert.match(err, problem);
    assert.equal(code, expected, err);
  }
});

test('--watch checks again when a file changes, and ends with Ctrl-C', async (t) => {
  const cwd = folderOf(t, { 'orders.ndjson': `${JSON.stringify(numbered(0))}\n` });
  const child = start(['check', 'orders.ndjson', '--watch'], { cwd });
  let out = '';
  child.stdout.on('data', (text) => {
    out += text;
  });
  let err = '';
  child.stderr.on('data', (text) => {
    err += text;
  });
  await until(() => /Watching 1 file/.test(err), 'it watches');
  assert.match(out, /Checked 1 order for v3\. It is valid/);
  appendFileSync(join(cwd, 'orders.ndjson'), '{}\n');
  await until(() => /Checked 2 orders for v3\. 1 is invalid/.test(out), 'it has checked again');
  child.kill('SIGINT');
  const code = await new Promise((resolve) => child.on('close', resolve));
  assert.equal(code, 1);
});
