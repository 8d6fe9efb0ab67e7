import type { Platform } from '../../pkg-template/src/platform/platform.js';
import { withTimeout } from '../../pkg-template/src/platform/timeout.js';
import { Gate, type GateBounds, type Turn } from '../../pkg-template/src/sending/gate.js';
import { LONGEST_PAUSE_MS, PROBE_MS, type RetryBounds } from '../../pkg-template/src/sending/waits.js';

/** The sign that an attempt gives about the service: it works, it is in trouble, or neither. */
export type Sign = 'success' | 'trouble' | 'none';

/** Thrown for an order whose turn would come after its time is over. */
export class HeldBack {
  /** Milliseconds until its turn. */
  readonly ms: number;

  constructor(ms: number) {
    this.ms = ms;
  }
}

/** The orders of one batch on their way through the gate. */
export class Lane {
  readonly gate: ClientGate;
  /** The most that are in flight at a time. */
  readonly concurrency: number;
  /** Called when more orders may be started. */
  readonly onRoom: () => void;
  inFlight = 0;
  #resting = 0;

  constructor(gate: ClientGate, concurrency: number, onRoom: () => void) {
    this.gate = gate;
    this.concurrency = concurrency;
    this.onRoom = onRoom;
  }

  get isFull(): boolean {
    return this.inFlight >= this.concurrency;
  }

  /** The number of orders that wait for a retry. */
  get resting(): number {
    return this.#resting;
  }

  /** Counts an order that waits for a retry, until the promise settles. */
  async rest(waiting: Promise<void>): Promise<void> {
    this.#resting++;
    this.onRoom();
    try {
      await waiting;
    } finally {
      this.#resting--;
    }
  }
}

/** An attempt that has passed the gate. */
export interface Pass {
  readonly turn: Turn;
  readonly lane: Lane | undefined;
  /** False for an order that is in no batch while nothing holds it back: the program decides how many of these it sends. */
  readonly isCounted: boolean;
}

interface Waiter {
  readonly lane: Lane | undefined;
  readonly endsAt: number;
  /** Set when it is released. */
  pass: Pass | undefined;
  release(pass: Pass): void;
  reject(error: HeldBack): void;
}

/** The most attempts at a time after a pause, if the client sends no batch. */
const CONCURRENCY = 8;

/**
 * Lets the attempts of a client pass its gate, in the order in which they come (D52): those of batches as many at a time as the service
 * takes, and all of them one by one during and after a pause that the service asks for.
 */
export class ClientGate {
  readonly #platform: Platform;
  readonly #bounds: GateBounds;
  readonly #gate: Gate;
  readonly #lanes = new Set<Lane>();
  readonly #queue = new Set<Waiter>();
  #cancelTimer: (() => void) | undefined;

  constructor(platform: Platform, retry: RetryBounds) {
    this.#platform = platform;
    // Each order has its own waits between attempts, and its own end: a batch against a service that is down must end.
    this.#bounds = { ...retry, concurrency: CONCURRENCY, leastGroups: Number.POSITIVE_INFINITY };
    this.#gate = new Gate(platform, this.#bounds);
  }

  /** Called before the first order of a batch. */
  open(lane: Lane): void {
    this.#lanes.add(lane);
    this.#setConcurrency();
  }

  /** Called after the last order of a batch. */
  close(lane: Lane): void {
    this.#lanes.delete(lane);
    this.#setConcurrency();
    this.#release();
  }

  #setConcurrency(): void {
    const together = [...this.#lanes].reduce((sum, { concurrency }) => sum + concurrency, 0);
    this.#bounds.concurrency = together || CONCURRENCY;
  }

  /** Returns true if an attempt that comes now would not have to wait. */
  hasRoom(lane: Lane | undefined): boolean {
    return this.#wakeIfFull() && !lane?.isFull && !this.#isAnyWaiting((other) => !other?.isFull);
  }

  /** Returns a pass if an attempt may start at once. */
  enter(lane: Lane | undefined): Pass | undefined {
    if (!lane && this.#gate.isOpen && !this.#isAnyWaiting((other) => !other)) {
      const turn = this.#gate.enter();
      this.#gate.leave();
      return { turn, lane, isCounted: false };
    }
    return this.hasRoom(lane) ? this.#entered(lane) : undefined;
  }

  /**
   * Resolves when an attempt may start. Rejects with {@link HeldBack} as soon as its turn comes after its time, and with an Interruption
   * when the signal fires or the time is over.
   */
  async wait(lane: Lane | undefined, ms: number, signal: AbortSignal | undefined): Promise<Pass> {
    const waiter: Waiter = { lane, endsAt: this.#platform.now() + ms, pass: undefined, release() {}, reject() {} };
    if (this.#isLate(waiter, this.#queue.size)) throw new HeldBack(this.#turnMs(this.#queue.size));
    const released = new Promise<Pass>((release, reject) => Object.assign(waiter, { release, reject }));
    this.#queue.add(waiter);
    // Room since the caller looked.
    if (this.#wakeIfFull()) this.#wakeIn(0);
    try {
      return await withTimeout(this.#platform, ms, signal, () => released);
    } catch (error) {
      // It had ended when it was released.
      if (waiter.pass) this.leave(waiter.pass, '', 'none', 0);
      throw error;
    } finally {
      this.#queue.delete(waiter);
      this.#sleepIfUnused();
    }
  }

  /**
   * Ends an attempt.
   *
   * @param askedMs How long the service asks all orders to wait; 0 if it does not.
   */
  leave({ turn, lane, isCounted }: Pass, orderId: string, sign: Sign, askedMs: number): void {
    if (lane) lane.inFlight--;
    if (isCounted) this.#gate.leave();
    if (askedMs > 0) {
      this.#gate.close(turn, { askedMs: Math.min(askedMs, LONGEST_PAUSE_MS) });
      this.#rejectLate();
    } else if (sign === 'trouble') this.#gate.failed(turn, orderId);
    else if (sign === 'success' && isCounted) this.#gate.succeeded(turn);
    this.#release();
  }

  #isAnyWaiting(isMeant: (lane: Lane | undefined) => boolean): boolean {
    for (const { lane } of this.#queue) if (isMeant(lane)) return true;
    return false;
  }

  #entered(lane: Lane | undefined): Pass {
    if (lane) lane.inFlight++;
    return { turn: this.#gate.enter(), lane, isCounted: true };
  }

  /** Releases waiting attempts, as far as there is room, and then lets batches start others. */
  #release(): void {
    for (const waiter of this.#queue) {
      if (!this.#wakeIfFull()) break;
      if (waiter.lane?.isFull) continue;
      this.#queue.delete(waiter);
      waiter.pass = this.#entered(waiter.lane);
      waiter.release(waiter.pass);
    }
    for (const lane of this.#lanes) if (this.hasRoom(lane)) lane.onRoom();
    this.#sleepIfUnused();
  }

  /** Returns the milliseconds until the turn of the attempt at a position of the queue; 0 if the service asks for no pause. */
  #turnMs(position: number): number {
    const { askedMs, pauseMs } = this.#gate;
    return Math.min(askedMs, pauseMs + position * PROBE_MS);
  }

  #isLate({ endsAt }: Waiter, position: number): boolean {
    return this.#gate.askedMs > 0 && this.#turnMs(position) >= endsAt - this.#platform.now();
  }

  #rejectLate(): void {
    let position = 0;
    for (const waiter of this.#queue) {
      if (this.#isLate(waiter, position)) waiter.reject(new HeldBack(this.#turnMs(position)));
      else position++;
    }
  }

  /** Returns true if there is room, and else looks again when time makes some. */
  #wakeIfFull(): boolean {
    // Before the look for room: the pause may end between the two.
    const ms = this.#gate.waitMs;
    if (this.#gate.room > 0) return true;
    if (ms !== Number.POSITIVE_INFINITY) this.#wakeIn(ms);
    return false;
  }

  #wakeIn(ms: number): void {
    this.#cancelTimer ??= this.#platform.after(Math.max(1, ms), () => {
      this.#cancelTimer = undefined;
      this.#release();
    });
  }

  #sleepIfUnused(): void {
    if (this.#queue.size > 0 || this.#lanes.size > 0) return;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }
}
