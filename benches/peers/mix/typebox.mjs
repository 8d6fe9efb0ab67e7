/** Stack D for the mix: TypeBox, which leaves unknown members as they are, integer cents, JSON.stringify. */
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { OPTIONS } from '../../mix.mjs';
import { totals } from '../cents.mjs';
import { amount, order } from '../typebox.mjs';

const entry = Type.Object({
  Name: Type.Optional(Type.String()),
  Value: amount,
  ValueType: Type.Enum(Object.values(OPTIONS.discountValueTypes)),
});

const Order = Compile(
  Type.Object({
    ...order,
    Discount: Type.Optional(Type.Object({ InvoiceLevel: Type.Optional(Type.Array(entry)) })),
  }),
);

/** Returns verdict, totals and body of an order. */
export function prepare(order) {
  if (!Order.Check(order)) return { issues: Order.Errors(order) };
  return { issues: [], ...totals(order, OPTIONS), body: JSON.stringify(order) };
}
