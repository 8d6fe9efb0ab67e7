import type { Version } from 'sales-order-intake';
import { parseBaseUrl } from '../pkg-template/src/options/base-url.js';
import { baseUrlOf, versionOf } from '../pkg-template/src/sending/inner-client.js';
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
  wrongOption,
} from '../pkg-template/src/options/check.js';
import type { RetryBounds } from '../pkg-template/src/sending/waits.js';
import type { Binding } from './binding.js';
import { locationName } from './entry.js';
import { LATEST, STATES } from './members.js';
import type { ActionOptions, ListFilter, OutboxHooks, OutboxOptions, PageOptions } from './options.js';
import { isReason, REASONS } from './reason.js';
import type { EntryState, Page } from './store.js';

/** The options of an outbox, checked and with their defaults. */
export interface CheckedOptions<Transaction = never>
  extends Record<(typeof NUMBERS)[number], number>,
    Pick<OutboxOptions<Transaction>, 'client' | 'store' | 'onSettled'> {
  /** The version of orders that name none. */
  version: Version;
  /** The service that the store is bound to; null if the client's base URL is not known. */
  binding: Binding | null;
  retry: RetryBounds;
  hooks: OutboxHooks;
}

const NUMBERS = [
  'handlerTimeoutMs',
  'concurrency',
  'concurrencyPerLocation',
  'deadlineMs',
  'keepCreatedMs',
  'suspectMs',
] as const;
const OPTIONS: readonly (keyof OutboxOptions)[] = [
  'client',
  'store',
  'movedFrom',
  'onSettled',
  ...NUMBERS,
  'retry',
  'hooks',
];
const HOOKS = ['onAdd', 'onResult', 'onGate', 'onError'] as const;
const STORE = 'add take settle change changeAll get history list count sweep close'.split(
  ' ',
) as (keyof OutboxOptions['store'])[];
const HOUR_MS = 3_600_000;
/** 100 years: longer times would not fit into the integers that databases and drivers can read exactly. */
export const LONGEST_MS = 36_525 * 24 * HOUR_MS;

/** @throws OptionError if an option is wrong. */
export function checkedOptions<Transaction>(options: OutboxOptions<Transaction>): CheckedOptions<Transaction> {
  checkObject('', options);
  if (Object.hasOwn(options, 'timeout')) {
    // Its own time-out is that of the handler, which is not what was meant.
    const advice = 'the time-out of a request is timeoutMs of createClient';
    throw wrongOption('/timeout', `is unknown. The options are ${OPTIONS.join(', ')}; ${advice}`);
  }
  checkNames('', Object.keys(options), OPTIONS);
  const { client, store, onSettled, concurrency = 16, retry = {}, hooks = {} } = options;
  const { handlerTimeoutMs = 60_000, deadlineMs = 72 * HOUR_MS, keepCreatedMs = 720 * HOUR_MS } = options;
  const { suspectMs = 600_000 } = options;
  check('/client', typeof client?.createOrder === 'function', 'a client, as createClient returns it');
  const isStore = STORE.every((name) => typeof store?.[name] === 'function');
  check('/store', isStore, `a store, as sqliteStore or postgresStore returns it: an object with ${STORE.join(', ')}`);
  const binding = bindingOf(client, options.movedFrom);
  checkFunction('/onSettled', onSettled);
  checkCount('/concurrency', concurrency);
  const { concurrencyPerLocation = Math.ceil(concurrency / 2) } = options;
  checkCount('/concurrencyPerLocation', concurrencyPerLocation);
  checkMs('/handlerTimeoutMs', handlerTimeoutMs, 1);
  checkMs('/deadlineMs', deadlineMs, 1, LONGEST_MS);
  checkMs('/keepCreatedMs', keepCreatedMs, 0, LONGEST_MS);
  checkMs('/suspectMs', suspectMs, 0, LONGEST_MS);
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
    deadlineMs: Math.round(deadlineMs),
    keepCreatedMs: Math.round(keepCreatedMs),
    suspectMs,
    retry: checkRetry('/retry', retry, 1),
    hooks,
  };
}

function bindingOf(client: OutboxOptions['client'], movedFrom: unknown): Binding | null {
  const baseUrl = baseUrlOf(client);
  if (baseUrl === undefined) {
    check('/movedFrom', movedFrom === undefined, 'absent: the base URL of this client is not known');
    return null;
  }
  if (movedFrom === undefined || movedFrom === '*') return { baseUrl, movedFrom: movedFrom ?? null };
  return { baseUrl, movedFrom: parseBaseUrl(movedFrom, '/movedFrom') };
}

/** @throws OptionError if a time-out is wrong; Infinity means no time-out. */
export function checkTimeout(timeoutMs: unknown): void {
  if (timeoutMs !== Number.POSITIVE_INFINITY) checkMs('/timeoutMs', timeoutMs, 0);
}

/** Checks a line of text that a person reads. PostgreSQL has no lone surrogates. */
export function checkLine(option: string, text: unknown, most: number): void {
  const isLine = typeof text === 'string' && /^[^\p{Cc}\p{Cs}]+$/u.test(text) && [...text].length <= most;
  check(option, text === undefined || isLine, `a string of 1 to ${most} characters without control characters`);
}

/** The most characters of a reference (D67). */
export const LONGEST_REFERENCE = 100;

/** Returns who does something, for the history (D66). */
export function actorOf(options: ActionOptions): string | null {
  const { by, ...others } = copyOptions(options);
  checkNames('', Object.keys(others), ['by']);
  checkLine('/by', by, 200);
  return by ?? null;
}

// ---------------------------------------------------------------- lists

const FILTER = [
  ...['state', 'states', 'companyId', 'entityId', 'reason', 'reference', 'receiptNumber', 'since', 'before'],
  ...['contents', 'newestFirst'],
];
/** The default and the maximum number of entries of a page. */
const PAGE = 50;
const MOST = 500;

/**
 * Returns the filter for a store.
 *
 * @throws OptionError if the filter is wrong.
 */
export function filterOf(given: ListFilter): Omit<Page, 'after' | 'limit'> {
  checkObject('', given);
  const filter = copyOptions(given);
  checkNames('', Object.keys(filter), FILTER);
  const { state, companyId, entityId, reason, contents = true, newestFirst = false } = filter;
  const { states = state && [state], reference } = filter;
  const isState = (value: unknown) => STATES.includes(value as EntryState);
  check('/state', state === undefined || isState(state), `one of ${STATES.join(', ')}`);
  check('/states', state === undefined || filter.states === undefined, 'absent beside state');
  const areStates = states === undefined || (Array.isArray(states) && states.every(isState));
  check('/states', areStates, `some of ${STATES.join(', ')}`);
  for (const [name, id] of Object.entries({ companyId, entityId }))
    check(`/${name}`, id === undefined || Number.isSafeInteger(id), 'a whole number');
  check('/entityId', (companyId === undefined) === (entityId === undefined), 'given together with companyId');
  check('/reason', reason === undefined || isReason(reason), `one of ${REASONS.join(', ')}`);
  checkLine('/reference', reference, LONGEST_REFERENCE);
  const number = filter.receiptNumber;
  const receiptNumber = Number.isFinite(number) ? `${number}` : (number as string | undefined);
  checkLine('/receiptNumber', receiptNumber, LONGEST_REFERENCE);
  const [since, before] = [timeOf('/since', filter.since), timeOf('/before', filter.before)];
  check('/contents', typeof contents === 'boolean', 'true or false');
  check('/newestFirst', typeof newestFirst === 'boolean', 'true or false');
  const location = companyId === undefined || entityId === undefined ? undefined : locationName(companyId, entityId);
  return { states, location, reason, reference, receiptNumber, since, before, contents, newestFirst };
}

/** Returns a time in whole milliseconds, as databases store them. A later one would not fit into their integers. */
function timeOf(option: string, given: unknown): number | undefined {
  const ms = given instanceof Date ? given.getTime() : given;
  const isTime = ms === undefined || (typeof ms === 'number' && Math.abs(ms) <= LATEST);
  check(option, isTime, 'a Date, or milliseconds since 1970');
  return ms === undefined ? undefined : Math.ceil(ms as number);
}

/**
 * Returns the requested page.
 *
 * @throws OptionError if an option is wrong.
 */
export function pageOf(given: PageOptions): Page {
  checkObject('', given);
  const { after, limit = PAGE, newestFirst = true, ...filter } = copyOptions(given);
  checkNames('', Object.keys(given), [...FILTER, 'after', 'limit']);
  const { contents = false } = filter;
  check('/contents', contents === false, 'absent, or false: get has the contents');
  const isCursor = after === undefined || (typeof after === 'string' && /^[1-9]\d{0,14}$/.test(after));
  check('/after', isCursor, 'the next of the page before');
  check('/limit', Number.isSafeInteger(limit) && limit >= 1 && limit <= MOST, `a whole number, 1 to ${MOST}`);
  return { ...filterOf({ ...filter, newestFirst, contents }), after: Number(after ?? 0), limit };
}
