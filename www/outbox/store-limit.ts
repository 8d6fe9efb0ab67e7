import type { Guid } from 'sales-order-intake';
import type { Platform } from '../platform/platform.js';
import { Interruption, withTimeout } from '../platform/timeout.js';
import { OutboxError } from './errors.js';
import type { OutboxStore, TakenEntry, TakeOptions, TakeResult } from './store/index.js';

/** The functions of a store that the outbox waits for, as messages call them. */
const WAITS: Readonly<Record<string, string>> = {
  now: 'read the time',
  add: 'add the order',
  take: 'take orders that are due',
  settle: 'write the result of an attempt',
  change: 'change the entry',
  changeAll: 'change entries',
  get: 'look up the entry',
  list: 'list entries',
  count: 'count entries',
  sweep: 'look for passed deadlines and old entries',
  close: 'close',
};
const READS = ['now', 'get', 'list', 'count'];
/** After the time of a stop is up, the store still has this long to write which orders were interrupted, and to close. */
const LAST_WRITES_MS = 250;

/** Ends each call of a store within a time (D59), and all of them when a stop has no time left. */
export class StoreLimit {
  readonly #platform: Platform;
  readonly #ms: number;
  readonly #end = new AbortController();
  /** When each call began that has not ended. */
  readonly #pending = new Map<object, number>();

  constructor(platform: Platform, ms: number) {
    this.#platform = platform;
    this.#ms = ms;
  }

  /** True if calls are no longer waited for. */
  get isOver(): boolean {
    return this.#end.signal.aborted;
  }

  /**
   * Returns the store with this limit.
   *
   * @param late What to do with an entry that a call of `take` returns after it was given up.
   */
  of<Transaction>(store: OutboxStore<Transaction>, late: (entry: TakenEntry) => void): OutboxStore<Transaction> {
    return new Proxy(store, {
      // Read at each call: a test may replace a function.
      get: (target, name: keyof OutboxStore<Transaction>) => {
        const value: unknown = target[name];
        if (typeof value !== 'function') return value;
        if (!(name in WAITS)) return value.bind(target);
        if (name === 'take')
          return (options: TakeOptions) =>
            this.#within<TakeResult>(
              name,
              [],
              () => target.take(options),
              ({ entries }) => entries.forEach(late),
            );
        return (...args: unknown[]) => this.#within(name, args, () => value.apply(target, args));
      },
    });
  }

  /**
   * The time of a stop is up: calls end now if the store does not respond, otherwise it may still write.
   *
   * @param timeoutMs The time that the stop had.
   */
  endSoon(timeoutMs: number): () => void {
    const latest = this.#platform.now() - Math.min(LAST_WRITES_MS, timeoutMs || LAST_WRITES_MS);
    const isSilent = [...this.#pending.values()].some((startedAt) => startedAt <= latest);
    if (!isSilent) return this.#platform.after(LAST_WRITES_MS, () => this.#end.abort());
    this.#end.abort();
    return () => {};
  }

  async #within<T>(name: string, [subject]: unknown[], work: () => Promise<T>, late?: (value: T) => void): Promise<T> {
    // A store is closed in any case. What it still does is not waited for.
    if (this.isOver && name === 'close') work().catch(() => {});
    const call = {};
    this.#pending.set(call, this.#platform.now());
    let isLate = false;
    try {
      // The call begins without a pause: a synchronous transaction of the caller is still open now.
      return await withTimeout(this.#platform, this.#ms, this.#end.signal, async () => {
        const value = await work();
        if (isLate) late?.(value);
        return value;
      });
    } catch (error) {
      if (!(error instanceof Interruption)) throw error;
      isLate = true;
      const orderId = typeof subject === 'string' ? (subject as Guid) : (subject as { orderId?: Guid })?.orderId;
      throw silent(name, orderId, error.by === 'timeout' ? `within ${this.#ms} ms` : 'before the outbox had to stop');
    } finally {
      this.#pending.delete(call);
    }
  }
}

/** Returns the error for a store that did not respond. */
export function silent(name: string, orderId: Guid | undefined, when: string): OutboxError {
  const doubt = READS.includes(name)
    ? ''
    : name === 'add'
      ? '. It may have done so: add the same order again, which does not send it twice'
      : '. It may have done so';
  const message = `The store did not respond ${when}; it was asked to ${WAITS[name]}${doubt}`;
  return new OutboxError('store', message, { orderId, code: 'ETIMEDOUT' });
}
