/** Evaluates an order again and again, with the same options. */
import { checkOptions } from './core-response.js';
import { evaluate } from './evaluation.js';
import { encodeOptions, orderJson } from './json.js';
import type { CartEvaluation, Evaluation, PreviewOptions, SalesOrderInput } from './types.js';

/**
 * Creates an evaluator for a cart that may have no Id yet: a missing Id is not an issue. While it is missing, `order()` returns null
 * and `request()` throws. Otherwise it works like the evaluator of orders that have an Id.
 *
 * @param options The options of every evaluation.
 * @throws OptionError for a wrong option, at once. CoreInitError, InternalError.
 *
 * @example
 * ```js
 * import { createEvaluator } from 'sales-order-intake';
 *
 * const evaluate = createEvaluator({ id: 'optional' });
 * const tea = { Name: 'Green tea', CatalogItemId: '0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff', Quantity: 2, SellAtPricePerUnit: 19.99 };
 * const cart = { CompanyId: 1000, EntityId: 2000, IntegratorId: '7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50', Items: [tea] };
 * console.log(evaluate(cart).ok, evaluate(cart).order()); // true null
 * ```
 */
export function createEvaluator(
  options: PreviewOptions & { id: 'optional' },
): (input: SalesOrderInput) => CartEvaluation;
/**
 * Creates a function that evaluates an order as {@link evaluateOrder} does, with options that are checked once, here: for an order
 * that is being edited. Each call evaluates the whole order as it is, so it may also be changed in place.
 *
 * @param options The options of every evaluation.
 * @throws OptionError for a wrong option, at once. CoreInitError, InternalError.
 *
 * @example
 * ```js
 * import { createEvaluator } from 'sales-order-intake';
 *
 * const evaluate = createEvaluator();
 * const tea = { Name: 'Green tea', CatalogItemId: '0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff', Quantity: 2, SellAtPricePerUnit: 19.99 };
 * const cart = { CompanyId: 1000, EntityId: 2000, IntegratorId: '7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50', Items: [tea] };
 * console.log(evaluate(cart).totals.subtotal); // 39.98
 *
 * tea.Quantity = 3;
 * console.log(evaluate(cart).totals.subtotal); // 59.97
 * ```
 */
export function createEvaluator(options?: PreviewOptions): (input: SalesOrderInput) => Evaluation;
export function createEvaluator(options?: PreviewOptions): (input: SalesOrderInput) => Evaluation | CartEvaluation {
  const json = encodeOptions(options);
  checkOptions(json);
  return (input) => evaluate(orderJson(input), json);
}
