import type { Version } from 'sales-order-intake';
import { parseBaseUrl } from '../www/options/base-url.js';
import { baseUrlOf, versionOf } from '../www/sending/client-version.js';
import { check, checkFunction, checkHooks, checkNames, checkObject } from '../www/options/check.js';
import { LONGEST_TIMER_MS } from '../www/platform/platform.js';
import type { Binding } from './binding.js';
import type { OutboxHooks, OutboxOptions } from './options.js';
import type { OutboxStore } from './store/index.js';

/** The options of an outbox, checked and with their defaults. */
export interface OutboxSettings<Transaction = never> {
  client: OutboxOptions['client'];
  /** The version of orders that name none. */
  version: Version;
  store: OutboxStore<Transaction>;
  /** What the store is bound to; null if the client's base URL is not known. */
  binding: Binding | null;
  onSettled: OutboxOptions['onSettled'];
  concurrency: number;
  concurrencyPerLocation: number;
  handlerTimeoutMs: number;
  storeTimeoutMs: number;
  deadlineMs: number;
  keepCreatedMs: number;
  suspectMs: number;
  retry: { baseMs: number; capMs: number };
  hooks: OutboxHooks;
}

const OPTIONS: readonly (keyof OutboxOptions)[] = [
  'client',
  'store',
  'movedFrom',
  'onSettled',
  'handlerTimeoutMs',
  'storeTimeoutMs',
  'concurrency',
  'concurrencyPerLocation',
  'deadlineMs',
  'keepCreatedMs',
  'suspectMs',
  'retry',
  'hooks',
];
const HOOKS = ['onAdd', 'onResult', 'onGate', 'onError'] as const;
const STORE = ['add', 'take', 'settle', 'change', 'changeAll', 'get', 'list', 'count', 'sweep', 'close'] as const;
const HOUR_MS = 3_600_000;
/** Longer times would not fit into the integers that databases and drivers can read exactly. */
const LONGEST_MS = 36_525 * 24 * HOUR_MS;

/** @throws OptionError if an option is wrong. */
export function outboxSettings<Transaction>(options: OutboxOptions<Transaction>): OutboxSettings<Transaction> {
  checkObject('', options);
  checkNames('', Object.keys(options), OPTIONS);
  const { client, store, onSettled, concurrency = 16, retry = {}, hooks = {} } = options;
  const { handlerTimeoutMs = 60_000, deadlineMs = 72 * HOUR_MS, keepCreatedMs = 720 * HOUR_MS } = options;
  const { suspectMs = 600_000, storeTimeoutMs = 15_000 } = options;
  check('/client', typeof client?.createOrder === 'function', 'a client, as createClient returns it');
  check(
    '/store',
    STORE.every((name) => typeof store?.[name] === 'function'),
    `a store: an object with ${STORE.join(', ')}`,
  );
  const binding = bindingOf(client, options.movedFrom);
  checkFunction('/onSettled', onSettled);
  checkCount('/concurrency', concurrency);
  const { concurrencyPerLocation = Math.ceil(concurrency / 2) } = options;
  checkCount('/concurrencyPerLocation', concurrencyPerLocation);
  checkMs('/handlerTimeoutMs', handlerTimeoutMs, 1, LONGEST_TIMER_MS);
  checkMs('/storeTimeoutMs', storeTimeoutMs, 1, LONGEST_TIMER_MS);
  checkMs('/deadlineMs', deadlineMs, 1, LONGEST_MS);
  checkMs('/keepCreatedMs', keepCreatedMs, 0, LONGEST_MS);
  checkMs('/suspectMs', suspectMs, 0, LONGEST_MS);
  checkObject('/retry', retry);
  checkNames('/retry', Object.keys(retry), ['baseMs', 'capMs']);
  const { baseMs = 1000, capMs = 20_000 } = retry;
  checkMs('/retry/baseMs', baseMs, 1, LONGEST_TIMER_MS);
  checkMs('/retry/capMs', capMs, 1, LONGEST_TIMER_MS);
  checkHooks(hooks, HOOKS);
  return {
    client,
    version: versionOf(client) ?? 'v3',
    store,
    binding,
    onSettled,
    concurrency,
    concurrencyPerLocation,
    // Databases store whole milliseconds.
    handlerTimeoutMs: Math.round(handlerTimeoutMs),
    storeTimeoutMs,
    deadlineMs: Math.round(deadlineMs),
    keepCreatedMs: Math.round(keepCreatedMs),
    suspectMs,
    retry: { baseMs, capMs },
    hooks,
  };
}

function bindingOf(client: OutboxOptions['client'], movedFrom: unknown): Binding | null {
  const baseUrl = baseUrlOf(client);
  check(
    '/movedFrom',
    movedFrom === undefined || baseUrl !== undefined,
    'absent: the base URL of this client is not known',
  );
  if (baseUrl === undefined) return null;
  const from =
    movedFrom === undefined || movedFrom === '*' ? (movedFrom ?? null) : parseBaseUrl(movedFrom, '/movedFrom');
  return { baseUrl, movedFrom: from };
}

/** @throws OptionError if a time-out is wrong; Infinity is none. */
export function checkTimeout(timeoutMs: unknown): void {
  const isValid = typeof timeoutMs === 'number' && timeoutMs >= 0 && timeoutMs <= LONGEST_TIMER_MS;
  check('/timeoutMs', isValid || timeoutMs === Number.POSITIVE_INFINITY, `milliseconds, 0 to ${LONGEST_TIMER_MS}`);
}

function checkCount(option: string, value: unknown): void {
  check(option, Number.isSafeInteger(value) && (value as number) > 0, 'a whole number, 1 or more');
}

function checkMs(option: string, ms: unknown, least: number, most: number): void {
  const years = most === LONGEST_MS ? ' (100 years)' : '';
  check(option, typeof ms === 'number' && ms >= least && ms <= most, `milliseconds, ${least} to ${most}${years}`);
}
