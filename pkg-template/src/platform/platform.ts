/**
 * Clock, timers and random source: client, outbox and stores use no others, so that a test can control them. Globals are
 * looked up at each use, so that fake timers of a test take effect.
 */
export interface Platform {
  /** Milliseconds of a monotonic clock, for durations. */
  now(): number;
  /** Milliseconds since 1970, for the dates of Retry-After. */
  date(): number;
  /** Returns a random number from 0 to below 1. */
  random(): number;
  /** Returns a random UUID. */
  uuid(): string;
  /** Calls back once; returns a function that cancels the timer. */
  after(ms: number, callback: () => void): () => void;
  /** Calls back in the next turn of the event loop, after everything that is ready now. */
  soon(callback: () => void): void;
}

export const platform: Platform = {
  now: () => performance.now(),
  date: () => Date.now(),
  random: () => Math.random(),
  uuid: () => globalThis.crypto.randomUUID(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
  // Sooner than the shortest timer. Only stores need it, and they run on Node.
  soon: (callback) => (globalThis as unknown as { setImmediate(run: () => void): void }).setImmediate(callback),
};

/** Calls back at this interval, however long the callbacks take; returns a function that ends this. */
export function every(platform: Platform, ms: number, callback: () => void): () => void {
  let cancel = platform.after(ms, again);
  function again(): void {
    cancel = platform.after(ms, again);
    callback();
  }
  return () => cancel();
}

/** A longer timer would fire at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * The type of a global's instances if the program's type libraries have it, else `never`: programs for Node have no DOM
 * types, and this package's declarations must compile there as well.
 */
export type PlatformType<Name extends string> = typeof globalThis extends { [K in Name]: { prototype: infer Type } }
  ? Type
  : never;
export type PlatformFetch = typeof globalThis extends { fetch: infer Type } ? Type : never;
