import type { GateEvent } from 'sales-order-intake/outbox';
import { counted } from './counted.js';

/** What holds back deliveries: the service as a whole, or some of its locations. */
export class ServiceTrouble {
  /** When each of them is tried again. */
  readonly #closed = new Map<string, number>();

  changed({ scope, companyId, entityId, isOpen, waitMs }: GateEvent): void {
    const name = scope === 'service' ? '' : `${companyId}/${entityId}`;
    if (isOpen) this.#closed.delete(name);
    else this.#closed.set(name, Date.now() + waitMs);
  }

  /** A sentence, or an empty string. */
  get text(): string {
    const service = this.#closed.get('');
    if (service !== undefined)
      return `The service can't be reached or refuses orders; next try in ${secondsTo(service)}.`;
    const [first] = this.#closed;
    if (!first) return '';
    const [location, at] = first;
    const what = this.#closed.size === 1 ? `Location ${location} is` : `${counted(this.#closed.size, 'location')} are`;
    return `${what} held back: the service is busy there; next try in ${secondsTo(at)}.`;
  }

  /** Changes when the trouble does, not with each second. */
  get isService(): boolean {
    return this.#closed.has('');
  }
}

function secondsTo(at: number): string {
  return `${Math.max(1, Math.ceil((at - Date.now()) / 1000))} s`;
}
