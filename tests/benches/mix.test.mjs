/** Tests that the stacks do the same job for the realistic mix of P1b: same totals, same body with the unknown members. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MIX_SIZES, discountedOrderOf, mixOf, ownOrderOf } from '../../benches/mix.mjs';
import { prepare as own } from '../../benches/own-mix.mjs';
import { prepare as ajv } from '../../benches/peers/mix/ajv.mjs';
import { prepare as typebox } from '../../benches/peers/mix/typebox.mjs';
import { prepare as valibot } from '../../benches/peers/mix/valibot.mjs';
import { prepare as zod } from '../../benches/peers/mix/zod.mjs';
import { prepare as compiledZod } from '../../benches/peers/mix/zod-compiled.mjs';

const STACKS = { own, zod, compiledZod, ajv, typebox, valibot };

/** As many as `make bench` measures of a size. */
const COUNT = 200;

for (const [name, prepare] of Object.entries(STACKS)) {
  for (const lines of MIX_SIZES) {
    test(`${name}: the mix with ${lines} lines`, () => {
      for (let number = 0; number < COUNT; number++) {
        for (const order of /** @type {any[]} */ (mixOf(lines, number))) {
          const { issues, body, ...totals } = prepare(order);
          assert.deepEqual(errorsIn(issues), []);
          assert.deepEqual(JSON.parse(body), order);
          assert.deepEqual(totals, exactTotals(order));
        }
      }
    });
  }

  test(`${name}: a discount takes no more than is left`, () => {
    const order = discountedOrderOf(3);
    order.Discount.InvoiceLevel[0].Value = 100_000;
    const { subtotal, discount, tax, total } = prepare(order);
    assert.equal(discount, subtotal);
    assert.equal(total, tax);
  });

  test(`${name}: the tax of each line is rounded`, () => {
    const order = ownOrderOf(2);
    for (const item of order.Items) Object.assign(item, { Quantity: 1, SellAtPricePerUnit: 0.1 });
    assert.equal(prepare(order).tax, '0.02'); // 0.01 if the sum were rounded
  });

  test(`${name}: a wrong value in a discount is rejected`, () => {
    const order = discountedOrderOf(3);
    order.Discount.InvoiceLevel[1].Value = -1;
    assert.equal(errorsIn(prepare(order).issues).length, 1);
  });

  test(`${name}: unknown members of all records are in the body`, () => {
    /** @type {any} */
    const order = discountedOrderOf(1);
    Object.assign(order.Items[0], { GiftWrap: true });
    Object.assign(order.Taxes[0], { Region: 'north' });
    Object.assign(order.Discount, { Approved: true });
    Object.assign(order.Discount.InvoiceLevel[0], { Coupon: 'TEA' });
    assert.deepEqual(JSON.parse(prepare(order).body ?? ''), order);
  });
}

/** This package also reports warnings and notices. */
function errorsIn(issues) {
  return issues.filter(({ severity }) => severity === undefined || severity === 'error');
}

/** Calculates in whole thousandths and cents, which is exact for these orders. */
function exactTotals({ Items, Discount, Taxes }) {
  const lines = Items.map((item) => rounded(times(item.Quantity, 1000) * times(item.SellAtPricePerUnit, 100), 1000n));
  const subtotal = sum(lines);
  let net = subtotal;
  for (const { Value, ValueType } of Discount?.InvoiceLevel ?? []) {
    const amount = ValueType === 1 ? times(Value, 100) : rounded(net * times(Value, 10), 1000n);
    net = amount < net ? net - amount : 0n;
  }
  const tax = sum(
    Taxes ? Taxes.map(({ TaxAmount }) => times(TaxAmount, 100)) : lines.map((line) => rounded(line, 20n)),
  );
  return { subtotal: text(subtotal), discount: text(subtotal - net), tax: text(tax), total: text(net + tax) };
}

function times(number, factor) {
  return BigInt(Math.round(number * factor));
}

/** @param {bigint} units */
function rounded(units, divisor) {
  return (units + divisor / 2n) / divisor;
}

/** @param {bigint[]} values */
function sum(values) {
  return values.reduce((total, value) => total + value, 0n);
}

function text(units) {
  return `${units / 100n}.${String(units % 100n).padStart(2, '0')}`;
}
