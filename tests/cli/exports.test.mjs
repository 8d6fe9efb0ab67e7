/** CSV as shops export it: what a mapping skips, looks up, adds up and compares, and how files are encoded. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { MAPPING, TEA } from './orders.mjs';
import { folderOf, jsonLines, NOBODY, run, serviceOf, TOKEN } from './program.mjs';

const [NAME, GUID = ''] = TEA.split(',');
const BLEND_GUID = '8c1f2b3a-4d5e-4f60-9a7b-8c9d0e1f2a3b';
const TAX_ID = '9a8b7c6d-5e4f-4031-8293-a4b5c6d7e8f9';
const { Notes: _, ...ORDER } = MAPPING.order;
const BASE = { ...MAPPING, order: { ...ORDER, EntityId: { value: 2000 } } };
const ENV = { SALES_ORDER_INTAKE_TOKEN: TOKEN };
const ARGS = ['orders.csv', '--map', 'mapping.json'];
const created = () => ({ status: 201 });
const OPTIONS = { discountValueTypes: { amount: 1, percent: 2 } };

/** A file of these rows with a mapping. */
function fileOf(t, mapping, rows, files = {}) {
  const text = typeof rows === 'string' || Buffer.isBuffer(rows) ? rows : `${rows.join('\n')}\n`;
  const cwd = folderOf(t, { 'mapping.json': { ...BASE, ...mapping }, 'options.json': OPTIONS, ...files });
  writeFileSync(join(cwd, 'orders.csv'), text);
  return cwd;
}

/** The bodies that request prints, and what check reports. */
async function readIn(cwd, ...flags) {
  const checked = await run(['check', ...ARGS, ...flags, '--json', '--options', 'options.json'], { cwd });
  const { out } = await run(['request', ...ARGS, '--as', 'http'], { cwd });
  const bodies = out.split('\n').filter((line) => line.startsWith('{'));
  return { ...checked, issues: jsonLines(checked.out), orders: bodies.map((body) => JSON.parse(body)) };
}

test('orders with a value to skip are counted apart, and those whose rows disagree are errors', async (t) => {
  const cwd = fileOf(t, { skip: { '//': 'not sold', Status: ['voided ', 'refunded'], Cancelled: true } }, [
    'Order,Status,Cancelled,Product,Product id,Qty,Price',
    `S-1,paid,,${TEA},1,19.99`,
    `S-2,voided,,${TEA},1,19.99`,
    `S-2,,,${TEA},nonsense,19.99`,
    `S-3,paid,2026-11-28,${TEA},1,19.99`,
    `S-4,paid,,${TEA},1,19.99`,
    `S-4,refunded,,${TEA},1,19.99`,
    `S-5,Voided,,${TEA},1,19.99`,
    `S-6,voided,${TEA},1,19.99`,
  ]);
  const { code, issues, orders } = await readIn(cwd);
  const ofFile = issues.filter((issue) => issue.code.startsWith('csv_'));
  assert.deepEqual(
    [code, ...ofFile.map(({ code: each, line, key }) => [each, line, key])],
    [1, ['csv_row_differs', 7, 'S-4'], ['csv_cells', 9, 'S-6']],
  );
  assert.equal(orders.length, 2);
  assert.match((await run(['check', ...ARGS], { cwd })).out, /^Checked 4 orders, 2 skipped, for v3\. 2 are invalid/m);
  const preview = await run(['preview', ...ARGS], { cwd });
  assert.match(preview.out, /^4 orders, 2 skipped: 2 valid, 2 invalid\.$/m);
  assert.match((await run(['request', ...ARGS], { cwd })).err, /^2 orders skipped\.$/m);
  const apart = ['paid', 'paid', 'void', 'void', 'void', 'void'];
  const split = fileOf(t, { skip: { Status: ['void'] } }, [
    'Order,Status,Product,Product id,Qty,Price',
    ...apart.map((status, n) => `S-${[1, 2, 1, 3, 4, 3][n]},${status},${TEA},1,1`),
  ]);
  const ofSplit = (await readIn(split)).issues.map(({ code: each, line }) => [each, line]);
  assert.deepEqual(ofSplit, [
    ['csv_rows_apart', 4],
    ['duplicate_order_id', 4],
  ]);
  const all = fileOf(t, { skip: { Status: [''] } }, ['Order,Status,Product,Product id,Qty,Price', `S-1,,${TEA},1,1`]);
  assert.match((await run(['check', ...ARGS], { cwd: all })).out, /^Checked 0 orders, 1 skipped, for v3\./);
  assert.equal((await run(['preview', ...ARGS], { cwd: all })).out, '0 orders, 1 skipped: 0 valid, 0 invalid.\n');
});

test('a skipped order is withdrawn if it was never sent, and reported if it was', async (t) => {
  const head = 'Order,Status,Product,Product id,Qty,Price';
  const rows = (...statuses) =>
    [head, ...statuses.map((status, n) => `S-${n},${status},${TEA},1,19.99`), ''].join('\n');
  const cwd = fileOf(t, { skip: { Status: ['void'] } }, rows('paid', 'paid', 'void'));
  const send = (url, ...flags) =>
    run(['send', ...ARGS, '--base-url', url, '--outbox', 'shared.sqlite', '--stop-after', '1s', ...flags], {
      cwd,
      env: ENV,
    });
  const { baseUrl, paths } = await serviceOf(t, created);
  // S-0 is created. S-1 is new, and skipped before it is sent.
  writeFileSync(join(cwd, 'orders.csv'), rows('paid', 'void', 'void'));
  const first = await send(baseUrl);
  assert.match(first.out, /^1 order, 2 skipped: 1 created\.$/m, first.err);
  writeFileSync(join(cwd, 'orders.csv'), rows('void', 'paid', 'void'));
  const late = await send(baseUrl, '--json');
  assert.equal(late.code, 1, late.err);
  assert.match(late.err, /^1 order, 2 skipped: 1 created\.$/m);
  assert.match(late.err, /^Skipped after they were sent: S-0\. They are or may be at the point of sale: cancel them/m);
  const settled = jsonLines(late.out).find(({ key }) => key === 'S-0');
  const [reported] = jsonLines(readFileSync(join(cwd, 'orders.csv.report.ndjson'), 'utf8'));
  assert.deepEqual([settled.state, reported.state, reported.key], ['created', 'created', 'S-0']);
  assert.deepEqual(
    reported.issues.map(({ code, line }) => [code, line]),
    [['order_changed', 2]],
  );
  assert.equal(paths.length, 2);
  // Never sent: the service is not there.
  writeFileSync(join(cwd, 'orders.csv'), `${rows('void', 'void', 'void')}S-3,paid,${TEA},1,19.99\n`);
  const own = ['send', ...ARGS, '--base-url', NOBODY, '--stop-after', '1s'];
  assert.equal((await run(own, { cwd, env: ENV })).code, 5);
  writeFileSync(join(cwd, 'orders.csv'), rows('void', 'void', 'void', 'void'));
  const withdrawn = await run(own, { cwd, env: ENV });
  assert.deepEqual([withdrawn.code, withdrawn.out], [0, '0 orders, 4 skipped: 0 created.\n']);
  assert.match(withdrawn.err, /^Skipped now, and withdrawn, never sent: S-3\.$/m);
});

const POSTAGE = { CatalogItemId: { value: BLEND_GUID } };

test('extra items come once for an order, unless their price is empty or zero', async (t) => {
  const cwd = fileOf(
    t,
    {
      extraItems: [
        { ...POSTAGE, Name: 'Method', Quantity: { value: 1 }, SellAtPricePerUnit: 'Shipping' },
        { ...POSTAGE, Name: { value: 'Bag' }, Quantity: 'Bags', SellAtPricePerUnit: { value: '0.10' } },
      ],
    },
    [
      'Order,Shipping,Method,Bags,Product,Product id,Qty,Price',
      `S-1,4.90,Post,1,${TEA},1,19.99`,
      `S-1,,,,${TEA},2,19.99`,
      `S-2,0.00,Post,1,${TEA},1,19.99`,
      `S-3,,,1,${TEA},1,19.99`,
      `S-4,x,Post,1,${TEA},1,19.99`,
      ',,,,,,,',
      'S-5,2.00,Post,1,,,,',
    ],
  );
  const { issues, orders } = await readIn(cwd);
  assert.deepEqual(
    issues.map(({ code, line, column }) => [code, line, column]),
    [['not_a_decimal', 6, 5]],
  );
  const itemsOf = ({ Items }) => Items.map(({ Name, SellAtPricePerUnit }) => `${Name} ${SellAtPricePerUnit}`).join();
  // The only row of the last one has no item.
  const expected = ['Tea 19.99,Tea 19.99,Post 4.9,Bag 0.1', 'Tea 19.99,Bag 0.1', 'Tea 19.99,Bag 0.1', 'Post 2,Bag 0.1'];
  assert.deepEqual(
    orders.map(itemsOf),
    expected.map((text) => text.replaceAll('Tea', `${NAME}`)),
  );
});

test('currency, quote and encoding describe how the file is written', async (t) => {
  const items = { ...BASE.items, SellAtPricePerUnit: 'Price' };
  const head = ['Order', 'Product', 'Product id', 'Qty', 'Price'];
  const file = (delimiter, name, price) =>
    `${head.join(delimiter)}\n${['S-1', name, GUID, '2', price].join(delimiter)}\n`;
  /** @type {[string, object, string | Buffer, string, number][]} */
  const cases = [
    ['a sign', { currency: '$', thousands: ',' }, file(',', 'Tea', '"$1,299.50"'), 'Tea', 1299.5],
    ['a code behind', { currency: 'EUR', decimal: ',', delimiter: ';' }, file(';', 'Tea', '12,50 EUR'), 'Tea', 12.5],
    ['an amount without it', { currency: 'EUR' }, file(',', 'Tea', '12.50'), 'Tea', 12.5],
    ['a sign of two characters', { currency: 'C$' }, file(',', 'Tea', 'C$ 5.00'), 'Tea', 5],
    ['an abbreviation', { currency: 'kr.' }, file(',', 'Tea', '5.00 kr.'), 'Tea', 5],
    ['no quoting', { quote: false, delimiter: '\t' }, file('\t', '12" "Tea', '5'), '12" "Tea', 5],
    ['another quote', { quote: "'" }, file(',', '\'Tea, "green"\'', '5'), 'Tea, "green"', 5],
    ['windows-1252', { encoding: 'windows-1252' }, Buffer.from(file(',', 'Caf\xe9', '5'), 'latin1'), 'Café', 5],
    [
      'a mark of UTF-16',
      { encoding: 'windows-1252' },
      Buffer.from(`\ufeff${file(',', 'Café', '5')}`, 'utf16le'),
      'Café',
      5,
    ],
    ['a mark of UTF-8', { encoding: 'shift_jis' }, `\ufeff${file(',', 'Café', '5')}`, 'Café', 5],
    ['UTF-16', { encoding: 'utf-16be' }, Buffer.from(file(',', 'Café', '5'), 'utf16le').swap16(), 'Café', 5],
  ];
  for (const [title, mapping, text, name, price] of cases) {
    const { issues, orders } = await readIn(fileOf(t, { ...mapping, items }, text));
    assert.deepEqual(
      [issues, orders[0]?.Items[0].Name, orders[0]?.Items[0].SellAtPricePerUnit],
      [[], name, price],
      title,
    );
  }
  const { issues } = await readIn(fileOf(t, { items, currency: 'EUR' }, file(',', 'Tea', 'USD 5')));
  assert.deepEqual(
    issues.map(({ code }) => code),
    ['not_a_decimal'],
  );
  const hinted = await readIn(fileOf(t, { items }, file(',', 'Tea', '$5')));
  assert.match(hinted.issues[0].hint, /^set "currency": "\$" in the mapping/);
  // It has the delimiter in a cell, so that a cell is found by the right quotes.
  const quoted = await readIn(fileOf(t, { items, quote: false }, file(',', 'Tea "', '0,5')));
  assert.deepEqual(quoted.issues.map(({ code, line }) => [code, line])[0], ['csv_cells', 2]);
});

test('a file with another encoding is an error that names its line, and what to do', async (t) => {
  const text = 'Order,Product\nS-1,Tea\nS-2,Caf\xe9\n';
  /** @type {[object, Buffer, RegExp][]} */
  const cases = [
    [
      {},
      Buffer.from(text, 'latin1'),
      /orders\.csv is not valid UTF-8: look at line 3\nhint: .*"encoding" .*windows-1252/,
    ],
    [
      {},
      Buffer.from(text, 'utf16le'),
      /orders\.csv is UTF-16 without a byte order mark, which "encoding": "utf-16le" names/,
    ],
    [{ encoding: 'latin1' }, Buffer.from(text, 'utf16le').swap16(), /orders\.csv is UTF-16 without .* "utf-16be"/],
    [{ encoding: 'euc-jp' }, Buffer.from(text, 'latin1'), /orders\.csv is not valid euc-jp: look at line 3/],
  ];
  for (const [mapping, bytes, problem] of cases) {
    const { code, err } = await run(['check', ...ARGS], { cwd: fileOf(t, mapping, bytes) });
    assert.match(err, problem);
    assert.equal(code, 1);
  }
});

test('values are looked up in CSV of any delimiter and encoding, and in JSON', async (t) => {
  const rows = ['Order,Shop,Product,Sku,Qty,Price', `S-1,Nord é,${NAME},A-1,1,5`, `S-2,Nord é,${NAME},A-2,1,5`];
  const table = (delimiter) => ['guid', 'name', 'code'].join(delimiter);
  const lines = (delimiter) =>
    [table(delimiter), [GUID, '"x"', 'A-1'].join(delimiter), [BLEND_GUID, '', 'A-2'].join(delimiter), ''].join('\r\n');
  const articles = [
    { code: 'A-1', guid: GUID },
    { code: 'A-2', guid: BLEND_GUID, more: [] },
  ];
  for (const [file, content] of /** @type {[string, any][]} */ ([
    ...[',', ';', '\t', '|', ':'].map((delimiter) => ['sku.csv', lines(delimiter)]),
    ['sku.csv', `sep=;\n${lines(';')}`],
    ['sku.csv', `${lines(',')}${GUID},the same again,A-1,\n,no code,\n`],
    ['sku.json', articles],
  ])) {
    const sku = { column: 'Sku', lookup: file, from: 'code', to: 'guid' };
    const entity = { column: 'Shop', lookup: 'shops.json' };
    const mapping = {
      order: { ...ORDER, CompanyId: { value: 'company', lookup: 'ids.json' }, EntityId: entity },
      items: { ...BASE.items, CatalogItemId: sku },
    };
    const files = { [file]: content, 'shops.json': { 'Nord é': 2001 }, 'ids.json': { company: 1000 } };
    const { issues, orders } = await readIn(fileOf(t, mapping, rows, files));
    assert.deepEqual(issues, []);
    assert.deepEqual(
      orders.map(({ CompanyId, EntityId, Items }) => [CompanyId, EntityId, Items[0].CatalogItemId]),
      [
        [1000, 2001, GUID],
        [1000, 2001, BLEND_GUID],
      ],
    );
  }
  const items = { ...BASE.items, CatalogItemId: { column: 'Sku', lookup: 'sku.csv', from: 'código', to: 'guid' } };
  const cwd = fileOf(
    t,
    { items, encoding: 'windows-1252' },
    rows.map((row) => row.replace('é', '')),
  );
  writeFileSync(join(cwd, 'sku.csv'), Buffer.from(`código;guid\nA-1;${GUID}\nA-2;${GUID}\n`, 'latin1'));
  assert.deepEqual((await readIn(cwd)).issues, [], 'the encoding of the mapping, for a file that is not UTF-8');
  const priced = (origin) => ({
    ...POSTAGE,
    Quantity: { value: 1 },
    SellAtPricePerUnit: { ...origin, lookup: 'prices.json' },
  });
  const prices = { items: priced({ column: 'Sku' }), extraItems: [priced({ value: 'post' })], decimal: ',' };
  const files = { 'prices.json': { 'A-1': 12.5, post: 4.9 } };
  const [order] = (await readIn(fileOf(t, prices, ['Order,Sku', 'S-1,A-1'], files))).orders;
  assert.deepEqual(
    [12.5, 4.9],
    order?.Items.map((each) => each.SellAtPricePerUnit),
    'numbers of JSON have a point',
  );
});

test('what a look-up does not have is an error at its cell, once, and the order is not sent', async (t) => {
  const items = { ...BASE.items, CatalogItemId: { column: 'Sku', lookup: 'sku.csv', from: 'code', to: 'guid' } };
  const rows = ['Order,Product,Sku,Qty,Price', 'S-1,Tea,a-1,1,5', 'S-2,Tea,,1,5', 'S-3,Tea,A-1,1,5'];
  const expect = { subtotal: { column: 'Order', lookup: 'sums.json' } };
  const files = { 'sku.csv': `code,guid\nA-1,${GUID}\n`, 'sums.json': { 'S-1': 5, 'S-3': 5 } };
  const cwd = fileOf(t, { items, expect }, rows, files);
  const { code, issues, orders } = await readIn(cwd);
  assert.deepEqual(
    [code, issues.map(({ code: each, line, column, message }) => [each, line, column, message]), orders.length],
    [
      1,
      [
        ['csv_lookup_missing', 2, 9, '"a-1" is not in sku.csv, column code'],
        ['csv_lookup_missing', 3, 1, '"S-2" is not in sums.json'],
        ['missing', 3, 9, 'CatalogItemId is missing'],
      ],
      1,
    ],
  );
  const { baseUrl, paths } = await serviceOf(t, created);
  const report = ['--report', 'sku.csv'];
  const unsafe = await run(['send', ...ARGS, '--base-url', baseUrl, ...report], { cwd, env: ENV });
  assert.match(unsafe.err, /--report is the file of the mapping: sku\.csv/);
  assert.equal((await run(['send', ...ARGS, '--base-url', baseUrl], { cwd, env: ENV })).code, 1);
  assert.equal(paths.length, 1);
});

test('a price is divided to 8 digits, and an amount that can not be divided or added up is an error at its cell', async (t) => {
  const mapping = {
    currency: 'EUR',
    items: { ...BASE.items, SellAtPricePerUnit: { column: 'Amount', per: 'Ordered' } },
    taxes: [{ TaxId: { value: TAX_ID }, TaxAmount: { sum: ['Tax', 'Levy'] } }],
  };
  const cwd = fileOf(t, mapping, [
    'Order,Product,Product id,Tax,Levy,Qty,Ordered,Amount',
    ...['', '0', 'x', '3', '2.5'].map((ordered, n) => `S-${n},${TEA},,,2,${ordered},10.00 EUR`),
    ...[`S-5,${TEA},,,2,3,0.00`, `S-6,${TEA},,,2,,`],
    ...[`S-7,${TEA},1.00,0.01,1,1,5.00`, `S-7,${TEA},0.75,,1,1,5.00`],
    ...[`S-8,${TEA},1.00,,1,1,5.00`, `S-8,${TEA},0.75,one,1,1,5.00`],
  ]);
  const { issues, orders } = await readIn(cwd);
  const found = issues.map(({ code, line, column, hint = '' }) => [code, line, column, /other than 0$/.test(hint)]);
  const [levy, ordered] = [`S-8,${TEA},0.75,`.length + 1, `S-0,${TEA},,,2,`.length + 1];
  assert.deepEqual(found, [
    ...[2, 3, 4].map((line) => ['not_a_decimal', line, ordered, true]),
    // The tenth of a cent of S-3.
    ['price_fraction_digits', 5, ordered + 2, false],
    ['price_zero', 7, ordered + 2, false],
    ['missing', 8, ordered + 1, false],
    ['not_a_decimal', 12, levy, false],
  ]);
  const prices = orders.map(({ Items: [{ SellAtPricePerUnit }] }) => SellAtPricePerUnit);
  assert.deepEqual(prices, [3.33333333, 4, 0, 5]);
  assert.deepEqual(orders[3].Taxes, [{ TaxId: TAX_ID, TaxAmount: 1.76 }]);
});

test('a cell of many spaces or line breaks is read in linear time', { timeout: 120_000 }, async (t) => {
  const rows = ['Order,Note,Product,Product id,Qty,Price'];
  rows.push(`S-1,,${TEA},1,1${' '.repeat(2_000_000)}x`, `S-2,"a${'\n'.repeat(600_000)}b",${TEA},1,x`);
  const { issues } = await readIn(fileOf(t, { currency: 'EUR' }, rows));
  const lines = issues.map(({ code, line }) => [code, line]);
  assert.deepEqual(lines, [
    ['not_a_decimal', 2],
    ['not_a_decimal', 600_003],
  ]);
});

test('expect compares the amounts of the other system, and the control total counts those that differ', async (t) => {
  const mapping = {
    taxes: [{ TaxId: { value: TAX_ID }, TaxAmount: 'GST' }],
    discounts: [{ Name: { value: 'Off' }, Value: 'Off', ValueType: { value: 1 } }],
    expect: { subtotal: 'Sub', discount: 'Off', tax: 'GST', total: 'Total' },
  };
  const cwd = fileOf(t, mapping, [
    'Order,Sub,Off,GST,Total,Product,Product id,Qty,Price',
    `S-1,10.00,-1.00,0.50,9.5,${TEA},2,5.00`,
    `S-2,10.00,1.00,0.50,9.49,${TEA},2,5.00`,
    `S-3,11.00,,,,${TEA},2,5.00`,
    `S-4,ten,0,1.00,11.00,${TEA},2,5.00`,
    `S-5,10.00,,,10.00,${TEA},2,5.00`,
  ]);
  const { code, issues } = await readIn(cwd);
  const found = issues.map(({ line, column, message }) => `${line}:${column}: ${message}`);
  assert.deepEqual(found, [
    '3:21: The total of the order is 9.50, but the file has 9.49',
    '4:5: The subtotal of the order is 10.00, but the file has 11.00',
    '5:5: The subtotal of the order is 10.00, but the file has "ten"',
  ]);
  assert.equal(code, 0);
  for (const issue of issues) assert.deepEqual([issue.code, issue.severity], ['csv_amount_differs', 'warning']);
  const strict = await readIn(cwd, '--strict');
  assert.deepEqual([strict.code, ...strict.issues.map(({ severity }) => severity)], [1, 'error', 'error', 'error']);
  const options = ['--options', 'options.json'];
  const { out } = await run(['preview', ...ARGS, ...options], { cwd });
  // Without a tax, the total of S-5 is unknown.
  assert.match(out, /^1 amount of the file not compared: unknown in the order\.$/m);
  assert.match((await run(['check', ...ARGS, ...options], { cwd })).out, /^1 amount of the file not compared/m);
  const one = fileOf(t, mapping, [
    'Order,Sub,Off,GST,Total,Product,Product id,Qty,Price',
    `S-5,10.00,,,10.00,${TEA},2,5.00`,
  ]);
  assert.match((await run(['preview', ...ARGS, ...options], { cwd: one })).out, /^1 amount of the file not compared/m);
  assert.match(out, /^3 orders with amounts that differ from those in the file\.$/m);
  const json = jsonLines((await run(['preview', ...ARGS, ...options, '--json'], { cwd })).out);
  assert.equal(json.at(-1).controlTotal.differing, 3);
  const { baseUrl, paths } = await serviceOf(t, created);
  const send = ['send', ...ARGS, ...options, '--base-url', baseUrl, '--strict'];
  const { code: sent } = await run(send, { cwd, env: ENV });
  assert.deepEqual([sent, paths.length], [1, 2]);
});

/** By what is wrong: a change of the mapping, the error, and the file of the look-up. The exit code is 2 unless a file is named. */
const LOOKUP = { column: 'Sku', lookup: 'sku.csv', from: 'code', to: 'guid' };
const looked = (changes) => ({ items: { ...BASE.items, CatalogItemId: { ...LOOKUP, ...changes } } });
const item = (origin) => ({ items: { ...BASE.items, SellAtPricePerUnit: origin } });
const NAMES = { lookup: 'sku.json', from: undefined, to: undefined };
const TABLE = `code,guid\nA-1,${GUID}\n`;
/** @type {[object, RegExp, string?][]} */
const BAD_MAPPINGS = [
  [
    { items: undefined, itmes: BASE.items },
    /^error: mapping\.json:\d+:3: itmes is not a member of the mapping\nhint: They/,
  ],
  [{ $schema: 1 }, /:\d+:3: \$schema must be a string/],
  [{ namespace: undefined }, /:1:1: the mapping does not say where the Id .*\nhint: Add "namespace"/],
  [{ key: [] }, /:\d+:3: key must name the column/],
  [{ namespace: 'shop' }, /:3: namespace must be a GUID\nhint: .* id prints one/],
  [{ namespace: '6ba7b810-9dad-11d1-80b4-00c04fd430c8' }, /namespace of the mapping: .*RFC 9562/],
  [{ order: { ...BASE.order, Id: 'Order' } }, /:3: the Id of an order is either derived in a namespace or mapped/],
  [{ order: 'Order' }, /:3: order must be an object: members and the columns they come from/],
  [{ items: undefined }, /:1:1: items must be an object/],
  [{ decimal: ';' }, /:3: decimal must be "\." or ","/],
  [{ thousands: '0' }, /:3: thousands must be one character, and neither a digit nor/],
  [{ thousands: '.' }, /:3: thousands must be one character, and neither a digit nor/],
  [{ delimiter: ';;' }, /:3: delimiter must be one character/],
  [{ quote: true }, /:3: quote must be one character other than the delimiter, or false/],
  [{ quote: ',' }, /:3: quote must be one character other than/],
  [{ encoding: 'utf-9' }, /:3: encoding "utf-9" is not known\nhint: Use a label of the Encoding Standard/],
  [{ encoding: 8 }, /:3: encoding must be a label of the Encoding Standard/],
  [{ currency: '1$' }, /:3: currency must be a sign or a code without digits/],
  [{ skip: ['void'] }, /:3: skip must be an object: columns and their values/],
  [{ skip: { Status: 'void' } }, /:5: Status must have an array of values, as strings, or true/],
  [{ skip: { Status: [0] } }, /:5: Status must have an array of values/],
  [{ skip: { State: true } }, /orders\.csv has no column "State", .*\nhint: The columns are "Order"/],
  [{ itemRows: { Type: ['x'] } }, /orders\.csv has no column "Type"/],
  [{ extraItems: {} }, /:3: extraItems must be an array of records/],
  [{ taxes: {} }, /:3: taxes must be an array of records/],
  [{ discounts: [{ Value: 5 }] }, /:7: Value must be a column or/],
  [{ expect: 'Total' }, /:3: expect must be an object: amounts/],
  [{ extraItems: ['Shipping'] }, /:5: extraItems\.0 must be an object/],
  [{ order: { ...BASE.order, Items: { value: [] } } }, /:5: Items is either mapped in "items" or in "order"/],
  [item({ per: 'Qty' }), /:5: SellAtPricePerUnit must be a column or \{ "value": … \}/],
  [item({ column: 'Price', value: 1 }), /:5: SellAtPricePerUnit must be a column or/],
  [item({ column: 'Price', form: 'x' }), /:7: form is not a member of SellAtPricePerUnit\nhint: They are column/],
  [item({ column: 1 }), /:7: column must be a name/],
  [item({ sum: [] }), /:7: sum must name one or more columns/],
  [item({ value: 1, per: 'Qty' }), /:7: per is only for amounts of items, not for constants/],
  [{ order: { ...BASE.order, Notes: { column: 'Sku', per: 'Qty' } } }, /:7: per is only for amounts of items/],
  [looked({ lookup: 1 }), /:7: lookup must name a file/],
  [looked({ from: undefined, to: undefined }), /:7: lookup needs "from" and "to", the columns of sku\.csv/],
  [looked({ to: undefined }), /:7: lookup needs "from" and "to"/],
  [looked({ lookup: undefined }), /:7: from needs "lookup"/],
  [looked({ encoding: 'x' }), /:7: encoding "x" is not known/],
  [looked({ lookup: 'no.csv' }), /mapping\.json:\d+:17: there is no file no\.csv/],
  [looked({ lookup: '.' }), /mapping\.json:\d+:17: \. is a folder/],
  [looked({ to: 'id' }), /mapping\.json:\d+:17: sku\.csv has no column "id", .*\nhint: The columns are "code", "guid"/],
  [
    { order: { ...BASE.order, EntityId: { value: 'x', ...LOOKUP, column: undefined } } },
    /mapping\.json:\d+:17: sku\.csv has no "x"\nhint: Add it to sku\.csv/,
  ],
  [{ expect: { total: { value: 1 } } }, /:5: total must be a column, not a value/],
  [{ expect: { sum: 'Price' } }, /:5: sum is not a member of expect\nhint: They are subtotal/],
  [{ expect: { total: 'Total' } }, /orders\.csv has no column "Total"/],
  [looked({}), /sku\.csv:3:5: the guid of "A-2" is empty\nhint: Fill it in/, `${TABLE}A-2,\n`],
  [looked({}), /sku\.csv:4:5: "A-1" has another guid in line 2\nhint: Delete/, `${TABLE}\nA-1,${BLEND_GUID}\n`],
  [looked({}), /sku\.csv:3:10: "4\.01E\+12" was rounded by a spreadsheet/, `${TABLE}4.01E+12,${GUID}\n`],
  [looked({}), /sku\.csv:3:1: a quoted cell that begins here has no closing quote/, `${TABLE}"A-2,x\n`],
  [looked({}), /sku\.csv is empty; the first row must name the columns/, ' \n'],
  [looked({ encoding: 'euc-jp' }), /sku\.csv is not valid euc-jp: look at line 3/, `${TABLE}×,x\n`],
  [looked({ lookup: 'sku.json' }), /sku\.json is not valid JSON/, '['],
  [looked({ lookup: 'sku.json' }), /sku\.json:1:1: a look-up needs an object/, '{"A-1":"x"}'],
  [looked({ lookup: 'sku.json' }), /sku\.json:1:2: the object has no guid/, '[{"code":"A-1"}]'],
  [looked(NAMES), /sku\.json:1:8: a look-up needs strings/, '{"A-1":{}}'],
  [
    looked({}),
    /sku\.csv:1:11: columns 2 and 3 are both named "guid", which the mapping names/,
    `code,guid,guid\nA-1,${GUID},${BLEND_GUID}\n`,
  ],
  [looked({}), /sku\.csv:3:1: the row has 3 cells, but there are 2 columns\nhint: Put/, `${TABLE}A,2,${GUID}\n`],
  [
    looked({ lookup: 'sku.json' }),
    /sku\.json:1:23: a number with more than 15 digits loses some/,
    '[{"code":"A-1","guid":12345678901234567}]',
  ],
  [
    looked({ lookup: 'sku.json' }),
    /sku\.json is not valid JSON: Maximum call stack/,
    '['.repeat(1e5) + ']'.repeat(1e5),
  ],
  [looked(NAMES), /sku\.json:1:12: "A-1" is there twice/, '{"A-1":"x","A-1":"y"}'],
];

test('what is wrong in a mapping ends with 2, and in a file with 1, with the position, and nothing is sent', async (t) => {
  const { baseUrl, paths } = await serviceOf(t, created);
  const rows = ['Order,Status,Product,Product id,Sku,Qty,Price', `S-1,paid,${TEA},A-1,1,19.99`];
  /** @param {any} bad */
  const check = async ([mapping, problem, table]) => {
    const file = /sku\.json/.test(JSON.stringify(mapping)) ? 'sku.json' : 'sku.csv';
    const cwd = fileOf(t, mapping, rows, { [file]: table ?? TABLE });
    const { code, out, err } = await run(['send', ...ARGS, '--base-url', baseUrl], { cwd, env: ENV });
    assert.match(err, problem);
    assert.deepEqual([code, out], [table === undefined ? 2 : 1, ''], err);
  };
  // Some at the same time: each is a process.
  for (let at = 0; at < BAD_MAPPINGS.length; at += 4) await Promise.all(BAD_MAPPINGS.slice(at, at + 4).map(check));
  assert.deepEqual(paths, []);
  // A reader takes the last of two members: the orders of the first "skip" would be sent.
  const cwd = fileOf(t, {}, rows);
  writeFileSync(join(cwd, 'mapping.json'), '{ "//": 1, "//": 2, "skip": { "Status": ["paid"] },\n  "skip": {} }');
  assert.match((await run(['check', ...ARGS], { cwd })).err, /^error: mapping\.json:2:3: "skip" is there twice/);
});
