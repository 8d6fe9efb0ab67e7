import type { OrderIntakeErrorName } from 'sales-order-intake/client';
import explanations from './explanations.json';
import type { Pause } from './options.js';

/**
 * Why an entry is in its state: the name of the error that the last attempt ended with, or one of these.
 *
 * - `Error`: the client threw an error that a client of this package never throws.
 * - `Deadline`: the deadline passed before there was a final response.
 * - `AcceptedByRelay`: a relay has accepted the order and delivers it later (D26); the service does not have the order yet.
 * - `ResponseTooLarge`: the order is created; the service returned more than 1 MiB, which is not stored, so `order` is null.
 * - `restored`: a backup was put back, and the order waited in it (D68): since then it may have been sent, cancelled or corrected.
 * - `Unreadable`: the store can't read the entry, because something other than the outbox has changed it.
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
  | 'ResponseTooLarge'
  | 'restored'
  | 'Unreadable';

/** The explanation of a reason or a cause for people who watch an outbox. One sentence each, without data of an order. */
export interface Explanation {
  /** What has happened. */
  meaning: string;
  /** What to do about it. */
  remedy: string;
}

/**
 * The meaning and the remedy of each {@link EntryReason}, in English. For another language, write an object of the same type:
 * the compiler finds a reason that it lacks.
 *
 * @example
 * ```js
 * import { entryReasons } from 'sales-order-intake/outbox';
 *
 * console.log(entryReasons.PermissionError.remedy); // Have the permission granted, then retry the order.
 * ```
 */
export const entryReasons: Readonly<Record<EntryReason, Readonly<Explanation>>> = explanations.reasons;

/**
 * The meaning and the remedy of each cause of a {@link Pause}, in English.
 *
 * @example
 * ```js
 * import { pauseCauses } from 'sales-order-intake/outbox';
 *
 * console.log(pauseCauses.token.meaning); // The service refuses the token, or the program has none.
 * ```
 */
export const pauseCauses: Readonly<Record<Pause['cause'], Readonly<Explanation>>> = explanations.pauses;

export const REASONS: readonly string[] = Object.keys(entryReasons);

/** Returns true for a reason that an entry can have. */
export function isReason(value: unknown): value is EntryReason {
  return REASONS.includes(value as string);
}

/** Returns the reason for what a client threw. */
export function reasonOf(thrown: unknown): EntryReason {
  const { name } = Object(thrown) as { name?: unknown };
  return isReason(name) ? name : 'Error';
}
