import { jsonLine } from '../output/printable-text.js';
import { accessSync, closeSync, constants, openSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Entry } from 'sales-order-intake/outbox';
import { isAt, PRIVATE, resolved } from '../files/distinct-files.js';
import { EXIT, Problem, usageProblem } from '../problem.js';
import { DISK_ERRORS } from './journal-problem.js';

/** The result of an order. Its reasons and issues may have personal data of the order. */
export interface OrderResult
  extends Pick<Entry, 'outcome' | 'reason' | 'status' | 'requestId' | 'attempts' | 'alreadyThere' | 'detail'> {
  /** Null, as line and column, if the order is no longer in the file: it was never sent, and is withdrawn (D61). */
  file: string | null;
  line: number | null;
  column: number | null;
  /** What identifies the order in the file; null if the file has no mapping. */
  key: string | null;
  orderId: string | null;
  /**
   * `invalid`: it was not sent. `created` and `waiting`: with the contents that it had before it was changed, or as an earlier
   * order of the file has it.
   */
  state: 'invalid' | Entry['state'];
  /** The URL that was called; null if there was no response. */
  url: string | null;
  /** An earlier run, or an earlier order with the Id, has sent other contents than these, or may have sent them. */
  isChanged: boolean;
  issues: readonly object[];
}

/**
 * Writes orders that failed, one JSON value per line. Each run writes its own report, complete in itself. It is written
 * beside the report of an earlier run, which it replaces at the end.
 */
export class ReportFile {
  readonly path: string;
  /** Lines written. */
  count = 0;
  readonly #file: string;
  readonly #partial: string;
  /** A device or a pipe is written to, not replaced. */
  readonly #isSpecial: boolean;
  #descriptor = -1;

  /** @throws Problem if it can't be written. */
  constructor(path: string) {
    this.path = path;
    this.#file = resolved(path);
    const stats = this.#try(() => statSync(path, { throwIfNoEntry: false }));
    this.#isSpecial = stats !== undefined && !stats.isFile();
    this.#partial = this.#isSpecial ? path : partialOf(this.#file);
    this.#try(() => {
      if (stats?.isDirectory()) throw Object.assign(new Error('It is a folder'), { code: 'EISDIR' });
      // With a dot, so that the path must be a folder.
      accessSync(stats ? path : `${dirname(this.#file)}/.`, constants.W_OK);
    });
  }

  /** Called when the journal is open, so that no other run of the same journal is writing the report. */
  open(): void {
    this.#try(() => {
      if (!this.#isSpecial) rmSync(this.#partial, { force: true });
      this.#descriptor = openSync(this.#partial, this.#isSpecial ? 'w' : 'wx', PRIVATE);
    });
  }

  /** Adds an order that was not created, or not as the file has it. */
  add({ attempts: _1, alreadyThere: _2, isChanged: _3, ...order }: OrderResult): void {
    this.count++;
    this.#try(() => writeFileSync(this.#descriptor, `${jsonLine(order)}\n`));
  }

  /** Replaces the report of an earlier run, whose orders may be created by now. */
  close(): void {
    if (this.#isSpecial) {
      closeSync(this.#descriptor);
      return;
    }
    this.#try(() => {
      const isOurs = isAt(this.#partial, this.#descriptor);
      closeSync(this.#descriptor);
      if (!isOurs) {
        throw usageProblem(`another process has replaced the report ${this.path}`, 'Give each run its own: --report.');
      }
      renameSync(this.#partial, this.#file);
      if (this.count === 0) rmSync(this.#file);
    });
  }

  #try<Result>(action: () => Result): Result {
    try {
      return action();
    } catch (error) {
      if (error instanceof Problem) throw error;
      const { code = '' } = error as NodeJS.ErrnoException;
      const problem = `the report ${this.path} can't be written: ${code}`;
      // Once it is open, or on a full disk, the name is right: the next run may write it (D62).
      throw this.#descriptor >= 0 || DISK_ERRORS.includes(code)
        ? new Problem(problem, EXIT.unknown)
        : usageProblem(problem, 'Name a file in a folder that exists, and in which you may write: --report FILE.');
    }
  }
}

/** Returns the path of a report until the run has ended. */
export function partialOf(report: string): string {
  return `${report}.partial`;
}
