import { onAbort } from './on-abort.js';
import { LONGEST_TIMER_MS, type Platform } from './platform.js';

/** Work was stopped before it had settled. */
export class Interruption {
  readonly by: 'caller' | 'time';

  constructor(by: 'caller' | 'time') {
    this.by = by;
  }
}

/** How work is stopped. */
export interface Stop {
  readonly signal: AbortSignal;
  /** Set by work that must be stopped by hand as well. A listener on the signal would do, but takes 2 % of an order's time. */
  byHand?: () => void;
}

/**
 * Does work until it settles, the caller's signal fires or the time is over, whichever is first; the latter two reject
 * with an {@link Interruption} at once, even where the work ignores its signal. Leaves no timer and no listener behind.
 * Where it is too late from the beginning, the work is not begun.
 */
export function within<T>(
  platform: Platform,
  ms: number,
  caller: AbortSignal | undefined,
  work: (stop: Stop) => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    if (caller?.aborted) return reject(new Interruption('caller'));
    if (ms <= 0) return reject(new Interruption('time'));

    const controller = new AbortController();
    const stop: Stop = { signal: controller.signal };
    const cancelTimer = platform.after(Math.min(ms, LONGEST_TIMER_MS), () => {
      interrupt('time', new DOMException('The time is over', 'TimeoutError'));
    });
    const ignoreCaller = caller && onAbort(caller, () => interrupt('caller', caller.reason));

    function leave(): void {
      cancelTimer();
      ignoreCaller?.();
    }
    function interrupt(by: Interruption['by'], reason: unknown): void {
      leave();
      // First: what the work does when its signal fires no longer matters.
      reject(new Interruption(by));
      controller.abort(reason);
      stop.byHand?.();
    }

    work(stop).then(
      (value) => {
        leave();
        resolve(value);
      },
      (error: unknown) => {
        leave();
        reject(error);
      },
    );
  });
}

/** Waits; rejects with an {@link Interruption} as soon as the caller's signal fires. */
export async function wait(platform: Platform, ms: number, caller: AbortSignal | undefined): Promise<void> {
  try {
    await within(platform, ms, caller, () => new Promise<never>(() => {}));
  } catch (interruption) {
    if (interruption instanceof Interruption && interruption.by === 'time') return;
    throw interruption;
  }
}
