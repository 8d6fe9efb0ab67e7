import type { ResultEvent } from 'sales-order-intake/outbox';
import { printable } from '../output/printable-text.js';

/** Orders with a suspect response, and none created, that mean a wrong base URL or missing permissions. */
const ENOUGH = 5;
/** The least time between the first and the last of the suspect responses that settle an order; a person waits for the end. */
export const SUSPECT_MS = 60_000;

/** What came instead of the service's own response. */
export interface SuspectResponse {
  orderId: string;
  status: number | null;
  mediaType: string | null;
}

/**
 * Orders whose last response may not be from the service (D51). Those that are left at the end can't be settled, because no
 * other order is created any more.
 */
export class Suspicion {
  /** The last suspect response. */
  last: SuspectResponse | undefined;
  readonly #orders = new Set<string>();
  readonly #now: () => number;
  /** When an order was last created in this run. */
  #createdAt: number | undefined;

  /** @param now Returns milliseconds of a monotonic clock. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** An order was created in this run. */
  get isProven(): boolean {
    return this.#createdAt !== undefined;
  }

  add({ orderId, state, isSuspect, status, mediaType }: ResultEvent): void {
    if (state === 'created') this.#createdAt = this.#now();
    if (!isSuspect || state !== 'waiting') return void this.#orders.delete(orderId);
    this.#orders.add(orderId);
    this.last = { orderId, status, mediaType };
  }

  /**
   * Returns true if enough orders got a suspect response and none was created; or if all of those that are left got one, and
   * none was created for a minute. If none of the file is left, it is about those of other files in the journal.
   */
  isCertain(left?: ReadonlyMap<string, unknown>): boolean {
    if (!this.isProven && this.#orders.size >= ENOUGH) return true;
    if (left === undefined || this.#orders.size === 0 || left.size > this.#orders.size) return false;
    if (this.#createdAt !== undefined && this.#now() - this.#createdAt < SUSPECT_MS) return false;
    return [...left.keys()].every((id) => this.#orders.has(id));
  }
}

/** "HTTP 200, text/html". */
export function responseText({ status, mediaType }: Pick<SuspectResponse, 'status' | 'mediaType'>): string {
  const parts = [status !== null && `HTTP ${status}`, mediaType && printable(mediaType)];
  return parts.filter(Boolean).join(', ') || 'no response';
}
