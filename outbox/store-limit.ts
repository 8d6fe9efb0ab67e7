import type { Guid } from 'sales-order-intake';
import type { Platform } from '../pkg-template/src/platform/platform.js';
import { OutboxError } from './errors.js';
import type { OutboxStore, TakenEntry, TakeResult } from './store.js';

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
  setPauses: 'store what is held back',
  getPauses: 'read what is held back',
  close: 'close',
};
const STOPPED = 'before the outbox had to stop';
const READS = ['now', 'get', 'list', 'count', 'getPauses'];
/** After the time of a stop is up, the store still has this long to write which orders were interrupted, and to close. */
const LAST_WRITES_MS = 250;

/** Ends each call of a store within a time (D59), and all of them when a stop has no time left. */
export class StoreLimit {
  readonly #platform: Platform;
  readonly #ms: number;
  /** The calls that have not ended. */
  readonly #pending = new Set<Call>();
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
        const lateTake = name === 'take' ? ({ entries }: TakeResult) => entries.forEach(late) : undefined;
        return (...args: unknown[]) => this.#within(name, args, async () => value.apply(target, args), lateTake);
      },
    });
  }

  /**
   * Called when the time of a stop is up: ends calls now if the store does not respond, otherwise after some last writes.
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
    for (const { giveUp } of this.#pending) giveUp(STOPPED);
  }

  /** As `withTimeout`, without a signal, which the store would not see and which costs memory for each order. */
  #within<T>(name: string, [subject]: unknown[], work: () => Promise<T>, late?: (value: T) => void): Promise<T> {
    const orderId = typeof subject === 'string' ? (subject as Guid) : (subject as { orderId?: Guid })?.orderId;
    return new Promise((resolve, reject) => {
      const end = () => {
        cancel();
        return this.#pending.delete(call);
      };
      const giveUp = (when: string) => {
        if (end()) reject(silent(name, orderId, when));
      };
      const cancel = this.#platform.after(this.#ms, () => giveUp(`within ${this.#ms} ms`));
      const call: Call = { startedAt: this.#platform.now(), giveUp };
      this.#pending.add(call);
      // Without awaiting first: a synchronous transaction of the caller is still open now.
      if (!this.#isOver || name === 'close')
        work().then(
          (value) => (end() ? resolve(value) : late?.(value)),
          (error: unknown) => end() && reject(error),
        );
      if (this.#isOver) giveUp(STOPPED);
    });
  }
}

/** A call of a store that has not ended. */
interface Call {
  startedAt: number;
  giveUp(when: string): void;
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
