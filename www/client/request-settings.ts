import { check } from '../options/check.js';
import { checkHeaders } from './headers.js';
import { LONGEST_TIMER_MS } from '../platform/platform.js';
import type { RequestOptions } from './options.js';

/** The options of requests with their defaults (D32, D33). */
export interface RequestSettings {
  timeoutMs: number;
  totalTimeoutMs: number;
  maxRetries: number;
  headers: Record<string, string>;
}

const DEFAULTS: RequestSettings = { timeoutMs: 60_000, totalTimeoutMs: 180_000, maxRetries: 3, headers: {} };

/**
 * Checks the options and adds the defaults. Headers are merged with the default ones.
 *
 * @throws OptionError if an option is wrong.
 */
export function requestSettings(options: Omit<RequestOptions, 'signal'>, defaults = DEFAULTS): RequestSettings {
  const { timeoutMs = defaults.timeoutMs, totalTimeoutMs = defaults.totalTimeoutMs } = options;
  const { maxRetries = defaults.maxRetries, headers } = options;
  checkDuration('/timeoutMs', timeoutMs, 1);
  checkDuration('/totalTimeoutMs', totalTimeoutMs, 1);
  check('/maxRetries', Number.isSafeInteger(maxRetries) && maxRetries >= 0, 'a whole number, 0 or more');
  return {
    timeoutMs,
    totalTimeoutMs,
    maxRetries,
    headers: headers === undefined ? defaults.headers : { ...defaults.headers, ...checkHeaders(headers) },
  };
}

export function checkDuration(option: string, ms: unknown, least: number): void {
  check(
    option,
    typeof ms === 'number' && ms >= least && ms <= LONGEST_TIMER_MS,
    `milliseconds, ${least} to ${LONGEST_TIMER_MS}`,
  );
}
