import type { Guid } from 'sales-order-intake';
import { builtinModule } from '../pkg-template/src/platform/builtin-module.js';
import type { Platform } from '../pkg-template/src/platform/platform.js';
import { Interruption, withTimeout } from '../pkg-template/src/platform/timeout.js';
import { entryOf, isSettled, type SettledEntry } from './entry.js';
import type { CheckedOptions } from './checked-options.js';
import type { StoredEntry } from './store.js';

const NOTICES_AT_ONCE = 100;

/** A call of the handler that has not ended. */
interface Call {
  isOver: boolean;
  /** The call is no longer waited for. */
  leave(): void;
}
type Calls = { run<T>(call: Call, work: () => T): T; getStore(): Call | undefined };
type AsyncHooks = { AsyncLocalStorage?: new () => Calls };

interface HandlerOptions extends Pick<CheckedOptions, 'store' | 'onSettled' | 'handlerTimeoutMs' | 'concurrency'> {
  platform: Platform;
  /** Fires when handlers are no longer waited for. */
  signal: AbortSignal;
  report(operation: 'handler' | 'settle', error: unknown, orderId: Guid): void;
}

/** Calls the program's handler for settled entries, at least once for each. */
export class Handler {
  readonly #options: HandlerOptions;
  /** The call of the handler that code runs in; undefined on platforms that cannot say. */
  readonly #calls: Calls | undefined;
  readonly #running = new Set<Promise<void>>();
  /** Calls that have failed since one succeeded. */
  #failures = 0;
  /** Missed handlers are not called before this time of the monotonic clock, and then from the entry after this position on. */
  #pause = { until: 0, after: 0 };

  constructor(options: HandlerOptions) {
    this.#options = options;
    const { AsyncLocalStorage } = builtinModule<AsyncHooks>('node:async_hooks') ?? {};
    this.#calls = AsyncLocalStorage && new AsyncLocalStorage();
  }

  /** Inside a call of the handler, ends the wait for this call, and returns true. */
  leave(): boolean {
    const call = this.#calls?.getStore();
    if (!call || call.isOver) return false;
    call.leave();
    return true;
  }

  /** Waits for all calls, including those that `one` no longer waits for. */
  async ended(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  /** Hands over an entry. Resolves when the handler has returned, its time is up, or it stops the outbox. */
  async one(stored: StoredEntry): Promise<void> {
    const { noticeAt } = stored;
    if (!this.#options.onSettled || noticeAt === null) return;
    const entry = entryOf(stored);
    if (!isSettled(entry)) return;
    await new Promise<void>((resolve) => {
      const call: Call = { isOver: false, leave: resolve };
      const running = this.#handOver(entry, noticeAt, call).finally(() => {
        call.isOver = true;
        this.#running.delete(running);
        resolve();
      });
      this.#running.add(running);
    });
  }

  async #handOver(entry: SettledEntry, noticeAt: number, call: Call): Promise<void> {
    const { onSettled, handlerTimeoutMs, store, platform, signal, report } = this.#options;
    const { orderId } = entry;
    const handler = () => onSettled?.(entry);
    try {
      // A handler that never returns must not hold up deadlines and the stop. The dispatcher bounds the number of open calls.
      await withTimeout(platform, handlerTimeoutMs, signal, async () =>
        this.#calls ? this.#calls.run(call, handler) : handler(),
      );
    } catch (error) {
      // After a stop the entry is handed over again after the next start.
      if (error instanceof Interruption && error.by === 'signal') return;
      this.#failures++;
      report('handler', error instanceof Interruption ? { name: 'TimeoutError' } : error, orderId);
      return;
    }
    this.#failures = 0;
    try {
      await store.change(orderId, { noticeAt }, { noticeAt: null });
    } catch (error) {
      // The entry is handed over a second time.
      report('settle', error, orderId);
    }
  }

  /**
   * Hands over entries that were settled before a crash, or for which the handler failed: as many at a time as orders are sent.
   * If all of these fail, the others wait for `handlerTimeoutMs`: whatever
   * the handler calls is down. Returns true if there may be more.
   */
  async missed(isStopping: () => boolean): Promise<boolean> {
    const { onSettled, handlerTimeoutMs, concurrency, store, platform } = this.#options;
    if (!onSettled || platform.now() < this.#pause.until) return false;
    this.#failures = 0;
    let { after } = this.#pause;
    const entries = await store.list({ noticeUntil: platform.date(), after, limit: NOTICES_AT_ONCE });
    const calls = new Set<Promise<void>>();
    for (const { orderId, noticeAt, position } of entries) {
      if (calls.size >= concurrency) await Promise.race(calls);
      if (isStopping() || noticeAt === null || this.#failures >= concurrency) break;
      after = position;
      // Handlers of earlier entries may have taken long.
      const claimUntil = platform.date() + handlerTimeoutMs;
      const claimed = await store.change(orderId, { noticeAt }, { noticeAt: claimUntil });
      if (!claimed) continue;
      const call = this.one(claimed).then(() => void calls.delete(call));
      calls.add(call);
    }
    await Promise.all(calls);
    // Not the same entries each time: they may be what fails.
    const isDown = this.#failures >= concurrency;
    this.#pause = isDown ? { until: platform.now() + handlerTimeoutMs, after } : { until: 0, after: 0 };
    return !isDown && entries.length === NOTICES_AT_ONCE;
  }
}
