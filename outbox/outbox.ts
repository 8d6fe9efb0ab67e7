import { parseGuid, type Guid, type IdentifiedOrder } from 'sales-order-intake';
import { notify } from '../www/platform/notify.js';
import { check, checkNames, copyOptions } from '../www/options/check.js';
import { platform as realPlatform, type Platform } from '../www/platform/platform.js';
import { begun, isTraced, traced, tracingChannel, type Traces } from '../www/platform/tracing-channel.js';
import { orderIdOf, requestOf, type PreparedRequestInput } from '../www/sending/request.js';
import { isSameOrder } from './order-value.js';
import { FORGET, FRESH, NEVER_SENT, NOT_CREATED, RETRIED, RETRYABLE } from './changes.js';
import { countsOf } from './counts.js';
import { Dispatcher } from './dispatcher.js';
import { entryOf, isSettled, locationName, locationOf, type Entry, type SettledEntry } from './entry.js';
import { OutboxError } from './errors.js';
import { filterOf } from './list-filter.js';
import type { AddOptions, ListFilter, OutboxOptions, SettledOptions, StopOptions } from './options.js';
import { Settlements } from './settlements.js';
import { checkTimeout, outboxSettings, type OutboxSettings } from './settings.js';
import type { Change, Condition, NewEntry, StoredEntry } from './store/index.js';
import type { AddedOrder, Outbox, OutboxCounts } from './types.js';

type AnyOrder = IdentifiedOrder | PreparedRequestInput;

const PAGE = 500;

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
  return new StoredOutbox(outboxSettings(options), platform);
}

class StoredOutbox<Transaction> implements Outbox<Transaction> {
  readonly #settings: OutboxSettings<Transaction>;
  readonly #platform: Platform;
  readonly #settlements: Settlements;
  readonly #dispatcher: Dispatcher;
  readonly #channels = { add: tracingChannel('add'), start: tracingChannel('start') };
  #stopping: Promise<void> | undefined;

  constructor(settings: OutboxSettings<Transaction>, platform: Platform) {
    this.#settings = settings;
    this.#platform = platform;
    this.#settlements = new Settlements(settings.store, platform);
    this.#dispatcher = new Dispatcher(settings, platform, this.#settlements);
  }

  start(): this {
    this.#assertRunning();
    const channel = this.#channels.start;
    if (isTraced(channel)) begun(channel, { run: (work) => work() }, () => this.#start());
    else this.#start();
    return this;
  }

  #start(): void {
    this.#settings.store.start?.();
    this.#dispatcher.start();
  }

  add(order: AnyOrder, options: AddOptions<Transaction> = {}): Promise<AddedOrder> {
    return this.#traced('add', order, (context) => this.#add(order, options, context));
  }

  replace(order: AnyOrder, options: AddOptions<Transaction> = {}): Promise<AddedOrder> {
    return this.#traced('replace', order, (context) => this.#replace(order, options, context));
  }

  /** Publishes a call, if anybody listens. Makes it without a pause: a synchronous transaction of the caller is still open now. */
  #traced(
    method: Traces['add']['method'],
    order: AnyOrder,
    call: (context: string | null) => Promise<AddedOrder>,
  ): Promise<AddedOrder> {
    const channel = this.#channels.add;
    if (!isTraced(channel)) return call(null);
    return traced<'add', AddedOrder>(
      channel,
      { method, orderId: orderIdOf(order), context: null },
      (trace) => call(trace.context),
      ({ state }) => ({ result: { state } }),
    );
  }

  async #add(order: AnyOrder, options: AddOptions<Transaction>, context: string | null): Promise<AddedOrder> {
    this.#assertRunning();
    const { entry, issues, transaction } = this.#entryOf(order, options, context);
    const { orderId } = entry;
    // Without a pause before it: a synchronous transaction of the caller is still open now.
    const existing = await this.#settings.store.add(entry, transaction);
    if (existing) {
      const isSame = existing.body !== null && isSameOrder(existing.body, entry.body);
      if (!isSame) throw duplicate(orderId, existing.body === null);
      return { orderId, state: existing.state, issues };
    }
    this.#added(entry, transaction);
    return { orderId, state: 'waiting', issues };
  }

  async #replace(order: AnyOrder, options: AddOptions<Transaction>, context: string | null): Promise<AddedOrder> {
    this.#assertRunning();
    const { entry, issues, transaction } = this.#entryOf(order, options, context);
    const { orderId, ...members } = entry;
    const replaced = await this.#settings.store.change(orderId, NOT_CREATED, { ...FRESH, ...members }, transaction);
    if (!replaced) throw await this.#failure(orderId, 'replace');
    this.#added(entry, transaction);
    return { orderId, state: 'waiting', issues };
  }

  async settled(orderId: string, options: SettledOptions = {}): Promise<SettledEntry | null> {
    const { timeoutMs = Number.POSITIVE_INFINITY, signal, ...others } = copyOptions(options);
    checkNames('', Object.keys(others), ['timeoutMs', 'signal']);
    checkTimeout(timeoutMs);
    check('/signal', signal === undefined || typeof signal?.addEventListener === 'function', 'an AbortSignal');
    this.#assertRunning();
    const id = parseGuid(orderId);
    return id ? this.#settlements.waitFor(id, timeoutMs, signal) : null;
  }

  async get(orderId: string): Promise<Entry | null> {
    this.#assertRunning();
    const id = parseGuid(orderId);
    const stored = id ? await this.#settings.store.get(id) : null;
    return stored && entryOf(stored);
  }

  async *list(filter: ListFilter = {}): AsyncGenerator<Entry, void, void> {
    const page = filterOf(filter);
    for (let after = 0; ; ) {
      this.#assertRunning();
      const entries = await this.#settings.store.list({ ...page, after, limit: PAGE });
      for (const stored of entries) {
        after = stored.position;
        yield entryOf(stored);
      }
      if (entries.length < PAGE) return;
    }
  }

  async counts(): Promise<OutboxCounts> {
    this.#assertRunning();
    return countsOf(await this.#settings.store.count(), this.#dispatcher.closed, this.#platform.date());
  }

  async retry(orderId: string): Promise<Entry> {
    const entry = await this.#change(orderId, 'retry', RETRYABLE, this.#again());
    this.#dispatcher.wake();
    return entry;
  }

  async retryAll(filter: ListFilter): Promise<number> {
    const { states = RETRIED, ...page } = filterOf(filter);
    const retried = RETRIED.filter((state) => states.includes(state));
    const change = this.#again();
    let changed = 0;
    for (let after: number | null = 0; after !== null; ) {
      this.#assertRunning();
      const part = await this.#settings.store.changeAll(
        { ...page, states: retried, after, limit: PAGE },
        RETRYABLE,
        change,
      );
      if (part.changed > 0) this.#dispatcher.wake();
      changed += part.changed;
      after = part.last;
    }
    return changed;
  }

  /** What a person changes who sends an entry again. */
  #again(): Change {
    const now = this.#platform.date();
    return {
      state: 'waiting',
      // What came before says nothing about what comes now.
      reason: null,
      status: null,
      dueAt: now,
      deadlineAt: now + this.#settings.deadlineMs,
      settledAt: null,
      noticeAt: null,
    };
  }

  async cancel(orderId: string): Promise<Entry> {
    // The handler is not called any more for an order that has stalled: the caller knows what has become of it.
    const change: Change = { state: 'cancelled', settledAt: this.#platform.date(), noticeAt: null };
    return this.#change(orderId, 'cancel', NEVER_SENT, change);
  }

  async forget(orderId: string): Promise<Entry> {
    return this.#change(orderId, 'forget', { states: ['created', 'refused', 'stalled', 'cancelled'] }, FORGET);
  }

  async prune(): Promise<number> {
    this.#assertRunning();
    const createdBefore = this.#platform.date() - this.#settings.keepCreatedMs;
    for (let deleted = 0; ; ) {
      // No deadline has passed at this time, so entries are only deleted; a store may stop before it has deleted all.
      const swept = await this.#settings.store.sweep({ now: 0, createdBefore });
      if (swept === 0) return deleted;
      deleted += swept;
    }
  }

  async stop(options: StopOptions = {}): Promise<void> {
    const { timeoutMs = Number.POSITIVE_INFINITY, ...others } = copyOptions(options);
    checkNames('', Object.keys(others), ['timeoutMs']);
    checkTimeout(timeoutMs);
    this.#stopping ??= this.#stop(timeoutMs);
    return this.#stopping;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async #stop(timeoutMs: number): Promise<void> {
    this.#settlements.end();
    await this.#dispatcher.stop(timeoutMs);
    await this.#settings.store.close();
  }

  #assertRunning(): void {
    if (this.#stopping) throw new OutboxError('stopped', 'The outbox has been stopped');
  }

  /** Changes an entry if the condition holds. */
  async #change(orderId: string, what: string, condition: Condition, change: Change): Promise<Entry> {
    this.#assertRunning();
    const id = parseGuid(orderId);
    const changed = id && (await this.#settings.store.change(id, condition, change));
    if (!changed) throw await this.#failure(id, what);
    const entry = entryOf(changed);
    if (isSettled(entry)) this.#settlements.report(entry.orderId);
    return entry;
  }

  /** Returns why an entry could not be changed. */
  async #failure(id: Guid | null, what: string): Promise<OutboxError> {
    const stored = id && (await this.#settings.store.get(id));
    if (!stored) return new OutboxError('not-found', 'No entry has this Id', id ? { orderId: id } : {});
    const { orderId } = stored;
    return new OutboxError('wrong-state', problemOf(what, stored), { orderId, entry: entryOf(stored) });
  }

  /** Returns the entry of an order that is valid. */
  #entryOf(order: AnyOrder, options: AddOptions<Transaction>, traceContext: string | null) {
    const { transaction, ...rules } = copyOptions(options);
    const { orderId, version, body, issues } = requestOf(order, {
      ...rules,
      version: rules.version ?? this.#settings.version,
    });
    const { CompanyId, EntityId } = JSON.parse(body) as { CompanyId: number; EntityId: number };
    const now = this.#platform.date();
    const deadlineAt = now + this.#settings.deadlineMs;
    const location = locationName(CompanyId, EntityId);
    const entry: NewEntry = { orderId, version, body, location, addedAt: now, dueAt: now, deadlineAt, traceContext };
    return { entry, issues, transaction };
  }

  #added({ orderId, location }: NewEntry, transaction: unknown): void {
    this.#dispatcher.wake();
    if (transaction === undefined) notify(() => this.#settings.hooks.onAdd?.({ orderId, ...locationOf(location) }));
  }
}

function duplicate(orderId: Guid, isForgotten: boolean): OutboxError {
  const problem = isForgotten
    ? `Order ${orderId} was in the outbox and has been forgotten`
    : `Another order has the Id ${orderId}`;
  return new OutboxError('duplicate', `${problem}. Give each order an Id of its own, once.`, { orderId });
}

function problemOf(what: string, { orderId, state, outcome, body }: StoredEntry): string {
  const problem = `Cannot ${what} order ${orderId}, which is ${state}`;
  if (what === 'replace') {
    const fate =
      outcome === 'not-created' ? 'is being sent' : `${outcome === 'created' ? 'is' : 'may be'} at the service`;
    return `${problem}: the earlier version ${fate}`;
  }
  if (what === 'retry' && body === null) return `${problem}: its body has been forgotten`;
  if (what !== 'cancel' || outcome === 'created') return `${problem}: its state does not permit it`;
  return `${problem}: only an order without an attempt that counts can be cancelled`;
}
