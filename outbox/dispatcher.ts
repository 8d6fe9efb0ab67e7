import { OrderIntakeError } from 'sales-order-intake/client';
import { attempt, type AttemptResult } from './attempt.js';
import { notify } from '../pkg-template/src/platform/notify.js';
import type { Platform } from '../pkg-template/src/platform/platform.js';
import { wait } from '../pkg-template/src/platform/timeout.js';
import { isTraced, traced, tracingChannel } from '../pkg-template/src/platform/tracing-channel.js';
import { placeIn } from './entry.js';
import { Gates, StoredPauses, type Closed, type SuspectResponse } from './delivery-pauses.js';
import { Handler } from './handler.js';
import type { ErrorEvent } from './options.js';
import { Refusals } from './repeated-responses.js';
import type { SettledWaits } from './settled-waits.js';
import type { CheckedOptions } from './checked-options.js';
import { attemptOf, eventOf, givenBack, settlementOf, traceOf, type AttemptSettlement } from './settlement.js';
import { isAboutOrder } from '../pkg-template/src/sending/waits.js';
import type { StoreClock } from './store-clock.js';
import { Sweeper } from './sweeper.js';
import type { Recorded, Settlement, TakenEntry } from './store.js';

/** The shortest time between calls while the store fails. */
const STORE_RETRY_MS = 1000;
/** The longest wait without asking the store. */
const LONGEST_WAIT_MS = 5000;
/** How many entries are taken in advance, and how many results may be unwritten, in multiples of `concurrency`. */
const AHEAD = 3;
const MOST_UNSETTLED = 8;

const SERVICE = { scope: 'service', companyId: null, entityId: null } as const;

/** Takes entries that are due, sends them, writes down the results and calls the handler. */
export class Dispatcher {
  readonly #settings: CheckedOptions;
  readonly #clock: StoreClock<never>;
  readonly #platform: Platform;
  readonly #settledWaits: SettledWaits;
  readonly #gates: Gates;
  readonly #refusals: Refusals;
  readonly #abort = new AbortController();
  readonly #pauses: StoredPauses;
  readonly handler: Handler;
  readonly #sweeper: Sweeper;
  readonly #channel = tracingChannel('delivery');
  /** Attempts up to the end of their handlers, and entries that are being given back. */
  readonly #deliveries = new Set<Promise<unknown>>();
  /** Fires when the outbox stops. */
  readonly #stopping = new AbortController();
  /** Entries that are taken and wait to be sent. */
  readonly #ready: TakenEntry[] = [];
  #inFlight = 0;
  #isDirty = false;
  #isBacklog = false;
  #wake: () => void = () => {};
  #loops: Promise<unknown> | undefined;

  constructor(settings: CheckedOptions, clock: StoreClock<never>, settledWaits: SettledWaits) {
    const { platform } = clock;
    this.#settings = settings;
    this.#settledWaits = settledWaits;
    this.#pauses = new StoredPauses(settings.store);
    this.#clock = clock;
    this.#platform = platform;
    const { retry, concurrency, concurrencyPerLocation, suspectMs, hooks } = settings;
    this.#refusals = new Refusals(platform);
    this.#gates = new Gates(platform, {
      ...retry,
      concurrency,
      concurrencyPerLocation,
      suspectMs,
      onGate: ({ location, ...change }) => {
        const scope = location === null ? SERVICE : { scope: 'location' as const, ...placeIn(location) };
        notify(() => hooks.onGate?.({ ...change, ...scope }));
      },
    });
    const { signal } = this.#abort;
    const report = (...failure: Parameters<Dispatcher['report']>) => this.report(...failure);
    this.handler = new Handler({ ...settings, platform, signal, report });
    this.#sweeper = new Sweeper({
      settings,
      clock,
      pauses: this.#pauses,
      stopping: this.#stopping.signal,
      closed: () => this.#gates.closed,
      handleMissed: () => this.handler.missed(() => this.#isStopping),
      report,
      wake: () => this.wake(),
    });
  }

  /** Returns what is held back, and why: by this process if it delivers, otherwise by the processes that deliver. */
  async closed(): Promise<Closed> {
    return this.#loops ? this.#gates.closed : this.#pauses.read(this.#platform.date());
  }

  start(): void {
    this.#loops ??= Promise.all([this.#send(), this.#sweeper.run()]);
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** Makes the dispatcher look for entries that are due. */
  wake(): void {
    this.#isDirty = true;
    this.#wake();
  }

  /** Takes no further entries. Waits for those that were taken and for handlers, except handlers that stop the outbox. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.wake();
    await this.#loops;
    const nothing = { service: null, locations: new Map() };
    if (this.#loops) {
      await this.#pauses
        .report(nothing, this.#platform.date())
        .catch((error: unknown) => this.report('close', error, null));
    }
    while (this.#deliveries.size > 0) await Promise.all(this.#deliveries);
  }

  /** Hands over an entry that was settled without an attempt, if this process delivers. */
  notice(): void {
    if (!this.#loops) return;
    const handing = this.handler
      .missed(() => this.#isStopping)
      .catch((error: unknown) => this.report('sweep', error, null))
      .finally(() => this.#deliveries.delete(handing));
    this.#deliveries.add(handing);
  }

  /** Interrupts attempts, and stops waiting for handlers. */
  interrupt(): void {
    this.#abort.abort();
  }

  /** Reports a failure. Messages of databases and handlers may have personal data: only names and codes are shown (D45). */
  report(operation: ErrorEvent['operation'], error: unknown, orderId: ErrorEvent['orderId']): void {
    const { name = 'Error', code = null } = (error ?? {}) as { name?: string; code?: string | null };
    notify(() => this.#settings.hooks.onError?.({ operation, reason: name, code, orderId }));
  }

  // ---------------------------------------------------------------- sending

  async #send(): Promise<void> {
    const { store } = this.#settings;
    while (!this.#isStopping) {
      this.#isDirty = false;
      this.#gates.expire();
      // Before the look for room: a gate may let another attempt pass meanwhile, or while the store searches.
      const { opensInMs } = this.#gates;
      this.#deliverReady();
      const wanted = this.#wanted;
      let waitMs = LONGEST_WAIT_MS;
      const askedAt = this.#platform.now();
      if (wanted > 0) {
        try {
          if (!this.#clock.isFresh) await this.#clock.refresh();
          const room = this.#roomOf(wanted);
          const { entries, againAt } = await store.take({ now: this.#platform.date(), limit: wanted, room });
          this.#ready.push(...entries);
          // Stopped meanwhile: they are given back.
          if (this.#isStopping) break;
          this.#deliverReady();
          // More entries than can be sent at once are taken only if more are due than there is room for.
          this.#isBacklog = entries.length === wanted;
          // There may be more that are due.
          waitMs = entries.length > 0 ? 0 : againAt - this.#platform.date();
        } catch (error) {
          this.report('take', error, null);
          // A store that has waited for the end of the caller's transaction is asked again at once.
          waitMs = askedAt + STORE_RETRY_MS - this.#platform.now();
          this.#isDirty = false;
        }
      }
      this.#giveBackHeld();
      const isFull = this.#wanted <= 0;
      if (waitMs > 0 || isFull) await this.#idle(Math.min(opensInMs, isFull ? LONGEST_WAIT_MS : waitMs));
    }
    for (const entry of this.#ready.splice(0)) this.giveBack(entry);
  }

  /** The number of attempts that may start. A slow store or handler slows down the sending, so memory stays flat. */
  get #free(): number {
    const { concurrency } = this.#settings;
    return Math.min(
      concurrency - this.#inFlight,
      MOST_UNSETTLED * concurrency - this.#deliveries.size,
      this.#gates.service.room,
    );
  }

  /** How many entries to take now. Entries that are ready although more may be sent wait for their own location. */
  get #wanted(): number {
    const ahead = Math.max(0, this.#ahead - this.#ready.length);
    return this.#free > 0 || ahead > this.#ahead / 2 ? Math.max(0, this.#free) + ahead : 0;
  }

  /** How many entries are taken before they can be sent, so that one commit serves many attempts. */
  get #ahead(): number {
    return this.#isBacklog && this.#gates.service.isOpen ? AHEAD * this.#gates.service.limit : 0;
  }

  /** Returns how many entries of a location may be taken. */
  #roomOf(limit: number): (location: string) => number {
    const held = new Map<string, number>();
    for (const { location } of this.#ready) held.set(location, (held.get(location) ?? 0) + 1);
    const share = this.#ahead > 0 ? AHEAD * this.#settings.concurrencyPerLocation : 0;
    return (location) => {
      // Only a probe is taken for a gate that is closed.
      const ahead = this.#gates.isClosed(location) ? 0 : share;
      return Math.min(limit, this.#gates.roomOf(location) + ahead - (held.get(location) ?? 0));
    };
  }

  #deliverReady(): void {
    let free = this.#free;
    for (const entry of this.#ready.splice(0)) {
      if (this.#platform.date() >= entry.deadlineAt) this.giveBack(entry);
      else if (free > 0 && this.#gates.roomOf(entry.location) > 0) {
        this.#deliver(entry);
        free = this.#free;
      } else this.#ready.push(entry);
    }
  }

  #giveBackHeld(): void {
    for (const entry of this.#ready.splice(0)) {
      if (this.#gates.holdsBack(entry.location)) this.giveBack(entry);
      else this.#ready.push(entry);
    }
  }

  /** Returns an entry to the store that was taken and cannot be sent now; this does not count as an attempt. */
  giveBack(entry: TakenEntry): void {
    const giving = this.#settle(entry, givenBack(entry, this.#platform.date())).then(() => {
      this.#deliveries.delete(giving);
      // It may have stalled; the sweeper calls the handler.
      this.#settledWaits.report(entry.orderId);
    });
    this.#deliveries.add(giving);
  }

  async #idle(waitMs: number): Promise<void> {
    if (this.#isDirty || this.#isStopping) return;
    const ms = Math.max(1, Math.min(waitMs, this.#gates.opensInMs, LONGEST_WAIT_MS));
    await new Promise<void>((resolve) => {
      const cancel = this.#platform.after(ms, resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
    this.#wake = () => {};
  }

  #deliver(entry: TakenEntry): void {
    const delivery = this.#traced(entry).finally(() => {
      this.#deliveries.delete(delivery);
      this.wake();
    });
    this.#deliveries.add(delivery);
  }

  /** Delivers an entry, and publishes the delivery if anybody listens. */
  #traced(entry: TakenEntry): Promise<AttemptSettlement | null> {
    const { orderId, location, traceContext: context, addedAt } = entry;
    if (!isTraced(this.#channel)) return this.#delivered(entry);
    const members = { orderId, ...placeIn(location), context };
    return traced<'delivery', AttemptSettlement | null>(
      this.#channel,
      members,
      () => this.#delivered(entry),
      (settlement) => traceOf(settlement, Math.max(0, this.#platform.date() - addedAt)),
    );
  }

  /** Returns the settlement that was written, or null if another process has the entry. */
  async #delivered(entry: TakenEntry): Promise<AttemptSettlement | null> {
    const { client, hooks } = this.#settings;
    const pass = this.#gates.enter(entry);
    this.#inFlight++;
    const startedAt = this.#platform.now();
    const result = await attempt(entry, client, this.#abort.signal);
    const tookMs = this.#platform.now() - startedAt;
    this.#inFlight--;
    const { orderId } = entry;
    if (!result.created && !result.error) this.report('send', result.thrown, orderId);
    const suspicion = this.#gates.leave(pass, result);
    const isLast = this.#isLast(entry, result, suspicion);
    const settlement = settlementOf(entry, result, { suspicion, isLast }, this.#settings, this.#platform);
    if (settlement.settledAt !== null) this.#refusals.forget(orderId);
    this.wake();
    const event = attemptOf(settlement, result, tookMs, this.#platform.date());
    if (!(await this.#settle(entry, { ...settlement, event }))) return null;
    if (settlement.settledAt !== null) this.#settledWaits.report(orderId);
    const durationMs = this.#platform.now() - startedAt;
    notify(() => hooks.onResult?.(eventOf(entry, settlement, result, durationMs, this.#platform.date())));
    if (settlement.noticeAt !== null) await this.handler.one({ ...entry, ...settlement });
    return settlement;
  }

  /** Returns true if a failed attempt is the last one. */
  #isLast(entry: TakenEntry, { error, isSent }: AttemptResult, suspicion: SuspectResponse | null): boolean {
    if (!(error instanceof OrderIntakeError) || !isSent) return false;
    if (suspicion) return suspicion.isEnough && (!error.retryable || isAboutOrder(error.status));
    return this.#refusals.isLast(entry, error);
  }

  /** Writes a result. Retries until it is durable: it is stored nowhere else. Returns false if another process has the entry. */
  async #settle(entry: TakenEntry, settlement: Settlement & Recorded): Promise<boolean> {
    for (;;) {
      try {
        return await this.#settings.store.settle(entry, settlement);
      } catch (error) {
        this.report('settle', error, entry.orderId);
        // After a stop the entry stays as it is: it is sent again after the next start, as one whose fate is unknown.
        if (this.#isStopping) return false;
        await this.#pause(STORE_RETRY_MS);
      }
    }
  }

  /** Waits, at most until the outbox stops. */
  async #pause(ms: number): Promise<void> {
    await wait(this.#platform, ms, this.#stopping.signal).catch(() => {});
  }
}
