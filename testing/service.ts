import type { PlatformFetch } from '../pkg-template/src/platform/platform.js';
import { Intake } from './intake.js';
import { handler, type MswHttp } from './msw.js';
import { checkFault, type ServiceResponse } from './rules.js';
import { recorded, type OpenRequest, type SeenRequest } from './seen-request.js';
import { testServiceSettings, type TestServiceOptions } from './settings.js';
import { OrderStore, type StoredOrder } from './store.js';

/**
 * A fault that a request can ask for with the header `X-Fault`, as with the reference service.
 *
 * - `latency=<milliseconds>`: stores the order, then delays the response, by at most 300,000. With less than that as the
 *   `timeoutMs` of the client, the order is stored although its time is up.
 * - `401`, `403`, `404`, `409`, `429`, `500`, `503`: responds with this status; nothing is stored.
 * - `drop`: loses the connection; nothing is stored.
 * - `drop-after`: stores the order, then loses the connection.
 * - `down-until=<seconds>`: responds with 503 to every order request until the seconds have passed, at most 86,400; 0 ends it.
 */
export type RequestedFault =
  | '401'
  | '403'
  | '404'
  | '409'
  | '429'
  | '500'
  | '503'
  | 'drop'
  | 'drop-after'
  | `latency=${number}`
  | `down-until=${number}`;

type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
type ErrorStatusText = `${4 | 5}${Digit}${Digit}`;
type NumberOf<Text> = Text extends `${infer Value extends number}` ? Value : never;

/** A status from 400 to 599, as a number or a string. */
export type ErrorStatus = ErrorStatusText | NumberOf<ErrorStatusText>;

/**
 * A fault for `failNext`: one of {@link RequestedFault}, or
 *
 * - any status from 400 to 599, such as `502` or `'502'`: responds with it and with problem details; nothing is stored.
 * - `html`, or `html=<status>`: responds with a page of HTML and status 200, or the given one, as something between the
 *   client and the service does; nothing is stored.
 * - `redirect`: responds with 302 to another address; nothing is stored. The redirect is not followed, whatever the mode of
 *   the request.
 */
export type Fault = RequestedFault | ErrorStatus | 'html' | `html=${number}` | 'redirect';

/** The options of a client that sends its orders to a reference service. */
export interface TestClientOptions {
  /** The address of the service. */
  readonly baseUrl: string;
  /** A token that the service accepts. */
  readonly token: string;
  /** Sends requests to the service, without a network. */
  readonly fetch: PlatformFetch;
  /** The token is not a secret, so it may be in a page under test (D44). */
  readonly allowBrowserToken: true;
}

/** The reference service, in the process of a test. Its methods need no `this`. */
export interface TestService {
  /** `createClient(service.clientOptions)`; add your own: `{ ...service.clientOptions, retry: { baseMs: 0 } }`. */
  readonly clientOptions: TestClientOptions;
  /** The address of the service, without a slash at its end. */
  readonly baseUrl: string;
  /** A token that the service accepts. */
  readonly token: string;
  /** Replaces the global fetch, for the client's `fetch` option. Rejects for any other address. */
  readonly fetch: PlatformFetch;
  /** Request handlers of Mock Service Worker 3 or 2: `setupServer(...service.handlers(http))`. */
  readonly handlers: <Handler>(http: MswHttp<Handler>) => Handler[];
  /**
   * Injects faults into the next requests, one into each: `failNext(503, 'drop-after', 'html')`. A request can also ask for
   * some of them with the header `X-Fault`.
   *
   * @throws TypeError if a fault is unknown; then none is injected.
   */
  readonly failNext: (...faults: Fault[]) => void;
  /** Makes the service respond with 503 to every order request until it is called with false. */
  readonly setDown: (down: boolean) => void;
  /** The last 200 requests that it has received, the oldest first. The token is not in them; bodies are personal data. */
  readonly requests: readonly SeenRequest[];
  /** The stored orders, the oldest first. */
  readonly orders: readonly StoredOrder[];
  /** Forgets orders, receipt numbers, requests and faults; ends an outage. */
  readonly reset: () => void;
}

/**
 * Creates the reference service without a network. It has both operations, with the same rules and the same responses: read-only
 * members are filled in, the same order is a replay, a different one with its Id gets a 409, errors are problem details, and
 * faults can be injected.
 *
 * @throws OptionError if an option is wrong.
 *
 * @example
 * ```js
 * import { newOrderId } from 'sales-order-intake';
 * import { createClient } from 'sales-order-intake/client';
 * import { createTestService } from 'sales-order-intake/testing';
 *
 * const service = createTestService();
 * const client = createClient({ ...service.clientOptions, retry: { baseMs: 0 } });
 * service.failNext('drop-after'); // stored, but the response is lost
 * const { status, attempts, order } = await client.createOrder({
 *   Id: newOrderId(),
 *   CompanyId: 1000,
 *   EntityId: 2000,
 *   IntegratorId: '7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50',
 *   Items: [{ Name: 'Green tea', CatalogItemId: '0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff', Quantity: 2, SellAtPricePerUnit: 19.99 }],
 * });
 * console.log(status, attempts, order?.ReceiptNumber, service.orders.length); // 200 2 1 1
 * ```
 */
export function createTestService(options: TestServiceOptions = {}): TestService {
  const { baseUrl, token, ...settings } = testServiceSettings(options);
  const base = new URL(baseUrl);
  const basePath = base.pathname.replace(/\/$/, '');
  const intake = new Intake({ ...settings, faults: [] }, new OrderStore());
  const requests: OpenRequest[] = [];

  /** Returns undefined if the connection is lost. */
  const respond = async (request: Request): Promise<Response | undefined> => {
    const { method, headers, signal } = request;
    const path = new URL(request.url).pathname.slice(basePath.length);
    const seen = recorded(requests, request, path);
    signal.throwIfAborted();
    const bytes = new Uint8Array(await request.arrayBuffer());
    if (request.body !== null) seen.body = new TextDecoder().decode(bytes);
    const head = { method, path, headers: [...headers] };
    const { response } = await intake.respond(head, bytes, signal, ({ fault }) => {
      seen.fault = fault;
    });
    seen.status = response?.status ?? null;
    return response ? responseOf(response, method) : undefined;
  };

  const fetch = async (...args: Parameters<typeof globalThis.fetch>) => {
    const request = new Request(...args);
    const { origin, pathname } = new URL(request.url);
    if (origin !== base.origin || !pathname.startsWith(`${basePath}/`)) {
      throw new TypeError('fetch failed', { cause: new Error(`the reference service is only at ${baseUrl}`) });
    }
    const response = await respond(request);
    if (!response) throw new TypeError('fetch failed', { cause: new Error('the connection was dropped on demand') });
    return response;
  };

  return {
    clientOptions: { baseUrl, token, fetch, allowBrowserToken: true },
    baseUrl,
    token,
    fetch,
    handlers: (http) => [handler(http, `${base.origin}${basePath}/`, respond)],
    failNext(...next) {
      const given = next.map(String);
      for (const fault of given) {
        const expected = checkFault(fault);
        if (expected !== null) throw new TypeError(`failNext: a fault must be ${expected}`);
      }
      intake.scripted.push(...given);
    },
    setDown: (down) => intake.setDown(down),
    requests,
    orders: intake.store.orders,
    reset() {
      intake.store.clear();
      intake.scripted.length = 0;
      requests.length = 0;
      intake.setDown(false);
    },
  };
}

/** The statuses that have no body (RFC 9110 §15). */
const WITHOUT_BODY = [204, 205, 304];

function responseOf({ status, headers, body }: ServiceResponse, method: string): Response {
  const hasBody = method !== 'HEAD' && !WITHOUT_BODY.includes(status);
  return new Response(hasBody ? body : null, { status, headers: headers.map(([name, value]) => [name, value]) });
}
