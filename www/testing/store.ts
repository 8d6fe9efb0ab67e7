import { readOrder } from 'sales-order-intake';
import type { Guid, ReceivedOrder, Version } from 'sales-order-intake';

/** An order that a test service has stored. */
export interface StoredOrder {
  /** The Id of the order. */
  orderId: Guid;
  /** The version of the operation that it was sent to first. */
  version: Version;
  /** The body of the response. */
  body: string;
  /** The order that the client reads from the body. */
  order: ReceivedOrder;
}

/** An order as it is kept. */
export interface KeptOrder {
  orderId: Guid;
  version: Version;
  company: number;
  entity: number;
  integrator: Guid;
  /** Recognizes the order when it is sent again. */
  digest: readonly number[];
  receipt: number;
  /** The body of the response. */
  body: string;
}

/** Keeps orders in memory, and counts the receipt numbers of each location. */
export class OrderStore {
  /** Keeps an order elsewhere too, before it is acknowledged; throws if it can't. */
  readonly #keep: ((order: KeptOrder) => void) | undefined;
  /** The oldest first. */
  readonly orders: StoredOrder[] = [];
  readonly #byId = new Map<string, KeptOrder>();
  readonly #byLocation = new Map<string, KeptOrder[]>();

  /** @param kept The orders that it begins with, the oldest first. */
  constructor(kept: readonly KeptOrder[] = [], keep?: (order: KeptOrder) => void) {
    for (const order of kept) this.#remember(order);
    this.#keep = keep;
  }

  find(orderId: string): KeptOrder | null {
    return this.#byId.get(orderId) ?? null;
  }

  nextReceipt(company: number, entity: number): number {
    return (this.at(company, entity).at(-1)?.receipt ?? 0) + 1;
  }

  /** Returns the orders of a location, the oldest first. */
  at(company: number, entity: number): readonly KeptOrder[] {
    return this.#byLocation.get(`${company}/${entity}`) ?? [];
  }

  /** Throws if the order could not be kept. */
  add(order: KeptOrder): void {
    this.#keep?.(order);
    this.#remember(order);
  }

  #remember(order: KeptOrder): void {
    const { orderId, version, body } = order;
    this.#byId.set(orderId, order);
    const location = `${order.company}/${order.entity}`;
    const others = this.#byLocation.get(location);
    if (others) others.push(order);
    else this.#byLocation.set(location, [order]);
    this.orders.push({ orderId, version, body, order: readOrder(body).order as ReceivedOrder });
  }

  clear(): void {
    this.orders.length = 0;
    this.#byId.clear();
    this.#byLocation.clear();
  }
}
