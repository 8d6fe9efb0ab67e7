/** Settings: options that have been checked, with their defaults. */
import type { RuleOptions } from 'sales-order-intake';
import { checkOptions } from '../../pkg-template/src/core-response.js';
import { encodeOptions } from '../../pkg-template/src/json.js';
import { ORDER_OPTIONS } from '../../pkg-template/src/option-names.js';
import { parseBaseUrl } from '../../pkg-template/src/options/base-url.js';
import {
  check,
  checkCount,
  checkFunction,
  checkHooks,
  checkMs,
  checkNames,
  checkObject,
  checkRetry,
  copyOptions,
  readOption,
  wrongOption,
  isToken,
  TOKEN_FORM,
} from '../../pkg-template/src/options/check.js';
import type { RetryBounds } from '../../pkg-template/src/sending/waits.js';
import { isBrowser } from './browser.js';
import { checkHeaders, type HeaderSource } from './headers.js';
import type { BatchOptions, ClientFetch, ClientOptions, RequestOptions, SendOptions } from './options.js';
import type { Lane } from './client-gate.js';

/** Options with their defaults. */
type Defined<Options> = { [Name in keyof Options]-?: NonNullable<Options[Name]> };

/** The options of a client, checked and with their defaults. */
export interface ClientSettings
  extends Defined<Pick<ClientOptions, 'token' | 'tokenTimeoutMs' | 'version' | 'proof' | 'acceptEmptyBody' | 'hooks'>> {
  baseUrl: string;
  fetch: ClientFetch | undefined;
  retry: RetryBounds;
  /** The request options of calls that set none. */
  request: RequestSettings;
}

/** The options of requests with their defaults (D32, D33). */
export interface RequestSettings extends Defined<Pick<RequestOptions, 'timeoutMs' | 'totalTimeoutMs' | 'maxRetries'>> {
  /** The headers of the client, then those of the call, which win. */
  headers: readonly HeaderSource[];
}

/** How an order is sent. */
export interface SendSettings extends RequestSettings, Defined<Pick<SendOptions, 'earlierAttempts' | 'sharePause'>> {
  signal: AbortSignal | undefined;
  /** Of the batch that the order belongs to. */
  lane?: Lane | undefined;
}

/** How an order is checked and sent. */
export interface OrderSettings extends SendSettings {
  rules: RuleOptions;
}

/** How the orders of a batch are checked and sent. */
export interface BatchSettings<Order> extends Pick<BatchOptions<Order>, 'onProgress' | 'onResult'> {
  concurrency: number;
  stopOnUnauthorized: boolean;
  send: OrderSettings;
}

const DEFAULTS: RequestSettings = { timeoutMs: 60_000, totalTimeoutMs: 180_000, maxRetries: 3, headers: [] };
const HOOKS = ['onRequest', 'onResponse', 'onError', 'onRetry'] as const;
const OPTIONS = [
  'baseUrl',
  'token',
  'tokenTimeoutMs',
  'version',
  'fetch',
  'timeoutMs',
  'totalTimeoutMs',
  'maxRetries',
  'headers',
  'retry',
  'proof',
  'acceptEmptyBody',
  'allowBrowserToken',
  'hooks',
];
const REQUEST_OPTIONS = ['signal', 'timeoutMs', 'totalTimeoutMs', 'maxRetries', 'headers'];
const SEND_OPTIONS = [...REQUEST_OPTIONS, 'earlierAttempts', 'sharePause', ...ORDER_OPTIONS];
const BATCH_OPTIONS = ['concurrency', 'onProgress', 'onResult', 'stopOnUnauthorized', ...SEND_OPTIONS];

/** @throws OptionError if an option is wrong. */
export function clientSettings(options: ClientOptions): ClientSettings {
  checkObject('', options);
  return readOption('', () => checkedClient(options));
}

function checkedClient(options: ClientOptions): ClientSettings {
  checkNames('', Object.keys(options), OPTIONS);
  const { token, version = 'v3', fetch, hooks = {}, allowBrowserToken } = options;
  const { proof = 'order', acceptEmptyBody = false, tokenTimeoutMs = 30_000 } = options;
  const baseUrl = parseBaseUrl(options.baseUrl);
  checkToken(token, allowBrowserToken === true);
  checkMs('/tokenTimeoutMs', tokenTimeoutMs, 1);
  checkVersion(version);
  checkFunction('/fetch', fetch);
  check('/proof', proof === 'order' || proof === 'id', "'order' or 'id'");
  check('/acceptEmptyBody', typeof acceptEmptyBody === 'boolean', 'a boolean');
  check('/allowBrowserToken', ['undefined', 'boolean'].includes(typeof allowBrowserToken), 'a boolean');
  checkHooks(hooks, HOOKS);
  const request = requestSettings(options, DEFAULTS);
  const { retry: bounds = {} } = options;
  const retry = checkRetry('/retry', bounds, 0);
  return { baseUrl, token, tokenTimeoutMs, version, fetch, proof, acceptEmptyBody, retry, hooks, request };
}

function checkVersion(version: unknown): void {
  check('/version', version === 'v2' || version === 'v3', "'v2' or 'v3'");
}

function checkToken(token: unknown, isAllowedInBrowser: boolean): void {
  if (typeof token === 'function') return;
  check('/token', isToken(token), `${TOKEN_FORM}, or a function that returns one`);
  if (isAllowedInBrowser || !isBrowser()) return;
  throw wrongOption(
    '/token',
    'can be read by everybody in a browser. Send orders through a server of your own, or give a function that gets a ' +
      'short-lived token from it. Set allowBrowserToken: true to accept the risk',
  );
}

/**
 * Separates the options of the request from those of the rules, whose values the core checks.
 *
 * @throws OptionError if an option is wrong.
 */
export function orderSettings(options: SendOptions, client: ClientSettings): OrderSettings {
  const copy = copyOptions(options);
  checkNames('', Object.keys(copy), SEND_OPTIONS);
  return checkedSend(copy, client);
}

function checkedSend(options: SendOptions, client: ClientSettings): OrderSettings {
  const { earlierAttempts = 'none', sharePause = true, ...given } = options;
  const { signal, timeoutMs, totalTimeoutMs, maxRetries, headers, ...rules } = given;
  check('/signal', signal === undefined || typeof signal?.addEventListener === 'function', 'an AbortSignal');
  check('/earlierAttempts', ['none', 'unknown'].includes(earlierAttempts), "'none' or 'unknown'");
  check('/sharePause', typeof sharePause === 'boolean', 'a boolean');
  checkFetch(client);
  // Prepared requests have their own.
  checkVersion(rules.version ?? client.version);
  return {
    ...requestSettings(given, client.request),
    signal,
    earlierAttempts,
    sharePause,
    rules: { ...rules, version: rules.version ?? client.version },
  };
}

/** Returns how a stored order is sent ({@link SendStored}). */
export function storedSettings(
  options: Pick<SendSettings, 'earlierAttempts' | 'signal'>,
  client: ClientSettings,
): SendSettings {
  checkFetch(client);
  return { ...client.request, ...options, maxRetries: 0, sharePause: false };
}

/** Checked at each call, because a program may add it to its platform. */
function checkFetch({ fetch = globalThis.fetch }: ClientSettings): void {
  check('/fetch', typeof fetch === 'function', 'given: this platform has no fetch');
}

/**
 * Checks all options, those of the rules too: a wrong one is reported before an order is read.
 *
 * @throws OptionError if an option is wrong.
 */
export function batchSettings<Order>(options: BatchOptions<Order>, client: ClientSettings): BatchSettings<Order> {
  const copy = copyOptions(options);
  checkNames('', Object.keys(copy), BATCH_OPTIONS);
  const { concurrency = 8, onProgress, onResult, stopOnUnauthorized = true, ...rest } = copy;
  const send = checkedSend(rest, client);
  checkCount('/concurrency', concurrency);
  check('/stopOnUnauthorized', typeof stopOnUnauthorized === 'boolean', 'a boolean');
  checkFunction('/onProgress', onProgress);
  checkFunction('/onResult', onResult);
  check('/orderId', send.rules.orderId === undefined, 'absent: each order has an Id of its own');
  checkOptions(encodeOptions(send.rules));
  return { concurrency, onProgress, onResult, stopOnUnauthorized, send };
}

function requestSettings(options: Omit<RequestOptions, 'signal'>, defaults: RequestSettings): RequestSettings {
  const { timeoutMs = defaults.timeoutMs, totalTimeoutMs = defaults.totalTimeoutMs } = options;
  const { maxRetries = defaults.maxRetries, headers = {} } = options;
  checkMs('/timeoutMs', timeoutMs, 1);
  checkMs('/totalTimeoutMs', totalTimeoutMs, 1);
  checkCount('/maxRetries', maxRetries, 0);
  const source = typeof headers === 'function' ? headers : checkHeaders(headers);
  return { timeoutMs, totalTimeoutMs, maxRetries, headers: [...defaults.headers, source] };
}
