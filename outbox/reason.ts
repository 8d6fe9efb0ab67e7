import type { OrderIntakeErrorName } from 'sales-order-intake/client';

/**
 * Why an entry is in its state: the name of the error that the last attempt ended with, or one of these.
 *
 * - `Error`: the client threw what a client of this package does not throw.
 * - `Deadline`: the deadline passed before there was a final response.
 * - `AcceptedByRelay`: a relay has accepted the order and delivers it later (D26); the service does not have the order yet.
 * - `Unreadable`: the store can't read the entry, because somebody else has changed it.
 */
export type EntryReason =
  | OrderIntakeErrorName
  | 'OrderValidationError'
  | 'OptionError'
  | 'CoreInitError'
  | 'InternalError'
  | 'Error'
  | 'Deadline'
  | 'AcceptedByRelay'
  | 'Unreadable';

/** The compiler checks that none is missing. */
const EVERY: Record<EntryReason, true> = {
  AbortedError: true,
  AuthenticationError: true,
  ConflictError: true,
  ConnectionError: true,
  NotFoundError: true,
  PermissionError: true,
  RateLimitError: true,
  RejectedError: true,
  ServerError: true,
  TimeoutError: true,
  UnexpectedResponseError: true,
  OrderValidationError: true,
  OptionError: true,
  CoreInitError: true,
  InternalError: true,
  Error: true,
  Deadline: true,
  AcceptedByRelay: true,
  Unreadable: true,
};
export const REASONS: readonly string[] = Object.keys(EVERY);

/** Returns true for a reason that an entry can have. */
export function isReason(value: unknown): value is EntryReason {
  return REASONS.includes(value as string);
}

/** Returns the reason for what a client threw. */
export function reasonOf(thrown: unknown): EntryReason {
  const { name } = Object(thrown) as { name?: unknown };
  return isReason(name) ? name : 'Error';
}
