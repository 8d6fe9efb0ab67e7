import { every, type Platform } from '../../www/platform/platform.js';

interface Timer {
  begin(): void;
  end(): void;
}

/** The engine's clock. Its timers run only once this process delivers: a process that only adds has no work for them. */
export class EngineClock {
  readonly #waiting = new Set<Timer>();
  readonly #platform: Platform;
  #isRunning = false;

  constructor(platform: Platform) {
    this.#platform = platform;
  }

  run(): void {
    this.#isRunning = true;
    for (const timer of this.#waiting) timer.begin();
    this.#waiting.clear();
  }

  now(): number {
    return this.#platform.date();
  }

  setTimeout(callback: () => void, ms: number): Timer {
    return this.#timer(() => this.#platform.after(ms, callback));
  }

  setInterval(callback: () => void, ms: number): Timer {
    return this.#timer(() => every(this.#platform, ms, callback));
  }

  readonly clearTimeout = (timer: Timer | undefined): void => timer?.end();
  readonly clearInterval = this.clearTimeout;

  #timer(begin: () => () => void): Timer {
    let end = () => {};
    const timer = {
      begin: () => {
        end = begin();
      },
      end: () => {
        this.#waiting.delete(timer);
        end();
      },
    };
    if (this.#isRunning) timer.begin();
    else this.#waiting.add(timer);
    return timer;
  }
}
