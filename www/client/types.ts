import type {
  Guid,
  Issue,
  PreparedRequest,
  RuleOptions,
  SalesOrderInput,
  SalesOrderV2V3Put,
  Version,
} from 'sales-order-intake';
import type { RequestEvent, ResponseEvent, RetryEvent } from './hooks.js';
import type { PlatformFetch, PlatformType } from './platform.js';

/** What a client is made of. */
export interface ClientOptions {
  /**
   * Address of the service, without a default: `https://host/path`, with a slash at the end or not. Plain http is taken
   * on a loopback address only. Path segments are kept (D37).
   */
  baseUrl: string;
  /**
   * Sent as `Authorization: Bearer …`: a text, or a function that gives one. Give the token alone, without `Bearer`.
   *
   * The function is called when there is no token yet, and once for each token that the service refuses with 401; in
   * between the client keeps the token in memory. Orders that need one at the same time share a call (D35, D36).
   */
  token: string | TokenProvider;
  /**
   * Version of the operation where the call doesn't name one.
   * @default 'v3'
   */
  version?: Version;
  /** Instead of the platform's. Looked up at each use where it is left out. */
  fetch?: PlatformFetch;
  /**
   * For an attempt, until its answer is read to the end. The service may take 30 seconds (D32).
   * @default 60_000
   */
  timeoutMs?: number;
  /**
   * For an order, over all attempts, waits and tokens.
   * @default 180_000
   */
  totalTimeoutMs?: number;
  /** What is tried again, and how often: connection, time-out, 408, 429, 5xx but 501, with the same id and bytes (D33). */
  retry?: {
    /**
     * The first one included; one after a 401 comes on top.
     * @default 4
     */
    attempts?: number;
    /**
     * The first wait is anything up to this, the next up to twice as much, and so on. `Retry-After` takes its place.
     * @default 1000
     */
    baseMs?: number;
    /** @default 20_000 */
    capMs?: number;
  };
  /** A token as text is refused in a browser, where anybody can read it, unless this says that the risk is known (D44). */
  allowBrowserToken?: boolean;
  /** Told of every attempt. They can't change anything, and what they throw is dropped. */
  hooks?: {
    onRequest?(event: RequestEvent): void;
    onRetry?(event: RetryEvent): void;
    onResponse?(event: ResponseEvent): void;
  };
}

/** Gives a token; may ask another service for it. */
export type TokenProvider = (context: TokenContext) => string | Promise<string>;

export interface TokenContext {
  /** The token that the service refused, where that is why a new one is needed. */
  rejected?: string;
  /** Fires when no order waits for the token any more. */
  signal: PlatformType<'AbortSignal'>;
}

/** How one order is sent: the rules it is checked by, and a signal to stop. */
export interface CreateOptions extends RuleOptions {
  /** Stops at once, also during a wait: see {@link AbortedError}. */
  signal?: PlatformType<'AbortSignal'>;
}

/** An order that the service took. */
export interface Created {
  /** As the service gives it back, read-only members filled; null where the body holds no order (D26). */
  order: SalesOrderV2V3Put | null;
  orderId: Guid;
  /** Any 2xx. */
  status: number;
  /** How often it was sent. */
  attempts: number;
  /** Warnings and notices: first those of the request, then those of the answer. */
  issues: Issue[];
  /** For its status and headers; the body has been read. */
  response: PlatformType<'Response'>;
}

/** How many orders are sent. */
export interface BulkOptions extends Omit<CreateOptions, 'orderId'> {
  /**
   * Orders in flight at the same time.
   * @default 8
   */
  concurrency?: number;
  /** Told after each order; `failed` of the `done` ones were not created, or it isn't known. */
  onProgress?(progress: { done: number; failed: number }): void;
}

/** What became of the order that came as number `index` (from 0) from the source. */
export type BulkResult = { index: number } & ({ ok: true; created: Created } | { ok: false; error: Error });

export interface Client {
  /**
   * Sends an order: prepares and validates it before anything leaves, then sends the same id and the same bytes until
   * the service has answered for good or attempts or time are used up.
   *
   * @param input An order, or what prepareRequest made of it: then version, id and body are sent as they are.
   * @throws OrderValidationError where the order has errors; nothing was sent.
   * @throws OrderIntakeError, one of its subclasses, where the order was not created or it isn't known: see `outcome`.
   * @throws TypeError for a wrong option. Always as a rejection.
   *
   * @example
   * ```js
   * import { createClient, isOrderIntakeError } from 'sales-order-intake/client';
   *
   * const client = createClient({ baseUrl: 'https://intake.example.com/orders', token: () => 'a-token' });
   * try {
   *   const { order, status } = await client.createOrder({
   *     Id: '2a8f5d33-eec9-4864-8b49-5636577b40d5',
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
  createOrder(input: SalesOrderInput | PreparedRequest, options?: CreateOptions): Promise<Created>;

  /**
   * Sends many orders, `concurrency` at a time, and gives one result per order, in the order they finish. A failed order
   * is a result like the others. The source is pulled as orders are sent and results are taken, so memory stays flat
   * however long it is; a 429 holds all of them back.
   *
   * - When the consumer leaves the loop, no further order is begun; those in flight are settled first, so that none is
   *   left half-way.
   * - When `signal` fires, those in flight end at once, as results with an {@link AbortedError}, and the loop ends.
   * - What the source throws reaches the consumer after the results of the orders in flight.
   *
   * @throws TypeError, at once, for a wrong option.
   *
   * @example
   * ```js
   * import { createClient } from 'sales-order-intake/client';
   *
   * const client = createClient({ baseUrl: 'https://intake.example.com/orders', token: () => 'a-token' });
   *
   * function* orders() {
   *   for (const Quantity of [1, 2, 0]) {
   *     yield {
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
  createOrders(
    source: Iterable<SalesOrderInput> | AsyncIterable<SalesOrderInput>,
    options?: BulkOptions,
  ): AsyncIterable<BulkResult>;
}
