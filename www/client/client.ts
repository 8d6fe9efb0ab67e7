import type { Guid, IdentifiedOrder } from 'sales-order-intake';
import { platform as realPlatform, type Platform } from '../../pkg-template/src/platform/platform.js';
import { isTraced, traced, tracingChannel } from '../../pkg-template/src/platform/tracing-channel.js';
import {
  clientBaseUrl,
  clientVersion,
  sendStored,
  type SendStored,
} from '../../pkg-template/src/sending/inner-client.js';
import { watchConnections } from '../../pkg-template/src/sending/connection.js';
import {
  orderIdOf,
  orderRequest,
  type OrderRequest,
  type PreparedRequestInput,
} from '../../pkg-template/src/sending/request.js';
import { batchOf, BatchRun } from './batch.js';
import { ClientGate } from './client-gate.js';
import type { ClientOptions, SendOptions } from './options.js';
import { OrderFates } from './order-fates.js';
import type { CreatedOrder } from './results.js';
import { batchSettings, clientSettings, orderSettings, storedSettings, type OrderSettings } from './settings.js';
import { Submission, type ClientContext } from './submission.js';
import { TokenSource } from './token.js';
import type { Client } from './types.js';

type AnyOrder = IdentifiedOrder | PreparedRequestInput;

/**
 * Creates a client for one service and one token. Create it once and send all orders through it: it stores the token, the
 * pause that the service has asked for, and the Ids of orders whose fate is unknown.
 *
 * @throws OptionError if an option is wrong.
 *
 * @example
 * ```js
 * import { createClient } from 'sales-order-intake/client';
 *
 * const client = createClient({
 *   baseUrl: 'https://intake.example.com/orders',
 *   token: async ({ rejected, signal }) => {
 *     // Ask your identity service here. `rejected` is the token that was refused, if there is one.
 *     return 'a-token';
 *   },
 *   maxRetries: 5,
 *   hooks: { onRetry: ({ attempt, reason, waitMs }) => console.warn(`attempt ${attempt}: ${reason}, again in ${waitMs} ms`) },
 * });
 * console.log(Object.keys(client).join()); // createOrder,createOrders
 * ```
 */
export function createClient(options: ClientOptions): Client {
  return createClientOn(realPlatform, options);
}

/** Creates a client with another clock and other random numbers, for tests. */
export function createClientOn(platform: Platform, options: ClientOptions): Client {
  const settings = clientSettings(options);
  watchConnections();
  const channel = tracingChannel('order');
  const context: ClientContext = {
    settings,
    tokens: new TokenSource(platform, settings),
    gate: new ClientGate(platform, settings.retry),
    fates: new OrderFates(),
    platform,
    attemptChannel: tracingChannel('attempt'),
  };

  /** Sends an order within its trace. `run` throws or rejects. */
  const withTrace = (orderId: () => Guid | null, run: () => Promise<CreatedOrder>): Promise<CreatedOrder> => {
    if (!isTraced(channel)) return run();
    return traced<'order', CreatedOrder>(channel, { orderId: orderId() }, async () => run(), resultTrace);
  };
  /** Sends an order. Throws or rejects with OrderValidationError if it has errors; nothing is sent then. */
  const send = (order: AnyOrder, { rules, ...sending }: OrderSettings): Promise<CreatedOrder> =>
    withTrace(
      () => orderIdOf(order),
      () => new Submission(context, orderRequest(order, rules), sending).run(),
    );
  const createOrder = async (order: AnyOrder, options: SendOptions = {}): Promise<CreatedOrder> =>
    send(order, orderSettings(options, settings));
  const stored: SendStored<CreatedOrder> = async (parts, options) => {
    const request: OrderRequest = { method: 'PUT', ...parts, issues: [] };
    const sending = storedSettings(options, settings);
    return withTrace(
      () => request.orderId,
      () => new Submission(context, request, sending).run(),
    );
  };
  const client: Client = {
    createOrder: Object.assign(createOrder, { [sendStored]: stored }),
    createOrders(source, options = {}) {
      const batch = batchSettings(options, settings);
      checkSource(source);
      return batchOf(new BatchRun(source, send, batch, context).results());
    },
  };
  return Object.assign(client, { [clientVersion]: settings.version, [clientBaseUrl]: settings.baseUrl });
}

function resultTrace({ status, alreadyThere }: CreatedOrder) {
  return { result: { status, alreadyThere } };
}

function checkSource(source: unknown): void {
  const { [Symbol.asyncIterator]: isAsync, [Symbol.iterator]: isSync } = Object(source) as Record<symbol, unknown>;
  if (typeof source === 'string' || (typeof isAsync !== 'function' && typeof isSync !== 'function')) {
    throw new TypeError('createOrders: the source must be iterable, for example an array, a generator or a stream');
  }
}
