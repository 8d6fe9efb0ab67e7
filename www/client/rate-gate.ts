import type { Platform } from '../platform/platform.js';
import { LONGEST_PAUSE_MS } from '../sending/waits.js';
import { wait } from '../platform/timeout.js';

/**
 * Holds back all orders of a client after a Retry-After: the service as a whole asks for the pause, and further requests
 * would only be rejected. Orders pass one by one, at random times within `spreadMs` after the pause.
 */
export class RateGate {
  readonly #platform: Platform;
  readonly #spreadMs: number;
  #opensAt = Number.NEGATIVE_INFINITY;

  constructor(platform: Platform, spreadMs: number) {
    this.#platform = platform;
    this.#spreadMs = spreadMs;
  }

  /** Milliseconds until the pause ends; 0 if there is none. */
  get pauseMs(): number {
    return Math.max(0, this.#opensAt - this.#platform.now());
  }

  /** Returns a random time to add to a wait that the service asked for. */
  jitterMs(): number {
    return this.#platform.random() * this.#spreadMs;
  }

  /** Returns the milliseconds that an order must wait now; 0 if it can pass at once. */
  delayMs(): number {
    const spreadEndsIn = this.#opensAt + this.#spreadMs - this.#platform.now();
    if (spreadEndsIn <= 0) return 0;
    return this.pauseMs + this.#platform.random() * Math.min(this.#spreadMs, spreadEndsIn);
  }

  closeFor(ms: number): void {
    this.#opensAt = Math.max(this.#opensAt, this.#platform.now() + Math.min(ms, LONGEST_PAUSE_MS));
  }

  /** Resolves when no pause is left. Rejects when the signal fires. */
  async opened(signal: AbortSignal): Promise<void> {
    while (this.pauseMs > 0) await wait(this.#platform, this.pauseMs, signal);
  }
}
