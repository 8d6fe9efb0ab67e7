import type { Platform } from '../platform/platform.js';

/** Returns a random wait up to a maximum that doubles with each retry (full jitter, D33). */
export function backoffMs(
  { baseMs, capMs }: { baseMs: number; capMs: number },
  retriesBefore: number,
  platform: Platform,
): number {
  return platform.random() * Math.min(capMs, baseMs * 2 ** retriesBefore);
}
