import { Worker } from 'node:worker_threads';
import type { RelayDecision } from '#serve';
import { evaluated, type Evaluated } from './evaluation.js';

/** The most amounts that are computed at once: some 10 ms, in which nothing else is done. */
const MOST_AT_ONCE = 1000;
/** The most large evaluations that wait for the one that runs. */
const MOST_WAITING = 8;

/** A large evaluation that waits, or runs. */
interface Job {
  evaluation: Request;
  /** Its sender waits no longer. */
  signal: AbortSignal;
  resolve(result: Evaluated | null): void;
  reject(error: unknown): void;
}

type Request = NonNullable<RelayDecision['evaluation']>;

/** Evaluates orders. Large ones take turns in a thread of their own, so that they hold up nothing else. */
export class Evaluator {
  readonly #waiting: Job[] = [];
  #running: Job | undefined;
  #thread: Worker | undefined;

  /** Resolves with null if too many wait already, or `signal` has fired before its turn. */
  async evaluate(evaluation: Request, signal: AbortSignal): Promise<Evaluated | null> {
    if (evaluation.products <= MOST_AT_ONCE) return evaluated(evaluation);
    if (this.#waiting.length >= MOST_WAITING) return null;
    return new Promise((resolve, reject) => {
      this.#waiting.push({ evaluation, signal, resolve, reject });
      this.#next();
    });
  }

  #next(): void {
    if (this.#running) return;
    const job = this.#waiting.shift();
    if (job?.signal.aborted) {
      job.resolve(null);
      this.#next();
    } else if (job) {
      this.#running = job;
      this.#thread ??= this.#started();
      this.#thread.postMessage(job.evaluation);
    }
  }

  #started(): Worker {
    // Beside the module of the command, and beside those that commands share.
    const thread = new Worker(new URL('../relay/evaluation-thread.js', import.meta.url));
    thread.unref();
    thread.on('message', (result: Evaluated) => this.#finish((job) => job.resolve(result)));
    thread.on('error', (error) => {
      // The thread has ended: the next evaluation starts another.
      this.#thread = undefined;
      this.#finish((job) => job.reject(error));
    });
    return thread;
  }

  #finish(settle: (job: Job) => void): void {
    const job = this.#running;
    this.#running = undefined;
    if (job) settle(job);
    this.#next();
  }
}
