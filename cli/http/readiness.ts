import { setTimeout } from 'node:timers/promises';

/** A store that commits more slowly is not ready; the reference service has the same limits. */
const TIME_MS = 2000;
/** How long a result is used again, so that requests without a token cause few writes. */
const MAX_AGE_MS = 1000;

/** Returns a function that resolves within two seconds: whether orders can be stored. One probe runs at a time, at most one a second. */
export function readinessOf(probe: () => Promise<unknown>): () => Promise<boolean> {
  let running: Promise<boolean> | undefined;
  let last = { at: Number.NEGATIVE_INFINITY, isReady: false };
  const run = async () => {
    const isReady = await probe().then(
      () => true,
      () => false,
    );
    last = { at: performance.now(), isReady };
    running = undefined;
    return isReady;
  };
  return async () => {
    if (performance.now() - last.at < MAX_AGE_MS) return last.isReady;
    running ??= run();
    return Promise.race([running, setTimeout(TIME_MS, false, { ref: false })]);
  };
}
