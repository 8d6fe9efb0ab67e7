import { readOrder } from 'sales-order-intake';
import type { Guid, ReceivedOrder, Version } from 'sales-order-intake';
import type { Accepted } from './order.js';

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

/** Stores orders and counts receipt numbers. */
export class OrderStore {
  readonly orders: StoredOrder[] = [];
  readonly #byId = new Map<Guid, { stored: StoredOrder; value: string }>();
  readonly #receiptNumbers = new Map<string, number>();

  /** Returns the body of the order and whether it is new; undefined if another order has its id (D28). */
  put(version: Version, orderId: Guid, order: Accepted): { body: string; created: boolean } | undefined {
    const existing = this.#byId.get(orderId);
    if (existing) return existing.value === order.value ? { body: existing.stored.body, created: false } : undefined;
    const receiptNumber = (this.#receiptNumbers.get(order.location) ?? 0) + 1;
    const body = order.bodyWith(receiptNumber);
    this.#receiptNumbers.set(order.location, receiptNumber);
    const stored = { orderId, version, body, order: readOrder(body).order as ReceivedOrder };
    this.#byId.set(orderId, { stored, value: order.value });
    this.orders.push(stored);
    return { body, created: true };
  }

  clear(): void {
    this.orders.length = 0;
    this.#byId.clear();
    this.#receiptNumbers.clear();
  }
}
