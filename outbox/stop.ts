import type { Platform } from '../www/platform/platform.js';
import type { Dispatcher } from './dispatcher.js';
import type { StoreLimit } from './store-limit.js';
import type { OutboxStore } from './store/index.js';

/** How an outbox stops: it has ended when the time is up, whatever the store does (D59). */
export class Stop {
  readonly #platform: Platform;
  readonly #dispatcher: Dispatcher;
  readonly #limit: StoreLimit;
  readonly #cancels = new Set<() => void>();
  /** The end of all work but that of handlers that stop the outbox, and the end of everything. */
  readonly #working: Promise<void>;
  readonly #closed: Promise<void>;
  #isOver = false;

  /** @param store With its limit. */
  constructor(platform: Platform, dispatcher: Dispatcher, store: OutboxStore, limit: StoreLimit) {
    this.#platform = platform;
    this.#dispatcher = dispatcher;
    this.#limit = limit;
    this.#working = dispatcher.stop();
    this.#closed = this.#close(store).finally(() => {
      this.#isOver = true;
      for (const cancel of this.#cancels) cancel();
    });
    // Nobody may wait for it: a handler that stops the outbox waits for less.
    this.#closed.catch(() => {});
  }

  /** Ends within this time, if it was not less before. Inside a handler, resolves without waiting for that, which may end then. */
  within(timeoutMs: number): Promise<void> {
    const end = this.#dispatcher.handler.leave() ? this.#working : this.#closed;
    if (timeoutMs === Number.POSITIVE_INFINITY || this.#isOver) return end;
    const cancel = this.#platform.after(timeoutMs, () => {
      this.#dispatcher.interrupt();
      this.#cancels.add(this.#limit.endSoon(timeoutMs));
    });
    this.#cancels.add(cancel);
    return end;
  }

  async #close(store: OutboxStore): Promise<void> {
    await this.#working;
    await this.#dispatcher.handler.ended();
    try {
      await store.close();
    } catch (error) {
      if (!this.#limit.isOver) throw error;
      this.#dispatcher.report('close', error, null);
    }
  }
}
