import { closeSync, fdatasyncSync, fstatSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { parseGuid, readOrder } from 'sales-order-intake';
import type { OrderRecord } from '#serve';
import { isAt, PRIVATE } from './distinct-files.js';
import { usageProblem } from '../problem.js';

/** The first line of the file: it says what the file is. */
const HEAD = '{"sales-order-intake":"orders of serve"}';
/** Longer than nearly every order. It has no line end, so it is not read as an order if it stays in the file. */
const PROBE = Buffer.alloc(64 << 10, ' ');

/** The orders of a test service in a file, a line for each. */
interface OrderFile {
  /** The orders of the file, the oldest first. */
  readonly saved: readonly OrderRecord[];
  /** Writes an order, and returns when it is on the disk. Throws if it can't. */
  save(order: OrderRecord): void;
  /** Writes as much as for an order, and removes it again. Throws if it can't. */
  probe(): void;
  close(): void;
}

/** Opens the file, or creates it. A last line without its end is one of an order that was never acknowledged: it is removed. */
export function openOrderFile(file: string): OrderFile {
  const descriptor = opened(file);
  try {
    // Others may have no end.
    if (!fstatSync(descriptor).isFile()) throw new Error('it is not a regular file');
    const bytes = readFileSync(descriptor);
    const end = bytes.lastIndexOf('\n') + 1;
    const [head, ...lines] = bytes.subarray(0, end).toString().split('\n').slice(0, -1);
    if (bytes.length > 0 && head !== HEAD) throw new Error(`it does not begin with ${HEAD}`);
    const saved = lines.map((line, index) => recordOf(line, index + 2));
    if (end < bytes.length) ftruncateSync(descriptor, end);
    const append = appender(file, descriptor, end);
    if (head === undefined) append.line(HEAD);
    return {
      saved,
      save: (order) => append.line(JSON.stringify(order)),
      probe: () => append.probe(),
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

/**
 * Returns functions that append to a file of this size. They remove a line that can't be written whole, and write nothing
 * after the orders of another service, which this one doesn't know and would create a second time; nor into a file that has lost
 * its name, in which nobody would find the order.
 */
function appender(file: string, descriptor: number, size: number): { line(text: string): void; probe(): void } {
  let end = size;
  const sizeOf = () => fstatSync(descriptor).size;
  const remove = (bytes: number) => {
    if (sizeOf() <= end + bytes) ftruncateSync(descriptor, end);
  };
  const checkName = () => {
    if (!isAt(file, descriptor)) throw new Error('it was removed or replaced; start serve again');
  };
  const write = (bytes: Buffer) => {
    checkName();
    if (sizeOf() !== end) throw new Error('another process has written to it');
    try {
      if (writeSync(descriptor, bytes) < bytes.length) throw new Error('the disk is full');
      fdatasyncSync(descriptor);
      checkName();
    } catch (error) {
      remove(bytes.length);
      throw error;
    }
  };
  return {
    line(text) {
      const bytes = Buffer.from(`${text}\n`);
      write(bytes);
      end += bytes.length;
    },
    probe() {
      write(PROBE);
      remove(PROBE.length);
    },
  };
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
