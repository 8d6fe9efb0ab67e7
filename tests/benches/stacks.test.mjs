/** Tests that the stacks of `make bench` do the same job: same totals, same body, issues at the same locations. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SIZES, WRONG_PLACES, orderOf, orderWithFiveIssues } from '../../benches/orders.mjs';
import { prepare as own } from '../../benches/own.mjs';
import { prepare as ajv } from '../../benches/peers/ajv.mjs';
import { prepare as typebox } from '../../benches/peers/typebox.mjs';
import { prepare as valibot } from '../../benches/peers/valibot.mjs';
import { prepare as zod } from '../../benches/peers/zod.mjs';
import { prepare as compiledZod } from '../../benches/peers/zod-compiled.mjs';

const STACKS = { own, zod, compiledZod, ajv, typebox, valibot };

/** The locations of the issues, as each stack reports them. */
const PLACES = {
  own: ({ path }) => path.join('.'),
  zod: ({ path }) => path.join('.'),
  compiledZod: ({ path }) => path.join('.'),
  ajv: ({ instancePath, params }) =>
    [...instancePath.split('/').slice(1), params.missingProperty].filter(Boolean).join('.'),
  valibot: ({ path }) => path.map(({ key }) => key).join('.'),
  typebox: ({ instancePath, params }) =>
    [...instancePath.split('/').slice(1), ...(params.requiredProperties ?? [])].join('.'),
};

for (const [name, prepare] of Object.entries(STACKS)) {
  for (const lines of SIZES) {
    test(`${name}: an order of ${lines} lines`, () => {
      const order = orderOf(lines);
      const { issues, body, ...totals } = prepare(order);
      assert.deepEqual(issues, []);
      assert.deepEqual(JSON.parse(body), order);
      assert.deepEqual(totals, exactTotals(order));
    });
  }

  test(`${name}: all five issues of an order, and no totals`, () => {
    const { issues, ...rest } = prepare(orderWithFiveIssues());
    assert.deepEqual(issues?.map(PLACES[name]).sort(), WRONG_PLACES);
    assert.deepEqual(rest, {});
  });

  test(`${name}: an order without items is rejected`, () => {
    assert.equal(prepare({ ...orderOf(1), Items: [] }).issues?.length, 1);
  });

  test(`${name}: half a cent is rounded up, from the exact product`, () => {
    const order = orderOf(2);
    Object.assign(order.Items[0], { Quantity: 1.005, SellAtPricePerUnit: 1 }); // 1.00 if a float multiplies
    Object.assign(order.Items[1], { Quantity: 0.5, SellAtPricePerUnit: 0.01 });
    assert.equal(prepare(order).subtotal, '1.02');
  });
}

/** Calculates in whole thousandths and cents, which is exact for these orders. */
function exactTotals({ Items, Taxes }) {
  const cents = ({ Quantity, SellAtPricePerUnit }) =>
    (BigInt(Math.round(Quantity * 1000)) * BigInt(Math.round(SellAtPricePerUnit * 100)) + 500n) / 1000n;
  const subtotal = Items.reduce((sum, item) => sum + cents(item), 0n);
  const tax = Taxes.reduce((sum, { TaxAmount }) => sum + BigInt(Math.round(TaxAmount * 100)), 0n);
  const text = (units) => `${units / 100n}.${String(units % 100n).padStart(2, '0')}`;
  return { subtotal: text(subtotal), tax: text(tax), total: text(subtotal + tax) };
}
