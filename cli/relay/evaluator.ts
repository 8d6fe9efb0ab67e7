import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { RelayDecision } from '#serve';
import { evaluated, type Evaluated } from './evaluation.js';

/** The most amounts that are computed at once: some 10 ms, in which nothing else is done. */
const MOST_AT_ONCE = 1000;
/** The most large evaluations that run or wait for the one that runs. */
const MOST_LARGE = 9;

type Request = NonNullable<RelayDecision['evaluation']>;

/** Evaluates orders. Large ones take turns in a thread of their own, so that they hold up nothing else. */
export class Evaluator {
  #large = 0;
  /** Settles when all large ones before have ended. */
  #last: Promise<unknown> = Promise.resolve();
  #thread: Worker | undefined;

  /** Resolves with null if too many wait already, or `signal` has fired before its turn: its sender waits no longer. */
  async evaluate(evaluation: Request, signal: AbortSignal): Promise<Evaluated | null> {
    if (evaluation.products <= MOST_AT_ONCE) return evaluated(evaluation);
    if (this.#large >= MOST_LARGE) return null;
    this.#large++;
    const result = this.#last.then(() => (signal.aborted ? null : this.#inThread(evaluation)));
    this.#last = result.catch(() => {});
    return result.finally(() => this.#large--);
  }

  async #inThread(evaluation: Request): Promise<Evaluated> {
    // Beside the module of the command, and beside those that commands share.
    const thread = this.#thread ?? new Worker(new URL('../relay/evaluation-thread.js', import.meta.url));
    this.#thread = thread;
    thread.unref();
    thread.postMessage(evaluation);
    try {
      const [result] = (await once(thread, 'message')) as [Evaluated];
      return result;
    } catch (error) {
      // The thread has ended: the next evaluation starts another.
      this.#thread = undefined;
      throw error;
    }
  }
}
