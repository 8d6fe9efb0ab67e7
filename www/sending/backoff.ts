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
