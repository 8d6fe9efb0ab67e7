import {
  OrderValidationError,
  type IdentifiedOrder,
  type Issue,
  type RuleOptions,
  type Version,
} from 'sales-order-intake';
import { orderJson } from '../pkg-template/src/json.js';
import { PLACEHOLDER_START } from '../pkg-template/src/resolve.js';
import {
  contentsOf,
  orderIdOf,
  orderRequest,
  placeOf,
  type PreparedRequestInput,
} from '../pkg-template/src/sending/request.js';
import { locationName } from './entry.js';
import { jsonOf } from './settlement.js';
import type { NewEntry } from './store.js';

/** What the outbox stores of an order that it accepts. */
interface AcceptedOrder {
  entry: Pick<NewEntry, 'orderId' | 'version' | 'body' | 'location' | 'path' | 'expected' | 'issues'> & {
    state: 'waiting' | 'invalid';
    reason: 'OrderValidationError' | null;
  };
  issues: Issue[];
  /** Null if the order is invalid. */
  place: { companyId: number; entityId: number } | null;
}

/**
 * Checks an order.
 *
 * @param keepsInvalid Whether an invalid order is accepted, too, if it has an Id and its JSON can be stored (D65).
 * @throws OrderValidationError if the order is invalid; OptionError if an option is wrong.
 */
export function acceptedOrder(
  order: IdentifiedOrder | PreparedRequestInput,
  rules: RuleOptions & { version: Version },
  keepsInvalid: boolean,
): AcceptedOrder {
  try {
    const request = orderRequest(order, rules);
    const { orderId, version, body, path, expected, issues } = request;
    const place = placeOf(request);
    const location = locationName(place.companyId, place.entityId);
    const sent = { orderId, version, body, location, path, expected, issues: null };
    return { entry: { ...sent, state: 'waiting', reason: null }, issues, place };
  } catch (error) {
    const kept = keepsInvalid && error instanceof OrderValidationError && invalidOrder(order, rules.version, error);
    if (!kept) throw error;
    return kept;
  }
}

/** Returns null if the order can't be stored. */
function invalidOrder(
  order: unknown,
  version: Version,
  { orderId, issues }: OrderValidationError,
): AcceptedOrder | null {
  const body = orderJson(contentsOf(order));
  const members = body.includes(PLACEHOLDER_START) ? null : membersOf(body);
  // The parts of a prepared request must agree about the Id.
  if (orderId === null || orderIdOf(order) !== orderId || !members) return null;
  const location = locationName(idOf(members.CompanyId), idOf(members.EntityId));
  const entry = { orderId, version, body, location, path: null, expected: null, issues: jsonOf(issues) };
  return { entry: { ...entry, state: 'invalid', reason: 'OrderValidationError' }, issues, place: null };
}

function membersOf(json: string): { CompanyId?: unknown; EntityId?: unknown } | null {
  try {
    return JSON.parse(json) as object | null;
  } catch {
    return null;
  }
}

function idOf(value: unknown): number | null {
  return Number.isSafeInteger(value) ? (value as number) : null;
}
