/**
 * Tests how an order becomes JSON (pkg-template/src/json.ts), by functions that the package does not export: that JSON.stringify,
 * which most orders are written with, writes what the functions for values of any kind write.
 *
 *     WRITER_ORDERS=1000000 node --test tests/node/order-json.test.mjs
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { build } from 'esbuild';
import { root } from '../../scripts/places.mjs';
import { fullOrder } from './orders.mjs';
import { ordersOf, randomOf } from './random-orders.mjs';

const ORDERS = Number(process.env.WRITER_ORDERS ?? 20_000);
const SEED = Number(process.env.WRITER_SEED ?? 20_261_123);

const SOURCES = join(root, 'pkg-template/src');
const { DECIMALS, jsonOf, limited, orderJson, resolve } = await functions();

test(`${ORDERS.toLocaleString('en')} random orders, plain and spoilt, have the members and values of any object`, () => {
  const random = randomOf(SEED);
  const { plain, spoil } = ordersOf(random);
  for (let number = 0; number < ORDERS; number++) {
    const order = plain();
    while (random() < 0.5) spoil(order);
    same(order);
  }
});

test('members are in the order of the caller', () => {
  const { Items, ...rest } = fullOrder();
  const members = Object.fromEntries([['z', 1], ...Object.entries(rest).reverse(), ['a', 1]]);
  const order = { ...members, Items: [{ y: 1, ...Items[0], b: 1 }] };
  assert.equal(orderJson(order), JSON.stringify(order));
});

async function functions() {
  const contents = ['json', 'decimal-members', 'resolve'].map((name) => `export * from './${name}.js';`).join('\n');
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: SOURCES, loader: 'ts' },
    bundle: true,
    format: 'esm',
    write: false,
  });
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
}

/** Asserts that an order is written as a value of any kind is. */
function same(order) {
  // It is JSON already.
  if (typeof order === 'string') return;
  const writing = { decimals: new Set(DECIMALS), ancestors: [], spent: 0 };
  assert.equal(orderJson(order), limited(jsonOf(writing, resolve(order, '', false)), writing));
}
