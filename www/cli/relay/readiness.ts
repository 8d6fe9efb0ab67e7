import { setTimeout } from 'node:timers/promises';

/** A store that commits more slowly is not ready; the reference service has the same limits. */
const TIME_MS = 2000;
/** How long a result is used again, so that requests without a token cause few writes. */
const MAX_AGE_MS = 1000;

/** Whether orders can be stored: a probe that writes, one at a time and at most one a second. */
export class Readiness {
  readonly #probe: () => Promise<unknown>;
  #running: Promise<boolean> | undefined;
  #last = { at: Number.NEGATIVE_INFINITY, isReady: false };

  constructor(probe: () => Promise<unknown>) {
    this.#probe = probe;
  }

  /** Resolves within two seconds. */
  async check(): Promise<boolean> {
    if (performance.now() - this.#last.at < MAX_AGE_MS) return this.#last.isReady;
    this.#running ??= this.#run();
    return Promise.race([this.#running, setTimeout(TIME_MS, false, { ref: false })]);
  }

  async #run(): Promise<boolean> {
    const isReady = await this.#probe().then(
      () => true,
      () => false,
    );
    this.#last = { at: performance.now(), isReady };
    this.#running = undefined;
    return isReady;
  }
}
