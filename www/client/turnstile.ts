import { Gate, type GateBounds, type Turn } from '../../pkg-template/src/sending/gate.js';
import type { Platform } from '../../pkg-template/src/platform/platform.js';
import { LONGEST_PAUSE_MS } from '../../pkg-template/src/sending/waits.js';
import { withTimeout } from '../../pkg-template/src/platform/timeout.js';

/** The sign that an attempt gives about the service: it works, it is in trouble, or neither. */
export type Sign = 'success' | 'trouble' | 'none';

/** Lets the attempts of a batch pass its gate, in the order in which they come (D52). */
export class Turnstile {
  /** Called when more orders may be started. */
  onChange: () => void = () => {};
  readonly #platform: Platform;
  readonly #gate: Gate;
  readonly #queue = new Set<(turn: Turn) => void>();
  #resting = 0;
  #cancelTimer: (() => void) | undefined;

  constructor(platform: Platform, bounds: Omit<GateBounds, 'leastGroups'>) {
    this.#platform = platform;
    // Each order has its own waits between attempts, and its own end: a batch against a service that is down must end.
    this.#gate = new Gate(platform, { ...bounds, leastGroups: Number.POSITIVE_INFINITY });
  }

  /** The number of orders that wait for a retry. */
  get resting(): number {
    return this.#resting;
  }

  /** True if a first attempt that comes now would not have to wait. */
  get hasRoom(): boolean {
    const hasRoom = this.#queue.size === 0 && this.#gate.room > 0;
    if (!hasRoom) this.#wakeLater();
    return hasRoom;
  }

  /** Resolves when an attempt may start. Rejects with an Interruption when the time is up or the signal fires. */
  async pass(ms: number, signal: AbortSignal | undefined): Promise<Turn> {
    if (this.hasRoom) return this.#gate.enter();
    let release: (turn: Turn) => void = () => {};
    const released = new Promise<Turn>((resolve) => {
      release = resolve;
    });
    this.#queue.add(release);
    try {
      return await withTimeout(this.#platform, ms, signal, () => released);
    } finally {
      this.#queue.delete(release);
    }
  }

  /** Ends an attempt. */
  leave(turn: Turn, orderId: string, sign: Sign, askedMs: number): void {
    this.#gate.leave();
    if (sign === 'success') this.#gate.succeeded(turn);
    else if (sign === 'trouble') {
      if (askedMs > 0) this.#gate.close(turn, { askedMs: Math.min(askedMs, LONGEST_PAUSE_MS) });
      else this.#gate.failed(turn, orderId);
    }
    this.#release();
  }

  /** Counts an order that waits for a retry, until the returned promise settles. */
  async rest(waiting: Promise<void>): Promise<void> {
    this.#resting++;
    this.onChange();
    try {
      await waiting;
    } finally {
      this.#resting--;
    }
  }

  /** Releases waiting attempts, as far as there is room. */
  #release(): void {
    for (const release of this.#queue) {
      if (this.#gate.room <= 0) break;
      this.#queue.delete(release);
      release(this.#gate.enter());
    }
    if (this.hasRoom) this.onChange();
  }

  #wakeLater(): void {
    const ms = this.#gate.waitMs;
    if (this.#cancelTimer || ms === Number.POSITIVE_INFINITY) return;
    this.#cancelTimer = this.#platform.after(Math.max(1, ms), () => {
      this.#cancelTimer = undefined;
      this.#release();
    });
  }

  /** Cancels the timer. */
  end(): void {
    this.#cancelTimer?.();
  }
}
