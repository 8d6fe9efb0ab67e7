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
  #writing: Promise<void> | undefined;

  constructor(write: (inputs: readonly In[]) => Promise<readonly Out[]>) {
    this.#write = write;
  }

  run(input: In): Promise<Out> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ input, resolve, reject });
      this.#writing ??= this.#flush();
    });
  }

  /** Waits until all items are written. */
  async drain(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  async #flush(): Promise<void> {
    // Items that are added in the same turn of the event loop are written together.
    await Promise.resolve();
    while (this.#queue.length > 0) {
      const batch = this.#queue.splice(0, MOST_AT_ONCE);
      try {
        const outputs = await this.#write(batch.map(({ input }) => input));
        for (const [index, { resolve }] of batch.entries()) resolve(outputs[index] as Out);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#writing = undefined;
  }
}
