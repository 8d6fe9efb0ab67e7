/**
 * Checks, previews and prepares sales orders. Nothing is sent.
 *
 * {@link evaluateOrder} does all of it for one order, and {@link createEvaluator} for one that is edited. {@link validateOrder},
 * {@link previewOrder} and {@link prepareRequest} return a part of that; only {@link buildOrder} makes an Id. {@link compareAmounts} and {@link sumAmounts} compute with amounts.
 *
 * Numbers in parentheses, such as (D18) or (§2.1), refer to DECISIONS.md in this package.
 *
 * @module
 */
export type { DecimalNotation } from './amounts.js';
export { compareAmounts, readDecimal, sumAmounts } from './amounts.js';
export {
  buildOrder,
  deriveOrderId,
  evaluateOrder,
  parseGuid,
  prepareRequest,
  previewOrder,
  readError,
  readOrder,
  requestPath,
  validateOrder,
} from './api.js';
export { docUrl } from './doc-url.js';
export type { CoreInitReason } from './errors.js';
export { CoreInitError, InternalError, OptionError, OrderValidationError } from './errors.js';
export { createEvaluator } from './evaluator.js';
export { init, isReady } from './loader.js';
export { newOrderId } from './new-order-id.js';
export type { SalesOrderSchema } from './schema.js';
export { salesOrderSchema } from './schema.js';
export type * from './types.js';
