/** Creates a clock that only the test advances; timers fire in order. */
export function handClock(start = Date.UTC(2026, 0, 1)) {
  let now = 0;
  let timers = [];
  const settle = async () => {
    // The effects of a timer may take several turns of the event loop: promises, commits, and exchanges in this process.
    for (let turn = 0; turn < 40; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    platform: {
      now: () => now,
      date: () => start + now,
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
      for (;;) {
        const next = timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
        if (!next) break;
        timers = timers.filter((timer) => timer !== next);
        now = Math.max(now, next.at);
        next.callback();
        await settle();
      }
      now = end;
    },
  };
}
