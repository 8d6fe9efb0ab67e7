import type {
  Guid,
  IdentifiedOrder,
  Issue,
  OrderValidationError,
  PreparedRequest,
  ReceivedOrder,
} from 'sales-order-intake';
import type { OrderIntakeError } from './errors.js';
import type { PlatformType } from '../platform/platform.js';

/** An order that the service accepted. */
export interface CreatedOrder {
  /** The order in the response, with its read-only members; null if the response has none and still proves creation (D26). */
  order: ReceivedOrder | null;
  orderId: Guid;
  /**
   * 201 or 200 with the order, 201 or 204 without a body, or 202 with a Location; with `acceptEmptyBody` any 2xx without a
   * body.
   */
  status: number;
  /** Number of requests. */
  attempts: number;
  /** Warnings and notices: first those of the request, then those of the response. */
  issues: Issue[];
  /** The service's id for the request, or null: quote it to the service's support. */
  requestId: string | null;
  /** The response, for its headers: its body has been read. */
  response: PlatformType<'Response'>;
  /** The Location of a 202, if a relay has accepted the order and delivers it later; otherwise null. */
  delivery: PlatformType<'URL'> | null;
  /**
   * The service had an equal order with this Id before the first attempt of this call (D53): it responded with 200 and the
   * order, and no attempt of this call can have created it. If you have not sent it before, another sale has the same Id.
   */
  alreadyThere: boolean;
}

/** The result of the order at `index` (from 0) of the source. `orderId` is null if the order has no valid Id. */
export type BatchResult<Order = IdentifiedOrder | PreparedRequest> = {
  index: number;
  input: Order;
  orderId: Guid | null;
} & ({ ok: true; created: CreatedOrder } | { ok: false; error: OrderIntakeError | OrderValidationError });
