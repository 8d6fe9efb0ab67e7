/** Creates a clock that only the test advances; timers fire in order. */
export function handClock(start = Date.UTC(2026, 0, 1)) {
  let now = 0;
  let timers = [];
  const settle = async () => {
    // The effects of a timer may take several turns of the event loop: promises, commits, and exchanges in this process.
    for (let turn = 0; turn < 40; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  const fireBy = async (end) => {
    const next = timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
    if (!next) return false;
    timers = timers.filter((timer) => timer !== next);
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
        timers.push(timer);
        return () => {
          timers = timers.filter((other) => other !== timer);
        };
      },
    },
    settle,
    /** The number of timers that wait. */
    get timers() {
      return timers.length;
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
