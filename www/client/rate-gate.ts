import type { Platform } from '../../pkg-template/src/platform/platform.js';
import { Interruption, withTimeout } from '../../pkg-template/src/platform/timeout.js';
import { LONGEST_PAUSE_MS, PROBE_MS } from '../../pkg-template/src/sending/waits.js';

/** Thrown for an order whose turn would come after its time is over. */
export class HeldBack {
  /** Milliseconds until its turn. */
  readonly ms: number;

  constructor(ms: number) {
    this.ms = ms;
  }
}

/**
 * Holds back all orders of a client after a Retry-After: the service as a whole asks for the pause, and further requests
 * would only be rejected. Orders pass one by one, at random times within `spreadMs` after the pause. During a long pause one order
 * a minute tries whether it is over (D33).
 */
export class RateGate {
  readonly #platform: Platform;
  readonly #spreadMs: number;
  #opensAt = Number.NEGATIVE_INFINITY;
  /** When the next order may try, if the pause lasts until then. */
  #triesAt = Number.NEGATIVE_INFINITY;
  /** The number of orders that wait for their turn. */
  #waiting = 0;
  readonly #onOpen = new Set<() => void>();

  constructor(platform: Platform, spreadMs: number) {
    this.#platform = platform;
    this.#spreadMs = spreadMs;
  }

  /** True if an order can pass at once. */
  get isOpen(): boolean {
    return this.#opensAt + this.#spreadMs <= this.#platform.now();
  }

  /** Milliseconds until the turn of an order that comes now, after those that wait; 0 if there is no pause. */
  get turnMs(): number {
    const now = this.#platform.now();
    return Math.max(0, Math.min(this.#opensAt, this.#triesAt + this.#waiting * PROBE_MS) - now);
  }

  /** Returns a random time to add to a wait that the service asked for. */
  jitterMs(): number {
    return this.#platform.random() * this.#spreadMs;
  }

  /** Begins a pause, or makes it longer. */
  closeFor(ms: number): void {
    const now = this.#platform.now();
    if (this.#opensAt <= now) this.#triesAt = now + PROBE_MS;
    this.#opensAt = Math.max(this.#opensAt, now + Math.min(ms, LONGEST_PAUSE_MS));
  }

  /** The next order may try in a minute. Called when it is an order's turn, and again when the order is sent. */
  tries(): void {
    this.#triesAt = this.#platform.now() + PROBE_MS;
  }

  /** Ends the pause, because an order that tried has succeeded. */
  open(): void {
    this.#opensAt = Math.min(this.#opensAt, this.#platform.now());
    for (const callback of this.#onOpen) callback();
  }

  /**
   * Resolves when an order may be sent: true if it is the one that tries whether the pause is over.
   *
   * @param hasWaited The order has just waited for a random time.
   * @throws HeldBack if its turn comes after its time is over; an Interruption when the signal fires.
   */
  async pass(leftMs: () => number, signal: AbortSignal | undefined, hasWaited: boolean): Promise<boolean> {
    for (let isReady = hasWaited; ; ) {
      const now = this.#platform.now();
      const isPaused = this.#opensAt > now;
      const pauseMs = Math.max(0, Math.min(this.#opensAt, this.#triesAt) - now);
      if (isReady && pauseMs === 0) {
        if (isPaused) this.tries();
        return isPaused;
      }
      const { turnMs } = this;
      if (isPaused && turnMs >= leftMs()) throw new HeldBack(turnMs);
      const spreadMs = Math.max(0, Math.min(this.#spreadMs, this.#opensAt + this.#spreadMs - now));
      isReady = !(await this.#wait(pauseMs + this.#platform.random() * spreadMs, signal));
    }
  }

  /** Resolves when it is the turn of an order that comes now. Rejects when the signal fires. */
  async turn(signal: AbortSignal): Promise<void> {
    for (let ms = this.turnMs; ms > 0; ms = this.turnMs) await this.#untilOpen(ms, signal);
  }

  async #wait(ms: number, signal: AbortSignal | undefined): Promise<boolean> {
    this.#waiting++;
    try {
      return await this.#untilOpen(ms, signal);
    } finally {
      this.#waiting--;
    }
  }

  /** Waits until the pause is ended; false after this time. */
  async #untilOpen(ms: number, signal: AbortSignal | undefined): Promise<boolean> {
    let open: () => void = () => {};
    const opened = new Promise<boolean>((resolve) => {
      open = () => resolve(true);
    });
    this.#onOpen.add(open);
    try {
      return await withTimeout(this.#platform, ms, signal, () => opened);
    } catch (interruption) {
      if (interruption instanceof Interruption && interruption.by === 'timeout') return false;
      throw interruption;
    } finally {
      this.#onOpen.delete(open);
    }
  }
}
