/**
 * Tests the amounts of a line as the recipes show them: known ones as they are, unknown ones with the reason that
 * applies.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installed } from '../node/installed.mjs';
import { item, minimalOrder } from '../node/orders.mjs';
import { recipe } from './recipe.mjs';

const { esm } = await installed();
const { amountsOf } = await recipe('amounts');

const TAX_ID = '8c1f2b3a-4d5e-4f60-9a7b-8c9d0e1f2a3b';
const RATES = { taxRates: [{ id: TAX_ID, rate: '0.05' }] };
const TYPES = { discountValueTypes: { amount: 1, percent: 2 } };
const first = item({ Quantity: 2, SellAtPricePerUnit: '10.00' });
const discount = (Value) => ({ InvoiceLevel: [{ Value, ValueType: 1 }] });

/** Returns the texts of each line of an order. */
function amounts(order, options) {
  const preview = esm.previewOrder(minimalOrder(order), options);
  return order.Items.map((_, index) => amountsOf(preview, index).map(({ text }) => text));
}

test('known amounts are shown as they are, also those that are zero', () => {
  assert.deepEqual(amounts({ Items: [first], Discount: discount('5') }, { ...RATES, ...TYPES }), [
    ['20.00', '5.00', '0.75', '15.75'],
  ]);
  const Taxes = [{ TaxId: TAX_ID, TaxAmount: 3 }];
  assert.deepEqual(amounts({ Items: [first, first], Taxes }), [
    ['20.00', '0.00', '3.00', '23.00'],
    ['20.00', '0.00', '0.00', '20.00'],
  ]);
});

test('the issue of a quantity or a price is the reason of its line, and another issue of the line is not', () => {
  const wrong = item({ CatalogItemId: 'tea', Quantity: 'two' });
  const reason = 'unknown: Quantity must be a decimal number';
  assert.deepEqual(amounts({ Items: [wrong, first] }, RATES), [
    [reason, '0.00', reason, reason],
    ['20.00', '0.00', '1.00', '21.00'],
  ]);
});

test('a tax that the point of sale calculates is the reason of tax and total', () => {
  const reason = 'unknown: Taxes is not supplied: the point of sale calculates the taxes, so tax and total are unknown';
  assert.deepEqual(amounts({ Items: [first] }), [['20.00', '0.00', reason, reason]]);
});

test('a discount without a known meaning is the reason of all that follows from it', () => {
  const reason = 'unknown: ValueType has no known meaning, so the discount is unknown';
  assert.deepEqual(amounts({ Items: [first], Discount: discount('5') }, RATES), [['20.00', reason, reason, reason]]);
});

test('another line is the reason if the discount is shared with it', () => {
  const wrong = 'unknown: Quantity must be greater than 0';
  const other = 'unknown: the amount of another line is unknown';
  const Items = [...Array(11).fill(first), item({ Quantity: 0 })];
  const lines = amounts({ Items, Discount: discount('5') }, { ...RATES, ...TYPES });
  assert.deepEqual(lines[1], ['20.00', other, other, other]);
  assert.deepEqual(lines[11], [wrong, wrong, wrong, wrong]);
});

test('a line that the order does not have has no amounts', () => {
  assert.deepEqual(amountsOf(esm.previewOrder(minimalOrder({ Items: [first] })), 1), []);
});
