import { parseGuid, type Guid, type PreparedRequest } from 'sales-order-intake';
import { notify } from '../client/hooks.js';
import { check, checkNames, copyOptions } from '../client/option-error.js';
import { platform as realPlatform, type Platform } from '../client/platform.js';
import { requestOf } from '../client/request.js';
import type { IdentifiedOrder } from 'sales-order-intake';
import { countsOf } from './counts.js';
import { Dispatcher } from './dispatcher.js';
import { entryOf, type Entry } from './entry.js';
import { OutboxError } from './errors.js';
import { locationName } from './location.js';
import type { AddOptions, ListFilter, OutboxOptions } from './options.js';
import { checkStopTimeout, outboxSettings, type OutboxSettings } from './settings.js';
import type { Change, Condition, NewEntry, StoredEntry } from './store.js';
import type { AddedOrder, Outbox, OutboxCounts } from './types.js';

const PAGE = 500;
const STATES = ['waiting', 'sending', 'created', 'refused', 'stalled', 'cancelled'];
const FORGET: Change = { body: null, received: null, detail: null, issues: null };
/** Nothing of such an order was ever sent. */
const NEVER_SENT: Condition = { states: ['waiting', 'stalled'], attempts: 0, outcome: 'not-created' };

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
export function createOutbox(options: OutboxOptions): Outbox {
  return createOutboxOn(realPlatform, options);
}

/** Creates an outbox with another clock and other random numbers, for tests. */
export function createOutboxOn(platform: Platform, options: OutboxOptions): Outbox {
  return new StoredOutbox(outboxSettings(options), platform);
}

class StoredOutbox implements Outbox {
  readonly #settings: OutboxSettings;
  readonly #platform: Platform;
  readonly #dispatcher: Dispatcher;
  #stopping: Promise<void> | undefined;

  constructor(settings: OutboxSettings, platform: Platform) {
    this.#settings = settings;
    this.#platform = platform;
    this.#dispatcher = new Dispatcher(settings, platform);
  }

  start(): this {
    this.#assertRunning();
    this.#dispatcher.start();
    return this;
  }

  async add(order: IdentifiedOrder | PreparedRequest, options: AddOptions = {}): Promise<AddedOrder> {
    this.#assertRunning();
    const { transaction, ...rules } = copyOptions(options);
    const { orderId, version, body, issues } = requestOf(order, {
      ...rules,
      version: rules.version ?? this.#settings.version,
    });
    const { CompanyId, EntityId } = JSON.parse(body) as { CompanyId: number; EntityId: number };
    const now = this.#platform.date();
    const entry: NewEntry = {
      orderId,
      version,
      body,
      location: locationName(CompanyId, EntityId),
      addedAt: now,
      dueAt: now,
      deadlineAt: now + this.#settings.deadlineMs,
    };
    // Without a pause before it: a synchronous transaction of the caller is still open now.
    const existing = await this.#settings.store.add(entry, transaction);
    if (existing) {
      if (existing.version !== version || existing.body !== body) throw duplicate(orderId, existing.body === null);
      return { orderId, state: existing.state, issues };
    }
    this.#dispatcher.wake();
    if (transaction === undefined) {
      notify(() => this.#settings.hooks.onAdd?.({ orderId, companyId: CompanyId, entityId: EntityId }));
    }
    return { orderId, state: 'waiting', issues };
  }

  async get(orderId: string): Promise<Entry | null> {
    this.#assertRunning();
    const id = parseGuid(orderId);
    const stored = id ? await this.#settings.store.get(id) : null;
    return stored && entryOf(stored);
  }

  async *list(filter: ListFilter = {}): AsyncGenerator<Entry, void, void> {
    const { state, companyId, entityId } = copyOptions(filter);
    checkNames('', Object.keys(filter), ['state', 'companyId', 'entityId']);
    check('/state', state === undefined || STATES.includes(state), `one of ${STATES.join(', ')}`);
    check('/entityId', (companyId === undefined) === (entityId === undefined), 'given together with companyId');
    const location = companyId === undefined || entityId === undefined ? undefined : locationName(companyId, entityId);
    for (let after = 0; ; ) {
      this.#assertRunning();
      const page = await this.#settings.store.list({ state, location, after, limit: PAGE });
      for (const stored of page) {
        after = stored.position;
        yield entryOf(stored);
      }
      if (page.length < PAGE) return;
    }
  }

  async counts(): Promise<OutboxCounts> {
    this.#assertRunning();
    return countsOf(await this.#settings.store.count(), this.#dispatcher.closed, this.#platform.date());
  }

  async retry(orderId: string): Promise<Entry> {
    const now = this.#platform.date();
    const condition: Condition = { states: ['stalled', 'refused', 'waiting'], hasBody: true };
    const deadlineAt = now + this.#settings.deadlineMs;
    const change: Change = { state: 'waiting', dueAt: now, deadlineAt, settledAt: null, noticeAt: null };
    const entry = await this.#change(orderId, 'retry', condition, change);
    this.#dispatcher.wake();
    return entry;
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

  async stop(options: { timeoutMs?: number | undefined } = {}): Promise<void> {
    const { timeoutMs = Number.POSITIVE_INFINITY } = options;
    checkStopTimeout(timeoutMs);
    this.#stopping ??= this.#stop(timeoutMs);
    return this.#stopping;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async #stop(timeoutMs: number): Promise<void> {
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
    if (changed) return entryOf(changed);
    const stored = id && (await this.#settings.store.get(id));
    if (!stored) throw new OutboxError('not-found', 'No entry has this Id', id ? { orderId: id } : {});
    throw new OutboxError('wrong-state', problemOf(what, stored), { orderId: stored.orderId });
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
  if (what === 'retry' && body === null) return `${problem}: its body has been forgotten`;
  if (what !== 'cancel' || outcome === 'created') return `${problem}: its state does not permit it`;
  return `${problem}: only an order without an attempt that counts can be cancelled`;
}
