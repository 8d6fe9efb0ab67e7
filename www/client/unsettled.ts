import type { Guid } from 'sales-order-intake';

/** More than a service that fails leaves behind in a while; the oldest are forgotten first. */
const MOST = 10_000;

/**
 * Ids of the orders whose fate was left unknown. Where such an order is sent again and refused, an attempt of the earlier
 * call may still have landed: it is not "not created" (D31, D34).
 */
export class UnsettledOrders {
  readonly #ids = new Set<Guid>();

  has(id: Guid): boolean {
    return this.#ids.has(id);
  }

  add(id: Guid): void {
    this.#ids.add(id);
    if (this.#ids.size <= MOST) return;
    for (const oldest of this.#ids) {
      this.#ids.delete(oldest);
      break;
    }
  }

  delete(id: Guid): void {
    this.#ids.delete(id);
  }
}
