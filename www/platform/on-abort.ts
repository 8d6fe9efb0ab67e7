/** The callbacks of each signal, which has one listener of this package however many orders are sent with it. */
const callbacksOf = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls back when the signal fires; returns a function that cancels this. Platforms warn of a leak if a signal has more
 * than ten listeners, which would happen with as many orders at a time.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  let callbacks = callbacksOf.get(signal);
  if (!callbacks) {
    callbacks = new Set();
    callbacksOf.set(signal, callbacks);
    signal.addEventListener('abort', fire);
  }
  callbacks.add(callback);
  const others = callbacks;
  return () => {
    others.delete(callback);
    if (others.size > 0 || callbacksOf.get(signal) !== others) return;
    callbacksOf.delete(signal);
    signal.removeEventListener('abort', fire);
  };
}

function fire(this: AbortSignal): void {
  // A copy, because callbacks remove themselves.
  for (const callback of [...(callbacksOf.get(this) ?? [])]) callback();
}
