import { LONGEST_PAUSE_MS } from '../pkg-template/src/sending/waits.js';
import { wait } from '../pkg-template/src/platform/timeout.js';
import type { Closed, StoredPauses } from './delivery-pauses.js';
import type { ErrorEvent } from './options.js';
import type { CheckedOptions } from './checked-options.js';
import type { Change, Page } from './store.js';
import type { StoreClock } from './store-clock.js';

/** How often the store is searched for passed deadlines and old entries, and for missed handlers. */
const SWEEP_MS = 5000;
/** How many entries are changed at a time after the clock was set back. */
const CHANGED_AT_ONCE = 500;
/** An `addedAt` further in the future is wrong. */
const FUTURE_MS = 60_000;

interface SweeperOptions {
  settings: CheckedOptions;
  clock: StoreClock<never>;
  pauses: StoredPauses;
  /** Fires when the outbox stops. */
  stopping: AbortSignal;
  /** Returns what this process holds back. */
  closed(): Closed;
  /** Hands over entries whose handler was missed. Returns true if there may be more. */
  handleMissed(): Promise<boolean>;
  report(operation: ErrorEvent['operation'], error: unknown, orderId: null): void;
  /** Called when entries may have become due. */
  wake(): void;
}

/** Looks for passed deadlines, old entries and missed handlers until the outbox stops, and stores what this process holds back. */
export class Sweeper {
  readonly #options: SweeperOptions;
  #wasSetBack = false;

  constructor(options: SweeperOptions) {
    this.#options = options;
  }

  /** Resolves when the outbox has stopped. */
  async run(): Promise<void> {
    // Side by side: a handler that hangs must not delay a deadline.
    await Promise.all([this.#repeat(() => this.#sweep()), this.#repeat(() => this.#options.handleMissed())]);
  }

  /** Repeats work until the outbox stops: at once if there may be more to do, otherwise after a pause. */
  async #repeat(work: () => Promise<boolean>): Promise<void> {
    const { clock, stopping, report } = this.#options;
    while (!stopping.aborted) {
      try {
        if (!clock.isFresh) await clock.refresh();
        if (await work()) continue;
      } catch (error) {
        report('sweep', error, null);
      }
      await wait(clock.platform, SWEEP_MS, stopping).catch(() => {});
    }
  }

  async #sweep(): Promise<boolean> {
    const { settings, clock, pauses, closed } = this.#options;
    const now = clock.platform.date();
    const swept = await settings.store.sweep({ now, createdBefore: now - settings.keepCreatedMs });
    await pauses.report(closed(), now);
    await this.#endLongWaits();
    return swept > 0;
  }

  /** If the clock was set back, orders wait no longer than the longest pause, and their age grows again (D60). */
  async #endLongWaits(): Promise<void> {
    const { settings, clock, wake } = this.#options;
    this.#wasSetBack ||= clock.wasSetBack();
    if (!this.#wasSetBack) return;
    const now = clock.platform.date();
    const { baseMs, capMs } = settings.retry;
    const dueAfter = now + Math.max(capMs, LONGEST_PAUSE_MS) + baseMs;
    await this.#changeWaiting({ since: now + FUTURE_MS }, { addedAt: now });
    await this.#changeWaiting({ dueAfter }, { state: 'waiting', dueAt: now });
    this.#wasSetBack = false;
    wake();
  }

  async #changeWaiting(filter: Pick<Page, 'since' | 'dueAfter'>, change: Change): Promise<void> {
    const { settings, stopping } = this.#options;
    const states = ['waiting'] as const;
    for (let after: number | null = 0; after !== null && !stopping.aborted; ) {
      const page = { states, ...filter, after, limit: CHANGED_AT_ONCE };
      ({ last: after } = await settings.store.changeAll(page, { states }, change));
    }
  }
}
