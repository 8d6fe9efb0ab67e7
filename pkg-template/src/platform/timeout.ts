import { LONGEST_TIMER_MS, type Platform } from './platform.js';

/** Thrown when work is stopped before it has settled. */
export class Interruption {
  /** Works for any value that a program's function may throw, even for a revoked proxy. */
  static [Symbol.hasInstance](value: unknown): boolean {
    return #brand in Object(value);
  }

  readonly #brand = true;
  readonly by: 'signal' | 'timeout';

  constructor(by: 'signal' | 'timeout') {
    this.by = by;
  }
}

/** How work learns that it is stopped. */
export interface Stop {
  readonly signal: AbortSignal;
  isStopped: boolean;
  /** Called when the work is stopped. A listener on the signal instead would take 2 % of an order's time. */
  onStop?: () => void;
}

/**
 * Runs work until it settles, the caller's signal fires or the time is over. The latter two reject with an
 * {@link Interruption} at once, even if the work ignores its signal. Leaves no timer and no listener behind. If it is
 * too late already, the work is not started.
 */
export function withTimeout<T>(
  platform: Platform,
  ms: number,
  caller: AbortSignal | undefined,
  work: (stop: Stop) => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    if (caller?.aborted) return reject(new Interruption('signal'));
    if (ms <= 0) return reject(new Interruption('timeout'));

    const controller = new AbortController();
    const stop: Stop = { signal: controller.signal, isStopped: false };
    const cancelTimer = platform.after(Math.min(ms, LONGEST_TIMER_MS), () => {
      interrupt('timeout', new DOMException('The time is over', 'TimeoutError'));
    });
    const ignoreCaller = caller && onAbort(caller, () => interrupt('signal', caller.reason));

    function cleanUp(): void {
      cancelTimer();
      ignoreCaller?.();
    }
    function interrupt(by: Interruption['by'], reason: unknown): void {
      cleanUp();
      // Rejects first, so that it does not matter what the work does when its signal fires.
      reject(new Interruption(by));
      stop.isStopped = true;
      controller.abort(reason);
      stop.onStop?.();
    }

    work(stop).then(
      (value) => {
        cleanUp();
        resolve(value);
      },
      (error: unknown) => {
        cleanUp();
        reject(error);
      },
    );
  });
}

/** Waits; rejects with an {@link Interruption} as soon as the caller's signal fires. */
export async function wait(platform: Platform, ms: number, caller: AbortSignal | undefined): Promise<void> {
  try {
    await withTimeout(platform, ms, caller, () => new Promise<never>(() => {}));
  } catch (interruption) {
    if (interruption instanceof Interruption && interruption.by === 'timeout') return;
    throw interruption;
  }
}

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
