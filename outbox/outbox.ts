import { parseGuid, type Guid, type IdentifiedOrder } from 'sales-order-intake';
import { ORDER_OPTIONS } from '../pkg-template/src/option-names.js';
import { isSameOrder } from '../pkg-template/src/order-fate.js';
import { notify } from '../pkg-template/src/platform/notify.js';
import { check, checkMs, checkNames, copyOptions } from '../pkg-template/src/options/check.js';
import { platform as realPlatform, type Platform } from '../pkg-template/src/platform/platform.js';
import { begun, isTraced, traced, tracingChannel } from '../pkg-template/src/platform/tracing-channel.js';
import { packageVersion } from '../pkg-template/src/sending/inner-client.js';
import { orderIdOf, type PreparedRequestInput } from '../pkg-template/src/sending/request.js';
import { acceptedOrder } from './accepted-order.js';
import { countsOf } from './counts.js';
import { Dispatcher } from './dispatcher.js';
import { beginStop } from './stop.js';
import {
  type Action,
  CONDITIONS,
  duplicate,
  type Entry,
  entryOf,
  FORGET,
  isSettled,
  problemOf,
  type SettledEntry,
  summaryOf,
} from './entry.js';
import { OutboxError } from './errors.js';
import { historyOf, type HistoryEvent } from './history.js';
import { INITIAL } from './members.js';
import type {
  ActionOptions,
  AddOptions,
  ListFilter,
  OutboxOptions,
  PageOptions,
  ReplaceOptions,
  SettledOptions,
  StopOptions,
} from './options.js';
import { SettledWaits } from './settled-waits.js';
import {
  actorOf,
  checkLine,
  checkTimeout,
  filterOf,
  pageOf,
  LONGEST_MS,
  LONGEST_REFERENCE,
  checkedOptions,
  type CheckedOptions,
} from './checked-options.js';
import { StoreClock } from './store-clock.js';
import type { Change, NewEntry, StoredEntry } from './store.js';
import type { AddedOrder, EntryPage, Outbox, OutboxCounts } from './types.js';

type AnyOrder = IdentifiedOrder | PreparedRequestInput;

const ADD_OPTIONS = ['transaction', 'reference', 'invalid', 'earlierAttempts', 'deadlineMs', ...ORDER_OPTIONS];
const PAGE = 500;
/** Long enough for an attempt, for writing its result and for its handler, with the defaults of all three. */
const STOP_MS = 180_000;
/** Of entries with their contents, which may be large. */
const FULL_PAGE = 50;

/**
 * Creates an outbox: orders that it has accepted are delivered, whatever happens to the service or to this process.
 *
 * @throws OptionError if an option is wrong.
 *
 * @example
 * ```js
 * import { createClient } from 'sales-order-intake/client';
 * import { createOutbox } from 'sales-order-intake/outbox';
 * import { sqliteStore } from 'sales-order-intake/outbox/sqlite';
 *
 * const client = createClient({ baseUrl: 'https://intake.example.com/orders', token: () => 'a-token' });
 * const outbox = createOutbox({
 *   client,
 *   store: sqliteStore('orders.sqlite'),
 *   onSettled: ({ orderId, state }) => console.log(orderId, state),
 * });
 * const { state } = await outbox.add({
 *   Id: '2a8f5d33-eec9-4864-8b49-5636577b40d5', // made once, by newOrderId, and stored with the cart
 *   CompanyId: 1000,
 *   EntityId: 2000,
 *   IntegratorId: '7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50',
 *   Items: [{ Name: 'Green tea', CatalogItemId: '0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff', Quantity: 2, SellAtPricePerUnit: 19.99 }],
 * });
 * console.log(state); // waiting
 * outbox.start(); // begins to send
 * await outbox.stop();
 * ```
 */
export function createOutbox<Transaction = never>(options: OutboxOptions<Transaction>): Outbox<Transaction> {
  return createOutboxOn(realPlatform, options);
}

/** Creates an outbox with another clock and other random numbers, for tests. */
export function createOutboxOn<Transaction>(
  platform: Platform,
  options: OutboxOptions<Transaction>,
): Outbox<Transaction> {
  return new StoredOutbox(checkedOptions(options), platform);
}

class StoredOutbox<Transaction> implements Outbox<Transaction> {
  readonly #settings: CheckedOptions<Transaction>;
  readonly #clock: StoreClock<Transaction>;
  /** The platform, with the date of the store. */
  readonly #platform: Platform;
  readonly #settledWaits: SettledWaits;
  readonly #dispatcher: Dispatcher;
  readonly #channels = { add: tracingChannel('add'), start: tracingChannel('start') };
  /** Waits for the end of the stop, within a time; undefined while the outbox is not stopped. */
  #stopWithin: ((timeoutMs: number) => Promise<void>) | undefined;

  constructor(settings: CheckedOptions<Transaction>, platform: Platform) {
    const { store, binding } = settings;
    if (binding) store.bind?.(binding.baseUrl, binding.movedFrom);
    this.#settings = settings;
    this.#clock = new StoreClock(store, platform);
    this.#platform = this.#clock.platform;
    this.#settledWaits = new SettledWaits(store, platform);
    this.#dispatcher = new Dispatcher(this.#settings, this.#clock, this.#settledWaits);
  }

  start(): this {
    this.#assertRunning();
    const channel = this.#channels.start;
    if (isTraced(channel)) begun(channel, { run: (work) => work() }, () => this.#start());
    else this.#start();
    return this;
  }

  #start(): void {
    this.#settings.store.start?.(() => this.#dispatcher.wake());
    this.#dispatcher.start();
    this.#settledWaits.start();
  }

  add(order: AnyOrder, options: AddOptions<Transaction> = {}): Promise<AddedOrder> {
    return this.#traced('add', order, options);
  }

  replace(order: AnyOrder, options: ReplaceOptions<Transaction> = {}): Promise<AddedOrder> {
    return this.#traced('replace', order, options);
  }

  /** Publishes a call, if anybody listens. Calls without awaiting: a synchronous transaction of the caller is still open. */
  #traced(method: 'add' | 'replace', order: AnyOrder, options: ReplaceOptions<Transaction>): Promise<AddedOrder> {
    const channel = this.#channels.add;
    const call = (context: string | null) => this.#accept(method, order, options, context);
    if (!isTraced(channel)) return call(null);
    return traced<'add', AddedOrder>(
      channel,
      { method, orderId: orderIdOf(order), context: null },
      (trace) => call(trace.context),
      ({ state }) => ({ result: { state } }),
    );
  }

  /** Stores an order if it is valid, or if the caller keeps invalid ones. */
  async #accept(
    method: 'add' | 'replace',
    order: AnyOrder,
    options: ReplaceOptions<Transaction>,
    traceContext: string | null,
  ): Promise<AddedOrder> {
    this.#assertRunning();
    const { transaction, reference, invalid = 'throw', by, ...rest } = copyOptions(options);
    const { earlierAttempts = 'none', deadlineMs = this.#settings.deadlineMs, ...given } = rest;
    checkNames('', Object.keys(options), method === 'replace' ? ['by', ...ADD_OPTIONS] : ADD_OPTIONS);
    checkLine('/reference', reference, LONGEST_REFERENCE);
    check('/invalid', invalid === 'throw' || invalid === 'keep', "'throw' or 'keep'");
    check('/earlierAttempts', ['none', 'unknown'].includes(earlierAttempts), "'none' or 'unknown'");
    checkMs('/deadlineMs', deadlineMs, 1, LONGEST_MS);
    const actor = actorOf({ by });
    const rules = { ...given, version: given.version ?? this.#settings.version };
    const { entry: accepted, issues, place } = acceptedOrder(order, rules, invalid === 'keep');
    const { orderId, state } = accepted;
    // Does not await on SQLite, which has no clock: a synchronous transaction of the caller is still open.
    if (method === 'replace' && !this.#clock.isLocal) await this.#clock.refresh(transaction);
    const now = this.#platform.date();
    const times = { addedAt: now, dueAt: now, deadlineAt: now + Math.round(deadlineMs) };
    // The handler is called for an invalid order, too: by the process that delivers.
    const settled = state === 'invalid' && { settledAt: now, noticeAt: now };
    const outcome = earlierAttempts === 'unknown' ? 'unknown' : 'not-created';
    const entry = { ...accepted, outcome, traceContext, preparedBy: packageVersion, ...times, ...settled } as const;
    if (method === 'add') {
      const existing = await this.#add({ ...entry, reference: reference ?? null }, transaction);
      if (existing) return { orderId, state: existing.state, isNew: false, issues };
    } else {
      const event = { at: now, what: method, by: actor, reason: accepted.reason };
      await this.#replace(orderId, { ...entry, ...(reference !== undefined && { reference }), event }, transaction);
    }
    if (transaction === undefined) {
      if (place) notify(() => this.#settings.hooks.onAdd?.({ orderId, ...place }));
      else {
        this.#settledWaits.report(orderId);
        this.#dispatcher.notice();
      }
    }
    if (place) this.#dispatcher.wake();
    return { orderId, state, isNew: true, issues };
  }

  /** Adds an entry. Returns null, or the entry that has the same order already. */
  async #add(entry: NewEntry, transaction: Transaction | undefined): Promise<StoredEntry | null> {
    const existing = await this.#settings.store.add({ ...entry, isAddedNow: true }, transaction);
    if (!existing) return null;
    const isSame = existing.body !== null && isSameOrder(existing.body, entry.body);
    // What has become valid is not sent in silence: somebody has to replace it.
    if (!isSame || (existing.state === 'invalid' && entry.state !== 'invalid')) throw duplicate(existing);
    return existing;
  }

  async #replace(orderId: Guid, entry: Change, transaction: Transaction | undefined): Promise<void> {
    // `addedAt` stays that of the first order: the customer has waited since then.
    const { addedAt: _1, outcome, ...members } = entry;
    const { outcome: _2, ...initial } = INITIAL;
    // An invalid order may have been sent before it was added here, or before it was restored: what is known of it stays.
    const change = { ...initial, ...members, ...(outcome === 'unknown' && { outcome }) };
    const replaced = await this.#settings.store.change(orderId, CONDITIONS.replace, change, transaction);
    if (!replaced) throw await this.#failure(orderId, 'replace', transaction);
  }

  async settled(orderId: string, options: SettledOptions = {}): Promise<SettledEntry | null> {
    const { timeoutMs = Number.POSITIVE_INFINITY, signal, ...others } = copyOptions(options);
    checkNames('', Object.keys(others), ['timeoutMs', 'signal']);
    checkTimeout(timeoutMs);
    check('/signal', signal === undefined || typeof signal?.addEventListener === 'function', 'an AbortSignal');
    const id = parseGuid(orderId);
    return id ? this.#settledWaits.waitFor(id, timeoutMs, signal) : null;
  }

  async get(orderId: string): Promise<Entry | null> {
    this.#assertRunning();
    const id = parseGuid(orderId);
    const stored = id ? await this.#settings.store.get(id) : null;
    return stored && entryOf(stored);
  }

  async history(orderId: string): Promise<HistoryEvent[]> {
    this.#assertRunning();
    const id = parseGuid(orderId);
    return id ? historyOf(await this.#settings.store.history(id)) : [];
  }

  async *list(filter: ListFilter = {}): AsyncGenerator<Entry, void, void> {
    const page = filterOf(filter);
    const limit = page.contents ? FULL_PAGE : PAGE;
    for (let after = 0; ; ) {
      this.#assertRunning();
      const entries = await this.#settings.store.list({ ...page, after, limit });
      for (const stored of entries) {
        after = stored.position;
        yield entryOf(stored);
      }
      if (entries.length < limit) return;
    }
  }

  async page(options: PageOptions = {}): Promise<EntryPage> {
    const page = pageOf(options);
    this.#assertRunning();
    const { limit } = page;
    // One more says whether there is another page.
    const found = await this.#settings.store.list({ ...page, limit: limit + 1 });
    const entries = found.slice(0, limit);
    const next = found.length > limit ? String(entries.at(-1)?.position) : null;
    return { entries: entries.map(summaryOf), next };
  }

  async counts(): Promise<OutboxCounts> {
    await this.#assertRunningOnTime();
    const closed = await this.#dispatcher.closed();
    return countsOf(await this.#settings.store.count(), closed, this.#platform.date());
  }

  async retry(orderId: string, options: ActionOptions = {}): Promise<Entry> {
    const entry = await this.#change(orderId, 'retry', options, () => this.#again());
    this.#dispatcher.wake();
    return entry;
  }

  async retryAll(filter: ListFilter, options: ActionOptions = {}): Promise<number> {
    const { newestFirst: _, ...page } = filterOf(filter);
    const by = actorOf(options);
    const { retry } = CONDITIONS;
    const states = retry.states.filter((state) => page.states?.includes(state) ?? true);
    await this.#assertRunningOnTime();
    const change = { ...this.#again(), event: { at: this.#platform.date(), what: 'retry' as const, by } };
    let changed = 0;
    for (let after: number | null = 0; after !== null; ) {
      this.#assertRunning();
      const part = await this.#settings.store.changeAll({ ...page, states, after, limit: PAGE }, retry, change);
      if (part.changed > 0) this.#dispatcher.wake();
      changed += part.changed;
      after = part.last;
    }
    return changed;
  }

  /** Returns the change that sends an entry again. */
  #again(): Change {
    const now = this.#platform.date();
    // The last result says nothing about the next one.
    const { outcome: _1, attempts: _2, ...initial } = INITIAL;
    return { ...initial, dueAt: now, deadlineAt: now + this.#settings.deadlineMs };
  }

  async cancel(orderId: string, options: ActionOptions = {}): Promise<Entry> {
    // A pending call of the handler for a stalled order is cancelled too: the caller knows the state.
    const change = (): Change => ({ ...INITIAL, state: 'cancelled', settledAt: this.#platform.date() });
    return this.#change(orderId, 'cancel', options, change);
  }

  async forget(orderId: string, options: ActionOptions = {}): Promise<Entry> {
    return this.#change(orderId, 'forget', options, () => FORGET);
  }

  async prune(): Promise<number> {
    await this.#assertRunningOnTime();
    const createdBefore = this.#platform.date() - this.#settings.keepCreatedMs;
    for (let deleted = 0; ; ) {
      // No deadline has passed at this time, so entries are only deleted; a store may stop before it has deleted all.
      const swept = await this.#settings.store.sweep({ now: 0, createdBefore });
      if (swept === 0) return deleted;
      deleted += swept;
    }
  }

  async stop(options: StopOptions = {}): Promise<void> {
    const { timeoutMs = STOP_MS, ...others } = copyOptions(options);
    checkNames('', Object.keys(others), ['timeoutMs']);
    checkTimeout(timeoutMs);
    if (!this.#stopWithin) {
      this.#settledWaits.end();
      this.#stopWithin = beginStop(this.#platform, this.#dispatcher, this.#settings.store);
    }
    return this.#stopWithin(timeoutMs);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  #assertRunning(): void {
    if (this.#stopWithin) throw new OutboxError('stopped', 'The outbox has been stopped');
  }

  /** A clock that has been set forward must not let a new deadline pass, so the time is not a remembered one. */
  async #assertRunningOnTime(): Promise<void> {
    this.#assertRunning();
    if (!this.#clock.isLocal) await this.#clock.refresh();
  }

  /** Changes an entry if that is permitted. */
  async #change(orderId: string, what: Action, options: ActionOptions, change: () => Change): Promise<Entry> {
    const by = actorOf(options);
    await this.#assertRunningOnTime();
    const id = parseGuid(orderId);
    const recorded = { ...change(), event: { at: this.#platform.date(), what, by } };
    const changed = id && (await this.#settings.store.change(id, CONDITIONS[what], recorded));
    if (!changed) throw await this.#failure(id, what);
    const entry = entryOf(changed);
    if (isSettled(entry)) this.#settledWaits.report(entry.orderId);
    return entry;
  }

  /** Returns why an entry could not be changed. */
  async #failure(id: Guid | null, action: Action, transaction?: Transaction): Promise<OutboxError> {
    const stored = id && (await this.#settings.store.get(id, transaction));
    if (!stored) return new OutboxError('not-found', 'No entry has this Id', id ? { orderId: id } : {});
    const { orderId } = stored;
    return new OutboxError('wrong-state', problemOf(action, stored), { orderId, entry: entryOf(stored) });
  }
}
