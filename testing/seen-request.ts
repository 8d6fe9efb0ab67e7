import { parseGuid } from 'sales-order-intake';
import type { Guid } from 'sales-order-intake';

/** A request that a reference service has received, and its response. */
export interface SeenRequest {
  /** `PUT`, for example. */
  readonly method: string;
  /** The complete URL, with its query. */
  readonly url: string;
  /** The path below the base URL, beginning with a slash. */
  readonly path: string;
  /** The id in the path; null if it has none. */
  readonly orderId: Guid | null;
  /** The headers, by name in lower case. The token in Authorization is replaced by `***`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body; null if the request has none, and until it is read. Personal data. */
  readonly body: string | null;
  /** The status of the response; null until the service has responded, and if the connection was lost. */
  readonly status: number | null;
  /** The injected fault: one of `failNext` or `X-Fault`, or `down` while `setDown` is in effect; null if there was none. */
  readonly fault: string | null;
}

/** A request whose body and response are still to be recorded. */
export type OpenRequest = { -readonly [Member in keyof SeenRequest]: SeenRequest[Member] };

const MAX = 200;

/** Adds a request to the list and returns it, so that its body and response can be added. */
export function recorded(requests: OpenRequest[], { method, url, headers }: Request, path: string): OpenRequest {
  const orderId = parseGuid(/\(([^)]*)\)$/.exec(path)?.[1] ?? '');
  const shown = { ...Object.fromEntries(headers), ...redacted(headers.get('Authorization')) };
  const seen: OpenRequest = { method, url, path, orderId, headers: shown, body: null, status: null, fault: null };
  requests.push(seen);
  if (requests.length > MAX) requests.shift();
  return seen;
}

/** Returns the header with its scheme only. A value without a scheme may be a token. */
function redacted(authorization: string | null): { authorization?: string } {
  if (authorization === null) return {};
  const scheme = /^(bearer|basic) /i.exec(authorization)?.[0] ?? '';
  return { authorization: `${scheme}***` };
}
