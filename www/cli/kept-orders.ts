import { closeSync, fdatasyncSync, fstatSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { KeptOrder } from '#serve';
import { PRIVATE } from './private-mode.js';
import { usageProblem } from './problem.js';

/** The first line of the file: it says what the file is. */
const HEAD = '{"sales-order-intake":"orders of serve"}';

/** The orders of a test service in a file, a line for each. */
export interface KeptOrders {
  /** The orders of the file, the oldest first. */
  readonly kept: readonly KeptOrder[];
  /** Writes an order, and returns when it is on the disk. Throws if it can't. */
  keep(order: KeptOrder): void;
  close(): void;
}

/** Opens the file, or creates it. A last line without its end is one of an order that was never acknowledged: it is removed. */
export function openKeptOrders(file: string): KeptOrders {
  const descriptor = opened(file);
  const bytes = readFileSync(descriptor);
  const [head, ...lines] = bytes
    .subarray(0, bytes.lastIndexOf('\n') + 1)
    .toString()
    .split('\n')
    .slice(0, -1);
  try {
    if (bytes.length > 0 && head !== HEAD) throw new Error(`it does not begin with ${HEAD}`);
    const kept = lines.map((line) => JSON.parse(line) as KeptOrder);
    ftruncateSync(descriptor, bytes.lastIndexOf('\n') + 1);
    if (head === undefined) append(descriptor, HEAD);
    return {
      kept,
      keep: (order) => append(descriptor, JSON.stringify(order)),
      close: () => closeSync(descriptor),
    };
  } catch (error) {
    closeSync(descriptor);
    throw usageProblem(
      `${file} is not a file that serve has written: ${(error as Error).message}`,
      'Give --keep a file of its own.',
    );
  }
}

/** Appends a line, whatever another service appends at the same time. Leaves nothing of it if it can't be written whole. */
function append(descriptor: number, line: string): void {
  const text = Buffer.from(`${line}\n`);
  const end = fstatSync(descriptor).size;
  try {
    const written = writeSync(descriptor, text);
    if (written < text.length) throw new Error('The disk is full');
    fdatasyncSync(descriptor);
  } catch (error) {
    if (fstatSync(descriptor).size < end + text.length) ftruncateSync(descriptor, end);
    throw error;
  }
}

function opened(file: string): number {
  try {
    return openSync(file, 'a+', PRIVATE);
  } catch (error) {
    throw usageProblem(`${file} can't be opened: ${(error as NodeJS.ErrnoException).code}`);
  }
}
