/** This package, doing the job of the peers. */
import { evaluateOrder } from '../pkg/dist/esm/index.js';

/** Verdict, totals and body of an order. */
export function prepare(order) {
  const evaluation = evaluateOrder(order);
  const { ok, issues, totals } = evaluation;
  if (!ok) return { issues };
  return {
    issues,
    subtotal: totals.subtotal,
    tax: totals.tax.total,
    total: totals.total,
    body: evaluation.request().body,
  };
}
