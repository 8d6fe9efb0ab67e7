import type { Platform } from '../platform/platform.js';

/** Bounds of random waits, in milliseconds. */
export interface RetryBounds {
  baseMs: number;
  capMs: number;
}

/** Returns a random wait up to a maximum that doubles with each retry (full jitter, D33). */
export function backoffMs({ baseMs, capMs }: RetryBounds, retriesBefore: number, platform: Platform): number {
  return platform.random() * Math.min(capMs, baseMs * 2 ** retriesBefore);
}

/** A wrong Retry-After must not stop an order forever. */
export const LONGEST_PAUSE_MS = 3_600_000;

/** During a longer pause one order at a time tries, this often, whether it is over (D33). */
export const PROBE_MS = 60_000;

/** Returns true for a status whose Retry-After is for all orders, because it is about the load of the service (D52). */
export function asksForPause(status: number | undefined): boolean {
  return status === 429 || status === 503;
}
