import type { ResultEvent } from 'sales-order-intake/outbox';
import { printable } from './printable-text.js';

/** So many orders with a suspect answer, and none created, mean that the base URL or the permissions are wrong. */
const ENOUGH = 5;

/** What came instead of the service's own response. */
export interface SuspectAnswer {
  orderId: string;
  status: number | null;
  mediaType: string | null;
}

/** Orders whose answers may not be from the service (D51), as long as it has created none in this run. */
export class Suspicion {
  /** The last suspect answer. */
  last: SuspectAnswer | undefined;
  readonly #orders = new Set<string>();
  #isCleared = false;

  add({ orderId, state, isSuspect, status, mediaType }: ResultEvent): void {
    this.#isCleared ||= state === 'created';
    if (!isSuspect || this.#isCleared) return;
    this.#orders.add(orderId);
    this.last = { orderId, status, mediaType };
  }

  /** Whether enough orders met a suspect answer, or all of those that are left. */
  isCertain(left?: ReadonlyMap<string, unknown>): boolean {
    if (this.#isCleared) return false;
    if (this.#orders.size >= ENOUGH) return true;
    return left !== undefined && left.size > 0 && [...left.keys()].every((id) => this.#orders.has(id));
  }
}

/** "HTTP 200, text/html". */
export function answerText({ status, mediaType }: Pick<SuspectAnswer, 'status' | 'mediaType'>): string {
  const parts = [status !== null && `HTTP ${status}`, mediaType && printable(mediaType)];
  return parts.filter(Boolean).join(', ') || 'no response';
}
