import type { Guid, Issue, OrderValidationError, PreparedRequest, RuleOptions, SalesOrderInput, SalesOrderV2V3Put, Version } from 'sales-order-intake';
import type { OrderIntakeError } from './errors.js';
import type { RequestErrorEvent, RequestEvent, ResponseEvent, RetryEvent } from './hooks.js';
import type { PlatformFetch, PlatformType } from './platform.js';

/** An order that is ready to be sent: the caller has made its Id, once (newOrderId, deriveOrderId). */
export type IdentifiedOrder = SalesOrderInput & { Id: string };
/** What a service answered, read tolerantly (D26). */
export type ReceivedOrder = SalesOrderV2V3Put;

/** How requests are sent: for all calls as options of the client, for one call as options of that. */
export interface RequestOptions {
  /**
   * Stops at once, also during a wait: see {@link AbortedError}.
   * @default none
   * @example { signal: AbortSignal.timeout(90_000) }
   */
  signal?: PlatformType<'AbortSignal'> | undefined;
  /**
   * Milliseconds for each attempt, including reading the response. The service may take 30 seconds (D32).
   * @default 60_000
   * @example { timeoutMs: 45_000 }
   */
  timeoutMs?: number | undefined;
  /**
   * Milliseconds for the order: all attempts, waits and tokens (D32).
   * @default 180_000
   * @example { totalTimeoutMs: 90_000 }
   */
  totalTimeoutMs?: number | undefined;
  /**
   * How often a failed attempt is repeated, with the same Id and the same bytes: after a failed connection, a time-out,
   * 408, 429 and 5xx except 501 (D33). The attempt with a new token after a 401 is not counted.
   * @default 3
   * @example { maxRetries: 0 }
   */
  maxRetries?: number | undefined;
  /**
   * Added to every request; those of a call are added to those of the client. Authorization, Accept and Content-Type
   * can't be replaced (D39).
   * @default {}
   * @example { headers: { 'X-Correlation-Id': 'cart-1042' } }
   */
  headers?: Readonly<Record<string, string>> | undefined;
}

/** What {@link createClient} takes. */
export interface ClientOptions extends Omit<RequestOptions, 'signal'> {
  /**
   * Base URL of the service; required. https, or http on a loopback address. Its path segments are kept (D37).
   * @example { baseUrl: 'https://intake.example.com/orders' }
   */
  baseUrl: string | PlatformType<'URL'>;
  /**
   * The bearer token, without `Bearer`, or a function that returns one. Required.
   *
   * The function is called if there is no token yet, and once for each token that the service refuses with 401; the
   * client keeps the token in memory in between. Orders that need one at the same time share a call (D35, D36).
   * @example { token: async ({ rejected, signal }) => (await fetch('https://id.example.com', { signal })).text() }
   */
  token: string | TokenProvider;
  /**
   * Version of the operation for calls that don't name one.
   * @default 'v3'
   * @example { version: 'v2' }
   */
  version?: Version | undefined;
  /**
   * Takes the place of the platform's fetch, for a proxy or for tests. It must not send a request again by itself.
   * @default globalThis.fetch, looked up at each use
   * @example { fetch: (url, init) => fetch(url, { ...init, keepalive: true }) }
   */
  fetch?: PlatformFetch | undefined;
  /**
   * Bounds of the random waits between attempts: up to `baseMs` before the first retry, up to twice as much before the
   * next, never more than `capMs`. If the service sends Retry-After, that is waited for, and up to `baseMs` more, so that
   * orders don't come back all at once (D33).
   * @default { baseMs: 1000, capMs: 20_000 }
   * @example { retry: { baseMs: 200 } }
   */
  retry?: { baseMs?: number | undefined; capMs?: number | undefined } | undefined;
  /**
   * Permits a token string in a browser, where everybody can read it (D44).
   * @default false
   * @example { allowBrowserToken: true }
   */
  allowBrowserToken?: boolean | undefined;
  /**
   * Called for every attempt: each `onRequest` is followed by exactly one of `onResponse` and `onError`. Hooks can't
   * change anything, and their errors are ignored.
   * @default none
   * @example { hooks: { onError: ({ orderId, reason }) => console.warn(orderId, reason) } }
   */
  hooks?:
    | {
        onRequest?: ((event: RequestEvent) => void) | undefined;
        onResponse?: ((event: ResponseEvent) => void) | undefined;
        onError?: ((event: RequestErrorEvent) => void) | undefined;
        onRetry?: ((event: RetryEvent) => void) | undefined;
      }
    | undefined;
}

/** Returns a token; may ask another service for it. */
export type TokenProvider = (context: TokenContext) => string | Promise<string>;

/** What a {@link TokenProvider} is called with. */
export interface TokenContext {
  /** The token that the service refused, if that is why a new one is needed. */
  rejected?: string;
  /** Fires when no order waits for the token any more. */
  signal: PlatformType<'AbortSignal'>;
}

/** How one order is checked and sent. */
export type SendOptions = RuleOptions &
  RequestOptions & {
    /**
     * What is known of earlier attempts to send this very order, by another process for instance. With `'unknown'` a 409
     * or another 4xx does not prove that the order was not created (D31, D34).
     * @default 'none'
     * @example { earlierAttempts: 'unknown' }
     */
    earlierAttempts?: 'none' | 'unknown' | undefined;
  };

/** An order that the service accepted. */
export interface CreatedOrder {
  /** The order in the response, with its read-only members; null if the response has no order (D26). */
  order: ReceivedOrder | null;
  orderId: Guid;
  /** Any 2xx. */
  status: number;
  /** Number of requests. */
  attempts: number;
  /** Warnings and notices: first those of the request, then those of the response. */
  issues: Issue[];
  /** The service's name for the request, or null: quote it to the service's support. */
  requestId: string | null;
  /** For its headers: the body has been read. */
  response: PlatformType<'Response'>;
  /** Set if a relay has accepted the order and delivers it later: the Location of a 202. Else null. */
  delivery: PlatformType<'URL'> | null;
}

/** How the orders of a batch are checked and sent. */
export type BatchOptions<Order> = Omit<SendOptions, 'orderId'> & {
  /**
   * Orders in flight at the same time.
   * @default 8
   * @example { concurrency: 32 }
   */
  concurrency?: number | undefined;
  /**
   * Called after each order. `failed` of the `done` orders were not created, or it is unknown. Its errors are ignored.
   * @default none
   * @example { onProgress: ({ done, failed, inFlight }) => console.log(done, failed, inFlight) }
   */
  onProgress?: ((progress: BatchProgress) => void) | undefined;
  /**
   * Called once for every order that was started, also if the loop has been left. If it returns a promise, that is waited
   * for. What it throws ends the batch: no further order is started, and the loop throws it.
   * @default none
   * @example { onResult: ({ orderId, ok }) => console.log(orderId, ok) }
   */
  onResult?: ((result: BatchResult<Order>) => void) | undefined;
  /**
   * Starts no further order after the service has refused the token. Orders that were not started have no result.
   * @default true
   * @example { stopOnUnauthorized: false }
   */
  stopOnUnauthorized?: boolean | undefined;
};

/** Numbers of orders. */
export interface BatchProgress {
  done: number;
  failed: number;
  inFlight: number;
}

/** The result of the order at `index` (from 0) of the source. `orderId` is null if the order has no valid Id. */
export type BatchResult<Order = IdentifiedOrder | PreparedRequest> = { index: number; input: Order; orderId: Guid | null } & (
  | { ok: true; created: CreatedOrder }
  | { ok: false; error: OrderIntakeError | OrderValidationError }
);

export interface Client {
  /**
   * Sends an order. Checks it before anything is sent, then sends the same Id and the same bytes until a response is
   * final, or no retries or no time are left.
   *
   * The Id is required: an order whose Id is made here could be doubled by whoever calls again.
   *
   * @param order An order, or what prepareRequest returned: its version, path and body are sent as they are.
   * @throws OrderValidationError if the order has errors or no Id; nothing was sent.
   * @throws OrderIntakeError, one of its subclasses, if the order was not created or that is unknown: see `outcome`.
   * @throws OptionError if an option is wrong. All errors are rejections.
   *
   * @example
   * ```js
   * import { createClient, isOrderIntakeError } from 'sales-order-intake/client';
   *
   * const client = createClient({ baseUrl: 'https://intake.example.com/orders', token: () => 'a-token' });
   * try {
   *   const { order, status } = await client.createOrder({
   *     Id: '2a8f5d33-eec9-4864-8b49-5636577b40d5', // made once, by newOrderId, and stored with the cart
   *     CompanyId: 1000,
   *     EntityId: 2000,
   *     IntegratorId: '7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50',
   *     Items: [{ Name: 'Green tea', CatalogItemId: '0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff', Quantity: 2, SellAtPricePerUnit: 19.99 }],
   *   });
   *   console.log(status, order?.Items?.[0]?.SellAtPricePerUnit); // 201 19.99
   * } catch (error) {
   *   if (!isOrderIntakeError(error)) throw error;
   *   console.log(error.outcome === 'unknown' ? `send ${error.orderId} again later` : error.message);
   * }
   * ```
   */
  createOrder(order: IdentifiedOrder | PreparedRequest, options?: SendOptions): Promise<CreatedOrder>;

  /**
   * Sends many orders, `concurrency` at a time, and yields one result per order, in the order they finish. A failed order
   * is a result like the others. Pulls from the source as it sends and as results are taken, so memory stays flat however
   * long the source is. A 429 holds back all orders.
   *
   * - If the consumer leaves the loop, no further order is started, and leaving waits for the orders in flight. `onResult`
   *   is called for them as for the others.
   * - If `signal` fires, the orders in flight end at once, as results with an {@link AbortedError}, and the loop ends.
   * - If the service refuses the token, no further order is started, and the loop ends after the orders in flight: see
   *   `stopOnUnauthorized`.
   * - What the source throws reaches the consumer after the results of the orders in flight.
   *
   * @throws OptionError, at once, if an option is wrong.
   *
   * @example
   * ```js
   * import { deriveOrderId } from 'sales-order-intake';
   * import { createClient } from 'sales-order-intake/client';
   *
   * const client = createClient({ baseUrl: 'https://intake.example.com/orders', token: () => 'a-token' });
   *
   * function* orders() {
   *   for (const [cart, Quantity] of [1, 2, 0].entries()) {
   *     yield {
   *       Id: deriveOrderId('b9f3a1de-52c4-4b0e-8f55-7d1c60a2e913', `cart-${cart}`),
   *       CompanyId: 1000,
   *       EntityId: 2000,
   *       IntegratorId: '7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50',
   *       Items: [{ Name: 'Green tea', CatalogItemId: '0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff', Quantity, SellAtPricePerUnit: 19.99 }],
   *     };
   *   }
   * }
   *
   * const failed = [];
   * for await (const result of client.createOrders(orders(), { concurrency: 2 })) {
   *   if (!result.ok) failed.push(`${result.index}: ${result.error.name}`);
   * }
   * console.log(failed.join()); // 2: OrderValidationError
   * ```
   */
  createOrders<Order extends IdentifiedOrder | PreparedRequest>(
    source: Iterable<Order> | AsyncIterable<Order>,
    options?: BatchOptions<Order>,
  ): AsyncGenerator<BatchResult<Order>, void, void>;
}
