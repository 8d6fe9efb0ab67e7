import {
  OrderValidationError,
  parseGuid,
  prepareRequest,
  requestPath,
  validateOrder,
  type PreparedRequest,
  type RuleOptions,
} from 'sales-order-intake';
import type { IdentifiedOrder } from './types.js';

/**
 * Returns the request to send. A prepared request is returned with the same path and body.
 *
 * @throws OrderValidationError if the order has errors or no Id; TypeError if an option is wrong.
 */
export function requestOf(input: IdentifiedOrder | PreparedRequest, rules: RuleOptions): PreparedRequest {
  if (isPrepared(input)) return checkPrepared(input);
  // An Id that is made here would be lost when the caller calls again, and the order doubled (D3).
  if (((input as Partial<IdentifiedOrder> | null)?.Id ?? null) === null) checkOrder(input, rules);
  return prepareRequest(input, rules);
}

/** Returns the Id that a caller gave, or null if there is none that is valid. */
export function orderIdOf(input: IdentifiedOrder | PreparedRequest): string | null {
  const { orderId, Id } = (input ?? {}) as Partial<PreparedRequest & IdentifiedOrder>;
  return parseGuid((isPrepared(input) ? orderId : Id) as string);
}

function isPrepared(input: IdentifiedOrder | PreparedRequest): input is PreparedRequest {
  if (typeof input !== 'object' || input === null) return false;
  const { method, path, body } = input as Partial<PreparedRequest>;
  return method === 'PUT' && typeof path === 'string' && typeof body === 'string';
}

/** Checks that version, orderId, path and the Id in the body agree (§4, D3). */
function checkPrepared(request: PreparedRequest): PreparedRequest {
  const { version, path, body, issues } = request;
  const orderId = parseGuid(request.orderId);
  if (orderId === null || !['v2', 'v3'].includes(version) || path !== requestPath(version, orderId)) {
    const message = 'path of the prepared request must be the one of its version and orderId';
    throw new OrderValidationError([{ code: 'order_id_mismatch', severity: 'error', message, pointer: '/Id', path: ['Id'] }]);
  }
  // The options that it was prepared with may have permitted these.
  checkOrder(body, { version, orderId, allowEmptyTaxes: true, records: 'passthrough' });
  // It may come from JSON that a caller has stored without the issues.
  return { ...request, orderId, issues: Array.isArray(issues) ? issues : [] };
}

function checkOrder(order: unknown, rules: RuleOptions): void {
  const verdict = validateOrder(order as IdentifiedOrder, rules);
  if (!verdict.ok) throw new OrderValidationError(verdict.issues);
}
