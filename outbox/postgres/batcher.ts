interface Item<In, Out> {
  input: In;
  resolve(output: Out): void;
  reject(error: unknown): void;
}

const MOST_AT_ONCE = 200;

/**
 * Collects items while a batch is being written, and writes them together, with one commit: in the order of their Ids, so that
 * two processes that write the same orders don't wait for each other.
 */
export function batcher<In, Out>(
  idOf: (input: In) => string,
  write: (inputs: readonly In[]) => Promise<readonly Out[]>,
) {
  const queue: Item<In, Out>[] = [];
  let writing: Promise<void> = Promise.resolve();
  return {
    run: (input: In) =>
      new Promise<Out>((resolve, reject) => {
        queue.push({ input, resolve, reject });
        if (queue.length === 1) flushNext();
      }),
    /** Waits until all items are written. */
    async drain(): Promise<void> {
      for (let last: Promise<void> | undefined; last !== writing; await last) last = writing;
    },
  };

  /**
   * Writes the next batch after the one that is being written; if there is none, after this turn of the event loop. Called by the
   * first item of a batch, so that its spans belong to the trace of that item, and not to one that ended long ago.
   */
  function flushNext(): void {
    writing = writing.then(flush);
  }

  async function flush(): Promise<void> {
    const batch = queue.splice(0, MOST_AT_ONCE);
    if (queue.length > 0) flushNext();
    batch.sort((a, b) => (idOf(a.input) < idOf(b.input) ? -1 : 1));
    try {
      const outputs = await write(batch.map(({ input }) => input));
      for (const [index, { resolve }] of batch.entries()) resolve(outputs[index] as Out);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
