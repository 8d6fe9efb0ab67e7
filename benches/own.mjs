/** This package, with the same job as the peers. */
import { evaluateOrder } from '#package';

/** Returns verdict, totals and body of an order. */
export function prepare(order) {
  const { ok, issues, totals, request } = evaluateOrder(order);
  if (!ok) return { issues };
  const { subtotal, tax, total } = totals;
  return { issues, subtotal, tax: tax.total, total, body: request().body };
}
