import { tell } from './hooks.js';
import { onAbort } from './on-abort.js';
import type { BulkOptions, BulkResult, Created } from './types.js';

/** How the orders of a bulk are sent. */
export interface Sender<Order> {
  send(order: Order): Promise<Created>;
  /** Settles when the service takes orders again; rejects when the signal fires. Undefined where it takes them now. */
  opened(signal: AbortSignal): Promise<void> | undefined;
}

/** The documentation is that of Client.createOrders. */
export async function* sendAll<Order>(
  source: Iterable<Order> | AsyncIterable<Order>,
  sender: Sender<Order>,
  { concurrency, signal, onProgress }: Pick<BulkOptions, 'signal' | 'onProgress'> & { concurrency: number },
): AsyncGenerator<BulkResult, void, void> {
  const bulk = new Bulk(source, sender, concurrency, onProgress);
  const ignoreSignal = signal && onAbort(signal, () => bulk.stop());
  if (signal?.aborted) bulk.stop();
  try {
    for (let result = await bulk.next(); result; result = await bulk.next()) yield result;
  } finally {
    bulk.stop();
    ignoreSignal?.();
    await bulk.settled();
  }
}

/**
 * Orders in flight and results that wait to be taken; together never more than `concurrency`, so that a slow consumer
 * slows the sending and memory stays flat.
 */
class Bulk<Order> {
  readonly #sender: Sender<Order>;
  readonly #concurrency: number;
  readonly #onProgress: BulkOptions['onProgress'];
  readonly #source: Iterable<Order> | AsyncIterable<Order>;
  readonly #halt = new AbortController();
  readonly #results: BulkResult[] = [];
  readonly #progress = { done: 0, failed: 0 };
  #iterator: Iterator<Order> | AsyncIterator<Order> | undefined;
  #started = 0;
  #inFlight = 0;
  #isPulling = false;
  #isExhausted = false;
  #sourceError: { error: unknown } | undefined;
  #wake: () => void = () => {};

  constructor(
    source: Iterable<Order> | AsyncIterable<Order>,
    sender: Sender<Order>,
    concurrency: number,
    onProgress: BulkOptions['onProgress'],
  ) {
    this.#source = source;
    this.#sender = sender;
    this.#concurrency = concurrency;
    this.#onProgress = onProgress;
  }

  get #isStopped(): boolean {
    return this.#halt.signal.aborted;
  }

  /** The next result; undefined after the last. Throws what the source has thrown, after the results. */
  async next(): Promise<BulkResult | undefined> {
    void this.#pull();
    while (this.#results.length === 0) {
      const noneToCome = this.#isStopped || (this.#isExhausted && !this.#isPulling);
      if (noneToCome && this.#inFlight === 0) {
        if (this.#sourceError) throw this.#sourceError.error;
        return undefined;
      }
      await this.#change();
    }
    const result = this.#results.shift();
    void this.#pull();
    return result;
  }

  /** Begins no further order. */
  stop(): void {
    this.#halt.abort();
    this.#wake();
  }

  /** Waits for the orders in flight, and lets the source clean up. */
  async settled(): Promise<void> {
    while (this.#inFlight > 0) await this.#change();
    if (this.#isExhausted) return;
    const closing = this.#close();
    // A source that waits for its next order closes after that; nobody knows when.
    if (this.#isPulling) closing.catch(() => {});
    else await closing;
  }

  async #close(): Promise<void> {
    this.#isExhausted = true;
    await this.#iterator?.return?.();
  }

  /** One pull at a time, and only for a free place. */
  async #pull(): Promise<void> {
    if (this.#isPulling) return;
    this.#isPulling = true;
    try {
      while (!this.#isStopped && !this.#isExhausted && this.#inFlight + this.#results.length < this.#concurrency) {
        const opening = this.#sender.opened(this.#halt.signal);
        if (opening) await opening;
        this.#iterator ??= iteratorOf(this.#source);
        const { done, value } = await this.#iterator.next();
        if (done) this.#isExhausted = true;
        else if (!this.#isStopped) void this.#send(value);
      }
    } catch (error) {
      if (!this.#isStopped) {
        this.#isExhausted = true;
        this.#sourceError = { error };
      }
    } finally {
      this.#isPulling = false;
      this.#wake();
    }
  }

  async #send(order: Order): Promise<void> {
    const index = this.#started++;
    this.#inFlight++;
    let result: BulkResult;
    try {
      result = { index, ok: true, created: await this.#sender.send(order) };
    } catch (error) {
      result = { index, ok: false, error: error as Error };
      this.#progress.failed++;
    }
    this.#inFlight--;
    this.#progress.done++;
    this.#results.push(result);
    tell(() => this.#onProgress?.({ ...this.#progress }));
    this.#wake();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

function iteratorOf<Order>(source: Iterable<Order> | AsyncIterable<Order>): Iterator<Order> | AsyncIterator<Order> {
  return Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
}
