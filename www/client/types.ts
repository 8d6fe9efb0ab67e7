import type { IdentifiedOrder } from 'sales-order-intake';
import type { PreparedRequestInput } from '../../pkg-template/src/sending/request.js';
import type { BatchOptions, SendOptions } from './options.js';
import type { Batch, CreatedOrder } from './results.js';

/** Sends orders to one service. */
export interface Client {
  /**
   * Sends an order. Checks it before anything is sent, then sends the same Id and the same bytes until a response is
   * final, or no retries or no time are left.
   *
   * The Id is required: if this function made it, calling again would create a second order.
   *
   * @param order The order, with an Id that was made once and stored; or what `prepareRequest` returned, also if it was stored as
   * JSON, without its headers and issues: its version, path and body are sent as they are, if they meet the rules in `options`.
   * @throws OrderValidationError if the order has errors or no Id, or the parts of a prepared request do not agree; nothing was
   * sent.
   * @throws OrderIntakeError, one of its subclasses, if the order was not created, or its fate is unknown: see `outcome`.
   * @throws OptionError if an option is wrong. All errors are rejections.
   *
   * @example
   * ```js
   * import { createClient, OrderIntakeError } from 'sales-order-intake/client';
   *
   * const client = createClient({ baseUrl: 'https://intake.example.com/orders', token: () => 'a-token' });
   * try {
   *   const { order, status } = await client.createOrder({
   *     Id: '2a8f5d33-eec9-4864-8b49-5636577b40d5', // made once, by newOrderId, and stored with the cart
   *     CompanyId: 1000,
   *     EntityId: 2000,
   *     IntegratorId: '7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50',
   *     Items: [{ Name: 'Green tea', CatalogItemId: '0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff', Quantity: 2, SellAtPricePerUnit: 19.99 }],
   *   });
   *   console.log(status, order?.Items?.[0]?.SellAtPricePerUnit); // 201 19.99
   * } catch (error) {
   *   if (!(error instanceof OrderIntakeError)) throw error;
   *   console.log(error.outcome === 'unknown' ? `send ${error.orderId} again later` : error.message);
   * }
   * ```
   */
  createOrder(order: IdentifiedOrder | PreparedRequestInput, options?: SendOptions): Promise<CreatedOrder>;

  /**
   * Sends many orders, `concurrency` at a time. Nothing is sent before the batch is iterated or awaited.
   *
   * Iterated, it yields one result per order, in the order they finish. A failed order is a result like any other.
   * It reads from the source only as fast as it sends and as results are taken, so memory stays flat however long the source
   * is. Awaited, it runs to its end, and resolves to the numbers of orders (`accepted` by a relay is not created yet) and
   * the failed orders; only these stay in memory. A batch can be awaited several times, but not both iterated and awaited:
   * the second use rejects with a TypeError.
   *
   * The number of concurrent requests adapts to the service (D52); a Retry-After holds back all orders.
   *
   * - If you leave the loop, no further order is started, and leaving waits for the orders in flight. `onResult` is called
   *   for these, too.
   * - If `signal` fires, the orders in flight end at once, with an {@link AbortedError} as their result; after the last result
   *   the reason of the signal is thrown.
   * - If the service refuses the token, no further order is started; after the last result the {@link AuthenticationError} is
   *   thrown: see `stopOnUnauthorized`. Orders that were not started have no result.
   * - An error of the source is thrown after the last result, too.
   * - A batch that is awaited rejects with the same errors. `onResult` has the results until then.
   *
   * Do not return the batch from an async function: whoever awaits that function waits for the end of the batch.
   *
   * @throws OptionError, at once, if an option is wrong.
   *
   * @example
   * ```js
   * import { deriveOrderId } from 'sales-order-intake';
   * import { createClient } from 'sales-order-intake/client';
   *
   * const client = createClient({ baseUrl: 'https://intake.example.com/orders', token: () => 'a-token' });
   *
   * function* orders() {
   *   for (const [cart, Quantity] of [1, 2, 0].entries()) {
   *     yield {
   *       Id: deriveOrderId('b9f3a1de-52c4-4b0e-8f55-7d1c60a2e913', `cart-${cart}`),
   *       CompanyId: 1000,
   *       EntityId: 2000,
   *       IntegratorId: '7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50',
   *       Items: [{ Name: 'Green tea', CatalogItemId: '0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff', Quantity, SellAtPricePerUnit: 19.99 }],
   *     };
   *   }
   * }
   *
   * const { created, alreadyThere, accepted, failed } = await client.createOrders(orders());
   * console.log(created, alreadyThere, accepted); // 2 0 0
   * console.log(failed.map(({ index, error }) => `${index}: ${error.name}`).join()); // 2: OrderValidationError
   *
   * for await (const result of client.createOrders(orders(), { concurrency: 2 })) {
   *   if (result.ok || result.error.name === 'OrderValidationError') continue;
   *   console.warn(`order ${result.orderId}: ${result.error.outcome}`);
   * }
   * ```
   */
  createOrders<Order extends IdentifiedOrder | PreparedRequestInput>(
    source: Iterable<Order> | AsyncIterable<Order>,
    options?: BatchOptions<Order>,
  ): Batch<Order>;
}
