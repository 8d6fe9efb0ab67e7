interface Item<In, Out> {
  input: In;
  resolve(output: Out): void;
  reject(error: unknown): void;
}

interface BatchOptions<In, Out> {
  idOf(input: In): string;
  /** Returns about how many characters of an item are written. */
  lengthOf(input: In): number;
  write(inputs: readonly In[]): Promise<readonly Out[]>;
}

/** The most items of a batch, and of their characters, unless a single one has more. */
const MOST_AT_ONCE = 200;
const LONGEST = 4 * 2 ** 20;

/**
 * Collects items while a batch is being written, and writes them together, with one commit: in the order of their Ids, so that
 * two processes that write the same orders don't wait for each other. After a batch that failed, the next ones are half as long,
 * so that an item which can't be written holds up no others that are tried again.
 */
export function batcher<In, Out>({ idOf, lengthOf, write }: BatchOptions<In, Out>) {
  const queue: Item<In, Out>[] = [];
  let most = MOST_AT_ONCE;
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
    const batch = queue.splice(0, next());
    if (queue.length > 0) flushNext();
    batch.sort((a, b) => (idOf(a.input) < idOf(b.input) ? -1 : 1));
    try {
      const outputs = await write(batch.map(({ input }) => input));
      most = Math.min(MOST_AT_ONCE, 2 * most);
      for (const [index, { resolve }] of batch.entries()) resolve(outputs[index] as Out);
    } catch (error) {
      most = Math.ceil(batch.length / 2);
      for (const { reject } of batch) reject(error);
    }
  }

  /** Returns how many items the next batch has. */
  function next(): number {
    let length = 0;
    const end = queue.findIndex(({ input }, index) => {
      length += lengthOf(input);
      return index === most || (index > 0 && length > LONGEST);
    });
    return end === -1 ? queue.length : end;
  }
}
