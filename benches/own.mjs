/** This package, doing the job of the peers. */
import { isOrderValidationError, prepareRequest, previewOrder } from '../pkg/dist/esm/index.js';

/** Verdict, totals and body of an order. */
export function prepare(order) {
  try {
    const { body, issues } = prepareRequest(order);
    // Of the text that is sent: the order is not written a second time.
    const { subtotal, tax, total } = previewOrder(body);
    return { issues, subtotal, tax: tax.total, total, body };
  } catch (error) {
    if (!isOrderValidationError(error)) throw error;
    return { issues: error.issues };
  }
}
