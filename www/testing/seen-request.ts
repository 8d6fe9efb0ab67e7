import { parseGuid } from 'sales-order-intake';
import type { Guid } from 'sales-order-intake';

/** A request that a test service has received, and its response. */
export interface SeenRequest {
  readonly method: string;
  /** Below the base URL. */
  readonly path: string;
  /** `null` if the path has none. */
  readonly orderId: Guid | null;
  /** `null` until the service has responded, and if the connection was lost. */
  status: number | null;
  /** The injected fault: one of `failNext` or `X-Fault`, or `down` if `setDown` is in effect. */
  fault: string | null;
}

const MAX = 200;

/** Adds a request to the list and returns it, so that its response can be added. */
export function recorded(requests: SeenRequest[], { method }: Request, path: string): SeenRequest {
  const orderId = parseGuid(/\(([^)]*)\)$/.exec(path)?.[1] ?? '');
  const seen: SeenRequest = { method, path, orderId, status: null, fault: null };
  requests.push(seen);
  if (requests.length > MAX) requests.shift();
  return seen;
}
