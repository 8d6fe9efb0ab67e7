/** Handles `PUT {base}/v2/ServiceOrder({orderId})` and v3 (§4). Checks path, method, token, media, size and order, in this order. */
import { parseGuid } from 'sales-order-intake';
import type { Guid, Version } from 'sales-order-intake';
import { isOrderMedia, preferredContentType } from './media.js';
import { accept } from './order.js';
import { Problem } from './problem.js';
import type { Grant, Registry } from './registry.js';
import type { OrderStore } from './store.js';

/** The state that all requests share. */
export interface ServiceState {
  registry: Registry;
  store: OrderStore;
  maxBodyBytes: number;
}

/** A request whose body has been read. */
export interface ReceivedRequest {
  request: Request;
  /** The path below the base URL, escaped as it was sent. */
  path: string;
  bytes: Uint8Array;
}

/** Responds to a request. */
export function takeOrder(received: ReceivedRequest, state: ServiceState): Response {
  const done = put(received, state);
  const response = done instanceof Problem ? done.response : done;
  return received.request.method === 'HEAD' ? new Response(null, response) : response;
}

function put(
  { request, path, bytes }: ReceivedRequest,
  { registry, store, maxBodyBytes }: ServiceState,
): Response | Problem {
  const to = operationOf(path);
  if (to instanceof Problem) return to;
  if (request.method !== 'PUT') return new Problem('method-not-allowed', 'Allowed methods: PUT.', { Allow: 'PUT' });
  const { headers } = request;
  const grant = grantOf(headers.get('Authorization'), registry);
  if (grant instanceof Problem) return grant;
  const contentType = preferredContentType(headers.get('Accept') ?? '');
  if (contentType === undefined)
    return new Problem('not-acceptable', 'Orders are returned as application/json or text/json.');
  const text = textOf(request, bytes, maxBodyBytes);
  if (text instanceof Problem) return text;
  const order = accept(text, to, registry, grant);
  if (order instanceof Problem) return order;
  const stored = store.put(to.version, to.orderId, order);
  if (!stored) return new Problem('conflict', 'A different order with this Id is already stored; it was not changed.');
  return new Response(stored.body, { status: stored.created ? 201 : 200, headers: { 'Content-Type': contentType } });
}

/** Parses the path of an operation; the GUID may have any of the .NET forms (D1). */
function operationOf(path: string): { version: Version; orderId: Guid } | Problem {
  const parts = path.split('/');
  const [, version, resource] = parts.length === 3 ? parts.map(unescaped) : [];
  if (!version || !resource) return new Problem('not-found', 'This path does not exist.');
  const id = /^ServiceOrder\((.*)\)$/.exec(resource)?.[1] ?? '';
  const orderId = parseGuid(id);
  if (orderId !== null && (version === 'v2' || version === 'v3')) return { version, orderId };
  return new Problem(
    'not-found',
    'The path must be v2/ServiceOrder({orderId}) or v3/ServiceOrder({orderId}), where orderId is a GUID.',
  );
}

/** Unescapes a segment of a path; returns an invalid one unchanged, because it is not an operation anyway. */
function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns true if the path is the one of an operation. */
export function isOperation(path: string): boolean {
  return !(operationOf(path) instanceof Problem);
}

/** Returns true if the request can create an order, as far as its method and token show. */
export function isAuthorizedPut({ method, headers }: Request, registry: Registry): boolean {
  return method === 'PUT' && !(grantOf(headers.get('Authorization'), registry) instanceof Problem);
}

/** Returns the grant of the bearer token, or the problem if the registry does not list the token (§5). */
function grantOf(authorization: string | null, registry: Registry): Grant | Problem {
  const unauthenticated = (detail: string) => new Problem('unauthenticated', detail, { 'WWW-Authenticate': 'Bearer' });
  if (authorization === null) return unauthenticated('Send Authorization: Bearer <ACCESS_TOKEN>.');
  const token = /^bearer (.*)$/i.exec(authorization)?.[1];
  if (token === undefined) return unauthenticated('The Authorization scheme must be Bearer.');
  return registry.grant(token.trim()) ?? unauthenticated('The token is unknown.');
}

function textOf(request: Request, bytes: Uint8Array, maxBodyBytes: number): string | Problem {
  const unsupported = (detail: string) => new Problem('unsupported-media-type', detail);
  const coding = request.headers.get('Content-Encoding') ?? 'identity';
  if (coding.toLowerCase() !== 'identity') return unsupported('The body must not be compressed.');
  if (!isOrderMedia(request.headers.get('Content-Type') ?? '')) {
    return unsupported('Send the order as application/json or text/json, in UTF-8.');
  }
  if (bytes.byteLength > maxBodyBytes)
    return new Problem('too-large', `The body must not exceed ${maxBodyBytes} bytes.`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return Problem.invalid([
      { pointer: '', code: 'not_json', message: 'The order is not JSON: it is not valid UTF-8', params: {} },
    ]);
  }
}
