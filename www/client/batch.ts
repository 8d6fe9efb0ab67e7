import { OrderValidationError } from 'sales-order-intake';
import { notify } from '../../pkg-template/src/platform/notify.js';
import { onAbort } from '../../pkg-template/src/platform/timeout.js';
import { orderIdOf } from '../../pkg-template/src/sending/request.js';
import { AuthenticationError, OrderIntakeError, type SendError } from './errors.js';
import { ClientGate, Lane } from './client-gate.js';
import type { Batch, BatchResult, BatchSummary, CreatedOrder } from './results.js';
import type { BatchSettings, OrderSettings } from './settings.js';
import type { ClientContext } from './submission.js';

type Source<Order> = Iterable<Order> | AsyncIterable<Order>;
type Send<Order> = (order: Order, settings: OrderSettings) => Promise<CreatedOrder>;

/**
 * Returns a batch of these results. If it is awaited, it iterates them itself. It is a generator with everything that the
 * platform adds to generators, for example disposal.
 */
export function batchOf<Order>(results: AsyncGenerator<BatchResult<Order>, void, void>): Batch<Order> {
  const generator = { next: results.next, return: results.return, throw: results.throw };
  let summary: Promise<BatchSummary<Order>> | undefined;
  let isIterated = false;
  return Object.assign(results, {
    next() {
      if (summary)
        return Promise.reject(new TypeError('the batch is awaited: it can be iterated instead, not as well'));
      isIterated = true;
      return generator.next.call(results);
    },
    return() {
      isIterated = true;
      return generator.return.call(results);
    },
    throw(error: unknown) {
      isIterated = true;
      return generator.throw.call(results, error);
    },
    // biome-ignore lint/suspicious/noThenProperty: a batch can be awaited.
    then<Done, Failed>(
      onDone?: ((summary: BatchSummary<Order>) => Done | PromiseLike<Done>) | null,
      onFailed?: ((error: unknown) => Failed | PromiseLike<Failed>) | null,
    ): Promise<Done | Failed> {
      if (isIterated && !summary) {
        const error = new TypeError('the batch is iterated: it can be awaited instead, not as well');
        return Promise.reject(error).then(onDone, onFailed);
      }
      summary ??= summarized(() => generator.next.call(results));
      return summary.then(onDone, onFailed);
    },
  });
}

async function summarized<Order>(
  next: () => Promise<IteratorResult<BatchResult<Order>, void>>,
): Promise<BatchSummary<Order>> {
  const summary: BatchSummary<Order> = { created: 0, alreadyThere: 0, accepted: 0, failed: [] };
  for (let { value, done } = await next(); !done && value; { value, done } = await next()) {
    if (!value.ok) summary.failed.push(value);
    else if (value.created.delivery) summary.accepted++;
    else if (value.created.alreadyThere) summary.alreadyThere++;
    else summary.created++;
  }
  return summary;
}

/** How many orders may have been started and wait for a retry, in multiples of `concurrency`. */
const MOST_RESTING = 3;

/**
 * Orders in flight and results that nobody has taken yet: together never more than `concurrency`, so that a slow consumer
 * slows down the sending and memory stays flat. Orders that wait for a retry do not hold up the others.
 */
export class BatchRun<Order> {
  readonly #source: Source<Order>;
  readonly #sendOne: Send<Order>;
  readonly #lane: Lane;
  readonly #sending: OrderSettings;
  readonly #settings: BatchSettings<Order>;
  #isStopped = false;
  readonly #results: BatchResult<Order>[] = [];
  readonly #progress = { done: 0, failed: 0, inFlight: 0 };
  #iterator: Iterator<Order> | AsyncIterator<Order> | undefined;
  #started = 0;
  /** Orders in flight, and those whose onResult is still running. */
  #busy = 0;
  #isPulling = false;
  #isExhausted = false;
  /** The reason why the batch ended; `isMistake` if a callback of the program threw it. */
  #failure: { error: unknown; isMistake: boolean } | undefined;
  #wake: () => void = () => {};

  constructor(
    source: Source<Order>,
    sendOne: Send<Order>,
    settings: BatchSettings<Order>,
    { platform, gate, settings: { retry } }: ClientContext,
  ) {
    this.#source = source;
    this.#sendOne = sendOne;
    this.#settings = settings;
    const { concurrency, send: sending } = settings;
    const passed = sending.sharePause ? gate : new ClientGate(platform, retry);
    this.#lane = new Lane(passed, concurrency, () => void this.#pull());
    this.#sending = { ...sending, lane: this.#lane };
  }

  /** Sends the orders. Documented at Client.createOrders. */
  async *results(): AsyncGenerator<BatchResult<Order>, void, void> {
    const { signal } = this.#sending;
    this.#lane.gate.open(this.#lane);
    const ignoreSignal = signal && onAbort(signal, () => this.#end(signal.reason));
    if (signal?.aborted) this.#end(signal.reason);
    try {
      for (void this.#pull(); !this.#isOver; void this.#pull()) {
        const result = this.#results.shift();
        if (result) {
          // There is room for another order while the caller has the result.
          void this.#pull();
          yield result;
        } else await this.#change();
      }
      if (this.#failure) throw this.#failure.error;
    } finally {
      this.#stop();
      ignoreSignal?.();
      await this.#finish();
    }
  }

  /** True after the last result. An order in flight finishes when its onResult settles. */
  get #isOver(): boolean {
    const startsNoMore = this.#isStopped || (this.#isExhausted && !this.#isPulling);
    return startsNoMore && this.#busy === 0 && this.#results.length === 0;
  }

  /** Starts no further order; the error is thrown after the last result, unless every order has its result already. */
  #end(error: unknown): void {
    if (this.#isExhausted && this.#busy === 0) return;
    this.#failure ??= { error, isMistake: false };
    this.#stop();
  }

  /** Starts no further order. */
  #stop(): void {
    this.#isStopped = true;
    this.#wake();
  }

  /** Waits for the orders in flight and closes the source. Throws the error of a callback. */
  async #finish(): Promise<void> {
    while (this.#busy > 0) await this.#change();
    this.#lane.gate.close(this.#lane);
    if (!this.#isExhausted) {
      this.#isExhausted = true;
      const closing = Promise.resolve(this.#iterator?.return?.());
      // A source that is producing its next order closes after that, which may take forever.
      if (this.#isPulling) closing.catch(() => {});
      else await closing;
    }
    // A caller that leaves the loop does not get the error that ended the batch, unless it is a mistake of the program.
    if (this.#failure?.isMistake) throw this.#failure.error;
  }

  /** Runs once at a time, and pulls only if there is room for the order. */
  async #pull(): Promise<void> {
    if (this.#isPulling) return;
    this.#isPulling = true;
    try {
      while (!this.#isStopped && !this.#isExhausted && this.#hasRoom) {
        this.#iterator ??= iteratorOf(this.#source);
        const { done, value } = await this.#iterator.next();
        if (done) this.#isExhausted = true;
        else if (!this.#isStopped) void this.#send(value);
      }
    } catch (error) {
      if (!this.#isStopped) {
        this.#isExhausted = true;
        this.#failure ??= { error, isMistake: false };
      }
    } finally {
      this.#isPulling = false;
      this.#wake();
    }
  }

  get #hasRoom(): boolean {
    const { concurrency } = this.#settings;
    const resting = Math.min(this.#lane.resting, MOST_RESTING * concurrency);
    return this.#busy - resting + this.#results.length < concurrency && this.#lane.gate.hasRoom(this.#lane);
  }

  async #send(input: Order): Promise<void> {
    const index = this.#started++;
    this.#busy++;
    this.#progress.inFlight++;
    try {
      const result = await this.#resultOf(index, input);
      this.#progress.done++;
      if (!result.ok) this.#progress.failed++;
      const handled = this.#settings.onResult?.(result) as unknown;
      this.#results.push(result);
      notify(() => this.#settings.onProgress?.({ ...this.#progress }));
      this.#wake();
      if (handled !== undefined) await handled;
    } catch (error) {
      this.#failure ??= { error, isMistake: true };
      this.#stop();
    }
    this.#busy--;
    this.#wake();
  }

  async #resultOf(index: number, input: Order): Promise<BatchResult<Order>> {
    try {
      const created = await this.#sendOne(input, this.#sending);
      return { index, input, orderId: created.orderId, ok: true, created };
    } catch (error) {
      if (!isSendError(error)) throw error;
      // A token function that fails may recover; tokens that expire are replaced.
      const isUnauthorized = error instanceof AuthenticationError && !error.retryable;
      if (this.#settings.stopOnUnauthorized && isUnauthorized) this.#end(error);
      return { index, input, orderId: orderIdOf(input), ok: false, error };
    } finally {
      this.#progress.inFlight--;
    }
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      // Once: in Node, resolving a promise a second time takes longer than making one.
      this.#wake = () => {
        this.#wake = () => {};
        resolve();
      };
    });
  }
}

/** Returns false for a mistake in the program, or in this package. */
function isSendError(error: unknown): error is SendError {
  return error instanceof OrderIntakeError || error instanceof OrderValidationError;
}

function iteratorOf<Order>(source: Source<Order>): Iterator<Order> | AsyncIterator<Order> {
  return Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
}
