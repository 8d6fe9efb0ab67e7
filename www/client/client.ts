import { validateOrder, type IdentifiedOrder, type RuleOptions } from 'sales-order-intake';
import { platform as realPlatform, type Platform } from '../platform/platform.js';
import { isTraced, traced, tracingChannel } from '../platform/tracing-channel.js';
import { clientBaseUrl, clientVersion } from '../sending/client-version.js';
import { watchConnections } from '../sending/connection.js';
import { orderIdOf, requestOf, type PreparedRequestInput } from '../sending/request.js';
import { batchOf, sendBatch, type Send, type Source } from './batch.js';
import type { BatchOptions, ClientOptions, SendOptions } from './options.js';
import { OrderFates } from './order-fates.js';
import { RateGate } from './rate-gate.js';
import type { Batch, CreatedOrder } from './results.js';
import { batchSettings, clientSettings, sendSettings, type SendSettings } from './settings.js';
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
  const tokens = new TokenSource(settings.token, settings.tokenTimeoutMs);
  const gate = new RateGate(platform, settings.retry.baseMs);
  const channels = { order: tracingChannel('order'), attempt: tracingChannel('attempt') };
  const context: ClientContext = { settings, tokens, gate, fates: new OrderFates(), platform, channels };
  const client: Client = {
    createOrder: async (order, options = {}) => createOrder(context, order, options),
    createOrders: (source, options = {}) => createOrders(context, source, options),
  };
  return Object.assign(client, { [clientVersion]: settings.version, [clientBaseUrl]: settings.baseUrl });
}

function createOrder(context: ClientContext, order: AnyOrder, options: SendOptions): Promise<CreatedOrder> {
  const settings = sendSettings(options, context.settings);
  checkRules(settings.rules, context);
  return send(context, order, settings);
}

/** Sends an order. Throws or rejects with OrderValidationError if it has errors; nothing is sent then. */
function send(context: ClientContext, order: AnyOrder, settings: SendSettings): Promise<CreatedOrder> {
  const channel = context.channels.order;
  const submit = () => new Submission(context, requestOf(order, settings.rules), settings).run();
  if (!isTraced(channel)) return submit();
  return traced<'order', CreatedOrder>(
    channel,
    { orderId: orderIdOf(order) },
    async () => submit(),
    ({ status, alreadyThere }) => ({ result: { status, alreadyThere } }),
  );
}

function createOrders<Order extends AnyOrder>(
  context: ClientContext,
  source: Source<Order>,
  options: BatchOptions<Order>,
): Batch<Order> {
  const settings = batchSettings(options, context.settings);
  checkSource(source);
  checkRules(settings.send.rules, context);
  const sendOne: Send<Order> = (order, turnstile) => send(context, order, { ...settings.send, turnstile });
  return batchOf(sendBatch(source, sendOne, settings, context));
}

/** Throws for wrong options, also if a prepared request does not need them. The client's own version has been checked. */
function checkRules(rules: RuleOptions, { settings }: ClientContext): void {
  if (rules.version !== settings.version || Object.keys(rules).length > 1) validateOrder({} as IdentifiedOrder, rules);
}

function checkSource(source: unknown): void {
  const { [Symbol.asyncIterator]: isAsync, [Symbol.iterator]: isSync } = Object(source) as Record<symbol, unknown>;
  if (typeof source === 'string' || (typeof isAsync !== 'function' && typeof isSync !== 'function')) {
    throw new TypeError('createOrders: the source must be iterable, for example an array, a generator or a stream');
  }
}
