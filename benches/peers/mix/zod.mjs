/** Stack A for the mix: zod with loose objects, decimal.js, JSON.stringify. And the same with a compiled schema. */
import * as z from 'zod';
import { OPTIONS } from '../../mix.mjs';
import { Amount, item, order, tax } from '../zod.mjs';
import { totals } from './decimal-totals.mjs';

const { amount, percent } = OPTIONS.discountValueTypes;

const Discount = z.looseObject({
  InvoiceLevel: z
    .array(z.looseObject({ Name: z.string().optional(), Value: Amount, ValueType: z.literal([amount, percent]) }))
    .optional(),
});

const Order = z.looseObject({
  ...order,
  Items: z.array(z.looseObject(item)).min(1),
  Discount: Discount.nullish(),
  Taxes: z.array(z.looseObject(tax)).nullish(),
});

const Compiled = z.compile(Order, { strict: true });

/** Returns verdict, totals and body of an order. */
export function prepare(order) {
  const { success, data, error } = Order.safeParse(order);
  if (!success) return { issues: error.issues };
  return { issues: [], ...totals(data), body: JSON.stringify(data) };
}

/** Does the same with the compiled schema. */
export function prepareCompiled(order) {
  const { success, data, error } = Compiled.safeParse(order);
  if (!success) return { issues: error.issues };
  return { issues: [], ...totals(data), body: JSON.stringify(data) };
}
