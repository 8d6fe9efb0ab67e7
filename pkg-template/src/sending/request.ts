import { parseGuid } from '../api.js';
import { madeRequest, requestOf, type OrderRequest } from '../core-response.js';
import { OrderValidationError } from '../errors.js';
import { encodeOptions, orderJson } from '../json.js';
import type { Guid, IdentifiedOrder, Issue, PreparedRequest, RuleOptions, Version } from '../types.js';

/**
 * A request of prepareRequest. It may be deeply readonly, and it may have been stored and read back without `headers` and
 * `issues`.
 */
export interface PreparedRequestInput {
  /** Always `PUT`. */
  readonly method: 'PUT';
  /** The version that the order was prepared for; it wins over that of the client. */
  readonly version: Version;
  /** The Id in the path and in the body. */
  readonly orderId: Guid;
  /** Relative to the base URL, without a leading slash (D38). */
  readonly path: string;
  /** JSON, sent as it is. */
  readonly body: string;
  /** Not needed: the client sends the same for each order (D39). */
  readonly headers?: Readonly<PreparedRequest['headers']> | undefined;
  /** Warnings and notices. */
  readonly issues?: readonly DeepReadonlyIssue[] | undefined;
  /** Never set: compilers distinguish a request from an order by it, and so name the misspelt member of an order. */
  readonly Id?: undefined;
}

type DeepReadonlyIssue = { readonly [Member in keyof Issue]: Readonly<Issue[Member]> };

export type { OrderRequest };

type Members = { [Name in keyof PreparedRequest | 'Id']?: unknown };
type Prepared = Members & { path: string; body: string };

/**
 * Returns the request to send. A prepared request is returned with the same path and body.
 *
 * @throws OrderValidationError if the order has errors or no Id; OptionError if an option is wrong.
 */
export function orderRequest(input: IdentifiedOrder | PreparedRequestInput, rules: RuleOptions): OrderRequest {
  const members = membersOf(input);
  if (!isPrepared(members)) return requestOf(orderJson(input), encodeOptions(rules));
  const hasRules = Object.keys(rules).some((name) => name !== 'version');
  return (hasRules ? undefined : madeRequest(input)) ?? checkPrepared(members, rules);
}

/** Returns company and location of an order. */
export function placeOf({ expected }: OrderRequest): { companyId: number; entityId: number } {
  const [, companyId, entityId] = expected.split(' ', 3).map(Number) as [number, number, number];
  return { companyId, entityId };
}

/** Returns the Id that a caller gave, or null if there is none that is valid. */
export function orderIdOf(input: unknown): Guid | null {
  const members = membersOf(input);
  return parseGuid((isPrepared(members) ? members.orderId : members.Id) as string);
}

/** Returns the order, or the body of a prepared request. */
export function contentsOf(input: unknown): unknown {
  const members = membersOf(input);
  return isPrepared(members) ? members.body : input;
}

/** Returns no members if a getter throws: the core reports such an order. */
function membersOf(input: unknown): Members {
  try {
    const { method, version, orderId, path, body, issues, Id } = Object(input) as Members;
    return { method, version, orderId, path, body, issues, Id };
  } catch {
    return {};
  }
}

function isPrepared(members: Members): members is Prepared {
  const { method, path, body } = members;
  return method === 'PUT' && typeof path === 'string' && typeof body === 'string';
}

/** Checks that version, orderId, path and the Id in the body agree (§4, D3), and the rules that the caller has passed. */
function checkPrepared({ version, path, body, issues, ...members }: Prepared, rules: RuleOptions): OrderRequest {
  const orderId = parseGuid(members.orderId as Guid);
  if (orderId === null || (version !== 'v2' && version !== 'v3')) throw idMismatch(orderId);
  // By default, what the options that it was prepared with may have permitted.
  const { orderId: expectedId = orderId, allowEmptyTaxes = true, records = 'passthrough' } = rules;
  const options = { ...rules, version, orderId: expectedId, allowEmptyTaxes, records };
  const request = requestOf(orderJson(body), encodeOptions(options));
  if (request.orderId !== orderId || request.path !== path) throw idMismatch(orderId);
  // It may come from JSON that a caller has stored without the issues.
  return { ...request, body, issues: Array.isArray(issues) ? issues : [] };
}

function idMismatch(orderId: Guid | null): OrderValidationError {
  const message = 'path of the prepared request must be the one of its version and orderId';
  return new OrderValidationError(orderId, [
    { code: 'order_id_mismatch', severity: 'error', message, pointer: '/Id', path: ['Id'], params: {} },
  ]);
}
