import type { Guid } from 'sales-order-intake';
import type { Platform } from '../client/platform.js';

/** Wakes those who wait for an entry to be settled, when this process settles it. */
export class Settlements {
  readonly #platform: Platform;
  readonly #waiting = new Map<Guid, Set<() => void>>();

  constructor(platform: Platform) {
    this.#platform = platform;
  }

  /** Reports that an entry may be settled now. */
  report(orderId: Guid): void {
    for (const wake of [...(this.#waiting.get(orderId) ?? [])]) wake();
  }

  /** Wakes everybody. */
  end(): void {
    for (const orderId of [...this.#waiting.keys()]) this.report(orderId);
  }

  /** Begins to listen. What is reported from now on ends {@link Listening.wait}, also if that is called later. */
  listen(orderId: Guid): Listening {
    let isReported = false;
    let wake = () => {
      isReported = true;
    };
    const report = () => wake();
    const others = this.#waiting.get(orderId) ?? new Set();
    this.#waiting.set(orderId, others.add(report));
    return {
      wait: (ms, signal) =>
        new Promise<void>((resolve) => {
          if (isReported || signal?.aborted) return resolve();
          const end = () => {
            cancel();
            signal?.removeEventListener('abort', end);
            resolve();
          };
          const cancel = this.#platform.after(ms, end);
          signal?.addEventListener('abort', end);
          wake = end;
        }),
      end: () => {
        others.delete(report);
        if (others.size === 0 && this.#waiting.get(orderId) === others) this.#waiting.delete(orderId);
      },
    };
  }
}

export interface Listening {
  /** Resolves when the entry is reported, the time has passed or the signal fires. */
  wait(ms: number, signal: AbortSignal | undefined): Promise<void>;
  end(): void;
}
