import type { Guid, IdentifiedOrder, Issue, PreparedRequest } from 'sales-order-intake';
import type { Entry, SettledEntry } from './entry.js';
import type { AddOptions, ListFilter, Pause } from './options.js';
import type { State } from './store.js';

/** Delivers orders: sends what {@link Outbox.add} has accepted until the service has given a final response. */
export interface Outbox {
  /**
   * Accepts an order. When it has resolved or, with `transaction`, when your transaction has committed, the order is
   * durable: it survives a crash of the process and of the machine. Adding the same order again succeeds, and does not send
   * it a second time. Orders are the same if their values are, as for the service (D28): `2` equals `'2.0'`, null equals
   * absent, and neither the version nor the options count. The entry stays as it is.
   *
   * @param order An order with an Id, or what prepareRequest returned.
   * @throws OrderValidationError if the order has errors or no Id; OptionError if an option is wrong; OutboxError with
   * `reason` `duplicate` if another order with this Id is in the outbox, `store` if it is not certain that the order is
   * durable: call again. All are rejections.
   */
  add(order: IdentifiedOrder | PreparedRequest, options?: AddOptions): Promise<AddedOrder>;
  /**
   * Replaces an order that the service does not have by a corrected one with the same Id: an order that was never sent, or was
   * refused (D54). The new one is sent like an order that was just added, with a new deadline.
   *
   * @throws OutboxError with `reason` `wrong-state` and the `entry` if the old order is being sent, is created, or may be
   * (`outcome` is `unknown`); `not-found`; as `add` does otherwise.
   */
  replace(order: IdentifiedOrder | PreparedRequest, options?: AddOptions): Promise<AddedOrder>;
  /**
   * Resolves when an order is created, refused, stalled or cancelled, whichever process settles it; at once if it is already.
   * Resolves with null if there is no entry with this Id, or when `timeoutMs`, by default never, have passed.
   *
   * @throws the reason of `signal` when it fires; OptionError; OutboxError. All are rejections.
   */
  settled(
    orderId: string,
    options?: { timeoutMs?: number | undefined; signal?: AbortSignal | undefined },
  ): Promise<SettledEntry | null>;
  /** Starts sending. Call it in processes that deliver; others only add. Returns the outbox. */
  start(): this;
  /** Returns an entry, or null if there is none. */
  get(orderId: string): Promise<Entry | null>;
  /** Yields entries in the order they were added. Reads page by page, so memory stays flat. */
  list(filter?: ListFilter): AsyncGenerator<Entry, void, void>;
  /** Counts what is in the outbox, for metrics. */
  counts(): Promise<OutboxCounts>;
  /**
   * Sends a stalled, refused or waiting entry now, with a new deadline.
   *
   * @throws OutboxError with `reason` `wrong-state` or `not-found`.
   */
  retry(orderId: string): Promise<Entry>;
  /**
   * Sends all entries that match, and are stalled, refused or waiting, as {@link Outbox.retry} does. Memory stays flat.
   *
   * @returns how many.
   */
  retryAll(filter: ListFilter): Promise<number>;
  /**
   * Withdraws an order that waits or has stalled, and was never sent. Attempts that did not reach the service, or whose token
   * it refused, do not count.
   *
   * @throws OutboxError with `reason` `wrong-state` in any other case; `not-found`.
   */
  cancel(orderId: string): Promise<Entry>;
  /**
   * Deletes the personal data of an entry that is created, refused, stalled or cancelled: its body, the received order,
   * `detail` and `issues`. Its Id, state and outcome remain.
   *
   * This ends the delivery of a stalled order for good, because `retry` has nothing left to send. So a person decides it,
   * after looking for the order at the point of sale if its outcome is `unknown`.
   *
   * @throws OutboxError with `reason` `wrong-state` or `not-found`.
   */
  forget(orderId: string): Promise<Entry>;
  /**
   * Deletes all created entries that are older than `keepCreatedMs` and whose handler has returned; runs by itself as well.
   * Returns how many.
   */
  prune(): Promise<number>;
  /**
   * Stops sending, waits for the orders in flight and for the handlers, and closes the store. After `timeoutMs`, by default
   * never, orders in flight are interrupted, and handlers are no longer waited for: these orders are sent again, and these
   * handlers are called again, after the next start.
   *
   * @throws OptionError if `timeoutMs` is wrong, as a rejection; the outbox then goes on.
   */
  stop(options?: { timeoutMs?: number | undefined }): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** What {@link Outbox.add} returns. */
export interface AddedOrder {
  orderId: Guid;
  /** `waiting`, or the state of the same order if it was added before. */
  state: State;
  /** Warnings and notices. */
  issues: Issue[];
}

/** Numbers of entries. */
export interface OutboxCounts {
  waiting: number;
  sending: number;
  created: number;
  refused: number;
  /** Without those that were forgotten. */
  stalled: number;
  cancelled: number;
  /** Age of the oldest entry that is waiting or being sent, in milliseconds; null if there is none. */
  oldestWaitingMs: number | null;
  /** Locations with entries that are waiting, being sent, refused or stalled. */
  locations: LocationCounts[];
  /** Whether this process holds back all deliveries now. */
  isPaused: boolean;
  /** Why; null if it does not. */
  pause: Pause | null;
}

export interface LocationCounts {
  companyId: number;
  entityId: number;
  /** Waiting or being sent. */
  waiting: number;
  refused: number;
  stalled: number;
  oldestWaitingMs: number | null;
  /** Whether this process holds back deliveries to this location now. */
  isPaused: boolean;
  /** Why; null if it does not. */
  pause: Pause | null;
}
