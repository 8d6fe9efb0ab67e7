import type { Guid, RuleOptions } from 'sales-order-intake';
import type { Client } from 'sales-order-intake/client';
import type { PlatformType } from '../pkg-template/src/platform/platform.js';
import type { SettledEntry } from './entry.js';
import type { EntryReason } from './reason.js';
import type { EntryOutcome, EntryState, OutboxStore } from './store.js';

/** Options of {@link createOutbox}. `Transaction` is that of the store. */
export interface OutboxOptions<Transaction = never> {
  /**
   * Sends the orders. All its options apply except `maxRetries` and `retry`: the outbox repeats attempts by itself. If this
   * is an object of your own, spread the client into it, so that the client's `version` applies; otherwise it is v3.
   */
  client: Pick<Client, 'createOrder'>;
  /**
   * Stores the orders.
   * @example { store: sqliteStore('orders.sqlite') }
   */
  store: OutboxStore<Transaction>;
  /**
   * The base URL that the store had until now. A store has the orders of one service: it stores the base URL of the first client. With
   * another one, calls that send or write reject with an OutboxError with the `reason` `wrong-service` (D60). This option moves the
   * store on purpose, from this base URL to that of the client; `*` means any. Processes that still have the old base URL then send
   * nothing more, and call `onError` with the code `wrong-service`: stop them before.
   * @default none: the store is not moved
   * @example { movedFrom: 'https://old.example.com/orders' }
   */
  movedFrom?: string | undefined;
  /**
   * Called at least once for each entry that was created, refused, has stalled or is invalid, also after a crash. So it must handle an entry
   * that it has already seen. Called with `cancelled` if a relay had accepted the order, and it was cancelled there. Not called for an
   * entry that {@link Outbox.cancel} cancelled: its caller knows. If it throws, or the process dies, it is called again after
   * `handlerTimeoutMs`; while it fails for all entries, for a few of them at a time. While 8 × `concurrency` calls have not
   * returned, no further orders are sent: this bounds the memory.
   * @default none
   * @example { onSettled: async ({ orderId, state }) => shop.mark(orderId, state) }
   */
  onSettled?: ((entry: SettledEntry) => unknown) | undefined;
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
   * Milliseconds, at most 3_155_760_000_000: the least time between the first and the last of the five suspect responses that
   * settle an order (D51). A suspect response may be an outage in disguise: a page, a redirect, a 403, 404 or 405. Each of the
   * five needs an order that the service has created since the one before. The process counts them in memory, for the last
   * 10,000 orders: after a restart the count begins again.
   * @default 600_000, which is ten minutes
   */
  suspectMs?: number | undefined;
  /**
   * Bounds of the random waits between attempts at one order, and of pauses: up to `baseMs` after the first three attempts,
   * then twice as much each time, never more than `capMs`. Pauses begin with a quarter of `baseMs`. Retry-After takes
   * precedence, up to an hour.
   * @default { baseMs: 1000, capMs: 20_000 }
   */
  retry?:
    | {
        /** Milliseconds. */
        baseMs?: number | undefined;
        /** Milliseconds. */
        capMs?: number | undefined;
      }
    | undefined;
  /** For logs and metrics. Hooks can't change anything, and their errors are ignored. */
  hooks?: OutboxHooks | undefined;
}

/** Events contain nothing of an order but its Id and location (D45). */
export interface OutboxHooks {
  /**
   * An order is durable: it was added, or has replaced another. Not called for an invalid order, if the same order was already in the
   * outbox, or in the caller's transaction.
   */
  onAdd?: ((event: AddEvent) => void) | undefined;
  /** The result of an attempt is durable. */
  onResult?: ((event: ResultEvent) => void) | undefined;
  /** Deliveries pause or resume. */
  onGate?: ((event: GateEvent) => void) | undefined;
  /** The store, the handler or the client failed, and is tried again. */
  onError?: ((event: ErrorEvent) => void) | undefined;
}

/** An order was added, or has replaced another. */
export interface AddEvent {
  /** The Id of the order. */
  orderId: Guid;
  /** The order's CompanyId. */
  companyId: number;
  /** The order's EntityId: its location. */
  entityId: number;
}

/** The result of an attempt. */
export interface ResultEvent extends AddEvent {
  /** `waiting` if there will be another attempt. */
  state: 'waiting' | 'created' | 'refused' | 'stalled' | 'cancelled';
  /** What is known about the order at the service now (D31). */
  outcome: EntryOutcome;
  /** See {@link Entry.alreadyThere}. */
  alreadyThere: boolean;
  /**
   * The response may come from something between here and the service, for example a page of a proxy. Five of them can settle
   * the order, otherwise it waits (D51).
   */
  isSuspect: boolean;
  /** Media type of the last response, for example `text/html`; null if there was none. */
  mediaType: string | null;
  /** Attempts that count, as in {@link Entry.attempts}. */
  attempts: number;
  /**
   * Why the entry is in its state: name of the error, for example; null if the order is created. `entryReasons` has a sentence and a
   * remedy for each.
   */
  reason: EntryReason | null;
  /** Status of the response; null if there was none. */
  status: number | null;
  /** Why the connection failed, for example `host not found (ENOTFOUND)`; null if it did not. */
  failure: string | null;
  /** The service's id for the request: quote it to the service's support. Null if its response has none. */
  requestId: string | null;
  /** Milliseconds from the start of the attempt until its result was stored. */
  durationMs: number;
  /** Milliseconds since the order was added. */
  ageMs: number;
}

/** Deliveries pause, pause longer, or resume: all of them, or those to one location. */
export type GateEvent = {
  /** Whether deliveries resume. */
  isOpen: boolean;
  /** Whole milliseconds until a probe is sent; 0 if deliveries resume. */
  waitMs: number;
  /** Why deliveries are held back; null if they are not. */
  pause: Pause | null;
} & (
  | {
      /** All deliveries. */
      scope: 'service';
      /** Null: it is about all locations. */
      companyId: null;
      /** Null: it is about all locations. */
      entityId: null;
    }
  | {
      /** Deliveries to one location. */
      scope: 'location';
      /** The CompanyId of the location. */
      companyId: number;
      /** The EntityId of the location. */
      entityId: number;
    }
);

/** Why deliveries are held back. */
export interface Pause {
  /**
   * - `unreachable`: no connection could be made, so nothing was sent: `failure` says why.
   * - `token`: the service refused the token, or the token function failed.
   * - `retry-after`: the service asked for a pause, by Retry-After.
   * - `failures`: several orders in a row failed.
   * - `suspect`: the response may not be from the service: a page, a redirect, or a 403, 404 or 405 (D26, D51).
   *
   * `pauseCauses` has a sentence and a remedy for each, for a log or a page.
   */
  cause: 'unreachable' | 'token' | 'retry-after' | 'failures' | 'suspect';
  /** When deliveries were first held back. */
  since: Date;
  /** Name of the error of the last attempt. */
  reason: EntryReason;
  /** Status of the last response; null if there was none. */
  status: number | null;
  /** Media type of the last response, for example `text/html`; null if there was none. */
  mediaType: string | null;
  /** Why the connection failed, for example `certificate expired (CERT_HAS_EXPIRED)`; null if it did not. */
  failure: string | null;
}

/** The store, the handler or the client failed, and is tried again. */
export interface ErrorEvent {
  /**
   * What failed: a function of the store; `handler`; or `send`, if the client threw an error that a client of this package
   * throws only if the core fails, or never.
   */
  operation: 'take' | 'settle' | 'sweep' | 'close' | 'handler' | 'send';
  /** Name of the error. It may be one of the database's, of the handler's or of the client's own. */
  reason: string;
  /**
   * The database's own code, if it has one; `ETIMEDOUT` if it did not respond within `queryTimeoutMs`; `wrong-service` if the
   * store was moved to another base URL than this process sends to: it sends nothing more (D60).
   */
  code: string | null;
  /** The order that it was about; null if it was not about a single order. */
  orderId: Guid | null;
}

/** How an order is checked, and where it is written. */
export interface AddOptions<Transaction = never> extends RuleOptions {
  /**
   * The shop's own name for the order, such as a cart number: 1 to 100 characters, no control characters (D67). Lists find it.
   * @default none; for `replace`, that of the entry
   */
  reference?: string | undefined;
  /**
   * What to do with an invalid order: reject the call, or `keep` it in the state `invalid` for a person to correct (D65). It is never
   * sent. An order without a valid Id, or with a value that JSON cannot represent, is rejected anyway.
   * @default 'throw'
   */
  invalid?: 'throw' | 'keep' | undefined;
  /**
   * What is known of earlier attempts to send this very order, for example by another program. With `unknown`, it may be created: a
   * 409 or another 4xx does not prove that it is not (D31, D34), and it can't be cancelled, or replaced unless it is invalid.
   * @default 'none'
   */
  earlierAttempts?: 'none' | 'unknown' | undefined;
  /**
   * Milliseconds from now until the order stalls if there is no final response.
   * @default `deadlineMs` of the outbox
   */
  deadlineMs?: number | undefined;
  /**
   * The caller's own transaction: the order is accepted if and when it commits. Its type is that of the store; a store without
   * transactions takes none.
   * @default none: the order is durable when `add` resolves
   */
  transaction?: Transaction | undefined;
}

/** Options of what a person does with an entry. */
export interface ActionOptions {
  /**
   * Who does it, for the history: a name or an account, 1 to 200 characters, no control characters.
   * @default none
   */
  by?: string | undefined;
}

/** Options of {@link Outbox.replace}. */
export interface ReplaceOptions<Transaction = never> extends AddOptions<Transaction>, ActionOptions {}

/** How long {@link Outbox.settled} waits. */
export interface SettledOptions {
  /**
   * Milliseconds; at most 2_147_483_647, or Infinity.
   * @default Infinity
   */
  timeoutMs?: number | undefined;
  /**
   * Ends the wait when it fires.
   * @default none
   */
  signal?: PlatformType<'AbortSignal'> | undefined;
}

/** How long {@link Outbox.stop} waits. */
export interface StopOptions {
  /**
   * Milliseconds; at most 2_147_483_647, or Infinity.
   * @default 180_000
   */
  timeoutMs?: number | undefined;
}

/** Selects the entries that match all members that are given. */
export interface ListFilter {
  /** This state. */
  state?: EntryState | undefined;
  /** Any of these states; not together with `state`. */
  states?: readonly EntryState[] | undefined;
  /** This reason, for example `NotFoundError`. */
  reason?: EntryReason | undefined;
  /** A reference that is equal to this, or begins with it. */
  reference?: string | undefined;
  /** This receipt number of a created order. */
  receiptNumber?: string | number | undefined;
  /** Settled at this time or later; entries that are not settled, added then. A Date, or milliseconds since 1970. */
  since?: Date | number | undefined;
  /** Settled before this time; entries that are not settled, added before it. A Date, or milliseconds since 1970. */
  before?: Date | number | undefined;
  /** This CompanyId; together with `entityId`. */
  companyId?: number | undefined;
  /** This EntityId; together with `companyId`. */
  entityId?: number | undefined;
  /**
   * Whether entries of `list` have their contents. If not, `body` and `order` are null, and a page of large orders needs little memory.
   * @default true
   */
  contents?: boolean | undefined;
  /**
   * Whether the entry that was added last is the first.
   * @default false for `list`, true for `page`
   */
  newestFirst?: boolean | undefined;
}

/** Selects a page of entries. */
export interface PageOptions extends ListFilter {
  /** Not for pages: `get` returns the contents of an entry. */
  contents?: false | undefined;
  /**
   * Where the page begins: `next` of the page before.
   * @default the first page
   */
  after?: string | undefined;
  /**
   * The most entries, 1 to 500.
   * @default 50
   */
  limit?: number | undefined;
}
