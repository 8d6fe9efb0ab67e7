import { OptionError } from 'sales-order-intake';
import { OutboxError } from '../errors.js';

export const NOTHING_WRITTEN = 'Nothing was written';
export const UNCERTAIN = 'It is not certain what was written';
export const ROLL_BACK = 'Roll the transaction back: the order is not in the outbox unless it was before';

/** The error for a database that did not respond in time. */
export class SilenceError extends Error {
  readonly code = 'ETIMEDOUT';

  constructor(ms: number, awaited: string) {
    super(`The database of the outbox did not answer within ${ms} ms (queryTimeoutMs): waited for ${awaited}`);
  }
}

/** PostgreSQL's code for a statement that the role may not run. */
const INSUFFICIENT_PRIVILEGE = '42501';
const DEADLOCK_OR_CONFLICT = ['40P01', '40001'];
/** Codes of SQL, except those of connections and servers that end. */
const STATEMENT_FAILED = /^(?!08|57P|58|XX)(?=.*\d)[0-9A-Z]{5}$/;

/** Errors of a database may show values: only their codes are in the message (D45). The error itself is the `cause`. */
export async function guarded<T>(consequence: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw failureOf(consequence, error);
  }
}

/** Returns the error of this package for an error of the database. */
export function failureOf(consequence: string, error: unknown): Error {
  if (error instanceof OutboxError || error instanceof OptionError) return error;
  const code = codeOf(error);
  if (error instanceof SilenceError) {
    return new OutboxError('store', `${error.message}. ${consequence}`, { code, cause: error });
  }
  const what = code ? ` (${code})` : '';
  return new OutboxError('store', `The database of the outbox failed${what}. ${consequence}`, { code, cause: error });
}

/** Returns the code of an error of node-postgres, or of a library that wraps one. */
export function codeOf(error: unknown): string | undefined {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  if (typeof code === 'string') return code;
  return cause ? codeOf(cause) : undefined;
}

/** Returns true if PostgreSQL has refused a statement, on a connection that goes on: it has written nothing. */
export function isRefusal(error: unknown): boolean {
  return STATEMENT_FAILED.test(codeOf(error) ?? '');
}

/** Returns true if PostgreSQL has rolled a transaction back because of another one, so that it can be run again. */
export function isRepeatable(error: unknown): boolean {
  return DEADLOCK_OR_CONFLICT.includes(codeOf(error) ?? '');
}

/** Returns true if the role may not run a statement. */
export function isDenied(error: unknown): boolean {
  return codeOf(error) === INSUFFICIENT_PRIVILEGE;
}
