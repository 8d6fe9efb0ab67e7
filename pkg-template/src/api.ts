/** The functions. The core computes; here they are named and described. */
import { answerOf, prepared, preparedWithTotals, previewed, verdictOf } from './answers.js';
import { encodeOptions, encodeOrder, encodeText } from './encode.js';
import { call, isCompiled, startAhead } from './loader.js';
import type {
  CoreSource,
  Guid,
  Issue,
  PreparedOrder,
  PreparedRequest,
  Preview,
  PreviewOptions,
  RuleOptions,
  SalesOrderInput,
  SalesOrderV2V3Put,
  Verdict,
  Version,
} from './types.js';

/**
 * An order id derived from a key of the caller's own (RFC 9562 version 5, D2): the same cart gives the same id, after a
 * crash and on another machine, so a retry can't create a second order.
 *
 * @param namespace A GUID of the integrator's own, any .NET form; keep it for good.
 * @param key What names the order there, a cart number for instance. Compared exactly; not empty.
 * @throws TypeError if the namespace is not a GUID, or one that RFC 9562 publishes (DNS, URL, OID, X500), and if the key is
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
  if (typeof key !== 'string' || key === '') throw new TypeError('deriveOrderId: the key is to be text, not empty');
  // UTF-8 has no form for half a pair: two such keys would give the same id.
  if (/[\ud800-\udfff]/u.test(key)) throw new TypeError('deriveOrderId: the key holds half of a surrogate pair');
  if (parseGuid(namespace) === null) throw new TypeError('deriveOrderId: the namespace must be a GUID');
  const id = call('deriveOrderId', namespace, key);
  if (id === '')
    throw new TypeError(
      'deriveOrderId: the namespace must be a GUID of your own: with one that RFC 9562 publishes, two shops would share their ids',
    );
  return id;
}

/**
 * GUID text in any .NET form (D, N, B, P), any case → the D form; null where it is no GUID or all zero (D1).
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
 * Path of the PUT, relative to the base URL and without a leading slash (§4, D38).
 *
 * @throws TypeError for another version and for an order id that is no GUID.
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
  if (path === '') throw new TypeError("requestPath: the version is to be 'v2' or 'v3', and the order id a GUID");
  return path;
}

/**
 * Makes an order to send: fills Id where missing, drops read-only members (D22), normalises GUIDs, then validates.
 *
 * @throws TypeError for a wrong option, CoreInitError, InternalError; never for a bad order.
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
  return verdictOf(call('buildOrder', encodeOrder(input), encodeOptions(options)));
}

/**
 * Validates an order as it stands: here a missing Id is an error, and read-only members are warned of.
 *
 * @param input An object, or JSON text.
 * @throws TypeError for a wrong option, CoreInitError, InternalError; never for a bad order.
 *
 * @example
 * ```js
 * import { validateOrder } from 'sales-order-intake';
 *
 * const verdict = validateOrder('{"CompanyId": 1000, "EntityId": 0}');
 * console.log(verdict.ok); // false
 * console.log(verdict.issues[0].code, verdict.issues[0].pointer); // integer_out_of_range /EntityId
 * ```
 */
export function validateOrder(input: unknown, options?: RuleOptions): Verdict {
  return verdictOf(call('validateOrder', encodeOrder(input), encodeOptions(options)));
}

/**
 * Totals before the order is sent: extended prices, discount, tax and total, and how far another way of rounding could
 * move the total. What can't be computed is null, and `issues` says why.
 *
 * @param input An object, or JSON text.
 * @throws TypeError for a wrong option, CoreInitError, InternalError; never for a bad order.
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
export function previewOrder(input: unknown, options?: PreviewOptions): Preview {
  return previewed(encodeOrder(input), encodeOptions(options));
}

/**
 * The whole PUT as a value: method, path, headers, body. The body is printed by the core, with the exact digits of
 * every decimal.
 *
 * @param input An object, or JSON text.
 * @throws OrderValidationError with all issues where the order has errors; TypeError for a wrong option, CoreInitError,
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
export function prepareRequest(input: unknown, options?: RuleOptions): PreparedRequest {
  return prepared(call('prepareRequest', encodeOrder(input), encodeOptions(options)));
}

/**
 * What {@link prepareRequest} and {@link previewOrder} say of an order, which is read and judged once: quicker than both,
 * and the totals that were shown are those of the order that is sent. An order that can't be sent does not throw here.
 *
 * @param input An object, or JSON text.
 * @param options Those of the preview and of the rules.
 * @throws TypeError for a wrong option, CoreInitError, InternalError; never for a bad order.
 *
 * @example
 * ```js
 * import { prepareOrder } from 'sales-order-intake';
 *
 * const prepared = prepareOrder({
 *   Id: '2a8f5d33-eec9-4864-8b49-5636577b40d5',
 *   CompanyId: 1000,
 *   EntityId: 2000,
 *   IntegratorId: '7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50',
 *   Items: [{ Name: 'Green tea', CatalogItemId: '0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff', Quantity: 2, SellAtPricePerUnit: 19.99 }],
 *   Taxes: [{ TaxId: '9c1d6f2e-7a34-4b58-8c0d-5e6f7a8b9c0d', TaxAmount: 2 }],
 * });
 * console.log(prepared.preview.total); // 41.98
 * if (prepared.ok) console.log(prepared.request.path); // v3/ServiceOrder(2a8f5d33-eec9-4864-8b49-5636577b40d5)
 * ```
 */
export function prepareOrder(input: unknown, options?: PreviewOptions): PreparedOrder {
  return preparedWithTotals(encodeOrder(input), encodeOptions(options));
}

/**
 * Reads the body of a response: names in any case, null as absent, extra members kept. Never throws for a bad body
 * (D26).
 *
 * @throws CoreInitError, InternalError.
 *
 * @example
 * ```js
 * import { readOrder } from 'sales-order-intake';
 *
 * const { order } = readOrder('{"companyId": 1000, "items": [{"quantity": 5.0}]}');
 * console.log(order.CompanyId, order.Items[0].Quantity); // 1000 5.0
 * console.log(readOrder('<html>').order); // null
 * ```
 */
export function readOrder(body: string): { order: SalesOrderV2V3Put | null; issues: Issue[] } {
  const { head, payload } = answerOf(call('readOrder', typeof body === 'string' ? encodeText(body) : ''));
  return { order: payload === undefined ? null : (JSON.parse(payload) as SalesOrderV2V3Put), issues: head.issues };
}

/**
 * Reads the body of an error response: problem+json, then `Message` and `ModelState`, `message`, `error_description`,
 * `error`, then text; of a page its title (D30). Never throws for a bad body.
 *
 * `detail` is the reason in the service's words and null where it gives none; the messages of `issues` are its words
 * too. Both may hold what the order holds, so they are not for logs (D45).
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
  const { head } = answerOf(call('readError', typeof body === 'string' ? encodeText(body) : ''));
  const { detail, issues } = head as unknown as ReturnType<typeof readError>;
  return { detail, issues };
}

/**
 * Starts the core ahead of the first call, without holding up the page. Needed in `sales-order-intake/slim`, and in
 * browsers that compile a module of this size only asynchronously; optional elsewhere.
 *
 * Once the core runs it does nothing, whatever the source. Calls while it starts share one start. After a failure it
 * can be called again.
 *
 * @param source The compiled core, its bytes, where to fetch it (a URL object), a response holding it, or a promise of
 * one of these. The default entry takes its own bytes where it is left out.
 * @throws CoreInitError (rejects) with `reason` and a message that says what to do.
 *
 * @example
 * ```js
 * import { init, ready } from 'sales-order-intake';
 *
 * await init();
 * console.log(ready()); // true
 * ```
 */
export function init(source?: CoreSource): Promise<void> {
  return startAhead(source);
}

/**
 * Whether the core is there, so that a call need not compile it.
 *
 * @example
 * ```js
 * import { init, ready } from 'sales-order-intake';
 *
 * if (!ready()) await init();
 * console.log(ready()); // true
 * ```
 */
export function ready(): boolean {
  return isCompiled();
}
