/**
 * Tests the writer of orders (pkg-template/src/order-writer.ts), which the package does not export: that it writes
 * the members and values that the writer of any value (json.ts) writes, in the order of the specification, and what
 * only it does.
 *
 *     WRITER_ORDERS=1000000 node --test tests/node/writer.test.mjs
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { build } from 'esbuild';
import { root } from '../../scripts/places.mjs';
import { lengthOf, VALUES } from './any-values.mjs';
import { fullOrder, item, minimalOrder, orderWith, TAX } from './orders.mjs';
import { ordersOf, randomOf } from './random-orders.mjs';

const ORDERS = Number(process.env.WRITER_ORDERS ?? 20_000);
const SEED = Number(process.env.WRITER_SEED ?? 20_261_123);

const SOURCES = join(root, 'pkg-template/src');
const { DECIMALS: ALL_DECIMALS, escaped, limited, valueJson, writeOrder } = await fresh();

const ORDER = membersOf('ReceivedOrder');
const RECORDS = { Items: membersOf('ReceivedItem'), Taxes: membersOf('ReceivedTax') };

test(`${ORDERS.toLocaleString('en')} random orders, plain and spoilt, have the members and values of any object`, () => {
  const random = randomOf(SEED);
  const { plain, spoil } = ordersOf(random);
  for (let number = 0; number < ORDERS; number++) {
    const order = plain();
    while (random() < 0.5) spoil(order);
    same(order);
  }
});

const PLACES = {
  'the order itself': (value) => value,
  ...Object.fromEntries(ORDER.map((name) => [name, (value) => minimalOrder({ [name]: value })])),
  'an unknown member': (value) => minimalOrder({ Unknown: value }),
  'an item': (value) => minimalOrder({ Items: [value, item(), value] }),
  ...Object.fromEntries(RECORDS.Items.map((name) => [`${name} of an item`, (value) => orderWith({ [name]: value })])),
  'an unknown member of an item': (value) => orderWith({ Unknown: value, Batch: 'b' }),
  'an unknown member of an item that is called as a decimal': (value) => orderWith({ TaxAmount: value }),
  'a tax': (value) => minimalOrder({ Taxes: [value] }),
  'the amount of a tax': (value) => minimalOrder({ Taxes: [{ TaxAmount: value, TaxId: TAX }] }),
  'a discount': (value) => minimalOrder({ Discount: { InvoiceLevel: [value], More: value } }),
  'the value of a discount': (value) =>
    minimalOrder({ Discount: { InvoiceLevel: [{ Value: value, ValueType: value, Name: value }] } }),
};
for (const [what, values] of Object.entries(VALUES)) {
  for (const [where, orderOf] of Object.entries(PLACES)) {
    test(`${what} are written like any value: as ${where}`, () => {
      for (const value of values()) same(orderOf(value));
    });
  }
}

const STRINGS = [
  ['1.50', '1.50'],
  ['0', '0'],
  ['-0.5', '-0.5'],
  ['123456789012345', '123456789012345'],
  ['1234567890123456', '"1234567890123456"'],
  ['1e2', '"1e2"'],
  ['01', '"01"'],
  ['1.', '"1."'],
  ['', '""'],
  [5n, '5'],
  [12345678901234567n, '"12345678901234567"'],
  [2 ** 60, '1152921504606847000'],
  [{ toFixed: () => '2.50' }, '2.50'],
  [{ toFixed: () => '1234567890123.4567' }, '"1234567890123.4567"'],
];
for (const [value, json] of STRINGS) {
  test(`${typeof value === 'object' ? value.toFixed() : String(value)} (${typeof value}) is the decimal ${json}`, () => {
    assert.ok(writeOrder(orderWith({ Quantity: value })).text.includes(`"Quantity":${json},`));
    assert.ok(
      writeOrder(minimalOrder({ Discount: { InvoiceLevel: [{ Value: value }] } })).text.includes(`"Value":${json}}`),
    );
  });
}

test('the digits of a string are written as a number only in decimal members', () => {
  const order = minimalOrder({ Notes: '1', CompanyId: '2', Value: '3', Items: [item({ Name: '4', TaxAmount: '5' })] });
  for (const name of ['Notes', 'CompanyId', 'Value', 'Name', 'TaxAmount'])
    assert.match(writeOrder(order).text, new RegExp(`"${name}":"\\d"`));
});

test('members are in the order of the specification, unknown ones last in that of the caller', () => {
  const { Items, ...rest } = fullOrder();
  const members = [['z', 1], ...Object.entries({ ...rest, ReceiptNumber: '1', OrderSource: { Name: 'x' } }).reverse()];
  const order = Object.fromEntries([...members, ['a', 1], ['Items', [{ y: 1, ...Items[0], b: 1 }]]]);
  const written = JSON.parse(writeOrder(order).text);
  const names = [...ORDER.filter((name) => Object.hasOwn(order, name)), 'z', 'a'];
  assert.deepEqual(Object.keys(written), names);
  const itemNames = RECORDS.Items.filter((name) => Object.hasOwn(Items[0], name));
  assert.deepEqual(Object.keys(written.Items[0]), [...itemNames, 'y', 'b']);
});

test('each member is read once, and none is read to escape what has been written', () => {
  let reads = 0;
  const counted = (value) => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(counted);
    return Object.entries(value).reduce((copy, [name, member]) => {
      const get = () => ++reads && counted(member);
      return Object.defineProperty(copy, name, { get, enumerable: true });
    }, {});
  };
  const { Id: _, ...others } = fullOrder();
  const order = { ...others, Unknown: { a: [{ b: 'c' }] }, Items: [item({ More: 1 }), item()] };
  const members = (value) =>
    typeof value !== 'object' || value === null
      ? 0
      : Object.values(value).reduce(
          (sum, member) => sum + members(member),
          Array.isArray(value) ? 0 : Object.keys(value).length,
        );
  const written = writeOrder(counted(order));
  assert.equal(reads, members(order));
  escaped(written);
  assert.equal(reads, members(order));
});

describe('raw strings', () => {
  test('are counted, unless one has a quote or a backslash', async () => {
    const { writeOrder } = await fresh();
    const marked = ({ text }) => text.match(/["\\]/g).length;
    const clean = {
      ...fullOrder(),
      Unknown: { 'a"b': 'c\\d', x: [NaN, { 'a"b': 1 }] },
      TimeSlotDisplayString: '\u0001\ud800',
    };
    const written = writeOrder(clean);
    assert.equal(written.marks, marked(written));
    assert.ok(written.text.includes('\u0001\ud800'));
    for (const name of ['Id', 'FirstName', 'IntegratorId', 'OrderNumber', 'Notes', 'TimeSlotDisplayString']) {
      const raw = writeOrder({ ...clean, [name]: 'a","b' });
      assert.ok(raw.marks < marked(raw), name);
    }
    for (const name of ['Name', 'CatalogItemId', 'PackageId', 'Batch']) {
      const raw = writeOrder(orderWith({ [name]: '\\' }));
      assert.ok(raw.marks < marked(raw), name);
    }
  });

  test('become the same JSON, escaped later or at once', async () => {
    const { escaped, writeOrder } = await fresh();
    const random = randomOf(SEED + 1);
    const { plain, spoil } = ordersOf(random);
    let raw = 0;
    for (let number = 0; number < ORDERS / 4; number++) {
      const order = plain();
      while (random() < 0.5) spoil(order);
      const written = writeOrder(order);
      if (written.marks >= 0) raw++;
      const later = escaped(written);
      assert.equal(later.marks, -1);
      // Orders that need escapes one after the other make the writer escape at once.
      for (let time = 0; time < 3; time++) escaped(written);
      const atOnce = writeOrder(order);
      assert.equal(atOnce.marks, -1);
      assert.equal(later.text, atOnce.text);
      allowRaw(writeOrder);
    }
    assert.ok(raw > ORDERS / 5, `only ${raw} orders had raw strings`);
  });

  test('are not written for the notes of a program whose notes have quotes', async () => {
    const { escaped, writeOrder } = await fresh();
    const order = minimalOrder({ Notes: '"' });
    assert.ok(writeOrder(order).text.includes('"Notes":"""'));
    escaped(writeOrder(order));
    const written = writeOrder(order);
    assert.ok(written.text.includes('"Notes":"\\""') && written.marks > 0);
  });

  test('of any length become the same JSON', () => {
    for (let length = 1_020; length < 1_030; length++) {
      allowRaw(writeOrder);
      const order = orderWith({ Name: `"${'x'.repeat(length - 2)}"`, Batch: '"', CatalogItemId: '"' });
      assert.deepEqual(JSON.parse(escaped(writeOrder(order)).text), order);
    }
  });

  test('of a thousand items are where they are said to be', () => {
    const Items = Array.from({ length: 1_000 }, (_, i) =>
      item({ Name: `"${i}\\`, ...(i % 3 === 0 && { Batch: '"', z: 1 }) }),
    );
    const order = minimalOrder({
      Items,
      FirstName: '\\',
      Taxes: [{ TaxId: '"', TaxAmount: 1 }],
      TimeSlotDisplayString: '\n',
    });
    allowRaw(writeOrder);
    assert.deepEqual(JSON.parse(escaped(writeOrder(order)).text), order);
  });
});

test('an order that contains itself is too deep where it does, in any record', () => {
  for (const name of [...ORDER, 'Unknown']) {
    const order = minimalOrder();
    order[name] = order;
    same(order);
    order[name] = [order];
    same(order);
    order[name] = { InvoiceLevel: [{ Name: order, Value: order }], x: order };
    same(order);
  }
  for (const name of RECORDS.Items) {
    const order = orderWith({});
    order.Items[0][name] = order;
    same(order);
    order.Items[0][name] = order.Items;
    same(order);
    order.Items[0][name] = [order.Items[0]];
    same(order);
  }
  const instance = Object.assign(Object.create({}), minimalOrder());
  instance.Items.push(instance, Object.assign(Object.create({}), { a: instance.Items }));
  same(instance);
});

test('the limit of nesting is the same in any record', () => {
  for (let depth = 120; depth < 130; depth++) {
    /** @type {any} */
    let deep = 1;
    for (let level = 0; level < depth; level++) deep = { deep };
    for (const where of [deep, orderWith({ deep }), minimalOrder({ Taxes: [{ deep }], Notes: deep, deep })])
      same(where);
  }
});

test('members that a program adds to Object.prototype change nothing', () => {
  const order = { ...fullOrder(), Unknown: { a: 1 } };
  const expected = escaped(writeOrder(order)).text;
  for (const enumerable of [true, false]) {
    for (const name of ['Notes', 'Batch', 'toFixed', 'toJSON', 'Unknown', 'set', 'get', 'raw', 'write']) {
      Object.defineProperty(Object.prototype, name, { value: 'polluted', enumerable, configurable: true });
      try {
        assert.equal(escaped(writeOrder(order)).text, expected);
        same(orderWith({ x: { toFixed: 1 } }));
      } finally {
        Reflect.deleteProperty(Object.prototype, name);
      }
    }
  }
});

test('what is too large is a placeholder', { timeout: 300_000 }, () => {
  const long = 'x'.repeat(33_554_433);
  const half = 'x'.repeat(17_000_000);
  const silent = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`m${i}`, undefined]));
  let shared = [];
  for (let level = 0; level < 60; level++) shared = [shared, shared];
  for (const order of [
    ...[
      minimalOrder({ Notes: long }),
      minimalOrder({ [long]: 1 }),
      orderWith({ Name: long }),
      orderWith({ Batch: long }),
    ],
    ...[
      minimalOrder({ Notes: half, FirstName: half }),
      minimalOrder({ Items: [item({ Name: half }), item({ Name: half })] }),
    ],
    ...[minimalOrder({ Items: new Array(1e9) }), minimalOrder({ Items: new Array(100_000).fill(silent) })],
    ...[minimalOrder({ Extra: shared }), minimalOrder({ Items: shared }), orderWith({ Quantity: shared })],
    ...[minimalOrder({ Items: lengthOf(1e9) }), minimalOrder({ Taxes: lengthOf(Infinity) })],
    minimalOrder(Object.fromEntries(ORDER.map((name) => [name, 'x'.repeat(33_000_000)]))),
  ]) {
    const written = writeOrder(order);
    assert.deepEqual([written.text, written.marks, written.rawCount], ['{"\\u0000":"too_large"}', -1, 0]);
    assert.equal(anyJson(order), written.text);
  }
});

test('an order of nearly the largest size is written', () => {
  const order = minimalOrder({ Notes: 'x'.repeat(16_000_000), Extra: 'y'.repeat(17_000_000) });
  assert.equal(writeOrder(order).text.length, JSON.stringify(order).length);
});

/** Loads the writers with a state of their own. */
async function fresh() {
  const contents = ['json', 'order-writer', 'record-writers'].map((name) => `export * from './${name}.js';`).join('\n');
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: SOURCES, loader: 'ts' },
    bundle: true,
    format: 'esm',
    write: false,
  });
  return import(`data:text/javascript,${encodeURIComponent(`// ${Math.random()}\n${outputFiles[0].text}`)}`);
}

/** Returns the names of the members of a record, in the order of the specification. */
function membersOf(type) {
  const [, members] = readFileSync(join(SOURCES, 'order-types.ts'), 'utf8').split(`export interface ${type} {`);
  return Array.from(members.split('\n}')[0].matchAll(/^ {2}([A-Z]\w+)\??:/gm), ([, name]) => name);
}

/** Makes the writer write the next order with raw strings, whatever needed escapes before. */
function allowRaw(writeOrder) {
  while (writeOrder({ Id: '' }).marks < 0);
}

/**
 * Returns the JSON of any value.
 *
 * @param {string | number} key
 */
function anyJson(value, key = '') {
  const writing = { decimals: new Set(ALL_DECIMALS), ancestors: [], spent: 0, marks: 0 };
  return limited(valueJson(writing, value, key), writing);
}

/** Asserts that an order is written with the members and values that the writer of any value writes. */
function same(order) {
  allowRaw(writeOrder);
  const written = writeOrder(order);
  sameJson(written.marks < 0 ? written.text : escaped(written).text, anyJson(order), ORDER);
}

/** `names` are those of the record. Compares numbers by their digits, and decimals in strings with those in numbers. */
function sameJson(text, expected, names) {
  try {
    assert.deepEqual(withDigits(text), asWritten(withDigits(expected), names));
  } catch (error) {
    error.message += `\nwritten  ${text.slice(0, 2_000)}\nexpected ${expected.slice(0, 2_000)}`;
    throw error;
  }
}

/** Parses JSON with numbers as `#` and their digits, so that 1.50 and 1.5 differ. */
function withDigits(json) {
  return JSON.parse(
    json.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) => (token[0] === '"' ? token : `"#${token}"`)),
  );
}

const DECIMALS = ['Quantity', 'SellAtPricePerUnit', 'TaxAmount', 'Value'];
const NESTED = {
  Items: RECORDS.Items,
  Taxes: RECORDS.Taxes,
  Discount: ['InvoiceLevel'],
  InvoiceLevel: ['Name', 'Value', 'ValueType'],
};

/**
 * Returns what the writer of any value writes, with the strings of decimal members as numbers, where their digits allow
 * it.
 */
function asWritten(value, names) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  for (const name of names) {
    if (!Object.hasOwn(value, name)) continue;
    const member = value[name];
    const isList = Array.isArray(member);
    if (name in NESTED && isList === (name !== 'Discount'))
      for (const one of isList ? member : [member]) asWritten(one, NESTED[name]);
    const isNumber = typeof member === 'string' && member.length < 16 && /^-?(0|[1-9]\d*)(\.\d+)?$/.test(member);
    if (DECIMALS.includes(name) && isNumber) value[name] = `#${member}`;
  }
  return value;
}
