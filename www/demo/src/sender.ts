/** Sends orders with the package's client, and reports each attempt. */
import { createClient, type Client, type CreatedOrder } from 'sales-order-intake/slim/client';
import type { PreparedRequest } from 'sales-order-intake/slim';

/** One attempt, as far as it has come. */
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

export class Sender {
  #client: Client | undefined;
  #target: Target | undefined;
  #attempts: Attempt[] = [];
  #injected: InjectedFault = { fault: '', times: 0 };
  #onProgress: (attempts: Attempt[]) => void = () => {};

  /** Rejects with the errors of the client; with an OptionError if the base URL or the token is not valid. */
  async send(
    request: PreparedRequest,
    target: Target,
    injected: InjectedFault,
    signal: AbortSignal,
    onProgress: (attempts: Attempt[]) => void,
  ): Promise<CreatedOrder> {
    this.#attempts = [];
    this.#injected = injected;
    this.#onProgress = onProgress;
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
      headers: ({ attempt }) => this.#faultHeader(attempt),
      hooks: {
        onRequest: ({ attempt }) =>
          this.#report([...this.#attempts, { number: attempt, fault: this.#faultOf(attempt) }]),
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

  #faultHeader(attempt: number): Record<string, string> {
    const fault = this.#faultOf(attempt);
    return fault === '' ? {} : { 'X-Fault': fault };
  }

  #reportLast(more: Partial<Attempt>): void {
    this.#report(this.#attempts.map((attempt, i, all) => (i === all.length - 1 ? { ...attempt, ...more } : attempt)));
  }

  #report(attempts: Attempt[]): void {
    this.#attempts = attempts;
    this.#onProgress(attempts);
  }
}
