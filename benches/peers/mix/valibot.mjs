/** Stack C for the mix: valibot with loose objects, big.js, JSON.stringify. */
import * as v from 'valibot';
import { OPTIONS } from '../../mix.mjs';
import { Amount, item, order, tax } from '../valibot.mjs';
import { totals } from './big-totals.mjs';

const { amount, percent } = OPTIONS.discountValueTypes;

const Discount = v.looseObject({
  InvoiceLevel: v.optional(
    v.array(v.looseObject({ Name: v.optional(v.string()), Value: Amount, ValueType: v.picklist([amount, percent]) })),
  ),
});

const Order = v.looseObject({
  ...order,
  Items: v.pipe(v.array(v.looseObject(item)), v.minLength(1)),
  Discount: v.nullish(Discount),
  Taxes: v.nullish(v.array(v.looseObject(tax))),
});

/** Returns verdict, totals and body of an order. */
export function prepare(order) {
  const { success, output, issues } = v.safeParse(Order, order);
  if (!success) return { issues };
  return { issues: [], ...totals(output), body: JSON.stringify(output) };
}
