import type { Platform } from './platform.js';

/** How often and how patiently (D33). */
export interface RetrySettings {
  attempts: number;
  baseMs: number;
  capMs: number;
}

/** Full jitter: anything up to a bound that doubles with each retry, so that many clients don't come back together. */
export function backoffMs({ baseMs, capMs }: RetrySettings, retriesBefore: number, platform: Platform): number {
  return platform.random() * Math.min(capMs, baseMs * 2 ** retriesBefore);
}

/**
 * How long the service asks to wait: seconds, or a date; undefined where it doesn't say or can't be understood. A date
 * counts from the service's own clock where the answer shows it.
 */
export function retryAfterMs(headers: Headers, platform: Platform): number | undefined {
  const text = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  // Date.parse takes almost anything; a date of HTTP has a weekday and a time.
  const until = /^[a-z]+, .*:/i.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(until)) return undefined;
  const sentAt = Date.parse(headers.get('date') ?? '');
  return Math.max(0, until - (Number.isNaN(sentAt) ? platform.date() : sentAt));
}
