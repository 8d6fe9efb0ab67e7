import type { Guid } from 'sales-order-intake';

/** The oldest ids are forgotten first. */
const MOST_REMEMBERED = 10_000;

/** The knowledge from all calls that send an order with the same id. */
export interface OrderFate {
  calls: number;
  /** Requests that are in flight. */
  inFlight: number;
  /** The service may have stored the order: a request got no response that rules it out. */
  mayBeStored: boolean;
}

/**
 * The fates of a client's orders by id (D31, D34): of those that are being sent, and of those whose last call left the
 * fate unknown. A rejection does not prove that an order was not created if another request may have created it.
 */
export class OrderFates {
  readonly #current = new Map<Guid, OrderFate>();
  readonly #unknown = new Set<Guid>();

  /** Enters a call that sends the order. The call must {@link leave} when it ends. */
  enter(id: Guid): OrderFate {
    let fate = this.#current.get(id);
    if (!fate) {
      fate = { calls: 0, inFlight: 0, mayBeStored: this.#unknown.has(id) };
      this.#current.set(id, fate);
    }
    fate.calls++;
    return fate;
  }

  leave(id: Guid, fate: OrderFate, isCreated: boolean): void {
    if (--fate.calls === 0) this.#current.delete(id);
    if (isCreated || !fate.mayBeStored) this.#unknown.delete(id);
    else this.#unknown.add(id);
    if (this.#unknown.size > MOST_REMEMBERED) this.#unknown.delete(this.#unknown.values().next().value as Guid);
  }
}
