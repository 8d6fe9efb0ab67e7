import type { Platform } from '../pkg-template/src/platform/platform.js';
import type { OutboxStore } from './store.js';

/** How long deliveries continue the time by the process's monotonic clock before the store is asked again. */
const FRESH_MS = 5000;
/** A smaller difference is drift, or latency of the store. */
const SET_BACK_MS = 1000;

/**
 * The time of the entries (D60): that of the store's clock, if it has one, however wrong the clock of this process is. Never
 * compares the two: a clock that is set between two looks would make the difference wrong.
 */
export class StoreClock<Transaction> {
  /** The platform, with the date of the store. */
  readonly platform: Platform;
  readonly #store: OutboxStore<Transaction>;
  readonly #monotonic: () => number;
  #lookedAt = Number.NEGATIVE_INFINITY;
  /** The time of the store at monotonic time 0. */
  #origin: number | undefined;
  #highestOrigin = Number.POSITIVE_INFINITY;
  #looking: Promise<void> | undefined;

  constructor(store: OutboxStore<Transaction>, platform: Platform) {
    this.#store = store;
    this.#monotonic = () => platform.now();
    const date = () => (this.#origin === undefined ? platform.date() : Math.floor(platform.now() + this.#origin));
    this.platform = { ...platform, date };
  }

  /** True if the times are by the clock of this process, which needs no {@link StoreClock.refresh}. */
  get isLocal(): boolean {
    return !this.#store.now;
  }

  /** False if the store has to be asked before `platform.date()` is used for deliveries. */
  get isFresh(): boolean {
    return this.isLocal || this.#monotonic() - this.#lookedAt < FRESH_MS;
  }

  /** Asks the store, in the caller's transaction if there is one: it may hold the only connection. */
  async refresh(transaction?: Transaction): Promise<void> {
    if (transaction !== undefined) return this.#look(transaction);
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #look(transaction?: Transaction): Promise<void> {
    const startedAt = this.#monotonic();
    const time = await this.#store.now?.(transaction);
    if (time === undefined) return;
    this.#lookedAt = this.#monotonic();
    // The store read its clock at some time during the look. If that was long, the origin known before may be more precise.
    const earliest = time - this.#lookedAt;
    this.#origin = Math.min(Math.max(this.#origin ?? earliest, earliest), time - startedAt);
  }

  /** Returns true at first, and whenever the clock has been set back since the last call. */
  wasSetBack(): boolean {
    const origin = this.platform.date() - this.#monotonic();
    const wasSetBack = origin < this.#highestOrigin - SET_BACK_MS;
    if (wasSetBack || origin > this.#highestOrigin) this.#highestOrigin = origin;
    return wasSetBack;
  }
}
