import type { Guid } from 'sales-order-intake';
import type { Platform } from '../www/platform/platform.js';
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
const STOPPED = 'before the outbox had to stop';
const READS = ['now', 'get', 'list', 'count'];
/** After the time of a stop is up, the store still has this long to write which orders were interrupted, and to close. */
const LAST_WRITES_MS = 250;

/** Ends each call of a store within a time (D59), and all of them when a stop has no time left. */
export class StoreLimit {
  readonly #platform: Platform;
  readonly #ms: number;
  /** The calls that have not ended. */
  readonly #pending = new Set<Call>();
  /** Cancels the timer of the oldest of them. */
  #cancel: (() => void) | undefined;
  #isOver = false;

  constructor(platform: Platform, ms: number) {
    this.#platform = platform;
    this.#ms = ms;
  }

  /** True if calls are no longer waited for. */
  get isOver(): boolean {
    return this.#isOver;
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
        return (...args: unknown[]) => this.#within(name, args, async () => value.apply(target, args));
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
    const isSilent = [...this.#pending].some(({ startedAt }) => startedAt <= latest);
    if (!isSilent) return this.#platform.after(LAST_WRITES_MS, () => this.#end());
    this.#end();
    return () => {};
  }

  #end(): void {
    this.#isOver = true;
    for (const call of this.#pending) this.#giveUp(call, STOPPED);
  }

  /** As `withTimeout`, without a signal, which the store would not see, and without a timer for each call. */
  #within<T>(name: string, [subject]: unknown[], work: () => Promise<T>, late?: (value: T) => void): Promise<T> {
    return new Promise((resolve, reject) => {
      const call: Call = { name, subject, startedAt: this.#platform.now(), reject };
      this.#pending.add(call);
      this.#cancel ??= this.#platform.after(this.#ms, this.#expire);
      // Without a pause before it: a synchronous transaction of the caller is still open now.
      if (!this.#isOver || name === 'close')
        work().then(
          (value) => (this.#ended(call) ? resolve(value) : late?.(value)),
          (error: unknown) => this.#ended(call) && reject(error),
        );
      if (this.#isOver) this.#giveUp(call, STOPPED);
    });
  }

  /** Gives up the calls whose time is up. They have the same time, so the first of the others is the next. */
  readonly #expire = (): void => {
    this.#cancel = undefined;
    for (const call of this.#pending) {
      const remaining = call.startedAt + this.#ms - this.#platform.now();
      if (remaining > 0) {
        this.#cancel = this.#platform.after(remaining, this.#expire);
        return;
      }
      this.#giveUp(call, `within ${this.#ms} ms`);
    }
  };

  #giveUp(call: Call, when: string): void {
    const { name, subject } = call;
    const orderId = typeof subject === 'string' ? (subject as Guid) : (subject as { orderId?: Guid })?.orderId;
    if (this.#ended(call)) call.reject(silent(name, orderId, when));
  }

  /** Returns false if the call was given up before. */
  #ended(call: Call): boolean {
    const wasPending = this.#pending.delete(call);
    if (this.#pending.size === 0) {
      this.#cancel?.();
      this.#cancel = undefined;
    }
    return wasPending;
  }
}

/** A call of a store that has not ended. */
interface Call {
  readonly name: string;
  /** Its first argument. */
  readonly subject: unknown;
  readonly startedAt: number;
  reject(error: OutboxError): void;
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
