interface Timer {
  begin(): void;
  end(): void;
}

/** The engine's clock. Its timers run only once this process delivers: a process that only adds has no work for them. */
export class EngineClock {
  readonly #waiting = new Set<Timer>();
  #isRunning = false;

  run(): void {
    this.#isRunning = true;
    for (const timer of this.#waiting) timer.begin();
    this.#waiting.clear();
  }

  now(): number {
    return Date.now();
  }

  setTimeout(callback: () => void, ms: number): Timer {
    return this.#timer(() => {
      const handle = setTimeout(callback, ms);
      return () => clearTimeout(handle);
    });
  }

  setInterval(callback: () => void, ms: number): Timer {
    return this.#timer(() => {
      const handle = setInterval(callback, ms);
      return () => clearInterval(handle);
    });
  }

  clearTimeout(timer: Timer | undefined): void {
    timer?.end();
  }

  clearInterval(timer: Timer | undefined): void {
    timer?.end();
  }

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
