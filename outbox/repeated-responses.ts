import type { Guid } from 'sales-order-intake';
import type { OrderIntakeError } from 'sales-order-intake/client';
import type { Platform } from '../pkg-template/src/platform/platform.js';
import { isAboutOrder } from '../pkg-template/src/sending/waits.js';
import type { TakenEntry } from './store.js';

/** How many suspect responses settle an order. */
const ENOUGH = 5;
/** The oldest are forgotten first: their count begins again. */
const MOST_ORDERS = 10_000;

/** The consecutive suspect responses to an order. */
interface Suspect {
  totals: LocationTotals;
  /** Of the entry: other values show that another process got another response, or that somebody retried or replaced the order. */
  attempts: number;
  deadlineAt: number;
  responses: number;
  /** The responses that count, when the first of them came, and how many orders were sent and created when the last one came. */
  counted: number;
  firstAt: number;
  sent: number;
  createdHere: number;
  created: number;
}

/** A location with suspect orders: their number, and how many orders were sent to it and created there since it has had any. */
interface LocationTotals {
  location: string;
  suspects: number;
  sent: number;
  created: number;
}

/**
 * Counts the suspect responses to each order, and reports when they are enough to settle it: five, over at least the span, each
 * with an order created since the one before, of the same location if other orders of that location were sent meanwhile (D51).
 */
export class Suspects {
  readonly #platform: Platform;
  readonly #spanMs: number;
  readonly #orders = new Map<Guid, Suspect>();
  readonly #totals = new Map<string, LocationTotals>();
  #created = 0;

  constructor(platform: Platform, spanMs: number) {
    this.#platform = platform;
    this.#spanMs = spanMs;
  }

  /** Records that an attempt starts. */
  sent({ location, orderId, attempts, deadlineAt }: TakenEntry): void {
    const known = this.#orders.get(orderId);
    if (known && (known.attempts !== attempts || known.deadlineAt !== deadlineAt)) this.forget(orderId);
    const totals = this.#totals.get(location);
    if (totals) totals.sent++;
  }

  /** Records that the service has created an order. */
  created(location: string): void {
    this.#created++;
    const totals = this.#totals.get(location);
    if (totals) totals.created++;
  }

  /**
   * Records a suspect response to an order. Returns how many there have been, and whether they are enough to settle it.
   *
   * @param isProven The service has created an order since its gate last closed. Without that the response does not count.
   */
  add(entry: TakenEntry, isProven: boolean): { responses: number; isEnough: boolean } {
    const { orderId } = entry;
    const suspect = this.#orders.get(orderId) ?? this.#enter(entry);
    // The last one is the newest.
    this.#orders.delete(orderId);
    this.#orders.set(orderId, suspect);
    const { totals } = suspect;
    const responses = ++suspect.responses;
    // Its own attempt is one of those that were sent.
    const hasOthers = totals.sent > suspect.sent + 1;
    const isBacked = hasOthers ? totals.created > suspect.createdHere : this.#created > suspect.created;
    if (!isProven || (suspect.counted > 0 && !isBacked)) {
      suspect.sent++;
      return { responses, isEnough: false };
    }
    const now = this.#platform.now();
    if (suspect.counted++ === 0) suspect.firstAt = now;
    Object.assign(suspect, this.#mark(totals));
    return { responses, isEnough: suspect.counted >= ENOUGH && now - suspect.firstAt >= this.#spanMs };
  }

  /** Forgets the suspect responses to an order. */
  forget(orderId: Guid): void {
    const suspect = this.#orders.get(orderId);
    if (!suspect) return;
    this.#orders.delete(orderId);
    if (--suspect.totals.suspects === 0) this.#totals.delete(suspect.totals.location);
  }

  #enter({ orderId, location, attempts, deadlineAt }: TakenEntry): Suspect {
    const [oldest] = this.#orders.size < MOST_ORDERS ? [] : this.#orders.keys();
    if (oldest) this.forget(oldest);
    const totals = this.#totals.get(location) ?? { location, suspects: 0, sent: 0, created: 0 };
    this.#totals.set(location, totals);
    totals.suspects++;
    const suspect = { totals, attempts, deadlineAt, responses: 0, counted: 0, firstAt: 0, ...this.#mark(totals) };
    this.#orders.set(orderId, suspect);
    return suspect;
  }

  #mark({ sent, created: createdHere }: LocationTotals): Pick<Suspect, 'sent' | 'createdHere' | 'created'> {
    return { sent, createdHere, created: this.#created };
  }
}

/** How long a 409 after an attempt whose fate is unknown is repeated (D34). */
const CONFLICT_MS = 600_000;
/** How many refusals that ask to come back settle an order: as many as a client makes attempts by default (D33). */
const MOST_REFUSALS = 4;

/** The refusals of an order that can be repeated. */
interface Refused {
  isConflict: boolean;
  deadlineAt: number;
  responses: number;
  firstAt: number;
}

/**
 * Counts refusals that can be repeated, because they ask to come back, or may be about an earlier attempt, and reports which one is the
 * last.
 */
export class Refusals {
  readonly #platform: Platform;
  readonly #orders = new Map<Guid, Refused>();

  constructor(platform: Platform) {
    this.#platform = platform;
  }

  /** Records the error of an attempt. Returns true if it settles the order. */
  isLast({ orderId, deadlineAt }: TakenEntry, { status, outcome, retryable }: OrderIntakeError): boolean {
    if (!retryable || !isAboutOrder(status)) return !retryable;
    const isConflict = status === 409 && outcome === 'unknown';
    const now = this.#platform.now();
    const known = this.#orders.get(orderId);
    // With another deadline, somebody has retried or replaced the order.
    const isSame = known?.isConflict === isConflict && known.deadlineAt === deadlineAt;
    const refused = isSame ? known : { isConflict, deadlineAt, responses: 0, firstAt: now };
    refused.responses++;
    // The last one is the newest.
    this.#orders.delete(orderId);
    this.#orders.set(orderId, refused);
    if (this.#orders.size > MOST_ORDERS) this.#orders.delete(this.#orders.keys().next().value as Guid);
    return isConflict ? now - refused.firstAt >= CONFLICT_MS : refused.responses >= MOST_REFUSALS;
  }

  /** Forgets a settled order. */
  forget(orderId: Guid): void {
    this.#orders.delete(orderId);
  }
}
