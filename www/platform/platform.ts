/** Clock, timers and random numbers. Globals are looked up at each use, so that fake timers of a test take effect. */
export interface Platform {
  /** Milliseconds of a monotonic clock, for durations. */
  now(): number;
  /** Milliseconds since 1970, for the dates of Retry-After. */
  date(): number;
  /** Returns a random number from 0 to below 1. */
  random(): number;
  /** Calls back once; returns a function that cancels the timer. */
  after(ms: number, callback: () => void): () => void;
}

export const platform: Platform = {
  now: () => performance.now(),
  date: () => Date.now(),
  random: () => Math.random(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

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
