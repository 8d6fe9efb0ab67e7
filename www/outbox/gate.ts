import type { Platform } from '../client/platform.js';

/** In units of `baseMs`: if a probe takes longer, because its location is slow, another one starts beside it. */
const PATIENCE = 5;

export interface GateBounds {
  baseMs: number;
  capMs: number;
  /** The number of concurrent attempts at which the ramp ends. */
  concurrency: number;
}

/**
 * Holds back attempts while what they are sent to is in trouble: closed for a while, then one attempt as a probe, then a
 * ramp that grows by one with each success.
 */
export class Gate {
  readonly #platform: Platform;
  readonly #bounds: GateBounds;
  #limit: number;
  #opensAt = Number.NEGATIVE_INFINITY;
  #pauses = 0;
  #inFlight = 0;
  #enteredAt = Number.NEGATIVE_INFINITY;
  #generation = 0;

  /** @param limit The number of concurrent attempts at the beginning. */
  constructor(platform: Platform, bounds: GateBounds, limit: number) {
    this.#platform = platform;
    this.#bounds = bounds;
    this.#limit = limit;
  }

  get isClosed(): boolean {
    return this.#opensAt > this.#platform.now();
  }

  /** False during a pause and until a probe has succeeded. */
  get isOpen(): boolean {
    return this.#pauses === 0;
  }

  /** True if this gate holds nothing back and remembers nothing. */
  get isIdle(): boolean {
    return this.#inFlight === 0 && this.#pauses === 0 && this.#limit === Number.POSITIVE_INFINITY;
  }

  /** Milliseconds until the pause ends. */
  get pauseMs(): number {
    return Math.max(0, this.#opensAt - this.#platform.now());
  }

  /** Milliseconds until another attempt may start, even if none of those in flight ends; Infinity if that alone decides. */
  get waitMs(): number {
    if (this.isClosed) return this.pauseMs;
    if (this.#limit > this.#inFlight || this.#limit === Number.POSITIVE_INFINITY) return Number.POSITIVE_INFINITY;
    return Math.max(0, this.#enteredAt + PATIENCE * this.#bounds.baseMs - this.#platform.now());
  }

  /** Returns how many attempts may start now. */
  get room(): number {
    if (this.isClosed) return 0;
    return this.#limit > this.#inFlight ? this.#limit - this.#inFlight : Number(this.waitMs === 0);
  }

  /** Counts an attempt; returns its generation, for the other functions. */
  enter(): number {
    this.#inFlight++;
    this.#enteredAt = this.#platform.now();
    return this.#generation;
  }

  leave(): void {
    this.#inFlight--;
  }

  /** Records that an attempt got a response. One that started before a pause proves nothing about the time after it. */
  succeeded(generation: number): void {
    if (generation !== this.#generation) return;
    this.#pauses = 0;
    this.#limit++;
    if (this.#limit >= this.#bounds.concurrency) this.#limit = Number.POSITIVE_INFINITY;
  }

  /**
   * Closes for a time that doubles with each failed probe, or as the service asks. Attempts that started together fail
   * together: only the first counts. Returns true if the gate was closed by this.
   */
  close(generation: number, askedMs: number): boolean {
    const asked = askedMs > 0 ? askedMs + this.#platform.random() * this.#bounds.baseMs : 0;
    if (generation !== this.#generation) {
      if (this.isClosed) this.#opensAt = Math.max(this.#opensAt, this.#platform.now() + asked);
      return false;
    }
    const { baseMs, capMs } = this.#bounds;
    const bound = Math.min(capMs, baseMs * 2 ** this.#pauses);
    this.#generation++;
    this.#pauses++;
    this.#limit = 1;
    this.#opensAt = this.#platform.now() + (asked || bound * (0.5 + this.#platform.random() / 2));
    return true;
  }
}
