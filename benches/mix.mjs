/**
 * The realistic mix of P1b, a third each: a plain cart, a cart with discounts, and a cart with what shops add to an
 * order.
 */
import { orderOf } from './orders.mjs';

export const MIX_SIZES = [1, 3, 10, 100];

/** The options of every order of the mix. A shop has them once, for all its orders. */
export const OPTIONS = {
  discountValueTypes: { amount: 1, percent: 2 },
  taxRates: [{ id: 'gst', rate: 0.05 }],
};

/** Returns one order of each kind. Each number gives different orders. */
export function mixOf(lines, number = 0) {
  return [orderOf, discountedOrderOf, ownOrderOf].map((make, kind) => make(lines, 3 * number + kind));
}

/** Returns an order with an amount and a percentage off, and with supplied taxes. */
export function discountedOrderOf(lines, number = 0) {
  const InvoiceLevel = [
    { Name: 'Welcome', Value: 1.5, ValueType: OPTIONS.discountValueTypes.amount },
    { Name: `Autumn ${number}`, Value: 12.5, ValueType: OPTIONS.discountValueTypes.percent },
  ];
  return { ...orderOf(lines, number), Discount: { InvoiceLevel } };
}

/** Returns an order of a known customer, with a note that needs escapes, two unknown members and taxes to be estimated. */
export function ownOrderOf(lines, number = 0) {
  const { Taxes: _, ...order } = orderOf(lines, number);
  return {
    ...order,
    CustomerId: '5d0c7a4e-91b2-4f3a-8c6d-2e1f0a9b8c7d',
    Notes: `Ring at "Café Zoë", ${number}`,
    SalesChannel: 'web',
    Campaign: { Code: `AUTUMN-${number}`, Medium: 'newsletter' },
  };
}
