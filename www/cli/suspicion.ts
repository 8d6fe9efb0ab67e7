import type { ResultEvent } from 'sales-order-intake/outbox';
import { printable } from './printable-text.js';

/** Orders with a suspect response, and none created, that mean a wrong base URL or missing permissions. */
const ENOUGH = 5;

/** What came instead of the service's own response. */
export interface SuspectResponse {
  orderId: string;
  status: number | null;
  mediaType: string | null;
}

/** Orders whose responses may not be from the service (D51), as long as it has created none in this run. */
export class Suspicion {
  /** The last suspect response. */
  last: SuspectResponse | undefined;
  readonly #orders = new Set<string>();
  #isCleared = false;

  add({ orderId, state, isSuspect, status, mediaType }: ResultEvent): void {
    this.#isCleared ||= state === 'created';
    if (!isSuspect || this.#isCleared) return;
    this.#orders.add(orderId);
    this.last = { orderId, status, mediaType };
  }

  /** Returns true if enough orders got a suspect response, or all of those that are left. */
  isCertain(left?: ReadonlyMap<string, unknown>): boolean {
    if (this.#isCleared) return false;
    if (this.#orders.size >= ENOUGH) return true;
    if (left === undefined || left.size === 0 || left.size > this.#orders.size) return false;
    return [...left.keys()].every((id) => this.#orders.has(id));
  }
}

/** "HTTP 200, text/html". */
export function responseText({ status, mediaType }: Pick<SuspectResponse, 'status' | 'mediaType'>): string {
  const parts = [status !== null && `HTTP ${status}`, mediaType && printable(mediaType)];
  return parts.filter(Boolean).join(', ') || 'no response';
}
