import type { Platform } from '../platform/platform.js';

/** A year: a longer Retry-After is a mistake, and may be a number that no timer and no message can hold. */
const LONGEST_ASKED_MS = 31_536_000_000;

/**
 * Parses Retry-After: seconds, or a date, which counts from the Date of the response if it has one. Returns undefined if
 * it is missing or not valid.
 */
export function retryAfterMs(headers: Headers, platform: Platform): number | undefined {
  const value = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(value)) return Math.min(Number(value) * 1000, LONGEST_ASKED_MS);
  // Date.parse accepts almost anything; an HTTP date has a weekday and a time.
  const until = /^[a-z]+, .*:/i.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(until)) return undefined;
  const sentAt = Date.parse(headers.get('date') ?? '');
  const ms = until - (Number.isNaN(sentAt) ? platform.date() : sentAt);
  return Math.max(0, Math.min(ms, LONGEST_ASKED_MS));
}
