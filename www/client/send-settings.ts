import type { RuleOptions } from 'sales-order-intake';
import { check, copyOptions } from '../options/check.js';
import type { SendOptions } from './options.js';
import { requestSettings, type RequestSettings } from './request-settings.js';
import type { ClientSettings } from './settings.js';
import type { Turnstile } from './turnstile.js';

/** How an order is checked and sent. */
export interface SendSettings extends RequestSettings {
  signal: AbortSignal | undefined;
  earlierAttempts: 'none' | 'unknown';
  sharePause: boolean;
  /** Of the batch that the order belongs to. */
  turnstile?: Turnstile | undefined;
  rules: RuleOptions;
}

/**
 * Separates the options of the request from those of the rules, which the core checks.
 *
 * @throws OptionError if an option is wrong.
 */
export function sendSettings(options: SendOptions, client: ClientSettings): SendSettings {
  const {
    signal,
    timeoutMs,
    totalTimeoutMs,
    maxRetries,
    headers,
    earlierAttempts = 'none',
    sharePause = true,
    ...rules
  } = copyOptions(options);
  check('/signal', signal === undefined || typeof signal?.addEventListener === 'function', 'an AbortSignal');
  check('/earlierAttempts', ['none', 'unknown'].includes(earlierAttempts), "'none' or 'unknown'");
  check('/sharePause', typeof sharePause === 'boolean', 'a boolean');
  check('/fetch', typeof (client.fetch ?? globalThis.fetch) === 'function', 'given: this platform has no fetch');
  return {
    ...requestSettings({ timeoutMs, totalTimeoutMs, maxRetries, headers }, client.request),
    signal,
    earlierAttempts,
    sharePause,
    rules: { ...rules, version: rules.version ?? client.version },
  };
}
