import { fstatSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { usageProblem } from '../problem.js';
import { STDIN } from './text-chunks.js';

/** A file that a command reads or writes, as an error names it. */
interface NamedFile {
  name: string;
  path: string | undefined;
}

/** @throws Problem if one of the files that a command writes is also one of the others: it would be lost. */
export function assertDistinct(written: readonly NamedFile[], others: readonly NamedFile[]): void {
  for (const { name, path } of written) {
    const same = others.find((other) => other.path !== undefined && isSame(other.path, path));
    if (same) throw usageProblem(`${name} is the file of ${same.name}: ${path}`, 'Name another file.');
  }
}

function isSame(one: string, other: string | undefined): boolean {
  if (other === undefined || one === STDIN || other === STDIN) return false;
  if (resolved(one) === resolved(other)) return true;
  const [first, second] = [identityOf(one), identityOf(other)];
  return first !== undefined && first === second;
}

/** Returns an identity that all hard links of a file share; undefined if there is no file, or it can't be read. */
function identityOf(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}

/** Returns whether the path still leads to the file that is open. */
export function isAt(path: string, descriptor: number): boolean {
  const named = statSync(path, { bigint: true, throwIfNoEntry: false });
  const open = fstatSync(descriptor, { bigint: true });
  return named?.dev === open.dev && named.ino === open.ino;
}

/** Resolves symbolic links, also for a file that does not exist yet. */
export function resolved(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    try {
      return join(realpathSync(dirname(path)), basename(path));
    } catch {
      return resolve(path);
    }
  }
}

/** The mode of files that have personal data: only their owner can read them. */
export const PRIVATE = 0o600;
