/** check: positions and frames in JSON and NDJSON; summaries, JSON, exit codes. */
import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { installed } from '../node/installed.mjs';
import { item, minimalOrder } from '../node/orders.mjs';
import { csv, idOf, MAPPING, numbered, TEA } from './orders.mjs';
import { folderOf, jsonLines, NOBODY, printed, run, serviceOf, start, TOKEN } from './program.mjs';

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
  const printed = jsonLines(out);
  assert.deepEqual([code, err], [1, '']);
  assert.deepEqual(printed, [
    { ...decimal, file: 'order.json', line: 11, column: 29 },
    { ...unknown, file: 'order.json', line: 14, column: 3 },
  ]);
});

test('the position of a member that is there in two cases is that of the other case', async (t) => {
  const orders = [numbered(0, { Items: [item({ quantity: 1000 })] }), numbered(1, { notes: 'a', NOTES: 'b' })];
  const json = JSON.stringify(orders);
  const { code, out } = await run(['check', 'orders.json', '--json'], { cwd: folderOf(t, { 'orders.json': json }) });
  const placed = jsonLines(out).map((issue) => [issue.code, issue.pointer, issue.line, issue.column]);
  assert.equal(code, 1);
  assert.deepEqual(placed, [
    ['duplicate_member', '/Items/0/Quantity', 1, json.indexOf('"quantity"') + 1],
    ['duplicate_member', '/Notes', 1, json.indexOf('"NOTES"') + 1],
  ]);
});

test('positions are those of the file, for each order of an array and of NDJSON', async (t) => {
  const orders = [numbered(0), numbered(1, { Items: BAD })];
  const others = [numbered(2), numbered(3, { Items: BAD })];
  const cwd = folderOf(t, {
    'array.json': orders,
    'lines.ndjson': others.map((order) => JSON.stringify(order)).join('\n\n'),
    'broken.ndjson': `${JSON.stringify(numbered(4))}\n{"Id": 1,}\n${JSON.stringify(numbered(5))}\n`,
  });
  const { out: issues } = await run(['check', 'array.json', 'lines.ndjson', 'broken.ndjson', '--json'], { cwd });
  assert.deepEqual(
    jsonLines(issues).map(({ code, file, line, column }) => [code, file, line, column]),
    [
      ['not_a_decimal', 'array.json', 26, 31],
      ['not_a_decimal', 'lines.ndjson', 3, JSON.stringify(others[1]).indexOf('"$19.99"') + 1],
      ['not_json', 'broken.ndjson', 2, 10],
    ],
  );
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

test('an empty file, or one of blanks, is an error', async (t) => {
  const cwd = folderOf(t, {
    ...{ 'a.ndjson': '', 'a.json': '', 'a.csv': '', 'b.json': ' \n\t\r\n', 'b.ndjson': '\n\n', 'b.csv': '\n' },
    ...{ 'mapping.json': MAPPING, 'none.json': [] },
  });
  for (const file of ['a.ndjson', 'a.json', 'a.csv', 'b.json', 'b.ndjson', 'b.csv']) {
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
  assert.match(out, /^b\.json:2:9: error: Id is also that of the order at a\.json:1:1 \[duplicate_order_id\]/m);
  // send would send one of them: so the control total has one, and there is one request.
  const file = folderOf(t, { 'orders.json': [numbered(0), numbered(0)] });
  const preview = await run(['preview', 'orders.json'], { cwd: file });
  assert.match(preview.out, /^2 orders: 1 valid, 1 invalid\.$/m);
  const request = await run(['request', 'orders.json', '--as', 'http'], { cwd: file });
  assert.deepEqual([preview.code, request.code, request.out.match(/^PUT /gm)?.length], [1, 1, 1]);
});

test('read-only members, which are not sent, are warnings, and the order behind them is checked like that before', async (t) => {
  const orders = [numbered(0), numbered(1, { ReceiptNumber: '17' }), numbered(0)].map((order) => JSON.stringify(order));
  const cwd = folderOf(t, { 'orders.ndjson': orders.join('\n') });
  const { out } = await run(['check', 'orders.ndjson', '--json'], { cwd });
  assert.deepEqual(
    jsonLines(out).map(({ code, line, column }) => [code, line, column]),
    [
      ['read_only_member', 2, `${orders[1]}`.indexOf('"ReceiptNumber"') + 1],
      ['duplicate_order_id', 3, '{"Id":'.length + 1],
    ],
  );
});

test('with --json, issues of the file have the members that others have', async (t) => {
  const cwd = folderOf(t, { 'orders.ndjson': `${JSON.stringify(numbered(0))}\n${JSON.stringify(numbered(0))}` });
  const { out } = await run(['check', 'orders.ndjson', '--json', '--max-bytes', '100'], { cwd });
  const [large, repeated] = jsonLines(out);
  assert.equal(large.code, 'body_over_max_bytes');
  const { message: _, hint: __, ...members } = repeated;
  assert.deepEqual(members, {
    ...{ code: 'duplicate_order_id', severity: 'error', pointer: '', path: [], params: {} },
    ...{ file: 'orders.ndjson', line: 2, column: 7 },
  });
  assert.deepEqual([large.severity, large.pointer, large.path, large.params], ['warning', '', [], {}]);
});

test('standard input is -, and --strict makes warnings errors', async () => {
  const input = JSON.stringify(minimalOrder({ notes: 'x' }));
  assert.equal((await run(['check', '-'], { input })).code, 0);
  const { code, out } = await run(['check', '-', '--strict'], { input });
  assert.equal(code, 1);
  assert.match(out, /^-:1:\d+: error: notes is not a known member/m);
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
  writeFileSync(join(cwd, 'orders.xlsx'), Buffer.from('PK\x03\x04\x14\0\x06\0\xb5', 'latin1'));
  for (const [file, problem] of /** @type {[string, RegExp][]} */ ([
    ['open.json', /the array of orders has no \]/],
    ['two.json', /two\.json:1:5: a comma is missing between two orders/],
    ['after.json', /after\.json:1:4: there is text after the array/],
    ['latin.json', /latin\.json is not valid UTF-8/],
    ['wide.json', /wide\.json is UTF-16/],
    ['orders.xlsx', /orders\.xlsx is a workbook or an archive\nhint: Save it as CSV UTF-8\./],
  ])) {
    const { code, err } = await run(['check', file], { cwd });
    assert.equal(code, 1, file);
    assert.match(err, problem);
  }
});

test('--watch checks again when a file changes, and ends with Ctrl-C', async (t) => {
  const cwd = folderOf(t, { 'orders.ndjson': `${JSON.stringify(numbered(0))}\n` });
  const child = start(['check', 'orders.ndjson', '--watch'], { cwd });
  await printed(child, 'err', /Watching 1 file/);
  assert.match(child.shown.out, /Checked 1 order for v3\. It is valid/);
  appendFileSync(join(cwd, 'orders.ndjson'), '{}\n');
  await printed(child, 'out', /Checked 2 orders for v3\. 1 is invalid/);
  child.kill('SIGINT');
  assert.equal((await child.ended).code, 1);
});

test('an order whose request is larger than --max-bytes is a warning, which does not change the exit code', async (t) => {
  const notes = (length) => 'x'.repeat(length);
  const { esm } = await installed();
  const { body } = esm.prepareRequest(numbered(2, { Notes: '' }));
  const cwd = folderOf(t, {
    'orders.json': [
      ...[numbered(0), numbered(1, { Notes: notes(1_048_577) })],
      ...[numbered(2, { Notes: notes(1_048_576 - body.length) }), numbered(3, { Notes: notes(1_048_576), Items: [] })],
    ],
  });
  const { code, out } = await run(['check', 'orders.json', '--json'], { cwd });
  const issues = jsonLines(out);
  const found = issues.filter(({ code: each }) => each === 'body_over_max_bytes');
  assert.equal(code, 1, 'only because of the order without items');
  assert.deepEqual(
    found.map(({ severity, file, line, column }) => [severity, file, line, column]),
    [['warning', 'orders.json', 16, 3]],
  );
  const one = folderOf(t, { 'order.json': numbered(0) });
  const limited = await run(['check', 'order.json', '--max-bytes', '100'], { cwd: one });
  assert.equal(limited.code, 0);
  assert.match(
    limited.out,
    /^order\.json:1:1: warning: The request of this order has \d+ bytes: a service that accepts 100/m,
  );
  assert.equal((await run(['check', 'order.json', '--max-bytes', '100', '--strict'], { cwd: one })).code, 1);
  assert.equal((await run(['check', 'order.json', '--max-bytes', '1k'], { cwd: one })).code, 2);
});

test('wide characters, tabs and emoji stay above their mark, also where a long line is cut', async (t) => {
  /** @type {[string, number][]} Pieces of text, and the columns that each takes. */
  const pieces = [
    ['茶', 2],
    ['🍵', 2],
    ['e\u0301', 1],
    ['x', 1],
    ['\t', 1],
  ];
  const cases = pieces.flatMap(([piece, columns]) => [3, 400, 3000].map((count) => ({ piece, columns, count })));
  const files = cases.map(({ piece, count }, n) => {
    const order = JSON.stringify(numbered(n, { Items: [item({ Quantity: 0 })] }));
    const text = piece.repeat(count);
    return [`${n}.json`, order.replace('"Quantity"', `${piece === '\t' ? text : `"x":"${text}",`}"Quantity"`)];
  });
  const cwd = folderOf(t, Object.fromEntries(files));
  const { out } = await run(['check', ...files.map(([name = '']) => name)], { cwd });
  for (const [n, { piece, columns, count }] of cases.entries()) {
    const frame = new RegExp(`^${n}\\.json:.*Quantity must be.*\n(> 1 \\|.*)\n(.*\\^)`, 'm');
    const [, line = '', marks = ''] = frame.exec(out) ?? [];
    const shown = line.slice(0, line.indexOf('"Quantity":0') + '"Quantity":'.length);
    // A tab is shown as a space, or cut.
    const shownPieces = piece === '\t' ? 0 : shown.split(piece).length - 1;
    assert.ok(piece === '\t' || shownPieces > 2, `${count} times ${piece}: ${line}`);
    assert.equal(marks.indexOf('^'), shown.length - shownPieces * (piece.length - columns), `${line}\n${marks}`);
  }
});

test('the column of JSON with an error is right behind an emoji', async () => {
  const { out } = await run(['check', '-', '--json'], { input: '{"Notes":"🍵🍵", x}' });
  assert.equal(JSON.parse(out).column, 18);
});

test('control characters are escaped in JSON, and visible in the names of files', async (t) => {
  const file = 'ev\u001b[31mil\u009b\u202e.json';
  const cwd = folderOf(t, {
    [file]: numbered(0, { 'x\u009b\u007f': 1, Notes: 'a\u0085b\u2066', Items: [item({ Quantity: 0 })] }),
  });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be printed.
  const risky = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
  for (const args of [['check'], ['check', '--json'], ['preview'], ['preview', '--json'], ['request']]) {
    const { out, err } = await run([args[0] ?? '', file, ...args.slice(1)], { cwd });
    assert.doesNotMatch(out + err, risky, args.join(' '));
  }
  const { out } = await run(['check', file, '--json'], { cwd });
  const issues = jsonLines(out);
  assert.ok(issues.every((issue) => issue.file === file));
  assert.match(out, /ev\\u001b\[31mil\\u009b\\u202e\.json/);
});

test('--strict: a warning is an error in check, preview, request and send, and nothing is sent', async (t) => {
  const { baseUrl, paths } = await serviceOf(t, () => ({ status: 201 }));
  const cwd = folderOf(t, {
    'order.json': numbered(0, { notes: 'x' }),
    'orders.csv': csv(`1,2000,${TEA},1.000,19.99,`),
    'mapping.json': MAPPING,
  });
  const files = [['order.json'], ['orders.csv', '--map', 'mapping.json']];
  const env = { SALES_ORDER_INTAKE_TOKEN: TOKEN };
  for (const command of [['check'], ['preview'], ['request'], ['send', '--base-url', baseUrl]]) {
    for (const file of files) {
      const { code, out, err } = await run([...command, ...file, '--strict'], { cwd, env });
      assert.equal(code, 1, `${command[0]} ${file[0]}: ${out}${err}`);
      if (command[0] !== 'send') assert.match(out + err, /: error: .*\[(?:unknown_member|csv_decimal_unclear)\]/);
    }
  }
  assert.equal(paths.length, 0);
  for (const file of files) assert.equal((await run(['check', ...file], { cwd })).code, 0);
});

test('every message names the key of its order, also with --json and in the report', async (t) => {
  const cwd = folderOf(t, {
    'orders.csv': csv(`S-1,2000,${TEA},0,19.99,`, `S-1,2001,${TEA},1,19.99,`),
    'mapping.json': MAPPING,
  });
  const args = ['orders.csv', '--map', 'mapping.json'];
  const { out } = await run(['check', ...args], { cwd });
  assert.match(out, /^orders\.csv:2:57: error: Quantity must .* \[quantity_not_positive\] \(order S-1\)$/m);
  assert.match(out, /^orders\.csv:3:5: error: Shop differs .* \[csv_row_differs\] \(order S-1\)$/m);
  assert.match((await run(['preview', ...args], { cwd })).out, /^orders\.csv:2:1 \(order S-1\)\n/);
  const env = { SALES_ORDER_INTAKE_TOKEN: TOKEN };
  await run(['send', ...args, '--base-url', NOBODY], { cwd, env });
  const [preview] = jsonLines((await run(['preview', ...args, '--json'], { cwd })).out);
  const [entry] = jsonLines(readFileSync(join(cwd, 'orders.csv.report.ndjson'), 'utf8'));
  const checked = jsonLines((await run(['check', ...args, '--json'], { cwd })).out);
  for (const each of [preview, entry, ...checked, ...preview.issues, ...entry.issues]) assert.equal(each.key, 'S-1');
});
