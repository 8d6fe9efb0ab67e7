import type { Guid, Version } from 'sales-order-intake';
import { begin, route, settle, type Head, type ServiceResponse } from '#serve';

/** A valid order of a known sender. */
export interface JudgedOrder {
  readonly response: null;
  readonly orderId: Guid;
  readonly version: Version;
  /** Returns the response if another order has the Id. */
  conflict(): ServiceResponse;
}

/** Replaces what senders send if they need no token. Everybody may know it. */
const NO_TOKEN = 'none';
/** What of a request does not reach the rules: it asks for an injected fault, or has a token that nobody asked for. */
const FAULT = /^x-fault$/i;
const OWN = /^(x-fault|authorization)$/i;
const NO_FAULTS = { faults: [], scripted: null, random: [0, 0], outage: { isDown: false, downUntil: null } } as const;
const ANY_ORDER = '/v3/ServiceOrder(00000000-0000-4000-8000-000000000001)';
const PAGE = '/requests';

/** The rules of the reference service for a server that has a store of its own. */
export class OrderRules {
  readonly #registry: string;
  /** The header that is added to each request; undefined if senders need a token. */
  readonly #authorization: readonly [name: string, value: string] | undefined;
  readonly #maxBodyBytes: number;

  /** @param clientToken What senders need; undefined if they need none. */
  constructor(clientToken: string | undefined, maxBodyBytes: number) {
    const token = clientToken ?? NO_TOKEN;
    this.#registry = JSON.stringify({ everything: token });
    this.#authorization = clientToken === undefined ? ['authorization', `Bearer ${token}`] : undefined;
    this.#maxBodyBytes = maxBodyBytes;
  }

  /** Judges an order request. Without its body, only what is wrong with its head is meant: any other status than 400. */
  judge(head: Head, body: Uint8Array = new Uint8Array()): { readonly response: ServiceResponse } | JudgedOrder {
    const { response, task } = this.#begin(head, body);
    if (response) return { response };
    if (!task) throw new TypeError('a request without a task');
    // The rules of another registry may allow it, but there is none.
    if (!task.order) return { response: settle(task, { stored: null, receipt: 0 }) };
    const { orderId, version, company } = task;
    return {
      response: null,
      orderId,
      version,
      conflict: () => settle(task, { stored: { company, digest: [], body: '' }, receipt: 0 }),
    };
  }

  /** Returns the response if the token of any request is missing or wrong; otherwise null. */
  refusal({ headers }: Pick<Head, 'headers'>): ServiceResponse | null {
    const { response } = this.#begin({ method: 'PUT', path: ANY_ORDER, headers }, new Uint8Array());
    return response?.status === 401 ? response : null;
  }

  /** Returns true if senders need a token, or the host of a request can't be the name of another site (DNS rebinding). */
  permitsHost({ headers }: Pick<Head, 'headers'>): boolean {
    if (this.#authorization === undefined) return true;
    return route({ method: 'GET', path: PAGE, query: '', headers }, this.#registry) === 'requests';
  }

  #begin({ method, path, headers }: Head, body: Uint8Array) {
    const own = this.#authorization;
    const passed = headers.filter(([name]) => !(own ? OWN : FAULT).test(name));
    const request = { method, path, headers: own ? [...passed, own] : passed };
    const circumstances = { maxBodyBytes: this.#maxBodyBytes, now: Date.now(), ...NO_FAULTS };
    return begin({ ...request, ...circumstances }, this.#registry, body);
  }
}
