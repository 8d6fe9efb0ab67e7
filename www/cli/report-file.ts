import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import type { Issue } from 'sales-order-intake';
import { usageProblem } from './problem.js';

/** An order that was not created. Its reasons may have personal data of the order. */
export interface FailedOrder {
  file: string;
  line: number;
  column: number;
  orderId: string | null;
  /** `invalid`: it was not sent. */
  state: 'invalid' | 'refused' | 'stalled';
  outcome: 'not-created' | 'unknown';
  reason: string | null;
  status: number | null;
  requestId: string | null;
  detail: string | null;
  issues: readonly (Issue | object)[];
}

/** Writes orders that failed, one JSON value per line. Each run writes its own report, complete in itself. */
export class ReportFile {
  readonly path: string;
  /** Lines written. */
  count = 0;
  #descriptor: number | undefined;

  constructor(path: string) {
    this.path = path;
    // That of an earlier run may name orders that are created by now.
    this.#try(() => rmSync(path, { force: true }));
  }

  add(order: FailedOrder): void {
    this.#try(() => {
      this.#descriptor ??= openSync(this.path, 'w');
      writeSync(this.#descriptor, `${JSON.stringify(order)}\n`);
    });
    this.count++;
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  #try(write: () => void): void {
    try {
      write();
    } catch (error) {
      throw usageProblem(`the report ${this.path} can't be written: ${(error as NodeJS.ErrnoException).code}`);
    }
  }
}
