import { readOrder } from 'sales-order-intake';
import type { CompleteResponse } from './exchange.js';
import type { OrderRequest } from './request.js';
import type { CreatedOrder } from './results.js';

/** Reads a 2xx response. Returns null if it has an order of another Id. */
export function readCreated(
  { status, body, response }: CompleteResponse,
  request: OrderRequest,
  url: string,
): Pick<CreatedOrder, 'order' | 'issues' | 'delivery'> | null {
  const delivery = status === 202 ? locationOf(response, url) : null;
  const { order, issues } = readOrder(body);
  const isSame = order?.Id === request.orderId;
  // A relay may respond with its delivery instead of the order.
  if (delivery && !isSame) return { order: null, issues: request.issues, delivery };
  if (order?.Id && !isSame) return null;
  return { order, issues: [...request.issues, ...issues], delivery };
}

function locationOf({ headers, url }: Response, requestUrl: string): URL | null {
  const location = headers.get('location');
  try {
    return location === null ? null : new URL(location, url || requestUrl);
  } catch {
    return null;
  }
}
