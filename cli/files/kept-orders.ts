import { closeSync, fdatasyncSync, fstatSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { parseGuid, readOrder } from 'sales-order-intake';
import type { OrderRecord } from '#serve';
import { isAt, PRIVATE } from './distinct-files.js';
import { usageProblem } from '../problem.js';

/** The first line of the file: it says what the file is. */
const HEAD = '{"sales-order-intake":"orders of serve"}';
/** Longer than nearly every order. It has no line break, so it is not read as an order if it remains in the file. */
const PROBE = Buffer.alloc(64 << 10, ' ');

/**
 * Saves the orders of a reference service in a file, one per line. A line that can't be written completely is removed. Nothing is
 * written after the orders of another service, which this one doesn't know and would create a second time, or into a file that
 * has lost its name, in which nobody would find the order.
 */
export class KeptOrders {
  /** The orders of the file, the oldest first. */
  readonly saved: readonly OrderRecord[];
  readonly #file: string;
  readonly #descriptor: number;
  /** The size of the file. */
  #end: number;

  /** Opens or creates the file. A last line without a line break is an order that was never acknowledged: it is removed. */
  constructor(file: string) {
    this.#file = file;
    this.#descriptor = opened(file);
    try {
      // Reading another one may never end.
      if (!fstatSync(this.#descriptor).isFile()) throw new Error('it is not a regular file');
      const bytes = readFileSync(this.#descriptor);
      this.#end = bytes.lastIndexOf('\n') + 1;
      const [head, ...lines] = bytes.subarray(0, this.#end).toString().split('\n').slice(0, -1);
      if (bytes.length > 0 && head !== HEAD) throw new Error(`it does not begin with ${HEAD}`);
      this.saved = lines.map((line, index) => recordOf(line, index + 2));
      if (this.#end < bytes.length) ftruncateSync(this.#descriptor, this.#end);
      if (head === undefined) this.#append(HEAD);
    } catch (error) {
      this.close();
      const problem = `${file} is not a file that serve has written: ${(error as Error).message}`;
      throw usageProblem(problem, 'Give --keep a file of its own.');
    }
  }

  /** Writes an order, and returns when it is on the disk. Throws if it can't. */
  save(order: OrderRecord): void {
    this.#append(JSON.stringify(order));
  }

  /** Writes as much as for an order, and removes it again. Throws if it can't. */
  probe(): void {
    this.#write(PROBE);
    this.#remove(PROBE.length);
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  #append(line: string): void {
    const bytes = Buffer.from(`${line}\n`);
    this.#write(bytes);
    this.#end += bytes.length;
  }

  #write(bytes: Buffer): void {
    this.#checkName();
    if (fstatSync(this.#descriptor).size !== this.#end) throw new Error('another process has written to it');
    try {
      if (writeSync(this.#descriptor, bytes) < bytes.length) throw new Error('the disk is full');
      fdatasyncSync(this.#descriptor);
      this.#checkName();
    } catch (error) {
      this.#remove(bytes.length);
      throw error;
    }
  }

  #checkName(): void {
    if (!isAt(this.#file, this.#descriptor)) throw new Error('it was removed or replaced; start serve again');
  }

  /** Removes the last bytes that were written, unless another process has written after them. */
  #remove(bytes: number): void {
    if (fstatSync(this.#descriptor).size <= this.#end + bytes) ftruncateSync(this.#descriptor, this.#end);
  }
}

/** Reads the record of an order from a line. */
function recordOf(line: string, number: number): OrderRecord {
  try {
    const record = JSON.parse(line) as OrderRecord;
    if (isRecord(record)) return record;
  } catch {
    // Not JSON, so not a record either.
  }
  throw new Error(`line ${number} is not an order`);
}

function isRecord({ orderId, version, company, entity, integrator, digest, receipt, body }: OrderRecord): boolean {
  const isGuid = (id: unknown) => typeof id === 'string' && parseGuid(id) === id;
  const isByte = (byte: unknown) => Number.isInteger(byte) && Number(byte) >= 0 && Number(byte) <= 255;
  return (
    [orderId, integrator].every(isGuid) &&
    ['v2', 'v3'].includes(version) &&
    [company, entity, receipt].every((number) => Number.isSafeInteger(number) && number >= 1) &&
    Array.isArray(digest) &&
    digest.every(isByte) &&
    typeof body === 'string' &&
    readOrder(body).order !== null
  );
}

function opened(file: string): number {
  try {
    return openSync(file, 'a+', PRIVATE);
  } catch (error) {
    throw usageProblem(`${file} can't be opened: ${(error as NodeJS.ErrnoException).code}`);
  }
}
