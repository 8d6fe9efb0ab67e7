import { readOrder } from 'sales-order-intake';
import type { CompleteResponse } from './exchange.js';
import type { OrderRequest } from '../sending/request.js';
import type { CreatedOrder } from './results.js';

/** The statuses that prove creation without a body. */
const PROOF_WITHOUT_BODY = [201, 204];

/** What a 2xx response proves. */
export type Proof = Pick<CreatedOrder, 'order' | 'issues' | 'delivery'>;

/**
 * Reads a 2xx response. It proves that the order was created if it has the order with its Id, or is a 201 or 204 without a
 * body; a 202 with a Location proves that a relay has accepted it (D26). Returns what came instead, for an error message, if it
 * proves neither.
 */
export function readCreated(
  { status, body, response, url, mediaType }: CompleteResponse,
  request: OrderRequest,
  acceptEmptyBody: boolean,
): Proof | string {
  const delivery = status === 202 ? locationOf(response, url) : null;
  const { order, issues } = readOrder(body);
  if (order?.Id === request.orderId) return { order, issues: [...request.issues, ...issues], delivery };
  if (delivery) return { order: null, issues: request.issues, delivery };
  if (body.trim() === '') {
    if (!acceptEmptyBody && !PROOF_WITHOUT_BODY.includes(status)) return 'an empty body';
    return { order: null, issues: [...request.issues, ...issues], delivery };
  }
  if (order?.Id) return 'an order with another Id';
  return order ? 'JSON that is not the order' : (mediaType ?? 'a body without a media type');
}

function locationOf({ headers }: Response, requestUrl: string): URL | null {
  const location = headers.get('location');
  try {
    return location === null ? null : new URL(location, requestUrl);
  } catch {
    return null;
  }
}
