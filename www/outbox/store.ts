import type { Guid, Version } from 'sales-order-intake';

/**
 * - `waiting`: will be sent when it is due.
 * - `sending`: an attempt is recorded, and its response is not.
 * - `created`, `refused`: the service has given a final response.
 * - `stalled`: needs a person; see `reason`.
 * - `cancelled`: withdrawn; the service does not have it.
 */
export type State = 'waiting' | 'sending' | 'created' | 'refused' | 'stalled' | 'cancelled';

/** What is known about the order at the service. */
export type EntryOutcome = 'not-created' | 'unknown' | 'created';

/** An entry that is written down before anything is sent. All times are milliseconds since 1970. */
export interface NewEntry {
  orderId: Guid;
  version: Version;
  /** The bytes that every attempt sends. Personal data. */
  body: string;
  /** `CompanyId/EntityId`. */
  location: string;
  addedAt: number;
  dueAt: number;
  deadlineAt: number;
}

/** The changes that an attempt, or a person, makes to an entry. */
export interface Settlement {
  state: State;
  outcome: EntryOutcome;
  /** Attempts that count. */
  attempts: number;
  dueAt: number;
  /** Name of the last error, `Deadline`, `AcceptedByRelay` or `Unreadable`; null if there is none. */
  reason: string | null;
  status: number | null;
  requestId: string | null;
  /** The reason as the service worded it. May be personal data. */
  detail: string | null;
  /** JSON of the service's issues. May be personal data. */
  issues: string | null;
  /** JSON of the received order. Personal data. */
  received: string | null;
  /** The service had an equal order with this Id before the first attempt (D53). */
  alreadyThere: boolean;
  /** null while the entry is waiting. */
  settledAt: number | null;
  /** When to call the handler, or to call it again; null if it has nothing to handle. */
  noticeAt: number | null;
}

/** An entry as it is stored. */
export interface StoredEntry extends Omit<NewEntry, 'body'>, Settlement {
  /** null after `forget`. */
  body: string | null;
  /** Position in the order of adding. */
  position: number;
}

/** An entry that this process may send now. `outcome` is what was known before this attempt. */
export interface TakenEntry extends StoredEntry {
  /** The store's own proof that the entry is still this process's. */
  readonly lease?: unknown;
}

export interface TakeOptions {
  now: number;
  limit: number;
  /** Returns how many entries of a location may be taken. */
  room(location: string): number;
  /** Locations without room, for engines that skip them while they search. */
  full: readonly string[];
}

export interface TakeResult {
  entries: TakenEntry[];
  /** When to ask again, unless an entry is added before; Infinity if nothing is waiting. */
  againAt: number;
}

/** An entry is changed only if all of this holds. */
export interface Condition {
  states?: readonly State[];
  /** Attempts that count. */
  attempts?: number;
  outcome?: EntryOutcome;
  noticeAt?: number;
  /** The body has not been deleted. */
  hasBody?: true;
}

/** What is written into an entry: by a person who retries or forgets it, or by a corrected order that replaces it. */
export type Change = Partial<Settlement & Omit<NewEntry, 'orderId' | 'body'>> & { body?: string | null };

export interface Page {
  states?: readonly State[] | undefined;
  location?: string | undefined;
  /** Only entries whose last error has this name. */
  reason?: string | undefined;
  /** Only entries that were settled at this time or later, or that are not settled and were added then. */
  since?: number | undefined;
  /** Only entries whose handler is due at this time. */
  noticeUntil?: number | undefined;
  /** Entries after this position. */
  after: number;
  limit: number;
}

export interface LocationCount {
  state: State;
  location: string;
  entries: number;
  /** When the oldest of them was added. */
  oldestAddedAt: number;
}

/**
 * Stores the entries of an outbox. A function that writes resolves once what it wrote survives a crash of the machine, and
 * rejects if that is not certain; then it may be called again. Published with a conformance test:
 * `sales-order-intake/outbox/conformance`.
 */
export interface Store {
  /** Called when this process starts to deliver; processes that only add never call it. */
  start?(): void;
  /**
   * Adds an entry in the state `waiting`, with no attempts and the outcome `not-created`. Returns null, or the entry that
   * has this id already, which is not changed.
   *
   * @param transaction What the caller passed to `outbox.add`: the entry becomes durable when the caller commits, and is
   * never seen by anyone if the caller rolls back.
   */
  add(entry: NewEntry, transaction: unknown): Promise<StoredEntry | null>;
  /**
   * Takes entries that are due, and records an attempt of each: `state` becomes `sending` and `attempts` grows by one,
   * durably, before this resolves. Also takes entries that another process was sending when it died: their outcome is
   * `unknown`. No entry is taken by two at a time.
   */
  take(options: TakeOptions): Promise<TakeResult>;
  /** Writes the result of an attempt. Returns false, and writes nothing, if another process has taken the entry since. */
  settle(entry: TakenEntry, settlement: Settlement): Promise<boolean>;
  /**
   * Changes an entry if the condition holds, in one step. Returns the changed entry, or null. An entry that becomes `waiting`
   * is taken when it is due.
   *
   * @param transaction As for `add`.
   */
  change(orderId: Guid, condition: Condition, change: Change, transaction?: unknown): Promise<StoredEntry | null>;
  /**
   * Changes all entries of a page that meet the condition, each as {@link Store.change} does. Returns how many it changed, and
   * the position of the last entry of the page, to continue after it; null if there are no further entries.
   */
  changeAll(page: Page, condition: Condition, change: Change): Promise<{ changed: number; last: number | null }>;
  get(orderId: Guid): Promise<StoredEntry | null>;
  /** Returns entries in the order they were added. */
  list(page: Page): Promise<StoredEntry[]>;
  /** Counts entries, without stalled ones whose body was deleted: these need nobody any more. */
  count(): Promise<LocationCount[]>;
  /**
   * Turns entries that are waiting past their deadline into `stalled`, with `reason` `Deadline` and `settledAt` and
   * `noticeAt` now, and deletes created entries whose handler was called and that were settled before `createdBefore`.
   * May stop after some thousand. Returns how many entries it changed and deleted.
   */
  sweep(options: { now: number; createdBefore: number }): Promise<number>;
  /** Releases what the store holds. */
  close(): Promise<void>;
}
