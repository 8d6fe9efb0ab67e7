import type { Guid, RuleOptions, Version } from 'sales-order-intake';
import type { PlatformFetch, PlatformType } from '../../pkg-template/src/platform/platform.js';
import type { OrderIntakeErrorName } from './errors.js';
import type { BatchResult } from './results.js';

/** How requests are sent. As options of the client they apply to all calls, as options of a call to that call only. */
export interface RequestOptions {
  /**
   * Stops at once, also during a wait: see {@link AbortedError}.
   * @default none
   * @example { signal: AbortSignal.timeout(90_000) }
   */
  signal?: PlatformType<'AbortSignal'> | undefined;
  /**
   * Milliseconds for each attempt, including reading the response. The service may take up to 30 seconds (D32).
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
   * How often a failed attempt is repeated, with the same Id and the same bytes: after a failed connection, a time-out, 408, 425,
   * 429, 460, 499, 5xx except 501, any 4xx with a valid Retry-After except 401, a 2xx that proves nothing, a token function that fails
   * (D33), and a 409 after an attempt that may have created the order (D34). Attempts with a new token after a 401 are not
   * counted (D35).
   * @default 3
   * @example { maxRetries: 0 }
   */
  maxRetries?: number | undefined;
  /**
   * Added to every request; those of a call are added to those of the client. Authorization, Accept and Content-Type
   * can't be replaced (D39), and those of the connection, such as Host, Expect and Keep-Alive, can't be set.
   *
   * A function is called before each attempt, for headers that differ: trace contexts, signatures. If it throws, or returns headers
   * that are not valid, the attempt is not made, and the function is called again after a wait, like the token function. The call
   * then rejects with a `ConnectionError` whose `cause` is the error of the function, or an OptionError.
   * @default {}
   * @example { headers: { 'X-Correlation-Id': 'cart-1042' } }
   * @example { headers: ({ orderId, attempt }) => ({ 'X-Attempt': `${orderId}/${attempt}` }) }
   */
  headers?: Readonly<Record<string, string>> | HeadersProvider | undefined;
}

/** The options of {@link createClient}. */
export interface ClientOptions extends Omit<RequestOptions, 'signal'> {
  /**
   * Base URL of the service; required. https, or http on a loopback address. Its path segments are preserved (D37).
   * @example { baseUrl: 'https://intake.example.com/orders' }
   */
  baseUrl: string | PlatformType<'URL'>;
  /**
   * The bearer token, without `Bearer`, or a function that returns one. Required.
   *
   * The function is called if there is no token yet, and once for each token that the service refuses with 401. The
   * client keeps the token in memory. Orders that need a token at the same time share a call (D35, D36). If the function
   * fails, it is called again after a wait, as often as `maxRetries` and the time permit (D33).
   *
   * A token may expire before the retries of an order end: if it was accepted before, it is replaced as often as there is
   * time. The order fails, and a batch ends, if the function returns the same token again, or if two tokens in a row are
   * refused (D35).
   * @example { token: async ({ rejected, signal }) => (await fetch('https://id.example.com', { signal })).text() }
   */
  token: string | TokenProvider;
  /**
   * Milliseconds for a call of the token function. After that it has failed (D33): all orders that wait for it get an
   * `AuthenticationError`, or call it again.
   * @default 30_000
   * @example { tokenTimeoutMs: 5_000 }
   */
  tokenTimeoutMs?: number | undefined;
  /**
   * Version of the operation for calls that don't name one.
   * @default 'v3'
   * @example { version: 'v2' }
   */
  version?: Version | undefined;
  /**
   * Replaces the platform's fetch, for a proxy or for tests. It is called with these two arguments only, and must not send a
   * request again by itself. Pass all members of `init` on: with them, the fetches of Bun and Deno send a request only
   * once. A response without a stream is read by its `text()`.
   * @default globalThis.fetch, looked up at each use
   * @example { fetch: (url, init) => fetch(url, { ...init, referrerPolicy: 'no-referrer' }) }
   */
  fetch?: ClientFetch | undefined;
  /**
   * Bounds of the random waits between attempts: up to `baseMs` before the first retry, up to twice as much before the
   * next, never more than `capMs`. If the service sends Retry-After, the client waits that long and up to `baseMs` more, so
   * that orders don't resume all at once (D33).
   * @default { baseMs: 1000, capMs: 20_000 }
   * @example { retry: { baseMs: 200 } }
   */
  retry?:
    | {
        /** The upper bound of the first wait, in milliseconds. */
        baseMs?: number | undefined;
        /** The upper bound of every wait, in milliseconds; a Retry-After may be longer. */
        capMs?: number | undefined;
      }
    | undefined;
  /**
   * The proof of creation that a 200 or 201 must have in its body (D26). `'order'`: the form of an order with the Id,
   * CompanyId and EntityId that were sent, and no other IntegratorId. `'id'`: the Id is enough, for a deployment that
   * is known to return less than the order.
   * @default 'order'
   * @example { proof: 'id' }
   */
  proof?: 'order' | 'id' | undefined;
  /**
   * Takes a 200 with an empty body as creation, for a deployment that is known to respond so. Otherwise only a 201 or 204
   * without a body is one, and a 200 without a body leaves the outcome unknown (D26).
   * @default false
   * @example { acceptEmptyBody: true }
   */
  acceptEmptyBody?: boolean | undefined;
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
   * @example { hooks: { onError: ({ orderId, reason, failure }) => console.warn(orderId, reason, failure) } }
   */
  hooks?:
    | {
        /** Called when an attempt starts. */
        onRequest?: ((event: RequestEvent) => void) | undefined;
        /** Called when the response of an attempt has been read, whatever its status is. */
        onResponse?: ((event: ResponseEvent) => void) | undefined;
        /** Called when an attempt ends without a complete response. */
        onError?: ((event: RequestErrorEvent) => void) | undefined;
        /** Called when an attempt has failed and there will be another, before the wait. */
        onRetry?: ((event: RetryEvent) => void) | undefined;
      }
    | undefined;
}

/** Describes an attempt that starts. No event contains a token, or anything of the order except its Id (D45). */
export interface RequestEvent {
  /** Always PUT (§4). */
  method: 'PUT';
  /** Relative to the base URL, for example `v3/ServiceOrder(2a8f5d33-eec9-4864-8b49-5636577b40d5)`. */
  path: string;
  /** The Id of the order. */
  orderId: Guid;
  /** The version of the operation. */
  version: Version;
  /** Counts from 1 in each call of `createOrder`; 0 if the token or the headers fail before the first. */
  attempt: number;
}

/** Describes an attempt that got a response, of any status, whose body has been read. */
export interface ResponseEvent extends RequestEvent {
  /** Status of the response; 0 in browsers for a redirect. */
  status: number;
  /** Milliseconds from the start of the attempt until the body was read. */
  durationMs: number;
  /** The service's id for the request, if its response has one: quote it to the service's support. */
  requestId?: string;
}

/** Describes an attempt that got no complete response. */
export interface RequestErrorEvent extends RequestEvent {
  /** Milliseconds from the start of the attempt until it failed. */
  durationMs: number;
  /** The name of the error. */
  reason: 'ConnectionError' | 'TimeoutError' | 'AbortedError';
  /** Why the connection failed, for example `host not found (ENOTFOUND)`; only with the reason `ConnectionError`. */
  failure?: string;
}

/** Describes an attempt that failed, and that will be followed by another. */
export interface RetryEvent extends RequestEvent {
  /** Milliseconds until the next attempt. */
  waitMs: number;
  /** The name of the error that the order would have ended with. */
  reason: OrderIntakeErrorName;
  /** Status of the response, if there was one. */
  status?: number;
  /** Why the connection failed, for example `host not found (ENOTFOUND)`; only with the reason `ConnectionError`. */
  failure?: string;
}

/** Sends a request, as the platform's `fetch` does. Each program's own types of the platform apply. */
export type ClientFetch = (
  url: string,
  init: NonNullable<Parameters<PlatformFetch>[1]>,
) => Promise<PlatformType<'Response'>>;

/** Returns the headers of one attempt. */
export type HeadersProvider = (attempt: HeadersContext) => Readonly<Record<string, string>>;

/** The argument of a {@link HeadersProvider}. */
export interface HeadersContext {
  /** The Id of the order. */
  orderId: Guid;
  /** Counts from 1 in each call of `createOrder`. */
  attempt: number;
}

/** Returns a token; may ask another service for it. */
export type TokenProvider = (context: TokenContext) => string | Promise<string>;

/** The argument of a {@link TokenProvider}. */
export interface TokenContext {
  /** The token that the service refused, if that is why a new one is needed. */
  rejected?: string;
  /** Fires when no order waits for the token any more, or the time of the call is up (`tokenTimeoutMs`). */
  signal: PlatformType<'AbortSignal'>;
}

/** How one order is checked and sent. */
export type SendOptions = RuleOptions &
  RequestOptions & {
    /**
     * What is known about earlier attempts to send this order, by another process for instance. With `'unknown'` a 4xx does not
     * prove that the order was not created (D31), and a 409 is repeated: such an attempt may still be in progress (D34).
     * @default 'none'
     * @example { earlierAttempts: 'unknown' }
     */
    earlierAttempts?: 'none' | 'unknown' | undefined;
    /**
     * Whether this order shares pauses with the other orders of the client: after a 429 or 503 with Retry-After for one of them, all
     * wait. During a long pause one order a minute tries whether it is over (D33). After a pause one order is sent first, then the
     * others, a few at a time.
     * Pass `false` if you pace the orders yourself, as the outbox does.
     * @default true
     * @example { sharePause: false }
     */
    sharePause?: boolean | undefined;
  };

/** How the orders of a batch are checked and sent. */
export type BatchOptions<Order> = Omit<SendOptions, 'orderId'> & {
  /**
   * The highest number of requests at the same time. A client starts with 4, adds one with each response that shows no
   * trouble, and halves the number, never below one, after a 408, 429, 5xx, time-out, lost connection or unexpected response
   * (D52). Its batches share that number. Meanwhile, up to three times as many orders wait for a retry.
   * @default 8
   * @example { concurrency: 32 }
   */
  concurrency?: number | undefined;
  /**
   * Called after each order. `failed` is the number of `done` orders that were neither created nor accepted by a relay, or
   * whose fate is unknown. If you send to a relay, not all of `done - failed` are created yet. Errors of the function are
   * ignored.
   * @default none
   * @example { onProgress: ({ done, failed, inFlight }) => console.log(done, failed, inFlight) }
   */
  onProgress?: ((progress: BatchProgress) => void) | undefined;
  /**
   * Called once for every order that was started, even if the loop has been left. If it returns a promise, the batch waits
   * for it. If it throws, no further order is started, and the batch throws the same error.
   * @default none
   * @example { onResult: ({ orderId, ok }) => console.log(orderId, ok) }
   */
  onResult?: ((result: BatchResult<Order>) => void) | undefined;
  /**
   * Starts no further order after the service has refused the token, and throws the {@link AuthenticationError} after the
   * last result. Orders that were not started have no result.
   * @default true
   * @example { stopOnUnauthorized: false }
   */
  stopOnUnauthorized?: boolean | undefined;
};

/** The progress of a batch, in numbers of orders. */
export interface BatchProgress {
  /** Orders that have a result. */
  done: number;
  /** How many of these were neither created nor accepted by a relay, or have an unknown fate. */
  failed: number;
  /** Orders that were started and have no result yet. */
  inFlight: number;
}
