import { AuthenticationError, type ClientOptions } from 'sales-order-intake/client';
import type { GateEvent } from 'sales-order-intake/outbox';
import { counted } from './counted.js';
import { failureText } from './failure-text.js';
import { responseText } from './suspicion.js';

/** A pause of deliveries: until when, and what the last attempt failed with. */
interface Pause {
  until: number;
  why: string;
  isToken: boolean;
  isSuspect: boolean;
}

/** What holds back deliveries: the token, the service as a whole, or some of its locations. */
export class ServiceTrouble {
  /** Called when there is another kind of trouble, or none any more; not with each second. */
  onChange: () => void = () => {};
  readonly #pauses = new Map<string, Pause>();
  #last = { why: '', isToken: false };
  /** Another token is being asked for. */
  #isAsking = false;

  /** For the client: a refused token is replaced without the outbox. */
  readonly clientHooks: NonNullable<ClientOptions['hooks']> = {
    onRetry: ({ status }) => this.#setAsking(status === 401),
    onResponse: ({ status }) => {
      if (status !== 401) this.#setAsking(false);
    },
  };

  /** An attempt has failed; the gates may close because of it. */
  failed(error: unknown): void {
    this.#last = { why: failureText(error), isToken: error instanceof AuthenticationError };
    this.#isAsking = false;
  }

  gateChanged({ scope, companyId, entityId, isOpen, waitMs, pause }: GateEvent): void {
    const name = scope === 'service' ? '' : `${companyId}/${entityId}`;
    const isSuspect = pause?.cause === 'suspect';
    const last = isSuspect ? { why: responseText(pause), isToken: false } : this.#last;
    if (isOpen) this.#pauses.delete(name);
    else this.#pauses.set(name, { until: Date.now() + waitMs, ...last, isSuspect });
    this.onChange();
  }

  /** A sentence, or an empty string. */
  get text(): string {
    if (this.#isAsking) return 'The service refused the token; asking for another one.';
    const service = this.#pauses.get('');
    if (service?.isToken) return 'The service refused the token.';
    if (service?.isSuspect) return `The way to the service is suspect${nextTry(service)}.`;
    if (service) {
      const isResponse = service.why.startsWith('HTTP');
      return `The service ${isResponse ? 'refuses orders' : "can't be reached"}${nextTry(service)}.`;
    }
    const [first] = this.#pauses;
    if (!first) return '';
    const [location, pause] = first;
    const what = this.#pauses.size === 1 ? `Location ${location} is` : `${counted(this.#pauses.size, 'location')} are`;
    return `${what} held back${nextTry(pause)}.`;
  }

  /** What holds back every order; empty if nothing does. */
  get kind(): '' | 'token' | 'suspect' | 'service' {
    const service = this.#pauses.get('');
    if (this.#isAsking || service?.isToken) return 'token';
    if (service?.isSuspect) return 'suspect';
    return service ? 'service' : '';
  }

  #setAsking(isAsking: boolean): void {
    if (isAsking === this.#isAsking) return;
    this.#isAsking = isAsking;
    this.onChange();
  }
}

function nextTry({ until, why }: Pause): string {
  const seconds = Math.max(1, Math.ceil((until - Date.now()) / 1000));
  return `${why && ` (${why})`}; next try in ${seconds} s`;
}
