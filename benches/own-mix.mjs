/** This package, with the same job as the peers for the mix. */
import { evaluateOrder } from '#package';
import { OPTIONS } from './mix.mjs';

/** Returns verdict, totals and body of an order of the mix. */
export function prepare(order) {
  const { ok, issues, totals, request } = evaluateOrder(order, OPTIONS);
  if (!ok) return { issues };
  const { subtotal, discount, tax, total } = totals;
  return { issues, subtotal, discount: discount.total, tax: tax.total, total, body: request().body };
}
