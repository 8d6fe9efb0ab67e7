import type { Guid } from 'sales-order-intake';
import type { Platform } from '../pkg-template/src/platform/platform.js';
import { Interruption, withTimeout } from '../pkg-template/src/platform/timeout.js';
import { entryOf, isSettled, type SettledEntry } from './entry.js';
import { OutboxError } from './errors.js';
import type { OutboxStore } from './store.js';

/** The first and the longest pause before the store is asked again whether another process has settled an entry. */
const FIRST_LOOK_MS = 100;
const LAST_LOOK_MS = 1000;

/** Waits until entries are settled, by this process or by another one. */
export class SettledWaits {
  readonly #store: OutboxStore;
  readonly #platform: Platform;
  readonly #listeners = new Map<Guid, Set<() => void>>();
  #isStarted = false;
  #isEnded = false;

  constructor(store: OutboxStore, platform: Platform) {
    this.#store = store;
    this.#platform = platform;
  }

  /** Reports that this process delivers. */
  start(): void {
    this.#isStarted = true;
  }

  /** Reports that an entry may be settled now. */
  report(orderId: Guid): void {
    for (const wake of this.#listeners.get(orderId) ?? []) wake();
  }

  /** Ends all waits, and those that begin later: each resolves with null. */
  end(): void {
    this.#isEnded = true;
    for (const orderId of this.#listeners.keys()) this.report(orderId);
  }

  /**
   * Returns an entry when it is settled, null if there is none, the time is up or the waits are ended.
   *
   * @throws the reason of the signal when it fires; OutboxError if the store fails or does not respond, or if nobody delivers.
   */
  async waitFor(orderId: Guid, timeoutMs: number, signal: AbortSignal | undefined): Promise<SettledEntry | null> {
    try {
      return await this.#untilSettled(orderId, timeoutMs, signal);
    } catch (error) {
      if (!(error instanceof Interruption)) throw error;
      if (error.by === 'signal') throw signal?.reason;
      return null;
    }
  }

  /** @throws an Interruption when the time is up or the signal fires. */
  async #untilSettled(orderId: Guid, timeoutMs: number, signal: AbortSignal | undefined) {
    const endsAt = this.#platform.now() + timeoutMs;
    const leftMs = () => endsAt - this.#platform.now();
    for (let pauseMs = FIRST_LOOK_MS; ; pauseMs = Math.min(LAST_LOOK_MS, pauseMs * 2)) {
      if (this.#isEnded) return null;
      const listening = this.#listen(orderId);
      try {
        // A store that hangs must not hold up the caller or the stop. The last look gets some time even if none is left.
        const lookMs = Math.max(LAST_LOOK_MS, leftMs());
        const looking = () => Promise.race([this.#store.get(orderId), listening.reported]);
        const stored = await withTimeout(this.#platform, lookMs, signal, looking);
        if (stored === undefined) continue;
        const entry = stored && entryOf(stored);
        if (!entry || isSettled(entry)) return entry;
        if (this.#store.isOfOneProcess && !this.#isStarted) {
          const problem = `Order ${orderId} would never be settled: the outbox has not been started, so nothing is sent`;
          throw new OutboxError('not-started', `${problem}. Call start() before settled()`, { orderId });
        }
        if (leftMs() <= 0) return null;
        const waitMs = Math.min(pauseMs, leftMs());
        await withTimeout(this.#platform, waitMs, signal, () => listening.reported).catch(ignoreTimeout);
      } finally {
        listening.end();
      }
    }
  }

  /** Begins to listen; `reported` resolves also if the entry is reported before anybody waits. */
  #listen(orderId: Guid): { reported: Promise<void>; end(): void } {
    let wake: () => void = () => {};
    const reported = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const listeners = this.#listeners.get(orderId) ?? new Set();
    this.#listeners.set(orderId, listeners.add(wake));
    const end = () => {
      listeners.delete(wake);
      if (listeners.size === 0 && this.#listeners.get(orderId) === listeners) this.#listeners.delete(orderId);
    };
    return { reported, end };
  }
}

/** Rethrows the error unless it means that the time is up. */
function ignoreTimeout(error: unknown): void {
  if (!(error instanceof Interruption && error.by === 'timeout')) throw error;
}
