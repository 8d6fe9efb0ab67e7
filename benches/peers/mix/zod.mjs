/** Stack A for the mix: zod with loose objects, decimal.js, JSON.stringify. */
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

export const Order = z.looseObject({
  ...order,
  Items: z.array(z.looseObject(item)).min(1),
  Discount: Discount.nullish(),
  Taxes: z.array(z.looseObject(tax)).nullish(),
});

/** Returns verdict, totals and body of an order. */
export function prepare(order) {
  const { success, data, error } = Order.safeParse(order);
  if (!success) return { issues: error.issues };
  return { issues: [], ...totals(data), body: JSON.stringify(data) };
}
