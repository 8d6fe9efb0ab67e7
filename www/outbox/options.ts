import type { Guid, RuleOptions } from 'sales-order-intake';
import type { Client } from 'sales-order-intake/client';
import type { Entry } from './entry.js';
import type { EntryOutcome, State, Store } from './store.js';

/** What {@link createOutbox} takes. */
export interface OutboxOptions {
  /**
   * Sends the orders. All its options apply except `maxRetries` and `retry`: the outbox repeats attempts by itself. If this
   * is an object of your own, spread the client into it, so that the client's `version` applies; otherwise it is v3.
   */
  client: Pick<Client, 'createOrder'>;
  /**
   * Stores the orders.
   * @example { store: sqliteStore('orders.sqlite') }
   */
  store: Store;
  /**
   * Called for each entry that was created, refused or has stalled; at least once, also after a crash, so it must handle an
   * entry that it has already seen. If it throws, or the process dies, it is called again after `handlerTimeoutMs`. While
   * 8 × `concurrency` calls have not returned, no further orders are sent: this bounds the memory.
   * @default none
   * @example { onSettled: async ({ orderId, state }) => shop.mark(orderId, state) }
   */
  onSettled?: ((entry: Entry) => unknown) | undefined;
  /**
   * Milliseconds that the handler has for an entry. After that, the handler may be called for the entry again, for instance
   * by another process.
   * @default 60_000
   */
  handlerTimeoutMs?: number | undefined;
  /**
   * Orders in flight at the same time, in this process.
   * @default 16
   */
  concurrency?: number | undefined;
  /**
   * Orders of one location in flight at the same time, so that a slow location does not hold up the others.
   * @default half of `concurrency`
   */
  concurrencyPerLocation?: number | undefined;
  /**
   * Milliseconds until an order without a final response stalls; at most 3_155_760_000_000, which is 100 years.
   * @default 259_200_000, which is 72 hours
   */
  deadlineMs?: number | undefined;
  /**
   * Milliseconds until a created entry is deleted; at most 3_155_760_000_000, which is 100 years. Other entries are never
   * deleted.
   * @default 2_592_000_000, which is 30 days
   */
  keepCreatedMs?: number | undefined;
  /**
   * Bounds of the random waits between attempts at one order, and of pauses: up to `baseMs` after the first three attempts,
   * then twice as much each time, never more than `capMs`. Pauses begin with a quarter of `baseMs`. Retry-After takes
   * precedence, up to an hour.
   * @default { baseMs: 1000, capMs: 60_000 }
   */
  retry?: { baseMs?: number | undefined; capMs?: number | undefined } | undefined;
  /** For logs and metrics. Hooks can't change anything, and their errors are ignored. */
  hooks?: OutboxHooks | undefined;
}

/** Events contain nothing of an order but its Id and location (D45). */
export interface OutboxHooks {
  /**
   * An order is durable: it was added, or has replaced another. Not called if the same order was already in the outbox, or in
   * the caller's transaction.
   */
  onAdd?: ((event: AddEvent) => void) | undefined;
  /** The result of an attempt is durable. */
  onResult?: ((event: ResultEvent) => void) | undefined;
  /** Deliveries pause or resume. */
  onGate?: ((event: GateEvent) => void) | undefined;
  /** The store or the handler failed, and is tried again. */
  onError?: ((event: ErrorEvent) => void) | undefined;
}

export interface AddEvent {
  orderId: Guid;
  companyId: number;
  entityId: number;
}

export interface ResultEvent extends AddEvent {
  /** `waiting` if there will be another attempt. */
  state: State;
  outcome: EntryOutcome;
  /** See {@link Entry.alreadyThere}. */
  alreadyThere: boolean;
  /** The response may come from something between here and the service, for example a page of a proxy: it settles nothing (D51). */
  isSuspect: boolean;
  /** Media type of the last response, for example `text/html`; null if there was none. */
  mediaType: string | null;
  attempts: number;
  reason: string | null;
  status: number | null;
  requestId: string | null;
  durationMs: number;
  /** Milliseconds since the order was added. */
  ageMs: number;
}

export interface GateEvent {
  scope: 'service' | 'location';
  /** null for the service. */
  companyId: number | null;
  entityId: number | null;
  isOpen: boolean;
  /** Whole milliseconds until a probe is sent. */
  waitMs: number;
  /** Why deliveries are held back; null if they are not. */
  pause: Pause | null;
}

/**
 * Why deliveries are held back.
 *
 * - `unreachable`: no connection could be made.
 * - `token`: the service refused the token, or the token function failed.
 * - `retry-after`: the service asked for a pause, by Retry-After.
 * - `failures`: several orders in a row failed.
 * - `suspect`: what came may not be from the service: a page, a redirect, or a refusal of every order (D26, D51).
 */
export interface Pause {
  cause: 'unreachable' | 'token' | 'retry-after' | 'failures' | 'suspect';
  /** When deliveries were first held back. */
  since: Date;
  /** Name of the error of the last attempt. */
  reason: string;
  /** Status of the last response; null if there was none. */
  status: number | null;
  /** Media type of the last response, for example `text/html`; null if there was none. */
  mediaType: string | null;
}

export interface ErrorEvent {
  /** What failed: a function of the store, or `handler`. */
  operation: 'take' | 'settle' | 'sweep' | 'handler';
  /** Name of the error. */
  reason: string;
  /** The database's own code, if it has one. */
  code: string | null;
  orderId: Guid | null;
}

/** How an order is checked, and where it is written. */
export type AddOptions = RuleOptions & {
  /**
   * The caller's own transaction: the order is accepted if and when it commits. Its type depends on the store.
   * @default none: the order is durable when `add` resolves
   */
  transaction?: unknown;
};

export interface ListFilter {
  state?: State | undefined;
  /** Any of these states; not together with `state`. */
  states?: readonly State[] | undefined;
  /** Name of the last error, for example `NotFoundError`. */
  reason?: string | undefined;
  /** Settled at this time or later; entries that are not settled, added then. A Date, or milliseconds since 1970. */
  since?: Date | number | undefined;
  /** Both, or none. */
  companyId?: number | undefined;
  entityId?: number | undefined;
}
