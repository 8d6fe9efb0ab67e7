import type { Platform } from './platform.js';

/** Returns a random wait up to a maximum that doubles with each retry (full jitter, D33). */
export function backoffMs(
  { baseMs, capMs }: { baseMs: number; capMs: number },
  retriesBefore: number,
  platform: Platform,
): number {
  return platform.random() * Math.min(capMs, baseMs * 2 ** retriesBefore);
}

/**
 * Parses Retry-After: seconds, or a date, which counts from the Date of the response if it has one. Returns undefined if
 * it is missing or not valid.
 */
export function retryAfterMs(headers: Headers, platform: Platform): number | undefined {
  const value = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  // Date.parse accepts almost anything; an HTTP date has a weekday and a time.
  const until = /^[a-z]+, .*:/i.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(until)) return undefined;
  const sentAt = Date.parse(headers.get('date') ?? '');
  return Math.max(0, until - (Number.isNaN(sentAt) ? platform.date() : sentAt));
}
