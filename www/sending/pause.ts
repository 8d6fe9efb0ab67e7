/** A wrong Retry-After must not stop a client forever. */
export const LONGEST_PAUSE_MS = 3_600_000;

/** Returns true for a status whose Retry-After is for all orders, because it is about the load of the service (D52). */
export function asksForPause(status: number | undefined): boolean {
  return status === 429 || status === 503;
}
