import { validateOrder, type PreparedRequest, type RuleOptions, type SalesOrderInput } from 'sales-order-intake';
import { sendAll } from './bulk.js';
import { platform as realPlatform, type Platform } from './platform.js';
import { RateGate } from './rate-gate.js';
import { requestOf } from './request.js';
import { settingsOf } from './settings.js';
import { Submission, type Line } from './submission.js';
import { TokenSource } from './token.js';
import type { BulkOptions, BulkResult, Client, ClientOptions, CreateOptions, Created } from './types.js';
import { UnsettledOrders } from './unsettled.js';

const DEFAULT_CONCURRENCY = 8;

/**
 * A client for one address and one integrator's token: make it once and send all orders through it. It keeps the token,
 * for how long the service has asked to pause, and the ids of orders whose fate was left unknown; nothing else of any
 * order.
 *
 * @throws TypeError for a wrong option.
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
 *   retry: { attempts: 6 },
 *   hooks: { onRetry: ({ attempt, reason, waitMs }) => console.warn(`attempt ${attempt}: ${reason}, again in ${waitMs} ms`) },
 * });
 * console.log(Object.keys(client).join()); // createOrder,createOrders
 * ```
 */
export function createClient(options: ClientOptions): Client {
  return createClientOn(realPlatform, options);
}

/** With a clock and a source of chance of the caller's: for tests. */
export function createClientOn(platform: Platform, options: ClientOptions): Client {
  const settings = settingsOf(options);
  const tokens = new TokenSource(settings.token);
  const line: Line = { settings, tokens, gate: new RateGate(platform), unsettled: new UnsettledOrders(), platform };
  return {
    createOrder: (input, createOptions) => createOrder(line, input, createOptions),
    createOrders: (source, bulkOptions) => createOrders(line, source, bulkOptions),
  };
}

async function createOrder(line: Line, input: SalesOrderInput | PreparedRequest, options: CreateOptions = {}): Promise<Created> {
  const { signal, ...rules } = options;
  checkSignal(signal);
  return await submitted(line, input, inVersion(line, rules), signal);
}

async function submitted(
  line: Line,
  input: SalesOrderInput | PreparedRequest,
  rules: RuleOptions,
  signal: AbortSignal | undefined,
): Promise<Created> {
  checkFetch(line);
  return await new Submission(line, requestOf(input, rules), signal).run();
}

function createOrders(
  line: Line,
  source: Iterable<SalesOrderInput> | AsyncIterable<SalesOrderInput>,
  options: BulkOptions = {},
): AsyncIterable<BulkResult> {
  const { signal, concurrency = DEFAULT_CONCURRENCY, onProgress, ...rules } = options;
  checkSignal(signal);
  checkFetch(line);
  checkBulk(source, concurrency, onProgress, rules);
  const ofAll = inVersion(line, rules);
  const sender = {
    send: (order: SalesOrderInput) => submitted(line, order, ofAll, signal),
    opened: (halt: AbortSignal) => line.gate.opened(halt),
  };
  return sendAll(source, sender, { concurrency, ...(signal && { signal }), ...(onProgress && { onProgress }) });
}

function inVersion({ settings }: Line, rules: RuleOptions): RuleOptions {
  return { ...rules, version: rules.version ?? settings.version };
}

function checkSignal(signal: unknown): void {
  if (signal === undefined) return;
  if (typeof (signal as Partial<AbortSignal> | null)?.addEventListener !== 'function') {
    throw new TypeError('options.signal: an AbortSignal expected');
  }
}

function checkFetch({ settings }: Line): void {
  if (!settings.fetch && typeof globalThis.fetch !== 'function') {
    throw new TypeError('options.fetch: this platform has no fetch of its own, so one is required');
  }
}

/** At once, not as the failure of every single order. */
function checkBulk(source: unknown, concurrency: unknown, onProgress: unknown, rules: RuleOptions): void {
  const { [Symbol.asyncIterator]: isAsync, [Symbol.iterator]: isSync } = Object(source) as Record<symbol, unknown>;
  if (typeof source === 'string' || (typeof isAsync !== 'function' && typeof isSync !== 'function')) {
    throw new TypeError('createOrders: the source is to be iterable: an array, a generator, a stream');
  }
  if (!Number.isSafeInteger(concurrency) || (concurrency as number) < 1) {
    throw new TypeError('options.concurrency: a whole number, 1 or more, expected');
  }
  if (onProgress !== undefined && typeof onProgress !== 'function') {
    throw new TypeError('options.onProgress: a function expected');
  }
  if (rules.orderId !== undefined) throw new TypeError('options.orderId: each order has an id of its own');
  // The core refuses a wrong option whatever the order is.
  validateOrder({}, rules);
}
