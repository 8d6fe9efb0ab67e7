/**
 * Tests how an order becomes JSON (pkg-template/src/json.ts), by functions that the package does not export: that JSON.stringify,
 * which most orders are written with, writes what the functions for values of any kind write.
 *
 *     WRITER_ORDERS=1000000 node --test tests/node/order-json.test.mjs
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { build } from 'esbuild';
import { root } from '../../scripts/places.mjs';
import { VALUES } from './any-values.mjs';
import { fullOrder, item, minimalOrder, orderWith, TAX } from './orders.mjs';
import { ordersOf, randomOf } from './random-orders.mjs';

const ORDERS = Number(process.env.WRITER_ORDERS ?? 20_000);
const SEED = Number(process.env.WRITER_SEED ?? 20_261_123);

const SOURCES = join(root, 'pkg-template/src');
const { DECIMALS, jsonOf, limited, orderJson, resolve } = await functions();

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

test('members are in the order of the caller', () => {
  const { Items, ...rest } = fullOrder();
  const members = Object.fromEntries([['z', 1], ...Object.entries(rest).reverse(), ['a', 1]]);
  const order = { ...members, Items: [{ y: 1, ...Items[0], b: 1 }] };
  assert.equal(orderJson(order), JSON.stringify(order));
});

async function functions() {
  const contents = ['json', 'order-types', 'resolve'].map((name) => `export * from './${name}.js';`).join('\n');
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: SOURCES, loader: 'ts' },
    bundle: true,
    format: 'esm',
    write: false,
  });
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
}

/** Returns the names of the members of a record, in the order of the specification. */
function membersOf(type) {
  const [, members] = readFileSync(join(SOURCES, 'order-types.ts'), 'utf8').split(`export interface ${type} {`);
  return Array.from(members.split('\n}')[0].matchAll(/^ {2}([A-Z]\w+)\??:/gm), ([, name]) => name);
}

/** Asserts that an order is written as a value of any kind is. */
function same(order) {
  // It is JSON already.
  if (typeof order === 'string') return;
  const writing = { decimals: new Set(DECIMALS), ancestors: [], spent: 0 };
  assert.equal(orderJson(order), limited(jsonOf(writing, resolve(order, '', false)), writing));
}
