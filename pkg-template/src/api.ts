/** The functions of the package. The core computes; here they are named and described. */
import { prepare, preview, receivedOf, verdictOf } from './core-response.js';
import { encodeOptions, encodeText, orderJson } from './json.js';
import { evaluate } from './evaluation.js';
import { call, callFates } from './loader.js';
import type {
  CartEvaluation,
  Evaluation,
  Guid,
  IdentifiedOrder,
  Issue,
  PreparedRequest,
  Preview,
  PreviewOptions,
  ReceivedOrder,
  RuleOptions,
  SalesOrderInput,
  Verdict,
  Version,
} from './types.js';

/**
 * Derives an order Id from the caller's own key (RFC 9562 version 5, D2): the same cart gets the same Id, after a crash and
 * on another machine, so the service can recognise a retry.
 *
 * @param namespace A GUID that belongs to the integrator, in any .NET form; never change it.
 * @param key Identifies the order in that namespace, for example a cart number. Compared exactly; not empty.
 * @throws TypeError if the namespace is not a GUID, or one that RFC 9562 publishes (DNS, URL, OID, X500), or if the key is
 * empty or has a lone surrogate.
 *
 * @example
 * ```js
 * import { deriveOrderId } from 'sales-order-intake';
 *
 * const id = deriveOrderId('51f3a7c2-0d4e-4b6f-9a18-7c2d3e4f5a6b', 'cart-1042');
 * console.log(id === deriveOrderId('51F3A7C20D4E4B6F9A187C2D3E4F5A6B', 'cart-1042')); // true
 * ```
 */
export function deriveOrderId(namespace: string, key: string): Guid {
  if (typeof key !== 'string' || key === '')
    throw new TypeError('deriveOrderId: the key must be a string that is not empty');
  // UTF-8 cannot represent one: two such keys would give the same id.
  if (/[\ud800-\udfff]/u.test(key)) throw new TypeError('deriveOrderId: the key has a lone surrogate');
  const id = typeof namespace === 'string' ? call('deriveOrderId', namespace, key) : '';
  if (id !== '') return id;
  if (parseGuid(namespace) === null) throw new TypeError('deriveOrderId: the namespace must be a GUID');
  throw new TypeError(
    'deriveOrderId: the namespace must be a GUID of your own: with one that RFC 9562 publishes, two shops would share their ids',
  );
}

/**
 * Parses a GUID in any .NET form (D, N, B, P) and any case, and returns its D form. Returns null if the string is not a
 * GUID, or the GUID is all zero (D1).
 *
 * @example
 * ```js
 * import { parseGuid } from 'sales-order-intake';
 *
 * console.log(parseGuid('{2A8F5D33-EEC9-4864-8B49-5636577B40D5}')); // 2a8f5d33-eec9-4864-8b49-5636577b40d5
 * console.log(parseGuid('order 7')); // null
 * ```
 */
export function parseGuid(text: string): Guid | null {
  return (typeof text === 'string' && call('parseGuid', text)) || null;
}

/**
 * Returns the path of the PUT, relative to the base URL and without a leading slash (§4, D38).
 *
 * @throws TypeError for another version, and for an order Id that is not a GUID.
 *
 * @example
 * ```js
 * import { requestPath } from 'sales-order-intake';
 *
 * console.log(requestPath('v3', '2A8F5D33EEC948648B495636577B40D5')); // v3/ServiceOrder(2a8f5d33-eec9-4864-8b49-5636577b40d5)
 * ```
 */
export function requestPath(version: Version, orderId: string): string {
  const path = typeof version === 'string' && typeof orderId === 'string' ? call('requestPath', version, orderId) : '';
  if (path === '') throw new TypeError("requestPath: the version must be 'v2' or 'v3', and the order Id a GUID");
  return path;
}

/**
 * Makes an order that can be sent: generates a missing Id, drops read-only members (D22), normalises GUIDs, then
 * validates. Store the order before you send it: another call makes another Id, and so another order.
 *
 * @throws OptionError for a wrong option, CoreInitError, InternalError; never for a bad order.
 *
 * @example
 * ```js
 * import { buildOrder } from 'sales-order-intake';
 *
 * const verdict = buildOrder({
 *   CompanyId: 1000,
 *   EntityId: 2000,
 *   IntegratorId: '{7B2E3C0A-5D41-4E63-9A0F-1C8D2B3E4F50}',
 *   Items: [{ Name: 'Green tea', CatalogItemId: '0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff', Quantity: 2, SellAtPricePerUnit: 19.99 }],
 * });
 * console.log(verdict.ok && verdict.order.IntegratorId); // 7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50
 * console.log(verdict.ok && verdict.order.Items[0].SellAtPricePerUnit); // 19.99
 * ```
 */
export function buildOrder(input: SalesOrderInput, options?: RuleOptions): Verdict {
  const json = encodeOptions(options);
  return verdictOf(call('buildOrder', orderJson(input), json));
}

/**
 * Validates an order as it is: a missing Id is an error, and read-only members are reported.
 *
 * @param input An object, or JSON.
 * @throws OptionError for a wrong option, CoreInitError, InternalError; never for a bad order.
 *
 * @example
 * ```js
 * import { validateOrder } from 'sales-order-intake';
 *
 * const verdict = validateOrder('{"Id": "2a8f5d33-eec9-4864-8b49-5636577b40d5", "CompanyId": 0}');
 * console.log(verdict.ok); // false
 * console.log(verdict.issues[0].code, verdict.issues[0].pointer); // integer_out_of_range /CompanyId
 * ```
 */
export function validateOrder(input: SalesOrderInput | string, options?: RuleOptions): Verdict {
  const json = encodeOptions(options);
  return verdictOf(call('validateOrder', orderJson(input), json));
}

/**
 * Calculates the totals before the order is sent: extended prices, discount, tax and total, and the range of the total
 * over all rounding modes and levels. An amount that can't be computed is null, and `issues` says why. A missing Id is not an issue.
 *
 * @param input An object, or JSON.
 * @throws OptionError for a wrong option, CoreInitError, InternalError; never for a bad order.
 *
 * @example
 * ```js
 * import { previewOrder } from 'sales-order-intake';
 *
 * const order = {
 *   CompanyId: 1000,
 *   EntityId: 2000,
 *   IntegratorId: '7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50',
 *   Items: [{ Name: 'Green tea, loose', CatalogItemId: '0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff', Quantity: 2.345, SellAtPricePerUnit: '12.50' }],
 * };
 * const preview = previewOrder(order, { taxRates: [{ id: 'gst', rate: 0.05 }] });
 * console.log(preview.subtotal, preview.tax.total, preview.total); // 29.31 1.47 30.78
 * console.log(previewOrder(order).total); // null
 * ```
 */
export function previewOrder(input: SalesOrderInput | string, options?: PreviewOptions): Preview {
  const json = encodeOptions(options);
  return preview(orderJson(input), json);
}

/**
 * Prepares the whole PUT as a value: method, path, headers, body. The body has the exact digits of every decimal. The order
 * needs an Id: one made here would be lost, and preparing the order again would duplicate it (D3).
 *
 * @param input An object, or JSON.
 * @throws OrderValidationError with all issues if the order has errors, OptionError for a wrong option, CoreInitError,
 * InternalError.
 *
 * @example
 * ```js
 * import { prepareRequest } from 'sales-order-intake';
 *
 * const request = prepareRequest({
 *   Id: '2a8f5d33-eec9-4864-8b49-5636577b40d5',
 *   CompanyId: 1000,
 *   EntityId: 2000,
 *   IntegratorId: '7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50',
 *   Items: [{ Name: 'Green tea', CatalogItemId: '0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff', Quantity: 2, SellAtPricePerUnit: 19.99 }],
 * });
 * console.log(request.method, request.path); // PUT v3/ServiceOrder(2a8f5d33-eec9-4864-8b49-5636577b40d5)
 * console.log(request.body.includes('"SellAtPricePerUnit":19.99')); // true
 * ```
 */
export function prepareRequest(input: IdentifiedOrder | string, options?: RuleOptions): PreparedRequest {
  const json = encodeOptions(options);
  return prepare(orderJson(input), json);
}

/**
 * Evaluates a cart that may have no Id yet: a missing Id is not an issue. While it is missing, `order()` returns null and
 * `request()` throws.
 *
 * @param input An object, or JSON.
 * @param options The options of the rules and of the totals.
 * @throws OptionError for a wrong option, CoreInitError, InternalError; never for a bad order.
 *
 * @example
 * ```js
 * import { evaluateOrder } from 'sales-order-intake';
 *
 * const cart = {
 *   CompanyId: 1000,
 *   EntityId: 2000,
 *   IntegratorId: '7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50',
 *   Items: [{ Name: 'Green tea', CatalogItemId: '0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff', Quantity: 2, SellAtPricePerUnit: 19.99 }],
 * };
 * const evaluation = evaluateOrder(cart, { id: 'optional' });
 * console.log(evaluation.ok, evaluation.totals.subtotal, evaluation.order()); // true 39.98 null
 * ```
 */
export function evaluateOrder(
  input: SalesOrderInput | string,
  options: PreviewOptions & { id: 'optional' },
): CartEvaluation;
/**
 * Evaluates an order: returns verdict, totals and request, and reads and checks the order only once. `ok` covers all three.
 * A missing Id is an error, because the request needs one. For a cart without an Id, pass `{ id: 'optional' }`. An order
 * with errors does not throw.
 *
 * @param input An object, or JSON.
 * @param options The options of the rules and of the totals.
 * @throws OptionError for a wrong option, CoreInitError, InternalError; never for a bad order.
 *
 * @example
 * ```js
 * import { evaluateOrder } from 'sales-order-intake';
 *
 * const evaluation = evaluateOrder({
 *   Id: '2a8f5d33-eec9-4864-8b49-5636577b40d5',
 *   CompanyId: 1000,
 *   EntityId: 2000,
 *   IntegratorId: '7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50',
 *   Items: [{ Name: 'Green tea', CatalogItemId: '0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff', Quantity: 2, SellAtPricePerUnit: 19.99 }],
 *   Taxes: [{ TaxId: '9c1d6f2e-7a34-4b58-8c0d-5e6f7a8b9c0d', TaxAmount: 2 }],
 * });
 * console.log(evaluation.totals.total); // 41.98
 * if (evaluation.ok) console.log(evaluation.request().path); // v3/ServiceOrder(2a8f5d33-eec9-4864-8b49-5636577b40d5)
 * ```
 */
export function evaluateOrder(input: SalesOrderInput | string, options?: PreviewOptions): Evaluation;
export function evaluateOrder(input: SalesOrderInput | string, options?: PreviewOptions): Evaluation | CartEvaluation {
  const json = encodeOptions(options);
  return evaluate(orderJson(input), json);
}

/**
 * Reads an order from the body of a response: names in any case, null as absent, unknown members preserved. Never throws for
 * a bad body (D26): `order` is null, and an issue says whether the body is empty, not an order, or above 32 MiB.
 *
 * @throws CoreInitError, InternalError.
 *
 * @example
 * ```js
 * import { readOrder } from 'sales-order-intake';
 *
 * const { order } = readOrder('{"companyId": 1000, "items": [{"quantity": 5.0}]}');
 * console.log(order?.CompanyId, order?.Items?.[0]?.Quantity); // 1000 5.0
 * console.log(readOrder('<html>').order); // null
 * ```
 */
export function readOrder(body: string): { order: ReceivedOrder | null; issues: Issue[] } {
  return receivedOf(callFates('readOrder', typeof body === 'string' ? encodeText(body) : ''));
}

/**
 * Reads the body of an error response: problem+json, then `Message` and `ModelState`, `message`, `error_description`,
 * `error`, then text, the title of an HTML page (D30). Never throws for a bad body.
 *
 * `detail` is the reason as the service worded it, null if it gives none; the messages of `issues` come from the service
 * too. Both may repeat values of the order, so keep them out of logs (D45).
 *
 * @throws CoreInitError, InternalError.
 *
 * @example
 * ```js
 * import { readError } from 'sales-order-intake';
 *
 * const { detail, issues } = readError('{"Message":"Invalid.","ModelState":{"order.Items[0].Quantity":["too small"]}}');
 * console.log(detail, issues[0].code, issues[0].pointer); // Invalid. rejected_by_service /Items/0/Quantity
 * ```
 */
export function readError(body: string): { detail: string | null; issues: Issue[] } {
  return JSON.parse(callFates('readError', typeof body === 'string' ? encodeText(body) : ''));
}
