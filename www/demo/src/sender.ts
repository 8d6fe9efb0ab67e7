/** Sends orders through the package's client, and tells what happens on the way. */
import { createClient, type Client, type CreatedOrder } from 'sales-order-intake/slim/client';
import type { PreparedRequest } from 'sales-order-intake/slim';

/** One attempt, as far as it has come. */
export interface Attempt {
  number: number;
  fault: string;
  status?: number;
  tookMs?: number;
  /** Why there will be another, and when. */
  reason?: string;
  waitMs?: number;
}

export interface Target {
  baseUrl: string;
  /** In memory only, and gone with the page. */
  token: string;
}

/** `fault` is asked for in the first `times` attempts; the reference service brings it about (X-Fault). */
export interface Faults {
  fault: string;
  times: number;
}

export class Sender {
  #client: Client | undefined;
  #madeFor = '';
  #attempts: Attempt[] = [];
  #faults: Faults = { fault: '', times: 0 };
  #told: (attempts: Attempt[]) => void = () => {};

  /** Rejects with what the client rejects with; TypeError for a base URL or a token of the wrong form. */
  send(
    request: PreparedRequest,
    target: Target,
    faults: Faults,
    signal: AbortSignal,
    told: (attempts: Attempt[]) => void,
  ): Promise<CreatedOrder> {
    this.#attempts = [];
    this.#faults = faults;
    this.#told = told;
    return this.#clientFor(target).createOrder(request, { signal });
  }

  /** The same one as long as the target is the same: it remembers which orders may have landed (D34). */
  #clientFor({ baseUrl, token }: Target): Client {
    const madeFor = `${baseUrl} ${token}`;
    if (!this.#client || madeFor !== this.#madeFor) {
      this.#client = createClient({
        baseUrl,
        token,
        // This page is for trying things out, with a token of a demo service. A page of yours leaves this out (D44).
        allowBrowserToken: true,
        fetch: (url, init) => fetch(url as string, { ...init, headers: { ...init?.headers, ...this.#asked() } }),
        hooks: {
          onRequest: ({ attempt }) =>
            this.#tell([...this.#attempts, { number: attempt, fault: this.#faultOf(attempt) }]),
          onResponse: ({ status, durationMs }) => this.#tellLast({ status, tookMs: Math.round(durationMs) }),
          onRetry: ({ reason, waitMs }) => this.#tellLast({ reason, waitMs }),
        },
      });
      this.#madeFor = madeFor;
    }
    return this.#client;
  }

  #faultOf(attempt: number): string {
    return attempt <= this.#faults.times ? this.#faults.fault : '';
  }

  #asked(): Record<string, string> {
    const fault = this.#attempts.at(-1)?.fault;
    return fault ? { 'X-Fault': fault } : {};
  }

  #tellLast(more: Partial<Attempt>): void {
    this.#tell(
      this.#attempts.map((attempt, i) => (i === this.#attempts.length - 1 ? { ...attempt, ...more } : attempt)),
    );
  }

  #tell(attempts: Attempt[]): void {
    this.#attempts = attempts;
    this.#told(attempts);
  }
}
