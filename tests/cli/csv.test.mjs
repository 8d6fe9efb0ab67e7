/** CSV: orders of rows, positions in cells, how numbers are written, and mappings. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { installed } from '../node/installed.mjs';
import { BLEND, csv, idOf, MAPPING, TEA } from './orders.mjs';
import { folderOf, jsonLines, run, serviceOf, start, TOKEN } from './program.mjs';

const ARGS = ['orders.csv', '--map', 'mapping.json'];

/** A folder with this file and mapping. @param {object} [mapping] */
const fileOf = (t, text, mapping = MAPPING) => folderOf(t, { 'orders.csv': text, 'mapping.json': mapping });

/** What check reports of the file: its exit code and the issues. */
async function checked(cwd, args = ARGS) {
  const { code, out } = await run(['check', ...args, '--json'], { cwd });
  return { code, issues: jsonLines(out) };
}

/** The bodies of the orders in the file, as they are sent. */
async function bodiesOf(cwd) {
  const { code, out, err } = await run(['request', ...ARGS, '--as', 'http'], { cwd });
  assert.equal(code, 0, err);
  return out.split('\n').filter((line) => line.startsWith('{'));
}

test('CSV: rows of one key are one order, its Id is derived, digits stay', async (t) => {
  const rows = [
    `1,2000,${TEA},2,19.990,"No. 1, please"`,
    `1,2000,${BLEND},2.345,12.50,"No. 1, please"`,
    `2,2001,${TEA},1,19.99,`,
  ];
  const cwd = fileOf(t, `\ufeff${csv(...rows)}`);
  assert.match((await run(['check', ...ARGS], { cwd })).out, /Checked 2 orders/);
  const bodies = await bodiesOf(cwd);
  const { esm } = await installed();
  assert.deepEqual(
    bodies.map((body) => JSON.parse(body)).map(({ Id, EntityId, Items, Notes }) => [Id, EntityId, Items.length, Notes]),
    [
      [esm.deriveOrderId(MAPPING.namespace, '1'), 2000, 2, 'No. 1, please'],
      [esm.deriveOrderId(MAPPING.namespace, '2'), 2001, 1, undefined],
    ],
  );
  assert.match(bodies[0] ?? '', /"SellAtPricePerUnit":19\.990[,}]/);
});

test('CSV: an issue is at its cell, also behind quotes and line breaks', async (t) => {
  const rows = [`1,2000,"Tea, ""green""\nloose",not-a-guid,0,19.99,`, `2,2000,${TEA},1,,`];
  const { issues } = await checked(fileOf(t, csv(...rows)));
  assert.equal(
    issues.map(({ code, line, column }) => `${code} ${line}:${column}`).join(', '),
    'control_character 2:8, not_a_guid 3:8, quantity_not_positive 3:19, missing 4:57',
  );
});

test('CSV: lines are counted as the file has them, with CR LF in quoted cells and empty lines', async (t) => {
  const text = csv(
    `1,2000,${TEA},1,19.99,"a\r\nb\r\nc"\r\n`,
    `2,2000,${TEA},0,19.99,"d\r\ne"`,
    `3,2000,${TEA},0,19.99,`,
  );
  const cwd = folderOf(t, { 'orders.csv': text, 'open.csv': `${text}4,"2000`, 'mapping.json': MAPPING });
  const errors = (await checked(cwd)).issues.filter(({ code }) => code === 'quantity_not_positive');
  assert.deepEqual(
    errors.map(({ line }) => line),
    [6, 8],
  );
  const { err } = await run(['check', 'open.csv', '--map', 'mapping.json'], { cwd });
  assert.match(err, /^error: open\.csv:9:1: a quoted cell that begins here has no closing quote/);
});

test('CSV: rows that contradict each other, are apart, or have another number of cells are errors', async (t) => {
  const rows = [
    `1,2000,${TEA},1,19.99,`,
    `1,2001,${BLEND},1,19.99,`,
    `2,2000,${TEA},1,19.99,`,
    `1,2000,${TEA},1,19.99,`,
  ];
  const cwd = fileOf(t, csv(...rows, `,2000,${TEA},1,19.99,`, `3,2000,${TEA},1,19.99,Tea, please`));
  const { code, out } = await run(['check', ...ARGS, '--quiet'], { cwd });
  assert.equal(code, 1);
  assert.match(
    out,
    /^orders\.csv:3:3: error: Shop differs from line 2, which is a row of the same order \[csv_row_differs\]/m,
  );
  assert.match(out, /^orders\.csv:5:1: error: Rows of this order are also at line 2: .* \[csv_rows_apart\]/m);
  assert.match(out, /^orders\.csv:6:1: error: The row has no Order, which identifies its order \[csv_key_empty\]/m);
  assert.match(out, /^orders\.csv:7:1: error: The row has 8 cells, but there are 7 columns \[csv_cells\]/m);
});

test('CSV: of an order whose rows are apart, or that a row without a key follows, no part is sent', async (t) => {
  const keys = ['1', '2', '1', '3', '', '4'];
  const cwd = fileOf(t, csv(...keys.map((key) => `${key},2000,${TEA},1,19.99,`)));
  const { baseUrl, paths } = await serviceOf(t, () => ({ status: 201 }));
  const { code, out } = await run(['send', ...ARGS, '--base-url', baseUrl], {
    cwd,
    env: { SALES_ORDER_INTAKE_TOKEN: TOKEN },
  });
  assert.deepEqual([code, out, paths.length], [1, '6 orders: 2 created, 4 invalid.\n', 2]);
  const report = jsonLines(readFileSync(join(cwd, 'orders.csv.report.ndjson'), 'utf8'));
  assert.deepEqual(
    report.map(({ line, issues }) => [line, issues.find((issue) => issue.code.startsWith('csv_')).code]).sort(),
    [
      [2, 'csv_rows_apart'],
      [4, 'csv_rows_apart'],
      [5, 'csv_key_empty'],
      [6, 'csv_key_empty'],
    ],
  );
  writeFileSync(
    join(cwd, 'orders.csv'),
    csv(
      ...keys
        .filter(Boolean)
        .sort()
        .map((key) => `${key},2000,${TEA},1,19.99,`),
    ),
  );
  const again = await run(['send', ...ARGS, '--base-url', baseUrl], { cwd, env: { SALES_ORDER_INTAKE_TOKEN: TOKEN } });
  assert.equal(again.out, '4 orders: 4 created (2 settled in earlier runs).\n');
});

test('CSV: a row without a key that the mapping skips, such as one with totals, belongs to no order', async (t) => {
  const rows = [`1,2000,${TEA},1,19.99,`, `,,,,1,19.99,total`, `2,2000,${TEA},1,19.99,`, `,,,,2,39.98,total`];
  const mapping = { ...MAPPING, skip: { Comment: ['total'] } };
  const cwd = folderOf(t, { 'orders.csv': csv(...rows), 'mapping.json': mapping });
  const { code, out } = await run(['check', ...ARGS], { cwd });
  assert.deepEqual([code, out], [0, 'Checked 2 orders, 2 skipped, for v3. All are valid.\n']);
});

test('CSV: other delimiters, decimal commas, an Id of its own, and taxes and discounts only if they are not zero', async (t) => {
  const TaxId = { value: '9c1d6f2e-7a34-4b58-8c0d-5e6f7a8b9c0d' };
  const mapping = {
    ...{ key: ['Id'], delimiter: ';', decimal: ',', items: MAPPING.items },
    order: { ...MAPPING.order, Id: 'Id', IsDelivery: 'Delivery' },
    taxes: [{ TaxId, TaxAmount: 'GST' }],
    discounts: [{ Name: { value: 'Coupon' }, Value: 'Coupon', ValueType: { value: 1 } }],
  };
  const head = 'Id;Shop;Product;Product id;Qty;Price;Comment;Delivery;GST;Coupon';
  const ends = ['yes;0,30;0,01', 'no;;', 'no;0,00;0', 'no;0;-0,00', 'no;;0,000'];
  const rows = ends.map((end, n) => `${idOf(n)};2000;${TEA.replace(',', ';')};2,5;1,50;;${end}`);
  const cwd = fileOf(t, [head, ...rows].join('\n'), mapping);
  assert.deepEqual((await checked(cwd)).issues, []);
  const [first = '', ...others] = await bodiesOf(cwd);
  assert.match(first, /"Quantity":2\.5,"SellAtPricePerUnit":1\.50/);
  assert.match(first, /"Taxes":\[\{[^\]]*"TaxAmount":0\.30\}\].*"Value":0\.01/);
  assert.match(first, /"IsDelivery":true/);
  assert.equal(others.length, ends.length - 1);
  for (const body of others) assert.doesNotMatch(body, /Taxes|Discount|true/);
  // A constant is never left out: with a tax of 0, an order is tax-exempt. A discount loses its minus as that of a column.
  const exempt = {
    ...mapping,
    taxes: [...mapping.taxes, { TaxId, TaxAmount: { value: 0 } }],
    discounts: [{ Name: { value: 'Always' }, Value: { value: -0.5 }, ValueType: { value: 1 } }],
  };
  writeFileSync(join(cwd, 'mapping.json'), JSON.stringify(exempt));
  const amounts = (await bodiesOf(cwd)).map((body) => {
    const { Taxes, Discount } = JSON.parse(body);
    return [Discount.InvoiceLevel[0].Value, ...Taxes.map(({ TaxAmount }) => TaxAmount)];
  });
  assert.deepEqual(amounts, [[0.5, 0.3, 0], ...others.map(() => [0.5, 0])]);
});

test('CSV: a file with another delimiter than that of the mapping is an error that names it', async (t) => {
  const cwd = folderOf(t, {
    ...{ 'semicolon.csv': 'Order;Shop\n1;2\n', 'quoted.csv': 'Order;Shop;Product\n1;2;"Tea; green"\n' },
    'mapping.json': MAPPING,
  });
  for (const file of ['semicolon.csv', 'quoted.csv']) {
    const { code, err } = await run(['check', file, '--map', 'mapping.json'], { cwd });
    assert.match(err, /no column "Order", .*\nhint: Set "delimiter": ";" in the mapping/);
    assert.equal(code, 2);
  }
});

/** A file whose one order has a row for each quantity, with what check reports and what is sent. */
async function quantities(t, texts, notation) {
  const rows = texts.map((text) => `1;2000;${TEA.replace(',', ';')};"${text}";1;`);
  const cwd = fileOf(t, [COLUMNS, ...rows].join('\n'), { ...MAPPING, delimiter: ';', ...notation });
  const { issues } = await checked(cwd);
  const { out: request } = await run(['request', ...ARGS, '--as', 'http'], { cwd });
  return {
    issues: issues.filter(({ severity }) => severity === 'error'),
    sent: [...request.matchAll(/"Quantity":([^,]*),/g)].map(([, quantity]) => quantity),
  };
}

const COLUMNS = 'Order;Shop;Product;Product id;Qty;Price;Comment';
const WITH_COMMA = 'use digits and a decimal comma, such as 12,50';
const WITH_POINT = 'use digits and a decimal point, such as 12.50';

test('CSV: with a decimal comma a point in a number is an error, and the other way round (D55)', async (t) => {
  const comma = await quantities(t, ['1.000', '1.5', '12,5,0', '12'], { decimal: ',' });
  assert.deepEqual(comma.sent, []);
  assert.deepEqual(
    comma.issues.map(({ code, line, column, hint }) => [code, line, column, hint]),
    [
      [
        2,
        `${WITH_COMMA}; or set "decimal": "." if it is the decimal sign, or "thousands": "." if it separates thousands, in the mapping`,
      ],
      [3, `${WITH_COMMA}; or set "decimal": "." if it is the decimal sign, in the mapping`],
      [4, WITH_COMMA],
    ].map(([line, hint]) => ['not_a_decimal', line, 55, hint]),
  );
  const point = await quantities(t, ['1,5', '1,500.00', 'two', '1.299,00'], {});
  assert.deepEqual(
    point.issues.map(({ hint }) => hint),
    [
      `${WITH_POINT}; or set "decimal": "," if it is the decimal sign, in the mapping`,
      `${WITH_POINT}; or set "thousands": "," if it separates thousands, in the mapping`,
      WITH_POINT,
      `${WITH_POINT}; or set "decimal": "," and "thousands": "." in the mapping`,
    ],
  );
  const english = await quantities(t, ['1,299.00', '1.5,00,0'], { decimal: ',' });
  assert.deepEqual(
    english.issues.map(({ hint }) => hint),
    [`${WITH_COMMA}; or set "decimal": "." and "thousands": "," in the mapping`, WITH_COMMA],
  );
});

test('CSV: a quantity such as 1.000 is a warning unless the mapping says how decimals are written', async (t) => {
  const numbers = ['1.000,19.99', '1.250,20', '1.250,19.99', '0.250,20', '12.5,20'];
  const cwd = folderOf(t, {
    'orders.csv': csv(...numbers.map((each, n) => `${n},2000,${TEA},${each},`)),
    'mapping.json': MAPPING,
    'said.json': { ...MAPPING, decimal: '.' },
  });
  const unclear = async (map) => {
    const { code, issues } = await checked(cwd, ['orders.csv', '--map', map]);
    assert.equal(code, 0);
    const found = issues.filter((issue) => issue.code === 'csv_decimal_unclear');
    return found.map(({ severity, line, column, hint }) => ({ severity, line, column, hint }));
  };
  const hint =
    'set "decimal": "." in the mapping; or "decimal": "," and "thousands": "." if the point separates thousands';
  const warning = { severity: 'warning', column: 55, hint };
  assert.deepEqual(await unclear('mapping.json'), [
    { ...warning, line: 2 },
    // The price 19.99 of line 4 shows that the point is a decimal one.
    { ...warning, line: 3 },
  ]);
  assert.deepEqual(await unclear('said.json'), []);
  assert.equal((await bodiesOf(cwd)).length, numbers.length);
});

test('CSV: thousands are removed where they separate groups of three digits', async (t) => {
  const german = { decimal: ',', thousands: '.' };
  assert.deepEqual((await quantities(t, ['1.000', '1.234.567,5', '1000', '0,25'], german)).sent, [
    ...['1000', '1234567.5', '1000', '0.25'],
  ]);
  assert.deepEqual((await quantities(t, ['1,234.50', '12'], { thousands: ',' })).sent, ['1234.50', '12']);
  assert.deepEqual((await quantities(t, ['1 234.50'], { thousands: ' ' })).sent, ['1234.50']);
  const { issues, sent } = await quantities(t, ['1.00', '1.0000', '1234.567', '.500', '1,234.5', '1..000'], german);
  assert.deepEqual(sent, []);
  assert.deepEqual(
    issues.map(({ code, line, hint }) => [code, line, hint]),
    [2, 3, 4, 5, 6, 7].map((line) => [
      ...['not_a_decimal', line],
      '"thousands" separates groups of three digits before the decimal comma, such as 1.234,50',
    ]),
  );
});

test('CSV: the line sep= of Excel names the delimiter, and positions stay those of the file', async (t) => {
  const tea = TEA.replace(',', ';');
  const text = `sep=;\r\n${COLUMNS}\r\n1;2000;${tea};1,5;19,99;\r\n2;2000;${tea};0;19,99;\r\n`;
  const mapping = { ...MAPPING, decimal: ',' };
  const cwd = folderOf(t, {
    'orders.csv': `\ufeff${text}`,
    'open.csv': `${text}3;"2000`,
    'mapping.json': mapping,
    'equal.json': { ...mapping, delimiter: ';' },
    'other.json': { ...mapping, delimiter: ',' },
  });
  for (const map of ['mapping.json', 'equal.json']) {
    const { out, err } = await run(['check', 'orders.csv', '--map', map], { cwd });
    assert.match(out, /^orders\.csv:4:55: error: Quantity must be greater than 0/m, err);
    assert.match(out, /Checked 2 orders for v3\. 1 is invalid/);
  }
  assert.match(
    (await run(['check', 'open.csv', '--map', 'mapping.json'], { cwd })).err,
    /^error: open\.csv:5:1: a quoted/,
  );
  const { code, err } = await run(['check', 'orders.csv', '--map', 'other.json'], { cwd });
  assert.equal(code, 2);
  assert.match(
    err,
    /^error: orders\.csv:1:1: the first line says sep=;, but the delimiter of the mapping is ","\nhint: /,
  );
});

const HEAD = 'Order,Shop,Product,Product id,Qty,Price';
const ROW = `S-1,2000,${TEA},2,19.99`;

test('CSV: columns without a name, or with the same one, and rows of delimiters only do not matter', async (t) => {
  const mapping = { ...MAPPING, order: { ...MAPPING.order, Notes: { value: 'x' } } };
  const files = {
    'unnamed.csv': `${HEAD},,\n${ROW},,\n`,
    'twice.csv': `${HEAD},Remark,Remark, Remark \n${ROW},a,b,c\n`,
    'delimiters.csv': `,,,,,\n${HEAD}\n,,,,,\n${ROW}\n,,,,,\n S-1 ,2000,${TEA},1,5.00\n ," ",,"",,\n,,,,,\n`,
  };
  const cwd = folderOf(t, { ...files, 'mapping.json': mapping });
  for (const name of Object.keys(files)) {
    const { code, out } = await run(['check', name, '--map', 'mapping.json', '--strict'], { cwd });
    assert.deepEqual([code, out], [0, 'Checked 1 order for v3. It is valid.\n'], name);
  }
  assert.deepEqual((await checked(cwd, ['delimiters.csv', '--map', 'mapping.json'])).issues, []);
});

test('CSV: an error ends the command, even if standard input goes on', { timeout: 20_000 }, async (t) => {
  const child = start(['check', '-', '--format', 'csv', '--map', 'mapping.json'], { cwd: fileOf(t, '') });
  child.stdin.write('Order,Shop\n1,2\n');
  const { code, err } = await child.ended;
  assert.deepEqual([code, /^error: - has no column "Product"/.test(err)], [2, true], err);
});

test('CSV: two columns with a name that the mapping names are an error with their numbers', async (t) => {
  const cwd = fileOf(t, `${HEAD},Comment,"Price"\n${ROW},,1\n`);
  const { code, out, err } = await run(['check', ...ARGS], { cwd });
  assert.deepEqual([code, out], [2, '']);
  assert.match(
    err,
    /^error: orders\.csv:1:49: columns 6 and 8 are both named "Price", which the mapping names\nhint: Rename one of them/,
  );
});

test('CSV: a member of the order comes from the first row that has it, and an empty cell contradicts nothing', async (t) => {
  const mapping = {
    ...MAPPING,
    discounts: [{ Name: 'Code', Value: 'Off', ValueType: { value: 1 } }],
    taxes: [{ TaxId: { value: '9a8b7c6d-5e4f-4031-8293-a4b5c6d7e8f9' }, TaxAmount: 'GST' }],
  };
  const head = `${HEAD},Comment,Code,Off,GST`;
  const sparse = [
    `S-1,2000,${TEA},1,19.99,,,,1.00`,
    `S-1,,${BLEND},1,5.00,Ring twice,TEN,10.00,`,
    `S-1,,${TEA},2,1.00,,,10.00,`,
  ];
  const cwd = fileOf(t, [head, ...sparse, ''].join('\n'), mapping);
  const { EntityId, Notes, Items, Discount, Taxes } = JSON.parse((await bodiesOf(cwd))[0] ?? '');
  assert.deepEqual([EntityId, Notes, Items.length], [2000, 'Ring twice', 3]);
  assert.deepEqual([Discount.InvoiceLevel, Taxes.length], [[{ Name: 'TEN', Value: 10, ValueType: 1 }], 1]);
  const other = [...sparse, `S-1,,${TEA},1,1.00,Ring once,,0.00,`];
  writeFileSync(join(cwd, 'orders.csv'), [head, ...other, ''].join('\n'));
  const differences = (await checked(cwd)).issues.filter(({ code }) => code === 'csv_row_differs');
  assert.deepEqual(
    differences.map(({ message, line }) => [message, line]),
    [
      ['Comment differs from line 3, which is a row of the same order', 5],
      ['Off differs from line 3, which is a row of the same order', 5],
    ],
  );
});

test('CSV: a key that a spreadsheet has rounded is an error, and is not sent', async (t) => {
  const rounded = ['1.00025E+17', '1,00025e+17', '2.19E+26', '1E+21', '-1.5E+15', '1.0E17', '1.E+17'];
  const keys = ['219E01BE', '12E4', '1E5', 'E+17', '1.5', '100025440003960001', '1.2E+3-A', 'S-1.2E+3'];
  const rows = [...rounded, ...keys].map((key) => `"${key}",2000,${TEA},1,19.99,`);
  const cwd = fileOf(t, csv(...rows));
  const { code, issues: all } = await checked(cwd);
  const issues = all.filter((issue) => issue.code === 'csv_key_rounded');
  assert.equal(code, 1);
  assert.deepEqual(
    issues.map(({ severity, line, column }) => [severity, line, column]),
    rounded.map((_, n) => ['error', n + 2, 1]),
  );
  assert.match(issues[0].message, /^Order is 1\.00025E\+17, which a spreadsheet has rounded/);
  assert.match(issues[0].hint, /format the column as text/);
  const { baseUrl, paths } = await serviceOf(t, () => ({ status: 201 }));
  const env = { SALES_ORDER_INTAKE_TOKEN: TOKEN };
  const sent = await run(['send', ...ARGS, '--base-url', baseUrl], { cwd, env });
  assert.deepEqual([sent.code, paths.length], [1, keys.length], sent.err);
});

test('CSV: keys that only look the same are a warning', async (t) => {
  const keys = 'Caf\u00e9 1|Cafe\u0301 1|S-1|S\u200b-1|\uff33-2|S-2|S-3|s-3|S -4|S\u00a0-4'.split('|');
  const { code, issues } = await checked(fileOf(t, csv(...keys.map((key) => `${key},2000,${TEA},1,19.99,`))));
  const pairOf = ({ line, message }) => [line, Number(/line (\d+)/.exec(message)?.[1])];
  assert.deepEqual([code, issues.map(pairOf)], [0, [3, 5, 7, 11].map((line) => [line, line - 1])]);
  for (const issue of issues) assert.deepEqual([issue.code, issue.severity], ['csv_keys_alike', 'warning']);
});
