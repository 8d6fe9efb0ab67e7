interface Item<In, Out> {
  input: In;
  resolve(output: Out): void;
  reject(error: unknown): void;
}

const MOST_AT_ONCE = 200;

/** Collects items while a batch is being written, and writes them together, with one commit. */
export class Batcher<In, Out> {
  readonly #write: (inputs: readonly In[]) => Promise<readonly Out[]>;
  #queue: Item<In, Out>[] = [];
  #writing: Promise<void> = Promise.resolve();

  constructor(write: (inputs: readonly In[]) => Promise<readonly Out[]>) {
    this.#write = write;
  }

  run(input: In): Promise<Out> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ input, resolve, reject });
      if (this.#queue.length === 1) this.#flushNext();
    });
  }

  /** Waits until all items are written. */
  async drain(): Promise<void> {
    for (let last: Promise<void> | undefined; last !== this.#writing; await last) last = this.#writing;
  }

  /**
   * Writes the next batch after the one that is being written; if there is none, after this turn of the event loop. Called by the
   * first item of a batch, so that its spans are parts of the trace of that item, and not of one that ended long ago.
   */
  #flushNext(): void {
    this.#writing = this.#writing.then(() => this.#flush());
  }

  async #flush(): Promise<void> {
    const batch = this.#queue.splice(0, MOST_AT_ONCE);
    if (this.#queue.length > 0) this.#flushNext();
    try {
      const outputs = await this.#write(batch.map(({ input }) => input));
      for (const [index, { resolve }] of batch.entries()) resolve(outputs[index] as Out);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
