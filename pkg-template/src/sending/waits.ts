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

/** The 4xx that say nothing about the order: whoever sent them stopped waiting, or had too much to do. */
const NOT_ABOUT_ORDER = [408, 425, 429, 460, 499];

/** Returns true for a 4xx that is about the order alone, even if it asks to come back (D33, D34). */
export function isAboutOrder(status = 0): boolean {
  return status >= 400 && status < 500 && !NOT_ABOUT_ORDER.includes(status);
}
