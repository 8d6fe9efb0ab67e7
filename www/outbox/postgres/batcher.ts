interface Item<In, Out> {
  input: In;
  resolve(output: Out): void;
  reject(error: unknown): void;
}

const MOST_AT_ONCE = 200;

/** Collects what comes while a batch is being written, and writes it together: one commit for many. */
export class Batcher<In, Out> {
  readonly #write: (inputs: readonly In[]) => Promise<readonly Out[]>;
  #queue: Item<In, Out>[] = [];
  #isWriting = false;

  constructor(write: (inputs: readonly In[]) => Promise<readonly Out[]>) {
    this.#write = write;
  }

  run(input: In): Promise<Out> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ input, resolve, reject });
      void this.#flush();
    });
  }

  /** Waits for all that was asked for. */
  async drain(): Promise<void> {
    while (this.#isWriting) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  async #flush(): Promise<void> {
    if (this.#isWriting) return;
    this.#isWriting = true;
    // What is asked for in the same turn belongs together.
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
    this.#isWriting = false;
  }
}
