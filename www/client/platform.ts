/** Time and chance. Looked up at each use, so that the fake timers of a test take effect. */
export interface Platform {
  /** Milliseconds of a clock that is never set back: for durations. */
  now(): number;
  /** Milliseconds since 1970: for the dates of a Retry-After. */
  date(): number;
  /** From 0 to below 1. */
  random(): number;
  /** Calls back once; gives what calls it off. */
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

/** A longer timer would go off at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * The type of a global's instances where the program's type libraries know it: programs for Node have no DOM types, and
 * the declarations of this package are to compile there as well.
 */
export type PlatformType<Name extends string> = typeof globalThis extends { [K in Name]: { prototype: infer Type } }
  ? Type
  : never;
export type PlatformFetch = typeof globalThis extends { fetch: infer Type } ? Type : never;
