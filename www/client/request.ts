import {
  OrderValidationError,
  parseGuid,
  prepareRequest,
  requestPath,
  validateOrder,
  type PreparedRequest,
  type RuleOptions,
  type SalesOrderInput,
} from 'sales-order-intake';

/**
 * The request to send. One that was prepared before stays as it is, byte for byte.
 *
 * @throws OrderValidationError; TypeError for a wrong option.
 */
export function requestOf(input: SalesOrderInput | PreparedRequest, rules: RuleOptions): PreparedRequest {
  if (!isPrepared(input)) return prepareRequest(input, rules);
  checkIds(input);
  return { ...input, orderId: parseGuid(input.orderId) ?? input.orderId };
}

function isPrepared(input: SalesOrderInput | PreparedRequest): input is PreparedRequest {
  if (typeof input !== 'object' || input === null) return false;
  const { method, path, body } = input as Partial<PreparedRequest>;
  return method === 'PUT' && typeof path === 'string' && typeof body === 'string';
}

/** Path, orderId and the Id in the body must agree (§4, D3). */
function checkIds({ version, orderId, path, body }: PreparedRequest): void {
  if (path !== requestPath(version, orderId)) {
    const message = 'The path of the prepared request is not that of its version and orderId.';
    throw new OrderValidationError([{ code: 'order_id_mismatch', severity: 'error', message, pointer: '/Id', path: ['Id'] }]);
  }
  // What options permit was decided when it was prepared; what none permits is refused here as well.
  const verdict = validateOrder(body, { version, orderId, allowEmptyTaxes: true, records: 'passthrough' });
  if (!verdict.ok) throw new OrderValidationError(verdict.issues);
}
