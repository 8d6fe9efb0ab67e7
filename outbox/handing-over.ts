import type { Guid } from 'sales-order-intake';
import type { Platform } from '../www/platform/platform.js';
import { Interruption, withTimeout } from '../www/platform/timeout.js';
import { entryOf, isSettled } from './entry.js';
import type { OutboxSettings } from './settings.js';
import type { StoredEntry } from './store/index.js';

const NOTICES_AT_ONCE = 100;

/** Calls the handler for settled entries, at least once for each. */
export class HandingOver {
  readonly #settings: OutboxSettings;
  readonly #platform: Platform;
  /** Fires when handlers are no longer waited for. */
  readonly #signal: AbortSignal;
  readonly #report: (operation: 'handler' | 'settle', error: unknown, orderId: Guid) => void;

  constructor(
    settings: OutboxSettings,
    platform: Platform,
    signal: AbortSignal,
    report: (operation: 'handler' | 'settle', error: unknown, orderId: Guid) => void,
  ) {
    this.#settings = settings;
    this.#platform = platform;
    this.#signal = signal;
    this.#report = report;
  }

  async one(stored: StoredEntry): Promise<void> {
    const { onSettled, handlerTimeoutMs, store } = this.#settings;
    const { orderId, noticeAt } = stored;
    if (!onSettled || noticeAt === null) return;
    const entry = entryOf(stored);
    if (!isSettled(entry)) return;
    try {
      // One that never returns must not hold up deadlines and the stop. The dispatcher bounds how many have not returned.
      await withTimeout(this.#platform, handlerTimeoutMs, this.#signal, async () => onSettled(entry));
    } catch (error) {
      // After a stop the entry is handed over again after the next start.
      if (error instanceof Interruption && error.by === 'signal') return;
      this.#report('handler', error instanceof Interruption ? { name: 'TimeoutError' } : error, orderId);
      return;
    }
    try {
      await store.change(orderId, { noticeAt }, { noticeAt: null });
    } catch (error) {
      // It is handed over a second time.
      this.#report('settle', error, orderId);
    }
  }

  /** Hands over entries that were settled before a crash, or for which the handler failed. Returns true if there may be more. */
  async missed(isStopping: () => boolean): Promise<boolean> {
    const { onSettled, handlerTimeoutMs, store } = this.#settings;
    if (!onSettled) return false;
    const entries = await store.list({ noticeUntil: this.#platform.date(), after: 0, limit: NOTICES_AT_ONCE });
    for (const { orderId, noticeAt } of entries) {
      if (isStopping() || noticeAt === null) return false;
      // Handlers of the entries before may have taken long.
      const claimUntil = this.#platform.date() + handlerTimeoutMs;
      const claimed = await store.change(orderId, { noticeAt }, { noticeAt: claimUntil });
      if (claimed) await this.one(claimed);
    }
    return entries.length === NOTICES_AT_ONCE;
  }
}
