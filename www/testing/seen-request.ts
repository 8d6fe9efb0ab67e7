import { parseGuid } from 'sales-order-intake';
import type { Guid } from 'sales-order-intake';

/** A request that a test service has received, and its response. */
export interface SeenRequest {
  readonly method: string;
  /** Complete, with the query. */
  readonly url: string;
  /** Below the base URL. */
  readonly path: string;
  /** `null` if the path has none. */
  readonly orderId: Guid | null;
  /** By name in lower case. The token in Authorization is replaced by `***`. */
  readonly headers: Readonly<Record<string, string>>;
  /** `null` if the request has none, and until it is read. */
  body: string | null;
  /** `null` until the service has responded, and if the connection was lost. */
  status: number | null;
  /** The injected fault: one of `failNext` or `X-Fault`, or `down` if `setDown` is in effect. */
  fault: string | null;
}

const MAX = 200;

/** Adds a request to the list and returns it, so that its body and response can be added. */
export function recorded(requests: SeenRequest[], { method, url, headers }: Request, path: string): SeenRequest {
  const orderId = parseGuid(/\(([^)]*)\)$/.exec(path)?.[1] ?? '');
  const shown = { ...Object.fromEntries(headers), ...redacted(headers.get('Authorization')) };
  const seen: SeenRequest = { method, url, path, orderId, headers: shown, body: null, status: null, fault: null };
  requests.push(seen);
  if (requests.length > MAX) requests.shift();
  return seen;
}

/** Returns the header with its scheme; what has no scheme may be a token. */
function redacted(authorization: string | null): { authorization?: string } {
  if (authorization === null) return {};
  const scheme = /^(bearer|basic) /i.exec(authorization)?.[0] ?? '';
  return { authorization: `${scheme}***` };
}
