import { validateOrder, type IdentifiedOrder, type RuleOptions } from 'sales-order-intake';
import { platform as realPlatform, type Platform } from '../../pkg-template/src/platform/platform.js';
import { isTraced, traced, tracingChannel } from '../../pkg-template/src/platform/tracing-channel.js';
import { clientBaseUrl, clientVersion } from '../../pkg-template/src/sending/client-version.js';
import { watchConnections } from '../../pkg-template/src/sending/connection.js';
import { orderIdOf, requestOf, type PreparedRequestInput } from '../../pkg-template/src/sending/request.js';
import { batchOf, BatchRun } from './batch.js';
import type { ClientOptions } from './options.js';
import { OrderFates } from './order-fates.js';
import { RateGate } from './rate-gate.js';
import type { CreatedOrder } from './results.js';
import { batchSettings, clientSettings, sendSettings, type ClientSettings, type SendSettings } from './settings.js';
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
    gate: new RateGate(platform, settings.retry.baseMs),
    fates: new OrderFates(),
    platform,
    attemptChannel: tracingChannel('attempt'),
  };

  /** Sends an order. Throws or rejects with OrderValidationError if it has errors; nothing is sent then. */
  const send = (order: AnyOrder, sending: SendSettings): Promise<CreatedOrder> => {
    const submit = () => new Submission(context, requestOf(order, sending.rules), sending).run();
    if (!isTraced(channel)) return submit();
    return traced<'order', CreatedOrder>(
      channel,
      { orderId: orderIdOf(order) },
      async () => submit(),
      ({ status, alreadyThere }) => ({ result: { status, alreadyThere } }),
    );
  };
  const client: Client = {
    async createOrder(order, options = {}) {
      const sending = sendSettings(options, settings);
      checkRules(sending.rules, settings);
      return send(order, sending);
    },
    createOrders(source, options = {}) {
      const batch = batchSettings(options, settings);
      checkSource(source);
      checkRules(batch.send.rules, settings);
      return batchOf(new BatchRun(source, send, batch, context).results());
    },
  };
  return Object.assign(client, { [clientVersion]: settings.version, [clientBaseUrl]: settings.baseUrl });
}

/**
 * Throws for wrong options before an order is read; also for a wrong version beside a prepared request, which has its own. That of
 * the client has been checked.
 */
function checkRules(rules: RuleOptions, client: ClientSettings): void {
  if (rules.version !== client.version || Object.keys(rules).length > 1) validateOrder({} as IdentifiedOrder, rules);
}

function checkSource(source: unknown): void {
  const { [Symbol.asyncIterator]: isAsync, [Symbol.iterator]: isSync } = Object(source) as Record<symbol, unknown>;
  if (typeof source === 'string' || (typeof isAsync !== 'function' && typeof isSync !== 'function')) {
    throw new TypeError('createOrders: the source must be iterable, for example an array, a generator or a stream');
  }
}
