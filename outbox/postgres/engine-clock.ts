import { every, type Platform } from '../../pkg-template/src/platform/platform.js';

interface Timer {
  begin(): void;
  end(): void;
}

/** Returns the engine's clock. Its timers run only after `run`: a process that only adds has no work for them. */
export function engineClock(platform: Platform) {
  const waiting = new Set<Timer>();
  let isRunning = false;
  const timer = (begin: () => () => void): Timer => {
    let end = () => {};
    const created = {
      begin: () => {
        end = begin();
      },
      end: () => {
        waiting.delete(created);
        end();
      },
    };
    if (isRunning) created.begin();
    else waiting.add(created);
    return created;
  };
  const clear = (timer: Timer | undefined) => timer?.end();
  return {
    run() {
      isRunning = true;
      for (const each of waiting) each.begin();
      waiting.clear();
    },
    now: () => platform.date(),
    setTimeout: (callback: () => void, ms: number) => timer(() => platform.after(ms, callback)),
    setInterval: (callback: () => void, ms: number) => timer(() => every(platform, ms, callback)),
    clearTimeout: clear,
    clearInterval: clear,
  };
}
