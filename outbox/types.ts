import type { Guid, IdentifiedOrder, Issue } from 'sales-order-intake';
import type { PreparedRequestInput } from '../pkg-template/src/sending/request.js';
import type { Entry, EntrySummary, SettledEntry } from './entry.js';
import type { HistoryEvent } from './history.js';
import type {
  ActionOptions,
  AddOptions,
  ListFilter,
  PageOptions,
  Pause,
  ReplaceOptions,
  SettledOptions,
  StopOptions,
} from './options.js';
import type { EntryState } from './store.js';

/**
 * Delivers orders: sends each order that {@link Outbox.add} has accepted until the service has given a final response.
 * `Transaction` is the type of the store's transactions. If the store has none, the outbox takes none.
 *
 * @example
 * ```js
 * // shop.mjs
 * import { createClient } from 'sales-order-intake/client';
 * import { createOutbox } from 'sales-order-intake/outbox';
 * import { sqliteStore } from 'sales-order-intake/outbox/sqlite';
 * import { createTestService } from 'sales-order-intake/testing';
 *
 * export const service = createTestService();
 * const client = createClient(service.clientOptions);
 * export const outbox = createOutbox({ client, store: sqliteStore(':memory:') });
 * export const order = {
 *   Id: '2a8f5d33-eec9-4864-8b49-5636577b40d5', // made once, by newOrderId, and stored with the cart
 *   CompanyId: 1000,
 *   EntityId: 2000,
 *   IntegratorId: '7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50',
 *   Items: [{ Name: 'Green tea', CatalogItemId: '0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff', Quantity: 2, SellAtPricePerUnit: 19.99 }],
 * };
 * ```
 */
export interface Outbox<in Transaction = never> {
  /**
   * Accepts an order. When it has resolved or, with `transaction`, when your transaction has committed, the order is
   * durable: it survives a crash of the process and of the machine. Adding the same order again succeeds, and does not send
   * it a second time. Orders are the same if their values are, as for the service (D28): `2` equals `'2.0'`, null equals
   * absent, and neither the version nor the options count. The entry stays as it is.
   *
   * @param order An order with an Id; or what `prepareRequest` returned, also if it was stored as JSON and read back: it is
   * sent unchanged, if it meets the rules in `options`.
   * @throws OrderValidationError if the order has errors or no Id, or the parts of a prepared request don't agree; not if
   * `invalid` is `keep`, and the Id and the JSON of the order can be stored (D65).
   * @throws OptionError if an option is wrong.
   * @throws OutboxError with `reason` `duplicate` if another order with this Id is in the outbox, or `store` if it is not
   * certain that the order is durable: then call `add` again. All errors are rejections.
   *
   * @example
   * ```js
   * import { order, outbox } from './shop.mjs'; // of the example of Outbox
   *
   * console.log((await outbox.add(order)).state); // waiting
   * outbox.start(); // begins to send
   * console.log((await outbox.settled(order.Id))?.order?.ReceiptNumber); // 1
   * console.log((await outbox.add({ ...order, Notes: undefined })).state); // created
   * await outbox.stop();
   * ```
   */
  add(order: IdentifiedOrder | PreparedRequestInput, options?: AddOptions<Transaction>): Promise<AddedOrder>;
  /**
   * Replaces an order that was never sent, was refused or is invalid, with a corrected one with the same Id (D54). The new one is sent
   * like an order that was just added, with a new deadline by `deadlineMs` of the options or else of the outbox, not that of `add`.
   * If an invalid order may have been sent before, so may the new one.
   *
   * @throws OutboxError with `reason` `wrong-state` and the `entry` if the old order is being sent, is created, or may be
   * (`outcome` is `unknown`); with `not-found` if there is none; otherwise as `add` does.
   *
   * @example
   * ```js
   * import { order, outbox, service } from './shop.mjs'; // of the example of Outbox
   *
   * service.failNext(422); // the service refuses the order
   * await outbox.start().add(order);
   * console.log((await outbox.settled(order.Id))?.state); // refused
   * await outbox.replace({ ...order, TimeSlotDisplayString: '10:00' });
   * console.log((await outbox.settled(order.Id))?.state); // created
   * await outbox.stop();
   * ```
   */
  replace(order: IdentifiedOrder | PreparedRequestInput, options?: ReplaceOptions<Transaction>): Promise<AddedOrder>;
  /**
   * Resolves when an order is created, refused, stalled, cancelled or invalid, whichever process settles it; at once if it already is.
   * Resolves with null if there is no entry with this Id, after `timeoutMs` (by default never), or when the outbox stops: the
   * order is durable, and its state can be read later.
   *
   * @throws the reason of `signal` when it fires; OptionError; OutboxError: with `reason` `not-started` at once if the order is not
   * settled, `start` was not called, and no other process can deliver, as on SQLite. All are rejections.
   *
   * @example
   * ```js
   * import { order, outbox } from './shop.mjs'; // of the example of Outbox
   *
   * await outbox.start().add(order);
   * const entry = await outbox.settled(order.Id, { timeoutMs: 2000 });
   * console.log(entry?.state ?? 'ask again later'); // created
   * await outbox.stop();
   * ```
   */
  settled(orderId: string, options?: SettledOptions): Promise<SettledEntry | null>;
  /** Starts sending. Call it in processes that deliver; others only add. Returns the outbox. */
  start(): this;
  /** Returns an entry, or null if there is none. */
  get(orderId: string): Promise<Entry | null>;
  /**
   * Returns what happened to an order, oldest first: when it was added, each attempt, how it was settled, and what people did (D66).
   * Returns the first and the latest 100 of many events, and an empty list if there is no entry. `forget` deletes what was before it.
   *
   * @example
   * ```js
   * import { order, outbox, service } from './shop.mjs'; // of the example of Outbox
   *
   * service.failNext(422); // the service refuses the order
   * await outbox.start().add(order);
   * await outbox.settled(order.Id);
   * await outbox.retry(order.Id, { by: 'Robin' });
   * await outbox.settled(order.Id);
   * const history = await outbox.history(order.Id);
   * console.log(history.map(({ what }) => what).join(', ')); // added, attempt, settled, retry, attempt, settled
   * console.log(history[1].status, history[3].by, history[4].status); // 422 Robin 201
   * await outbox.stop();
   * ```
   */
  history(orderId: string): Promise<HistoryEvent[]>;
  /**
   * Yields entries in the order they were added, or newest first. Reads page by page, so memory stays flat.
   *
   * @throws OptionError if the filter is wrong, when it is first iterated.
   *
   * @example
   * ```js
   * import { order, outbox } from './shop.mjs'; // of the example of Outbox
   *
   * await outbox.add(order);
   * for await (const { orderId, state } of outbox.list({ companyId: 1000, entityId: 2000 })) {
   *   console.log(orderId, state); // 2a8f5d33-eec9-4864-8b49-5636577b40d5 waiting
   * }
   * await outbox.stop();
   * ```
   */
  list(filter?: ListFilter): AsyncGenerator<Entry, void, void>;
  /**
   * Returns one page of entries, newest first unless the filter says otherwise, without their contents: {@link Outbox.get} returns
   * these. `next` is the `after` of the next page. Entries that are added meanwhile do not move the pages.
   *
   * @throws OptionError if an option is wrong, as a rejection.
   *
   * @example
   * ```js
   * import { order, outbox } from './shop.mjs'; // of the example of Outbox
   *
   * await outbox.add(order);
   * const { entries, next } = await outbox.page({ states: ['waiting', 'stalled'], limit: 20 });
   * console.log(entries[0]?.state, entries[0]?.can.cancel, next); // waiting true null
   * await outbox.stop();
   * ```
   */
  page(options?: PageOptions): Promise<EntryPage>;
  /**
   * Counts what is in the outbox, for metrics.
   *
   * @example
   * ```js
   * import { order, outbox } from './shop.mjs'; // of the example of Outbox
   *
   * await outbox.add(order);
   * const { waiting, stalled, isPaused } = await outbox.counts();
   * console.log(waiting, stalled, isPaused); // 1 0 false
   * await outbox.stop();
   * ```
   */
  counts(): Promise<OutboxCounts>;
  /**
   * Sends a stalled, refused or waiting entry now, with a new deadline by the `deadlineMs` of the outbox, not that of `add`.
   *
   * @throws OutboxError with `reason` `wrong-state` or `not-found`.
   *
   * @example
   * ```js
   * import { order, outbox, service } from './shop.mjs'; // of the example of Outbox
   *
   * service.failNext(422); // the service refuses the order
   * await outbox.start().add(order);
   * console.log((await outbox.settled(order.Id))?.reason); // RejectedError
   * await outbox.retry(order.Id); // the cause was corrected at the service
   * console.log((await outbox.settled(order.Id))?.state); // created
   * await outbox.stop();
   * ```
   */
  retry(orderId: string, options?: ActionOptions): Promise<Entry>;
  /**
   * Sends all matching entries that are stalled, refused or waiting, as {@link Outbox.retry} does. Memory stays flat.
   *
   * @returns the number of entries.
   * @throws OptionError if the filter is wrong, as a rejection.
   *
   * @example
   * ```js
   * import { order, outbox, service } from './shop.mjs'; // of the example of Outbox
   *
   * service.failNext(422); // the service refuses the order
   * await outbox.start().add(order);
   * await outbox.settled(order.Id);
   * console.log(await outbox.retryAll({ states: ['refused'], reason: 'RejectedError' })); // 1
   * console.log((await outbox.settled(order.Id))?.state); // created
   * await outbox.stop();
   * ```
   */
  retryAll(filter: ListFilter, options?: ActionOptions): Promise<number>;
  /**
   * Cancels an order that waits or has stalled, and was never sent. Attempts that did not reach the service, or whose token
   * it refused, do not count.
   *
   * @throws OutboxError with `reason` `wrong-state` in any other case; `not-found`.
   *
   * @example
   * ```js
   * import { order, outbox } from './shop.mjs'; // of the example of Outbox
   *
   * await outbox.add(order);
   * console.log((await outbox.cancel(order.Id)).state); // cancelled
   * await outbox.stop();
   * ```
   */
  cancel(orderId: string, options?: ActionOptions): Promise<Entry>;
  /**
   * Deletes the personal data of an entry that is created, refused, stalled, cancelled or invalid: its body, the received order,
   * `detail`, `issues`, reference and history. Its Id, state and outcome remain.
   *
   * This ends the delivery of a stalled order for good, because `retry` has nothing left to send. So a person decides it,
   * after looking for the order at the point of sale if its outcome is `unknown`.
   *
   * @throws OutboxError with `reason` `wrong-state` or `not-found`.
   *
   * @example
   * ```js
   * import { order, outbox } from './shop.mjs'; // of the example of Outbox
   *
   * await outbox.add(order);
   * await outbox.cancel(order.Id);
   * console.log((await outbox.forget(order.Id)).body); // null
   * await outbox.stop();
   * ```
   */
  forget(orderId: string, options?: ActionOptions): Promise<Entry>;
  /**
   * Deletes all created entries that are older than `keepCreatedMs` and whose handler has returned; runs by itself as well.
   * Returns the number of deleted entries.
   */
  prune(): Promise<number>;
  /**
   * Stops sending, waits for the orders in flight and for the handlers, and closes the store. After `timeoutMs`, by default 3
   * minutes, `stop` interrupts orders in flight and no longer waits for handlers: these orders are sent again, and these
   * handlers are called again, after the next start. It then ends, even if the store does not respond. A store that responds
   * has 250 ms more to record which orders were interrupted, and to close.
   *
   * A second call can shorten the first. A call inside a handler waits neither for this handler nor for the store, which
   * closes when the handler has returned (needs Node 20.16, 22.3 or later; on other platforms, pass `timeoutMs`).
   *
   * @throws OptionError if an option is wrong, as a rejection; the outbox then goes on.
   */
  stop(options?: StopOptions): Promise<void>;
  /** Stops the outbox at the end of the block of an `await using`, as {@link Outbox.stop} does. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** The result of {@link Outbox.add} and {@link Outbox.replace}. */
export interface AddedOrder {
  /** The Id of the order. */
  orderId: Guid;
  /** `waiting`, `invalid` if it was kept although it is, or the state of the same order if it was added before. */
  state: EntryState;
  /** Whether this call has stored the order: false if the outbox had the same order already. Always true for `replace`. */
  isNew: boolean;
  /** Warnings and notices; errors, too, of an invalid order. */
  issues: Issue[];
}

/** The result of {@link Outbox.page}. */
export interface EntryPage {
  /** The entries. */
  entries: EntrySummary[];
  /** What to pass as `after` for the next page; null if this is the last one. */
  next: string | null;
}

/** Numbers of entries. */
export interface OutboxCounts {
  /** Entries that wait for their next attempt. */
  waiting: number;
  /** Entries with an attempt whose response is not recorded. */
  sending: number;
  /** Entries that the service has created, without those that were deleted after `keepCreatedMs`. */
  created: number;
  /** Entries that the service has refused, without those that were forgotten. */
  refused: number;
  /** Entries that need a person, without those that were forgotten. */
  stalled: number;
  /** Entries that were cancelled. */
  cancelled: number;
  /** Entries that are invalid, without those that were forgotten. */
  invalid: number;
  /** Age of the oldest entry that is waiting or being sent, in milliseconds; null if there is none. */
  oldestWaitingMs: number | null;
  /** Locations with entries that are waiting, being sent, refused, stalled or invalid. */
  locations: LocationCounts[];
  /**
   * Whether all deliveries are held back now. A process that does not deliver reads it from what the processes that deliver have
   * stored within the last 90 seconds.
   */
  isPaused: boolean;
  /** Why they are held back; null if they are not. */
  pause: Pause | null;
}

/** Numbers of entries of a location. */
export interface LocationCounts {
  /** The CompanyId of the location; null if its orders are invalid and have none. */
  companyId: number | null;
  /** The EntityId of the location; null if its orders are invalid and have none. */
  entityId: number | null;
  /** Entries that are waiting or being sent. */
  waiting: number;
  /** Entries that the service has refused, without those that were forgotten. */
  refused: number;
  /** Entries that need a person, without those that were forgotten. */
  stalled: number;
  /** Entries that are invalid, without those that were forgotten. */
  invalid: number;
  /** Age of the oldest entry that is waiting or being sent, in milliseconds; null if there is none. */
  oldestWaitingMs: number | null;
  /** Whether deliveries to this location are held back now. */
  isPaused: boolean;
  /** Why; null if they are not. */
  pause: Pause | null;
}
