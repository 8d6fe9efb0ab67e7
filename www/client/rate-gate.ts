import type { Platform } from './platform.js';
import { wait } from './within.js';

/** A mistaken Retry-After must not silence a client for good. */
const LONGEST_PAUSE_MS = 3_600_000;

/**
 * Holds back everything a client sends after a 429: the limit is the service's, not one order's, and orders that went
 * on would only be refused as well.
 */
export class RateGate {
  readonly #platform: Platform;
  #opensAt = Number.NEGATIVE_INFINITY;

  constructor(platform: Platform) {
    this.#platform = platform;
  }

  /** Until the gate opens; 0 where it is open. */
  get waitMs(): number {
    return Math.max(0, this.#opensAt - this.#platform.now());
  }

  closeFor(ms: number): void {
    this.#opensAt = Math.max(this.#opensAt, this.#platform.now() + Math.min(ms, LONGEST_PAUSE_MS));
  }

  /** Waits for as long as it is closed, also where that becomes longer meanwhile; undefined where it is open. */
  opened(caller: AbortSignal | undefined): Promise<void> | undefined {
    return this.waitMs > 0 ? this.#opening(caller) : undefined;
  }

  async #opening(caller: AbortSignal | undefined): Promise<void> {
    while (this.waitMs > 0) await wait(this.#platform, this.waitMs, caller);
  }
}
