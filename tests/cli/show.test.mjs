/** preview, request, id, explain. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { installed, installedFile } from '../node/installed.mjs';
import { item, minimalOrder } from '../node/orders.mjs';
import { numbered } from './orders.mjs';
import { cleanEnv, finished, folderOf, followed, jsonLines, MAIN, run, serviceOf, TOKEN } from './program.mjs';

const examples = JSON.parse(readFileSync(new URL('../../examples/issue-examples.json', import.meta.url), 'utf8'));
const table = readFileSync(new URL('../../src/issue-codes.md', import.meta.url), 'utf8');
const LOOSE = minimalOrder({
  Items: [item({ Name: 'Green tea, loose', Quantity: '2.345', SellAtPricePerUnit: 12.5 })],
});

test('preview shows unknown amounts as unknown, with the reason', async (t) => {
  const cwd = folderOf(t, { 'order.json': LOOSE });
  const { code, out } = await run(['preview', 'order.json'], { cwd });
  assert.equal(code, 0);
  assert.match(out, /^Green tea, loose +2\.345 +12\.5 +29\.31$/m);
  assert.match(out, /^Subtotal +29\.31$/m);
  assert.match(out, /^Total +unknown$/m);
  assert.match(out, /Taxes is not supplied: the point of sale calculates the taxes/);
});

test('preview --explain shows each calculation, and options give an estimate', async (t) => {
  const cwd = folderOf(t, {
    'order.json': LOOSE,
    'options.json': { taxRates: [{ id: 'gst', name: 'GST', rate: '0.05' }] },
  });
  const { out } = await run(['preview', 'order.json', '--explain', '--options', 'options.json'], { cwd });
  assert.match(out, /^Total, estimated +30\.78$/m);
  assert.match(out, /^Green tea, loose: amount +2\.345 × 12\.5 = 29\.3125 +29\.31 +D18$/m);
  const half = minimalOrder({ Items: [item({ Quantity: '0.5', SellAtPricePerUnit: '4.69' })] });
  writeFileSync(join(cwd, 'half.json'), JSON.stringify(half));
  const { out: range } = await run(['preview', 'half.json', '--options', 'options.json'], { cwd });
  assert.match(range, /^Depending on rounding, the total is 2\.46 to 2\.47\.$/m);
});

test('preview --json prints what previewOrder returns, each issue with file, line and column', async (t) => {
  const cwd = folderOf(t, { 'orders.json': [numbered(0), { ...LOOSE, notes: 'x' }] });
  const { out } = await run(['preview', 'orders.json', '--json'], { cwd });
  const [first, second] = jsonLines(out);
  const { esm } = await installed();
  const expected = esm.previewOrder({ ...LOOSE, notes: 'x' });
  const place = { file: 'orders.json', line: second.line };
  const issues = expected.issues.map((issue, index) => ({ ...issue, ...place, ...second.issues[index] }));
  assert.deepEqual(second, { ...expected, issues, ...place, column: 3 });
  const [unknown] = second.issues.filter(({ code }) => code === 'unknown_member');
  const lines = readFileSync(join(cwd, 'orders.json'), 'utf8').split('\n');
  assert.deepEqual([unknown.file, lines[unknown.line - 1], unknown.column], ['orders.json', '    "notes": "x"', 5]);
  assert.equal(first.line, 2);
});

test('preview of an order with errors ends with 1, and shows what can be computed', async (t) => {
  const cwd = folderOf(t, { 'order.json': numbered(0, { Items: [item(), item({ Quantity: 'two' })] }) });
  const { code, out } = await run(['preview', 'order.json'], { cwd });
  assert.equal(code, 1);
  assert.match(out, /^Green tea +2 +19\.99 +39\.98$/m);
  assert.match(out, /^order\.json:16:19: error: Quantity must be a decimal number/m);
});

test('preview of many orders ends with a control total of the valid ones, in which unknown is not zero', async (t) => {
  const taxes = (amount) => ({ Taxes: [{ TaxId: '9c1d6f2e-7a34-4b58-8c0d-5e6f7a8b9c0d', TaxAmount: amount }] });
  const priced = (n, price, more = {}) =>
    numbered(n, { Items: [item({ Quantity: 1, SellAtPricePerUnit: price })], ...more });
  const cwd = folderOf(t, {
    // In JavaScript numbers, 0.1 + 0.2 + 9007199254740993.01 is 9007199254740994.
    'known.json': [
      ...[priced(0, '0.10', taxes('0.001')), priced(1, '0.20', taxes('0.02'))],
      ...[priced(2, '9007199254740993.01', taxes('0')), priced(3, 'x', taxes('1'))],
    ],
    'unknown.json': [priced(0, '10', taxes('1')), priced(1, '20')],
    'none.json': [priced(0, '10'), priced(1, '20')],
    'options.json': { taxRates: [{ id: 'gst', name: 'GST', rate: '0.05' }] },
  });
  const totalOf = async (...args) => {
    const { out } = await run(['preview', ...args, '--json'], { cwd });
    const lines = jsonLines(out);
    assert.ok(lines.slice(0, -1).every((line) => 'lines' in line && !('controlTotal' in line)));
    return lines.at(-1).controlTotal;
  };
  const all = (amount, known) => ({ amount, known, unknown: 0 });
  assert.deepEqual(await totalOf('known.json'), {
    ...{ orders: 4, valid: 3, invalid: 1, estimated: 0 },
    ...{ subtotal: all('9007199254740993.31', 3), discount: all('0.00', 3) },
    ...{ tax: all('0.021', 3), total: all('9007199254740993.331', 3) },
  });
  const unknown = await totalOf('unknown.json');
  assert.deepEqual([unknown.subtotal.amount, unknown.total], ['30.00', { amount: '11.00', known: 1, unknown: 1 }]);
  assert.deepEqual((await totalOf('none.json')).total, { amount: null, known: 0, unknown: 2 });
  const estimated = await totalOf('none.json', '--options', 'options.json');
  assert.deepEqual([estimated.estimated, estimated.total.amount], [2, '31.50']);
  const { out } = await run(['preview', 'unknown.json'], { cwd });
  assert.match(out, /\n\n2 orders: 2 valid, 0 invalid\.\n.*Known +Unknown\nSubtotal +30\.00 +2 +0\n/);
  assert.match(out, /\nTotal +11\.00 +1 +1\nAn amount is the sum of those that are known\.\n$/);
  assert.match((await run(['preview', 'none.json'], { cwd })).out, /\nTotal +unknown +0 +2\n/);
});

test('preview of one order has no control total', async (t) => {
  const cwd = folderOf(t, { 'order.json': LOOSE });
  assert.equal((await run(['preview', 'order.json', '--json'], { cwd })).out.trimEnd().split('\n').length, 1);
  assert.doesNotMatch((await run(['preview', 'order.json'], { cwd })).out, /1 order/);
});

test('a name with line breaks stays in its line of the receipt', async (t) => {
  const Name = 'Off\nTotal  0.00';
  const order = numbered(0, {
    Discount: { InvoiceLevel: [{ Name, Value: '1.00', ValueType: 1 }] },
    Items: [item({ Name })],
  });
  const cwd = folderOf(t, { 'order.json': order, 'options.json': { discountValueTypes: { amount: 1, percent: 2 } } });
  const { out } = await run(['preview', 'order.json', '--options', 'options.json', '--explain'], { cwd });
  assert.match(out, /^Discount: Off\ufffdTotal {2}0\.00 +-1\.00$/m);
  assert.doesNotMatch(out, /^Total {2}0/m);
});

const TRICKY = `Say "it's $HOME \`ls\` \\ \${x} ! * ' done`;
// Escaped where it is printed.
const RISKY = '\u009b31m\u202e';

test('the curl that request prints creates the order, whatever is in it, in a POSIX shell', async (t) => {
  const seen = [];
  const { baseUrl } = await serviceOf(t, (request) => {
    seen.push(request);
    return { status: 201 };
  });
  const order = numbered(0, { Notes: TRICKY });
  const cwd = folderOf(t, { 'order.json': order });
  const given = await run(['request', 'order.json', '--base-url', `${baseUrl}/a`], { cwd });
  const variable = await run(['request', 'order.json'], { cwd });
  const env = cleanEnv({ SALES_ORDER_INTAKE_TOKEN: TOKEN, SALES_ORDER_INTAKE_BASE_URL: `${baseUrl}/b/` });
  for (const { out } of [given, variable]) {
    assert.doesNotMatch(out, new RegExp(TOKEN));
    writeFileSync(join(cwd, 'request.sh'), out);
    const { code, err } = await finished(followed(spawn('sh', ['request.sh'], { cwd, env })));
    assert.equal(code, 0, err);
  }
  const { esm } = await installed();
  const { body } = esm.prepareRequest(order);
  assert.deepEqual(
    seen.map(({ method, path, token, contentType, body: sent }) => [method, path, token, contentType, sent]),
    ['a', 'b'].map((path) => ['PUT', `/${path}/v3/ServiceOrder(${order.Id})`, TOKEN, 'application/json', body]),
  );
});

test('the fetch that request prints is JavaScript that sends the same', async (t) => {
  const order = numbered(0, { Notes: TRICKY + RISKY });
  const cwd = folderOf(t, { 'order.json': order });
  const { out } = await run(
    ['request', 'order.json', '--as', 'fetch', '--base-url', 'https://intake.example.com/orders'],
    { cwd },
  );
  const { esm } = await installed();
  const request = esm.prepareRequest(order);
  const calls = [];
  const fetch = async (...args) => {
    calls.push(args);
    return { status: 201, text: async () => '' };
  };
  const process = { env: { SALES_ORDER_INTAKE_TOKEN: TOKEN } };
  const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;
  // The requests of several orders are one program.
  await new AsyncFunction('fetch', 'process', 'console', `${out}\n${out}`)(fetch, process, { log: () => {} });
  assert.deepEqual(calls.pop(), calls[0]);
  assert.deepEqual(calls, [
    [
      `https://intake.example.com/orders/${request.path}`,
      { method: 'PUT', headers: { ...request.headers, Authorization: `Bearer ${TOKEN}` }, body: request.body },
    ],
  ]);
});

test('request --as http has variables in place of what is not known, and separates requests', async (t) => {
  const cwd = folderOf(t, { 'orders.json': [numbered(0), numbered(1)] });
  const { out } = await run(['request', 'orders.json', '--as', 'http'], { cwd });
  assert.match(
    out,
    /^PUT \{\{SALES_ORDER_INTAKE_BASE_URL\}\}\/v3\/ServiceOrder\(.*\) HTTP\/1\.1\nAuthorization: Bearer \{\{SALES_ORDER_INTAKE_TOKEN\}\}\n/,
  );
  assert.equal(out.match(/^###$/gm)?.length, 1);
});

test('request of an invalid order prints no request, but the issues, and ends with 1', async (t) => {
  const cwd = folderOf(t, { 'order.json': numbered(0, { Items: [] }) });
  const { code, out, err } = await run(['request', 'order.json'], { cwd });
  assert.deepEqual([code, out], [1, '']);
  assert.match(err, /^order\.json:6:12: error: Items must contain at least one item \[items_empty\]/m);
});

test('id makes random ids, and derives the same one from the same key', async () => {
  const { out } = await run(['id', '--count', '3']);
  const ids = out.trimEnd().split('\n');
  assert.equal(new Set(ids).size, 3);
  for (const id of ids) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  // Computed with Python's uuid.uuid5.
  const derived = await run(['id', '--namespace', '51f3a7c2-0d4e-4b6f-9a18-7c2d3e4f5a6b', '--key', 'www.example.com']);
  assert.deepEqual(derived, { code: 0, out: 'bbc85e4a-afba-5dde-a48d-32815a5926d4\n', err: '' });
});

test('explain shows meaning, advice, an order with the issue underlined, the correction and the decision', async () => {
  const { code, out } = await run(['explain', 'not-a-guid']);
  assert.equal(code, 0);
  assert.match(out, /^not_a_guid {2}error\n\nThe value is not a string in one of the GUID forms D, N, B, P\.\n/);
  assert.match(out, /An order with this issue:[\s\S]*"CatalogItemId": "TEA-100"/);
  assert.match(out, /> {2}9 \| +"CatalogItemId": "TEA-100",\n +\| +\^{9}\n/);
  assert.match(out, /Corrected:[\s\S]*"CatalogItemId": "0f1d2c3b/);
  assert.match(out, /^D1 GUID format\nAccepts \.NET's formats/m);
});

test('explain knows every code, lists them without one, and explains decisions', async () => {
  const listed = (await run(['explain'])).out.trimEnd().split('\n');
  const ofPackage = [...table.matchAll(/^\| `([a-z_]+)` \|/gm)].map(([, code]) => code);
  const ofFiles =
    'duplicate_order_id order_changed body_over_max_bytes csv_row_differs csv_rows_apart csv_key_empty csv_key_rounded csv_keys_alike csv_lookup_missing csv_amount_differs csv_cells csv_order_long csv_decimal_unclear'.split(
      ' ',
    );
  assert.deepEqual(
    listed.map((line) => line.split(' ')[0]),
    [...ofPackage, ...ofFiles],
  );
  for (const { code, sources, meaning } of jsonLines((await run(['explain', '--json'])).out)) {
    assert.ok(sources.length > 0 || ofFiles.includes(code), code);
    // Where nothing needs to fit, no meaning is cut.
    assert.ok(
      listed.some((line) => line.endsWith(meaning)),
      meaning,
    );
    const { code: exit, text } = await explanationOf(code);
    assert.equal(exit, 0);
    assert.match(text, new RegExp(`^${code} {2}[a-z, ]+\n\n\\S.*\\.\n`, 's'));
    const { advice = '' } = examples.find((example) => example.code === code) ?? {};
    assert.ok(text.replaceAll('\n', ' ').includes(advice.replaceAll('\n', ' ')), code);
  }
  assert.match((await run(['explain', 'order_changed'])).out, /^D54 A corrected order\n/m);
  assert.match((await run(['explain', 'd18'])).out, /^D18 Rounding\n/);
});

test('every source of an issue code and of a step can be explained: decisions, and sections of the specification', async (t) => {
  const cwd = folderOf(t, { 'order.json': LOOSE });
  const sources = new Set(jsonLines((await run(['explain', '--json'])).out).flatMap((entry) => entry.sources));
  const { out } = await run(['preview', 'order.json', '--explain'], { cwd });
  assert.match(out, /^Amount +Calculation +Result +Source$/m);
  for (const [, source] of out.matchAll(/ (D\d+|§[\d.]+)$/gm)) sources.add(source);
  for (const source of sources) {
    const { code, text } = await explanationOf(source);
    assert.equal(code, 0, source);
    assert.ok(text.startsWith(`${source} `) && text.split('\n').length > 2, text);
  }
  assert.match((await run(['explain', '§4'])).out, /^§4 of the specification\nThe caller generates the GUID;/);
  assert.deepEqual(JSON.parse((await run(['explain', '§2.5', '--json'])).out), {
    name: '§2.5',
    content: 'The records of discounts and taxes: not shown.',
  });
  const { out: explained } = await run(['explain', 'not_json']);
  assert.match(explained, /\n\n§4 of the specification\nThe caller generates the GUID;/);
});

/** Runs the command in this process, because there are dozens of words to explain. */
async function explanationOf(operand) {
  const command = await import(pathToFileURL(join(dirname(MAIN), 'commands/explain.js')).href);
  const lines = [];
  const out = { line: (line) => lines.push(line), style: (_, text) => text, width: 80 };
  const code = await command.run({ operand, has: () => false, terminal: { out } });
  return { code, text: `${lines.join('\n')}\n` };
}

test('explain says what each reason of an entry and each cause of a pause means, and what to do about it', async () => {
  const { entryReasons, pauseCauses } = await import(pathToFileURL(installedFile('dist/esm/outbox/index.js')).href);
  for (const [name, { meaning, remedy }] of Object.entries({ ...entryReasons, ...pauseCauses })) {
    const { code, text } = await explanationOf(name.toLowerCase());
    assert.equal(code, 0, name);
    assert.equal(text.replaceAll(/\s+/g, ' ').trim(), `${name} ${meaning} ${remedy}`);
  }
  for (const [kind, name, of] of [
    ['reason', 'ConflictError', entryReasons],
    ['cause', 'suspect', pauseCauses],
  ])
    assert.deepEqual(JSON.parse((await run(['explain', name, '--json'])).out), { [kind]: name, ...of[name] });
});

test('explain knows the exit codes, as the help lists them, beside the sections with the same number', async () => {
  const [, help] = (await run(['--help'])).out.split('\nExit codes\n');
  const listed = [...help.replaceAll(/\n {5}/g, ' ').matchAll(/^ {2}(\d) {2}(.*)$/gm)];
  assert.deepEqual(
    listed.map(([, exit]) => exit),
    ['0', '1', '2', '4', '5'],
  );
  for (const [, exit, meaning] of listed) {
    const { code, text } = await explanationOf(exit);
    assert.equal(code, 0, exit);
    assert.ok(
      text.replaceAll(/\s+/g, ' ').toLowerCase().startsWith(`exit code ${exit} ${meaning}.`.toLowerCase()),
      text,
    );
  }
  assert.match((await run(['explain', '5'])).out, /^Exit code 5\nSome orders .*\n\n§5 of the specification\n/s);
  assert.match((await run(['explain', '3'])).out, /^§3 of the specification\n/);
  assert.deepEqual(jsonLines((await run(['explain', '0', '--json'])).out), [
    { exitCode: 0, meaning: 'Done, nothing wrong.' },
  ]);
});
