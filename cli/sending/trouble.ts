import type { GateEvent, Pause, ResultEvent } from 'sales-order-intake/outbox';
import { counted, printable } from '../output/printable-text.js';
import type { ClientOptions } from 'sales-order-intake/client';

/** The number of orders with a suspect response that mean a wrong base URL or missing permissions, if none was created. */
const ENOUGH = 5;
/** The least time between the first and the last of the suspect responses that settle an order; a person waits for the end. */
export const SUSPECT_MS = 60_000;

/**
 * Tracks orders whose last response may not be from the service (D51). Those that remain at the end can't be settled, because
 * no other order is created any more.
 */
export class Suspicion {
  /** The last attempt with a suspect response. */
  last: ResultEvent | undefined;
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

  add(event: ResultEvent): void {
    const { orderId, state, isSuspect } = event;
    if (state === 'created') this.#createdAt = this.#now();
    if (!isSuspect || state !== 'waiting') return void this.#orders.delete(orderId);
    this.#orders.add(orderId);
    this.last = event;
  }

  /**
   * Returns true if enough orders got a suspect response and none was created; or if all remaining orders got one, and none
   * was created for a minute. If no order of the file remains, those of other files in the journal decide.
   */
  isCertain(left?: ReadonlyMap<string, unknown>): boolean {
    if (!this.isProven && this.#orders.size >= ENOUGH) return true;
    if (left === undefined || this.#orders.size === 0 || left.size > this.#orders.size) return false;
    if (this.#createdAt !== undefined && this.#now() - this.#createdAt < SUSPECT_MS) return false;
    return [...left.keys()].every((id) => this.#orders.has(id));
  }
}

/** "HTTP 200, text/html". */
export function responseText({ status, mediaType }: Pick<Pause, 'status' | 'mediaType'>): string {
  const parts = [status !== null && `HTTP ${status}`, mediaType && printable(mediaType)];
  return parts.filter(Boolean).join(', ') || 'no response';
}

/** A pause of deliveries, and until when it lasts. */
interface TimedPause extends Pause {
  until: number;
}

/** Tracks why deliveries are held back: because of the token, the service as a whole, or some of its locations. */
export class ServiceTrouble {
  /** Called when the kind of trouble may have changed or ended, not every second. */
  onChange: () => void = () => {};
  readonly #pauses = new Map<string, TimedPause>();
  /** Another token is being asked for. */
  #isAsking = false;

  /** For the client: a refused token is replaced without the outbox. */
  readonly clientHooks: NonNullable<ClientOptions['hooks']> = {
    onRetry: ({ status }) => this.#setAsking(status === 401),
    onResponse: ({ status }) => {
      if (status !== 401) this.#setAsking(false);
    },
  };

  /** An attempt has ended, so its call asks for no token any more. */
  attempted(): void {
    this.#setAsking(false);
  }

  gateChanged({ scope, companyId, entityId, waitMs, pause }: GateEvent): void {
    const name = scope === 'service' ? '' : `${companyId}/${entityId}`;
    if (pause) this.#pauses.set(name, { until: Date.now() + waitMs, ...pause });
    else this.#pauses.delete(name);
    this.onChange();
  }

  /** `kind`: why every order is held back, or empty. `text`: a sentence about that or about locations, or empty. */
  get now(): { kind: '' | 'token' | 'suspect' | 'service'; text: string } {
    if (this.#isAsking) return { kind: 'token', text: 'The service refused the token; asking for another one.' };
    const service = this.#pauses.get('');
    if (service?.cause === 'token') return { kind: 'token', text: 'The service refused the token.' };
    if (service?.cause === 'suspect')
      return { kind: 'suspect', text: `Responses may not come from the service${nextTry(service)}.` };
    if (service) {
      const problem = service.status === null ? "can't be reached" : 'refuses orders';
      return { kind: 'service', text: `The service ${problem}${nextTry(service)}.` };
    }
    const [first] = this.#pauses;
    if (!first) return { kind: '', text: '' };
    const [location, pause] = first;
    const what = this.#pauses.size === 1 ? `Location ${location} is` : `${counted(this.#pauses.size, 'location')} are`;
    return { kind: '', text: `${what} held back${nextTry(pause)}.` };
  }

  #setAsking(isAsking: boolean): void {
    if (isAsking === this.#isAsking) return;
    this.#isAsking = isAsking;
    this.onChange();
  }
}

function nextTry(pause: TimedPause): string {
  const seconds = Math.max(1, Math.ceil((pause.until - Date.now()) / 1000));
  const why = pauseText(pause);
  // The reason last: on a narrow terminal the end is cut off.
  return `; next try in ${seconds} s${why && `: ${why}`}`;
}

/** Returns why the last attempt failed, without text of the service or the order, so that it can be shown. */
function pauseText(pause: Pause): string {
  const { cause, status, reason, failure } = pause;
  if (cause === 'suspect') return responseText(pause);
  if (status !== null) return `HTTP ${status}`;
  return failure ?? (reason === 'TimeoutError' ? 'no response in time' : '');
}
