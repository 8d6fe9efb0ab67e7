import { setTimeout } from 'node:timers/promises';

/** A store that commits more slowly is not ready; the reference service has the same limits. */
const TIME_MS = 2000;
/** How long a result is used again, so that requests without a token cause few writes. */
const MAX_AGE_MS = 1000;

/**
 * Returns a function that resolves within two seconds with the reason why no order can be stored, or with null. There is at
 * most one probe a second. A probe that takes longer than two seconds is given up, and the next call starts another.
 *
 * @param explain Called with the error of a probe.
 */
export function readinessOf(
  probe: () => Promise<unknown>,
  explain: (error: unknown) => string,
): () => Promise<string | null> {
  let running: Promise<string | null> | undefined;
  let last: { at: number; failure: string | null } = { at: Number.NEGATIVE_INFINITY, failure: null };
  const run = async () => {
    const failure = await Promise.race([
      probe().then(() => null, explain),
      setTimeout(TIME_MS, `the store did not respond within ${TIME_MS / 1000} s`, { ref: false }),
    ]);
    last = { at: performance.now(), failure };
    running = undefined;
    return failure;
  };
  return async () => {
    if (performance.now() - last.at < MAX_AGE_MS) return last.failure;
    running ??= run();
    return running;
  };
}
