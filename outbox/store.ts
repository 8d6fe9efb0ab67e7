/** What an outbox needs of a store. The checks that a store must pass are in tests/outbox/conformance. */
import type { Guid, Version } from 'sales-order-intake';
import type { HistoryEvent } from './history.js';

/**
 * - `waiting`: will be sent when it is due.
 * - `sending`: an attempt is recorded, and its response is not.
 * - `created`, `refused`: the service has given a final response.
 * - `stalled`: needs a person; see `reason`.
 * - `cancelled`: will not be sent; the service does not have it.
 * - `invalid`: stored although it is invalid (D65), and never sent; a person replaces or forgets it.
 */
export type EntryState = 'waiting' | 'sending' | 'created' | 'refused' | 'stalled' | 'cancelled' | 'invalid';

/**
 * What is known about the order at the service (D31).
 *
 * - `not-created`: the service does not have it.
 * - `unknown`: an attempt may have created it. It must never be sent with a new Id.
 * - `created`: the service has it.
 */
export type EntryOutcome = 'not-created' | 'unknown' | 'created';

/** An entry that is stored before anything is sent. An invalid one has further members. All times are milliseconds since 1970. */
export interface NewEntry
  extends Partial<Pick<Settlement, 'state' | 'outcome' | 'reason' | 'issues' | 'settledAt' | 'noticeAt'>> {
  /** The Id of the order. No two entries have the same. */
  orderId: Guid;
  /** The version of the operation that the order is sent to. */
  version: Version;
  /** The bytes that every attempt sends. Personal data. */
  body: string;
  /** The ids of company and location, such as `1000/2000`; an id that an invalid order lacks is empty. */
  location: string;
  /** The shop's own name for the order (D67); null if it has none. May be personal data. */
  reference: string | null;
  /** The version of this package that prepared the order: another one checks it again before it sends it. */
  preparedBy: string | null;
  /** Path of the request, relative to the base URL. */
  path: string | null;
  /** What the proof of creation compares with a response (D26); null after `forget`. */
  expected: string | null;
  /** When the order was added. */
  addedAt: number;
  /** When the order may be sent. */
  dueAt: number;
  /** When the order stalls if it is still waiting. */
  deadlineAt: number;
  /** The trace in which the order was added, as W3C Trace Context; null if none. Not personal. Deliveries link to it. */
  traceContext: string | null;
  /**
   * Whether `addedAt` means now. A store with a clock of its own then stores the time of that clock, as it is when the entry is
   * written, and makes the other times as much later or earlier: the clock that the caller remembers may be wrong by days.
   * @default false
   */
  isAddedNow?: boolean | undefined;
}

/** The members that the end of an attempt, or a person, writes into an entry. All times are milliseconds since 1970. */
export interface Settlement {
  /** The new state. */
  state: EntryState;
  /** What is known about the order now. */
  outcome: EntryOutcome;
  /** The number of attempts that count: fewer than `take` has recorded if the last one does not count. */
  attempts: number;
  /** When the order may be sent again, if it waits. */
  dueAt: number;
  /** Why the entry is in this state, such as the name of the last error: see `Entry.reason`. Null if nothing went wrong. */
  reason: string | null;
  /** Status of the last response; null if there was none. */
  status: number | null;
  /** The service's id for the last request; null if its response has none. */
  requestId: string | null;
  /** The reason as the service worded it. May be personal data. */
  detail: string | null;
  /** JSON of the service's issues. May be personal data. */
  issues: string | null;
  /** The received order, as the service wrote it. Personal data. */
  received: string | null;
  /** The receipt number of the received order; null if there is none. */
  receiptNumber: string | null;
  /** The service had an equal order with this Id before the first attempt (D53). */
  alreadyThere: boolean;
  /** When the entry was settled; null while it is waiting. */
  settledAt: number | null;
  /** When to call the handler, or to call it again; null if it has nothing to handle. */
  noticeAt: number | null;
}

/** An event of the history of an entry, as it is stored. See {@link HistoryEvent}. */
export interface StoredEvent {
  /** When it began, in milliseconds since 1970. */
  at: number;
  /** `settled` and `deadline`, with the reason `Deadline`, settled the entry: after an attempt, if there is a `durationMs`. */
  what: HistoryEvent['what'] | 'deadline';
  by: string | null;
  status: number | null;
  failure: string | null;
  outcome: EntryOutcome | null;
  reason: string | null;
  durationMs: number | null;
  processId: string | null;
}

/** What a change of an entry adds to its history. */
export interface Recorded {
  /** Absent: nothing. `forget` deletes what is in it. */
  event?: (Pick<StoredEvent, 'at' | 'what'> & Partial<Omit<StoredEvent, 'processId'>>) | undefined;
}

/** An entry as it is stored. */
export interface StoredEntry extends Omit<NewEntry, 'body' | 'isAddedNow' | keyof Settlement>, Settlement {
  /** The bytes that every attempt sends; null after `forget`. Personal data. */
  body: string | null;
  /** Whether the body is stored, also if `body` is null because a list has no contents. */
  hasBody: boolean;
  /** Position in the order of adding: a whole number above 0, greater than that of every entry that was added before. */
  position: number;
}

/** An entry that this process may send now. `outcome` is what was known before this attempt. */
export interface TakenEntry extends StoredEntry {
  /** The store's own proof that the entry is still this process's. */
  readonly lease?: unknown;
}

/** Options of {@link OutboxStore.take}. */
export interface TakeOptions {
  /** Milliseconds since 1970. */
  now: number;
  /** How many entries may be taken. */
  limit: number;
  /** Returns how many entries of a location may be taken. */
  room(location: string): number;
}

/** The result of {@link OutboxStore.take}. */
export interface TakeResult {
  /** The entries, each with its attempt recorded. */
  entries: TakenEntry[];
  /** When to ask again, in milliseconds since 1970, unless an entry is added before; Infinity if nothing is waiting. */
  againAt: number;
}

/** An entry is changed only if all of this holds. */
export interface Condition {
  /** The entry is in one of these states. */
  states?: readonly EntryState[] | undefined;
  /** The entry has this number of attempts that count. */
  attempts?: number | undefined;
  /** This is known about the order; anything of an invalid one, which is never sent. */
  outcome?: EntryOutcome | undefined;
  /** The handler is due at this time. */
  noticeAt?: number | undefined;
  /** The body has not been deleted. */
  hasBody?: true | undefined;
}

/** The members to write into an entry that a person retries or forgets, or that a corrected order replaces. */
export interface Change
  extends Partial<Settlement>,
    Recorded,
    Partial<Omit<NewEntry, 'orderId' | 'body' | 'isAddedNow' | keyof Settlement>> {
  /** The bytes that every attempt sends; null deletes them. */
  body?: string | null;
}

/** Some of the entries: at most `limit` after a position, of those that match, in the order of adding or the reverse. */
export interface Page {
  /** Only entries in one of these states; none if the list is empty. */
  states?: readonly EntryState[] | undefined;
  /** Only entries of this location, such as `1000/2000`. */
  location?: string | undefined;
  /** Only entries with this reason. */
  reason?: string | undefined;
  /** Only entries whose reference begins with this text. */
  reference?: string | undefined;
  /** Only entries with this receipt number. */
  receiptNumber?: string | undefined;
  /** Only entries that were settled at this time or later, or that are not settled and were added then. */
  since?: number | undefined;
  /** Only entries that were settled before this time, or that are not settled and were added before. */
  before?: number | undefined;
  /** Only entries whose handler is due at this time. */
  noticeUntil?: number | undefined;
  /** Only entries that may be sent later than this time. */
  dueAfter?: number | undefined;
  /**
   * Whether the entry that was added last is the first. `changeAll` is never called with it.
   * @default false
   */
  newestFirst?: boolean | undefined;
  /** Only entries after the one with this position, in the order of the page; 0 begins with the first. */
  after: number;
  /** The most entries. */
  limit: number;
  /**
   * Whether `list` returns the contents, too, which may be too large for many entries at a time. If not, `body` and `received` are null.
   * @default false
   */
  contents?: boolean | undefined;
}

/** The result of {@link OutboxStore.changeAll}. */
export interface ChangedPage {
  /** How many entries of the page were changed. */
  changed: number;
  /** The position of the last entry of the page, to continue after it; null if there are no further entries. */
  last: number | null;
}

/** How many entries of a location are in a state. */
export interface LocationCount {
  /** The state. */
  state: EntryState;
  /** The ids of company and location, such as `1000/2000`; may be empty for entries that are created or cancelled. */
  location: string;
  /** How many entries. */
  entries: number;
  /** When the oldest of them was added, in milliseconds since 1970. */
  oldestAddedAt: number;
}

/** Options of {@link OutboxStore.sweep}, in milliseconds since 1970. */
export interface SweepOptions {
  /** Waiting entries with an earlier deadline stall. */
  now: number;
  /** Created entries that were settled earlier are deleted. */
  createdBefore: number;
}

/**
 * Stores the entries of an outbox. A function that writes resolves once what it wrote survives a crash of the machine, and
 * rejects if that is not certain; then it may be called again.
 *
 * `Transaction` is what a caller passes to `outbox.add` to make the order a part of its own transaction. A store without
 * transactions is an `OutboxStore`; its outbox takes no `transaction`.
 */
export interface OutboxStore<in Transaction = never> {
  /**
   * Whether no other process can deliver the entries. `settled` of an outbox that has not been started then rejects, instead of waiting.
   * @default false
   */
  readonly isOfOneProcess?: boolean | undefined;
  /**
   * Names the service whose orders the store has (D60). Called once, before the other functions, by an outbox whose client has a
   * base URL. Functions that take or write entries then reject with an OutboxError with `reason` `wrong-service`, and write
   * nothing, if the store has another base URL. The first base URL is stored beside the entries. The orders of a store without
   * `bind` are sent to any service.
   *
   * @param baseUrl Origin and path, with a slash at the end.
   * @param movedFrom If the store has this base URL, `baseUrl` replaces it; `*` means any.
   */
  bind?(baseUrl: string, movedFrom?: string | null): void;
  /**
   * Returns the time of the store's own clock, in milliseconds since 1970. All times of the entries are then by this clock, so
   * the clocks of the processes need not agree. Absent if the store has no clock: then the times are by the clock of the process.
   *
   * @param transaction As for `add`: the call uses no other connection.
   */
  now?(transaction?: Transaction): Promise<number>;
  /**
   * Called when this process starts to deliver; processes that only add never call it.
   *
   * @param wake Makes the process take entries that are due now, for a store that learns of entries that another process adds.
   */
  start?(wake?: () => void): void;
  /**
   * Adds an entry in the state `waiting`, with no attempts and the outcome `not-created`. Returns null, or the entry that
   * has this id already, which is not changed. An entry that is added `invalid` has the event `settled` in its history.
   *
   * @param transaction What the caller passed to `outbox.add`: the entry becomes durable when the caller commits, and is
   * never seen by anyone if the caller rolls back. Absent if the caller passed none.
   */
  add(entry: NewEntry, transaction?: Transaction): Promise<StoredEntry | null>;
  /**
   * Takes entries that are due, and records an attempt of each: `state` becomes `sending` and `attempts` grows by one,
   * durably, before this resolves. Also takes entries that another process was sending when it died: their outcome is
   * `unknown`. No entry is taken by two at a time.
   */
  take(options: TakeOptions): Promise<TakeResult>;
  /**
   * Writes the result of an attempt. Returns false, and writes nothing, if the entry has been taken again since: by another
   * process, or by this one after an earlier call took effect although it rejected. Use `lease` to find out, not the number of
   * attempts: attempts that do not count are subtracted from it.
   */
  settle(entry: TakenEntry, settlement: Settlement & Recorded): Promise<boolean>;
  /**
   * Changes an entry if the condition holds, in one step. Returns the changed entry, or null. An entry that becomes `waiting`
   * is taken when it is due.
   *
   * @param transaction As for `add`.
   */
  change(orderId: Guid, condition: Condition, change: Change, transaction?: Transaction): Promise<StoredEntry | null>;
  /** Changes all entries of a page that meet the condition, each as {@link OutboxStore.change} does. */
  changeAll(page: Page, condition: Condition, change: Change): Promise<ChangedPage>;
  /**
   * Returns an entry, or null if there is none.
   *
   * @param transaction As for `add`.
   */
  get(orderId: Guid, transaction?: Transaction): Promise<StoredEntry | null>;
  /**
   * Returns the history of an entry, beginning with `added` (D66): the first 100 and the latest 100 events, also those that the store
   * itself adds when the deadline passes or a process dies. Empty if there is no entry.
   */
  history(orderId: Guid): Promise<StoredEvent[]>;
  /** Returns the entries of a page. */
  list(page: Page): Promise<StoredEntry[]>;
  /** Counts entries, without refused, stalled and invalid ones whose body was deleted: these need no person any more. */
  count(): Promise<LocationCount[]>;
  /**
   * Turns entries that are waiting past their deadline into `stalled`, with `reason` `Deadline` and `settledAt` and
   * `noticeAt` now, and deletes created entries whose handler was called and that were settled before `createdBefore`.
   * May stop after a few thousand. Returns how many entries it changed and deleted.
   */
  sweep(options: SweepOptions): Promise<number>;
  /**
   * Stores the pauses of this process beside the entries. Replaces those that the process stored before; null removes them. Like
   * `getPauses`, it can be absent in a store of one process.
   *
   * @param pauses JSON.
   * @param now Milliseconds since 1970.
   */
  setPauses?(pauses: string | null, now: number): Promise<void>;
  /** Returns the pauses that processes have stored by `setPauses` since a time, in milliseconds since 1970. */
  getPauses?(since: number): Promise<string[]>;
  /** Called when the outbox begins to stop: what the store delays, to write it together with later calls, is now written at once. */
  hurry?(): void;
  /** Releases what the store holds. */
  close(): Promise<void>;
}
