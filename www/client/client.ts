import { validateOrder, type IdentifiedOrder, type RuleOptions } from 'sales-order-intake';
import { sendBatch, type Source } from './batch.js';
import { clientVersion } from '../sending/client-version.js';
import { check, checkFunction, copyOptions } from '../options/check.js';
import type { BatchOptions, ClientOptions, SendOptions } from './options.js';
import { OrderFates } from './order-fates.js';
import { platform as realPlatform, type Platform } from '../platform/platform.js';
import { RateGate } from './rate-gate.js';
import { orderIdOf, requestOf, type PreparedRequestInput } from '../sending/request.js';
import { sendSettings, type SendSettings } from './send-settings.js';
import { clientSettings } from './settings.js';
import { Submission, type ClientContext } from './submission.js';
import { TokenSource } from './token.js';
import type { Turnstile } from './turnstile.js';
import type { BatchResult, CreatedOrder } from './results.js';
import type { Client } from './types.js';

const DEFAULT_CONCURRENCY = 8;

/**
 * Creates a client for one service and one token. Create it once and send all orders through it: it keeps the token, the
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
 *     // Ask your identity service here. `rejected` is the token that was refused, if that is why you are asked.
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
  const tokens = new TokenSource(settings.token);
  const gate = new RateGate(platform, settings.retry.baseMs);
  const context: ClientContext = { settings, tokens, gate, fates: new OrderFates(), platform };
  const client: Client = {
    createOrder: async (order, options = {}) => createOrder(context, order, options),
    createOrders: (source, options = {}) => createOrders(context, source, options),
  };
  return Object.assign(client, { [clientVersion]: settings.version });
}

function createOrder(
  context: ClientContext,
  order: IdentifiedOrder | PreparedRequestInput,
  options: SendOptions,
): Promise<CreatedOrder> {
  const settings = sendSettings(options, context.settings);
  checkRules(settings.rules, context);
  return send(context, order, settings);
}

/** Throws what is wrong with the order, before anything is sent. */
function send(
  context: ClientContext,
  order: IdentifiedOrder | PreparedRequestInput,
  settings: SendSettings,
): Promise<CreatedOrder> {
  return new Submission(context, requestOf(order, settings.rules), settings).run();
}

function createOrders<Order extends IdentifiedOrder | PreparedRequestInput>(
  context: ClientContext,
  source: Source<Order>,
  options: BatchOptions<Order>,
): AsyncGenerator<BatchResult<Order>, void, void> {
  const {
    concurrency = DEFAULT_CONCURRENCY,
    onProgress,
    onResult,
    stopOnUnauthorized = true,
    ...rest
  } = copyOptions(options);
  const settings = sendSettings(rest, context.settings);
  checkSource(source);
  check('/concurrency', Number.isSafeInteger(concurrency) && concurrency > 0, 'a whole number, 1 or more');
  check('/stopOnUnauthorized', typeof stopOnUnauthorized === 'boolean', 'a boolean');
  checkFunction('/onProgress', onProgress);
  checkFunction('/onResult', onResult);
  check('/orderId', settings.rules.orderId === undefined, 'absent: each order has an Id of its own');
  checkRules(settings.rules, context);
  const sender = {
    send: (order: Order, turnstile: Turnstile) => send(context, order, { ...settings, turnstile }),
    idOf: orderIdOf,
    opened: (signal: AbortSignal) => context.gate.opened(signal),
  };
  const { platform } = context;
  const { retry } = context.settings;
  const { signal } = settings;
  return sendBatch(source, sender, { concurrency, onProgress, onResult, stopOnUnauthorized, signal, retry, platform });
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
