import type { Guid, RuleOptions } from 'sales-order-intake';
import type { Client } from '../client/types.js';
import type { Entry } from './entry.js';
import type { State, Store } from './store.js';

/** What {@link createOutbox} takes. */
export interface OutboxOptions {
  /** Sends the orders. Of its options, all apply but `maxRetries` and `retry`, which the outbox has itself. */
  client: Pick<Client, 'createOrder'>;
  /**
   * Keeps the orders.
   * @example { store: sqliteStore('orders.sqlite') }
   */
  store: Store;
  /**
   * Called for each entry that was created, refused or has stalled; at least once, also after a crash, so it must be able
   * to see an entry twice. If it throws, or the process dies, it is called again after `handlerTimeoutMs`.
   * @default none
   * @example { onSettled: async ({ orderId, state }) => shop.mark(orderId, state) }
   */
  onSettled?: ((entry: Entry) => unknown) | undefined;
  /**
   * Milliseconds that the handler has for an entry. After that the entry may be handed over again, by another process for
   * instance.
   * @default 60_000
   */
  handlerTimeoutMs?: number | undefined;
  /**
   * Orders in flight at the same time, in this process.
   * @default 16
   */
  concurrency?: number | undefined;
  /**
   * Of these, orders of one location: one that is slow must not take all places.
   * @default half of `concurrency`
   */
  concurrencyPerLocation?: number | undefined;
  /**
   * Milliseconds until an order without a final answer stalls.
   * @default 259_200_000, which is 72 hours
   */
  deadlineMs?: number | undefined;
  /**
   * Milliseconds for which created entries are kept; others are never deleted.
   * @default 2_592_000_000, which is 30 days
   */
  keepCreatedMs?: number | undefined;
  /**
   * Bounds of the random waits between attempts at one order, and of pauses: up to `baseMs` at first, twice as much each
   * time, never more than `capMs`. Retry-After wins.
   * @default { baseMs: 1000, capMs: 60_000 }
   */
  retry?: { baseMs?: number | undefined; capMs?: number | undefined } | undefined;
  /** For logs and metrics. Hooks can't change anything, and their errors are ignored. */
  hooks?: OutboxHooks | undefined;
}

/** Events have nothing of an order but its id and location (D45). */
export interface OutboxHooks {
  /** An order is durable. Not called for one that was there, or that the caller's transaction holds. */
  onAdd?: ((event: AddEvent) => void) | undefined;
  /** An attempt has a result, and that is durable. */
  onResult?: ((event: ResultEvent) => void) | undefined;
  /** Deliveries pause, or go on. */
  onGate?: ((event: GateEvent) => void) | undefined;
  /** Something failed that is tried again: the store, or the handler. */
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
  /** Milliseconds until a probe is sent. */
  waitMs: number;
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
   * The caller's own transaction: the order is accepted if and when it commits. What it is, the store says.
   * @default none: the order is durable when `add` resolves
   */
  transaction?: unknown;
};

export interface ListFilter {
  state?: State | undefined;
  /** Both, or none. */
  companyId?: number | undefined;
  entityId?: number | undefined;
}
