/** Who wants to know of a signal. A signal has one listener of this package, however many orders it is for. */
const waiting = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls back when the signal fires; gives what takes that back. Platforms warn of a leak when a signal has more than
 * ten listeners, which many orders at a time would each be.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  let callbacks = waiting.get(signal);
  if (!callbacks) {
    callbacks = new Set();
    waiting.set(signal, callbacks);
    signal.addEventListener('abort', fire);
  }
  callbacks.add(callback);
  const others = callbacks;
  return () => {
    others.delete(callback);
    if (others.size > 0 || waiting.get(signal) !== others) return;
    waiting.delete(signal);
    signal.removeEventListener('abort', fire);
  };
}

function fire(this: AbortSignal): void {
  // Each takes itself out of the set.
  for (const callback of [...(waiting.get(this) ?? [])]) callback();
}
