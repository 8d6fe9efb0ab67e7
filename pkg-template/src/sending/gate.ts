import type { Platform } from '../platform/platform.js';
import { PROBE_MS } from './waits.js';

/** The number of concurrent attempts at the beginning: neither a stampede nor a crawl (D52). */
const FIRST_CONCURRENCY = 4;
/** The number of orders that fail in a row after which a gate closes (D52). */
const STREAK = 5;
/**
 * The first pauses are 0 and fractions of `baseMs`, because with sporadic faults probes fail too. More pauses than these
 * mean an outage.
 */
const SHORT_PAUSES = 3;
/**
 * In units of `baseMs`: if no attempt ends for that long, because a location never responds, another one starts beside those
 * in flight.
 */
const PATIENCE = 5;

export interface GateBounds {
  baseMs: number;
  capMs: number;
  /** The highest number of concurrent attempts. It may change. */
  concurrency: number;
  /**
   * Orders that fail in a row close the gate only if they are of this many groups, for example locations. Infinity:
   * there are no groups; failures never close the gate, only a Retry-After does, and no attempt starts beside a slow
   * one, unless that is a probe.
   */
  leastGroups: number;
}

/** The number of an attempt among those that have passed a gate, from 1. */
export type Turn = number;

/**
 * Decides how many attempts run at the same time (D52): one more with each success, half as many after a sign of trouble.
 * Closes for a while if the service asks for it or nothing succeeds any more; then lets one attempt pass as a probe.
 */
export class Gate {
  readonly #platform: Platform;
  readonly #bounds: GateBounds;
  #limit: number;
  #inFlight = 0;
  #lastTurn: Turn = 0;
  #enteredAt = Number.NEGATIVE_INFINITY;
  /** The last attempt that had started when the limit was halved, and when the gate closed. */
  #halvedAt: Turn = 0;
  #closedAt: Turn = 0;
  /** The groups of the orders that failed since the last success. */
  readonly #failing = new Map<string, string>();
  /** How often the gate has closed since it was open. */
  #pauses = 0;
  #opensAt = Number.NEGATIVE_INFINITY;
  /** When the gate closed, and the end of the pause that the service has asked for. */
  #pausedAt = Number.NEGATIVE_INFINITY;
  #askedUntil = Number.NEGATIVE_INFINITY;
  #limitBefore = 1;
  /** After an outage: until when, and how many attempts may start until then. */
  #pacedUntil = Number.NEGATIVE_INFINITY;
  #startsLeft = 0;

  /** @param first The number of concurrent attempts at the beginning. */
  constructor(platform: Platform, bounds: GateBounds, first = FIRST_CONCURRENCY) {
    this.#platform = platform;
    this.#bounds = bounds;
    this.#limit = Math.min(first, bounds.concurrency);
  }

  /** The number of concurrent attempts for now. */
  get limit(): number {
    return this.#limit;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** True during a pause. */
  get isClosed(): boolean {
    return !this.isOpen && this.#opensAt > this.#platform.now();
  }

  /** False during a pause and until a probe has succeeded. */
  get isOpen(): boolean {
    return this.#pauses === 0;
  }

  /** True if this gate holds nothing back and remembers nothing. */
  get isIdle(): boolean {
    const isFull = this.#limit === this.#bounds.concurrency && this.#pacedUntil <= this.#platform.now();
    return this.#inFlight === 0 && this.isOpen && isFull && this.#failing.size === 0;
  }

  /** Milliseconds until the pause ends. */
  get pauseMs(): number {
    return Math.max(0, this.#opensAt - this.#platform.now());
  }

  /** Milliseconds until the pause ends that the service has asked for. */
  get askedMs(): number {
    return Math.max(0, this.#askedUntil - this.#platform.now());
  }

  /** Milliseconds until another attempt may start even if none in flight ends; Infinity if time alone permits none. */
  get waitMs(): number {
    if (this.isClosed) return this.pauseMs;
    const now = this.#platform.now();
    if (this.#limit > this.#inFlight) return this.#isPaced ? this.#pacedUntil - now : Number.POSITIVE_INFINITY;
    const { concurrency, leastGroups } = this.#bounds;
    const isFull = this.#inFlight >= concurrency || this.#limit === concurrency;
    return isFull || (leastGroups === Number.POSITIVE_INFINITY && this.isOpen)
      ? Number.POSITIVE_INFINITY
      : Math.max(0, this.#enteredAt + PATIENCE * this.#bounds.baseMs - now);
  }

  /** Returns how many attempts may start now. */
  get room(): number {
    if (this.isClosed || this.#isPaced) return 0;
    const room = this.#limit - this.#inFlight;
    return room > 0 ? room : Number(this.waitMs === 0);
  }

  get #isPaced(): boolean {
    return this.#startsLeft <= 0 && this.#pacedUntil > this.#platform.now();
  }

  /** Counts an attempt. Returns its turn, for the other functions. */
  enter(): Turn {
    this.#inFlight++;
    this.#startsLeft--;
    this.#enteredAt = this.#platform.now();
    // Whatever becomes of this attempt, the next one is in a minute, or after the pause.
    if (this.askedMs > 0) this.#opensAt = this.#enteredAt + Math.min(this.askedMs, PROBE_MS);
    return ++this.#lastTurn;
  }

  leave(): void {
    this.#inFlight--;
  }

  /** Returns true if an attempt started before the last pause: it proves nothing about the time after it. */
  isStale(turn: Turn): boolean {
    return turn <= this.#closedAt;
  }

  /** Records that the service has responded as it does when nothing is wrong. */
  succeeded(turn: Turn): void {
    if (this.isStale(turn)) return;
    this.#failing.clear();
    if (!this.isOpen) this.#reopen();
    this.#limit = Math.min(this.#limit + 1, this.#bounds.concurrency);
  }

  /**
   * Records a sign of trouble. Halves the limit, once for attempts that overlapped; closes after several orders in a
   * row, or if this was a probe. Returns true if the gate was closed by this.
   *
   * @param isSuspect The response may not be the service's: among successes it says nothing about the load, and halves nothing.
   */
  failed(turn: Turn, order: string, group = '', isSuspect = false): boolean {
    if (this.isStale(turn)) return false;
    const { concurrency, leastGroups } = this.#bounds;
    if (!isSuspect && turn > this.#halvedAt) {
      this.#limit = Math.max(1, Math.floor(Math.min(this.#limit, concurrency) / 2));
      this.#halvedAt = this.#lastTurn;
    }
    if (leastGroups === Number.POSITIVE_INFINITY) return false;
    this.#failing.set(order, group);
    return !this.isOpen || this.#isStreak ? this.close(turn) : false;
  }

  get #isStreak(): boolean {
    if (this.#failing.size < STREAK) return false;
    return new Set(this.#failing.values()).size >= this.#bounds.leastGroups;
  }

  /**
   * Closes until a probe succeeds. The first one starts at once, or after up to `baseMs` if it is certain that nothing can
   * succeed now, or after the time that the service asks for; the next ones after a time that doubles with each. If the service asks
   * for a long time, one is sent each minute (D33).
   * Attempts that started together fail together: only the first counts. Returns true if the gate was closed by this.
   */
  close(turn: Turn, { askedMs = 0, isCertain = false } = {}): boolean {
    const now = this.#platform.now();
    const random = this.#platform.random();
    const { baseMs, capMs } = this.#bounds;
    if (this.isStale(turn) && this.isOpen) return false;
    this.#askedUntil = Math.max(this.#askedUntil, now + askedMs);
    const asked = this.askedMs > 0 ? Math.min(this.askedMs + random * baseMs, PROBE_MS) : 0;
    if (this.isStale(turn)) {
      const latest = this.#pausedAt + PROBE_MS;
      if (this.isClosed) this.#opensAt = Math.max(this.#opensAt, Math.min(now + asked, latest));
      return false;
    }
    if (this.isOpen) this.#limitBefore = this.#limit;
    const doublings = isCertain ? this.#pauses : this.#pauses - SHORT_PAUSES;
    const bound = this.isOpen && !isCertain ? 0 : Math.min(capMs, baseMs * 2 ** doublings);
    this.#closedAt = this.#lastTurn;
    this.#pausedAt = now;
    this.#pauses++;
    this.#limit = 1;
    this.#failing.clear();
    this.#opensAt = now + (asked || bound * (0.5 + random / 2));
    return true;
  }

  /** After an outage the limit grows from one, and slowly: whatever waits must not be sent all at once. */
  #reopen(): void {
    const isOutage = this.#pauses > SHORT_PAUSES;
    this.#pauses = 0;
    this.#askedUntil = this.#opensAt = Number.NEGATIVE_INFINITY;
    this.#limit = isOutage ? 1 : Math.max(1, Math.floor(this.#limitBefore / 2));
    if (!isOutage) return;
    const { concurrency, baseMs } = this.#bounds;
    this.#pacedUntil = this.#platform.now() + baseMs;
    this.#startsLeft = 2 * concurrency - 1;
  }
}
