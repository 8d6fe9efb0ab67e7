import type { Guid, IdentifiedOrder, Issue, PreparedRequest, ReceivedOrder } from 'sales-order-intake';
import type { PlatformType } from '../../pkg-template/src/platform/platform.js';
import type { SendError } from './errors.js';

/** An order that the service has created; or, if `delivery` is set, that a relay has accepted and delivers later. */
export interface CreatedOrder {
  /**
   * The order in the response, with its read-only members; null if the response has none and still proves creation
   * (D26).
   */
  order: ReceivedOrder | null;
  /** The Id that was sent. */
  orderId: Guid;
  /**
   * Status of the response: 201 or 200 with the order, 201 or 204 without a body, 202 with a Location, or 200 with a
   * Location if a relay has accepted the order before; with `acceptEmptyBody` a 200 without a body.
   */
  status: number;
  /** Number of requests. */
  attempts: number;
  /** Warnings and notices: first those of the request, then those of the response. */
  issues: Issue[];
  /** The service's id for the request, or null: quote it to the service's support. */
  requestId: string | null;
  /** The body of the response, as the service wrote it. Personal data. */
  body: string;
  /** The response, for its headers. */
  response: PlatformType<'Response'>;
  /**
   * The URL of the order's state, if a relay has accepted the order and delivers it later: it is not created yet, and
   * may still be refused. Null if the order is created (D26).
   */
  delivery: PlatformType<'URL'> | null;
  /**
   * The service had an equal order with this Id before the first attempt of this call (D53): it responded with 200 and the
   * order, and no attempt of this call can have created it. If you have not sent it before, another sale has the same Id.
   */
  alreadyThere: boolean;
}

/**
 * The result of one order of a batch. `error.name` distinguishes the errors; all except OrderValidationError have an
 * `outcome`.
 */
export type BatchResult<Order = IdentifiedOrder | PreparedRequest> = {
  /** The position of the order in the source, from 0. */
  index: number;
  /** The order, as the source gave it. */
  input: Order;
  /** The Id of the order; null if it has no valid one. */
  orderId: Guid | null;
} & (
  | {
      /** True if the order was created, or accepted by a relay, which delivers it later: `created.delivery` is set then. */
      ok: true;
      /** The result that `createOrder` would have resolved to. Created only if its `delivery` is null. */
      created: CreatedOrder;
    }
  | {
      /** False if the order was neither created nor accepted, or its fate is unknown. */
      ok: false;
      /** The error that `createOrder` would have thrown. */
      error: SendError;
    }
);

/**
 * The outcome of a batch that has run to its end: `created + alreadyThere + accepted + failed.length` is the number of
 * its orders.
 */
export interface BatchSummary<Order = IdentifiedOrder | PreparedRequest> {
  /** The number of orders that are new at the service. */
  created: number;
  /** The number of orders that the service had already: see {@link CreatedOrder.alreadyThere}. */
  alreadyThere: number;
  /**
   * The number of orders that a relay has accepted and delivers later. They are not created yet: see {@link CreatedOrder.delivery}.
   * 0 without a relay.
   */
  accepted: number;
  /**
   * The results of orders that were neither created nor accepted, or whose fate is unknown, in the order in which they
   * finished.
   */
  failed: Extract<BatchResult<Order>, { ok: false }>[];
}

/**
 * Orders that are being sent: iterate it for each result, or await it for the summary, but not both. Nothing is sent before.
 *
 * It can be awaited, so an async function can't return it: whoever awaits the function would wait for the end of the batch.
 */
export interface Batch<Order = IdentifiedOrder | PreparedRequest>
  extends AsyncGenerator<BatchResult<Order>, void, void>,
    PromiseLike<BatchSummary<Order>> {}
