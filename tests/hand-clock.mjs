/** Creates a clock that only the test advances; timers fire in order. */
export function handClock(start = Date.UTC(2026, 0, 1)) {
  let now = 0;
  /** In the order in which they were set. A copy for each change would be most of the memory that a test measures. */
  const timers = new Set();
  const settle = async () => {
    // The effects of a timer may take several turns of the event loop: promises, commits, and exchanges in this process.
    for (let turn = 0; turn < 40; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  const fireBy = async (end) => {
    let next;
    for (const timer of timers) if (timer.at <= end && (!next || timer.at < next.at)) next = timer;
    if (!next) return false;
    timers.delete(next);
    now = Math.max(now, next.at);
    next.callback();
    await settle();
    return true;
  };
  return {
    platform: {
      now: () => now,
      date: () => start + Math.floor(now),
      random: () => 0.5,
      after(ms, callback) {
        const timer = { at: now + ms, callback };
        timers.add(timer);
        return () => void timers.delete(timer);
      },
    },
    settle,
    /** The number of timers that wait. */
    get timers() {
      return timers.size;
    },
    /** Advances the clock, from timer to timer. */
    async advance(ms) {
      const end = now + ms;
      await settle();
      while (await fireBy(end));
      now = end;
    },
    /** Advances the clock to the next timer, if there is one. */
    next: () => fireBy(Number.POSITIVE_INFINITY),
  };
}
