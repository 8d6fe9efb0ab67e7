import type { Guid } from 'sales-order-intake';
import type { Platform } from '../www/platform/platform.js';
import { Interruption, withTimeout } from '../www/platform/timeout.js';
import { entryOf, isSettled, type SettledEntry } from './entry.js';
import { OutboxError } from './errors.js';
import type { OutboxStore } from './store/index.js';

/** How often the store is asked whether another process has settled an entry: at first, and at last. */
const FIRST_LOOK_MS = 100;
const LAST_LOOK_MS = 1000;

/** Waits until entries are settled, by this process or by another one. */
export class Settlements {
  readonly #store: OutboxStore;
  readonly #platform: Platform;
  readonly #listeners = new Map<Guid, Set<() => void>>();
  #isEnded = false;

  constructor(store: OutboxStore, platform: Platform) {
    this.#store = store;
    this.#platform = platform;
  }

  /** Reports that an entry may be settled now. */
  report(orderId: Guid): void {
    for (const wake of this.#listeners.get(orderId) ?? []) wake();
  }

  /** Rejects all waits. */
  end(): void {
    this.#isEnded = true;
    for (const orderId of this.#listeners.keys()) this.report(orderId);
  }

  /**
   * Returns an entry when it is settled, null if there is none or the time is up.
   *
   * @throws the reason of the signal when it fires; OutboxError when the waits are ended, or if the store fails.
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
    for (let lookMs = FIRST_LOOK_MS; ; lookMs = Math.min(LAST_LOOK_MS, lookMs * 2)) {
      if (this.#isEnded) throw new OutboxError('stopped', 'The outbox has been stopped');
      const listening = this.#listen(orderId);
      try {
        // A store that hangs must not hold up the caller. The last look has time, though none is left.
        const look = () => this.#store.get(orderId);
        const stored = await withTimeout(this.#platform, Math.max(LAST_LOOK_MS, leftMs()), signal, look);
        const entry = stored && entryOf(stored);
        if (!entry || isSettled(entry)) return entry;
        if (leftMs() <= 0) return null;
        const waitMs = Math.min(lookMs, leftMs());
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

/** @throws the error if it is not that the time is over. */
function ignoreTimeout(error: unknown): void {
  if (!(error instanceof Interruption && error.by === 'timeout')) throw error;
}
