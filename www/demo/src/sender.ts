/** Sends orders with the package's client, and reports each attempt. */
import { createClient, type Client, type CreatedOrder } from 'sales-order-intake/slim/client';
import type { PreparedRequest } from 'sales-order-intake/slim';

/** One attempt, with what is known so far. */
export interface Attempt {
  number: number;
  /** The fault that the service was asked to inject; empty for none. */
  fault: string;
  /** Status of the response. */
  status?: number;
  /** Name of the error, if there was no response. */
  error?: string;
  durationMs?: number;
  /** Time until the next attempt. */
  waitMs?: number;
}

export interface Target {
  baseUrl: string;
  /** In memory only. */
  token: string;
}

/** A fault that the reference service injects into the first `times` attempts (X-Fault). */
export interface InjectedFault {
  fault: string;
  times: number;
}

/** Changes the list of attempts. */
type Report = (change: (attempts: Attempt[]) => Attempt[]) => void;

export class Sender {
  #client: Client | undefined;
  #target: Target | undefined;
  #injected: InjectedFault = { fault: '', times: 0 };
  readonly #report: Report;

  constructor(report: Report) {
    this.#report = report;
  }

  /** Rejects with the errors of the client; with an OptionError if the base URL or the token is not valid. */
  async send(
    request: PreparedRequest,
    target: Target,
    injected: InjectedFault,
    signal: AbortSignal,
  ): Promise<CreatedOrder> {
    this.#injected = injected;
    return this.#clientFor(target).createOrder(request, { signal });
  }

  /** Returns the same client for the same target: it remembers the orders whose outcome is unknown (D34). */
  #clientFor(target: Target): Client {
    const { baseUrl, token } = target;
    if (this.#client && this.#target?.baseUrl === baseUrl && this.#target.token === token) return this.#client;
    this.#client = createClient({
      baseUrl,
      token,
      // This page is for trials, with the token of a demo service. Omit this option in your own page (D44).
      allowBrowserToken: true,
      headers: ({ attempt }) => {
        const fault = this.#faultOf(attempt);
        return fault === '' ? {} : { 'X-Fault': fault };
      },
      hooks: {
        onRequest: ({ attempt }) =>
          this.#report((attempts) => [...attempts, { number: attempt, fault: this.#faultOf(attempt) }]),
        onResponse: ({ status, durationMs }) => this.#reportLast({ status, durationMs }),
        onError: ({ reason, durationMs }) => this.#reportLast({ error: reason, durationMs }),
        onRetry: ({ waitMs }) => this.#reportLast({ waitMs }),
      },
    });
    this.#target = target;
    return this.#client;
  }

  #faultOf(attempt: number): string {
    return attempt <= this.#injected.times ? this.#injected.fault : '';
  }

  #reportLast(more: Partial<Attempt>): void {
    this.#report((attempts) =>
      attempts.map((attempt, i, all) => (i === all.length - 1 ? { ...attempt, ...more } : attempt)),
    );
  }
}
