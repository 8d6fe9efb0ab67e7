import { readOrder } from 'sales-order-intake';
import type { Guid, ReceivedOrder, Version } from 'sales-order-intake';
import type { NewOrder } from './rules.js';

/** An order that a reference service has stored. */
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

/** An order as it is saved. */
export interface OrderRecord extends NewOrder {
  orderId: Guid;
  receipt: number;
  /** The body of the response. */
  body: string;
}

/** Stores orders in memory, and counts the receipt numbers of each location. */
export class OrderStore {
  /** Saves an order elsewhere too, before it is acknowledged; throws if it can't. */
  readonly #save: ((order: OrderRecord) => void) | undefined;
  /** The oldest first. */
  readonly orders: StoredOrder[] = [];
  readonly #byId = new Map<string, OrderRecord>();
  readonly #byLocation = new Map<string, OrderRecord[]>();

  /** @param saved The orders that it begins with, the oldest first. */
  constructor(saved: readonly OrderRecord[] = [], save?: (order: OrderRecord) => void) {
    for (const order of saved) this.#remember(order);
    this.#save = save;
  }

  find(orderId: string): OrderRecord | null {
    return this.#byId.get(orderId) ?? null;
  }

  nextReceipt(company: number, entity: number): number {
    return (this.at(company, entity).at(-1)?.receipt ?? 0) + 1;
  }

  /** Returns the orders of a location, the oldest first. */
  at(company: number, entity: number): readonly OrderRecord[] {
    return this.#byLocation.get(`${company}/${entity}`) ?? [];
  }

  /** Throws if the order could not be saved. */
  add(order: OrderRecord): void {
    this.#save?.(order);
    this.#remember(order);
  }

  #remember(order: OrderRecord): void {
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
