/** This package, doing the job of the peers. */
import { prepareOrder } from '../pkg/dist/esm/index.js';

/** Verdict, totals and body of an order. */
export function prepare(order) {
  const { ok, issues, preview, request } = prepareOrder(order);
  if (!ok) return { issues };
  const { subtotal, tax, total } = preview;
  return { issues, subtotal, tax: tax.total, total, body: request.body };
}
