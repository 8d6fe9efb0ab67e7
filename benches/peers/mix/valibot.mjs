/** Stack E for the mix: valibot with loose objects, big.js, JSON.stringify. */
import * as v from 'valibot';
import { OPTIONS } from '../../mix.mjs';
import { amount, item, order, tax, text } from '../valibot.mjs';
import { totals } from './big-totals.mjs';

const entry = { Name: text, Value: amount, ValueType: v.picklist(Object.values(OPTIONS.discountValueTypes)) };

const Order = v.looseObject({
  ...order,
  Items: v.pipe(v.array(v.looseObject(item)), v.minLength(1)),
  Discount: v.nullish(v.looseObject({ InvoiceLevel: v.optional(v.array(v.looseObject(entry))) })),
  Taxes: v.nullish(v.array(v.looseObject(tax))),
});

/** Returns verdict, totals and body of an order. */
export function prepare(order) {
  const { success, output, issues } = v.safeParse(Order, order);
  if (!success) return { issues };
  return { issues: [], ...totals(output), body: JSON.stringify(output) };
}
