import type { Platform } from './platform.js';

interface Item<In, Out> {
  input: In;
  queuedAt: number;
  resolve(output: Out): void;
  reject(error: unknown): void;
}

interface BatchesOptions<In, Out> {
  platform: Pick<Platform, 'after' | 'now' | 'soon'>;
  /**
   * When a batch fails, an item that has waited for as many milliseconds fails with it: the database may be silent, and the item would
   * wait for all batches before its own (D59).
   * @default Infinity
   */
  limitMs?: number;
  /** Returns about how many characters of an item are written. */
  lengthOf?(input: In): number;
  /** Writes items with one commit. Returns an output for each. */
  write(inputs: readonly In[]): Promise<readonly Out[]>;
}

/** The most items of a batch, and of their characters, unless a single one has more. */
const MOST_AT_ONCE = 200;
const LONGEST = 4 * 2 ** 20;
/** The number of items at which they are written without waiting for others. */
const ENOUGH = 64;

/**
 * Writes what is requested in one turn of the event loop, or while a batch is being written, together: a commit costs more than many
 * rows. After a batch that failed, the next ones are half as long, so that an item which can't be written holds up no others that are
 * tried again.
 */
export class Batches<In, Out> {
  readonly #options: BatchesOptions<In, Out>;
  #queue: Item<In, Out>[] = [];
  #most = MOST_AT_ONCE;
  #isWriting = false;
  #isHurried = false;
  /** True if a batch begins after this turn of the event loop. */
  #isSoon = false;
  #cancelTimer: (() => void) | undefined;
  /** Called when everything is written. */
  #drained: (() => void)[] = [];

  constructor(options: BatchesOptions<In, Out>) {
    this.#options = options;
  }

  /** @param patienceMs How long the item may wait for others. */
  run(input: In, patienceMs = 0): Promise<Out> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ input, queuedAt: this.#options.platform.now(), resolve, reject });
      this.#schedule(this.#isHurried || this.#queue.length >= ENOUGH ? 0 : patienceMs);
    });
  }

  /** Writes everything without delay from now on. */
  hurry(): void {
    this.#isHurried = true;
    if (this.#queue.length > 0) this.#schedule(0);
  }

  /** Waits until all items are written, or have failed. */
  async drain(): Promise<void> {
    if (this.#queue.length === 0 && !this.#isWriting) return;
    this.#schedule(0);
    await new Promise<void>((resolve) => void this.#drained.push(resolve));
  }

  /** The first item begins the batch, so that its spans belong to the trace of that item, and not to one that ended long ago. */
  #schedule(ms: number): void {
    const { platform } = this.#options;
    if (this.#isWriting) return;
    if (ms > 0) {
      this.#cancelTimer ??= platform.after(ms, () => void this.#flush());
    } else if (!this.#isSoon) {
      this.#isSoon = true;
      platform.soon(() => void this.#flush());
    }
  }

  async #flush(): Promise<void> {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#isSoon = false;
    if (this.#isWriting || this.#queue.length === 0) return;
    this.#isWriting = true;
    const batch = this.#queue.splice(0, this.#next());
    try {
      const outputs = await this.#options.write(batch.map(({ input }) => input));
      this.#most = Math.min(MOST_AT_ONCE, 2 * this.#most);
      for (const [index, { resolve }] of batch.entries()) resolve(outputs[index] as Out);
    } catch (error) {
      this.#most = Math.ceil(batch.length / 2);
      for (const { reject } of [...batch, ...this.#late()]) reject(error);
    }
    this.#isWriting = false;
    if (this.#queue.length > 0) this.#schedule(0);
    else for (const resolve of this.#drained.splice(0)) resolve();
  }

  /** Takes the items that have waited for too long out of the queue. */
  #late(): Item<In, Out>[] {
    const { platform, limitMs = Number.POSITIVE_INFINITY } = this.#options;
    const before = platform.now() - limitMs;
    const late = this.#queue.filter(({ queuedAt }) => queuedAt <= before);
    this.#queue = this.#queue.filter(({ queuedAt }) => queuedAt > before);
    return late;
  }

  /** Returns how many items the next batch has. */
  #next(): number {
    const { lengthOf = () => 0 } = this.#options;
    let length = 0;
    const end = this.#queue.findIndex(({ input }, index) => {
      length += lengthOf(input);
      return index === this.#most || (index > 0 && length > LONGEST);
    });
    return end === -1 ? this.#queue.length : end;
  }
}
