import type { OrderIntakeErrorName } from 'sales-order-intake/client';
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
export const entryReasons: Readonly<Record<EntryReason, Readonly<Explanation>>> = {
  AbortedError: {
    meaning: 'The attempt was interrupted before there was a response.',
    remedy: 'Nothing: the order is sent again with the same Id.',
  },
  AuthenticationError: {
    meaning: 'The service refused the token (401), or the program has none.',
    remedy: 'Renew the token; the order is then sent without further action.',
  },
  ConflictError: {
    meaning: 'The service has a different order with this Id (409), or does not recognise this one.',
    remedy: 'Look for the Id at the point of sale before you send anything again: two sales may share it.',
  },
  ConnectionError: {
    meaning:
      'The connection to the service failed, or the program has no headers for the request; the details say which.',
    remedy:
      'Correct a wrong host name, an expired certificate or a function that fails; otherwise nothing: the order is sent again.',
  },
  NotFoundError: {
    meaning: 'The service does not know the path, the company or the location (404).',
    remedy: 'Check the base URL, CompanyId and EntityId, then retry the order.',
  },
  PermissionError: {
    meaning: 'The token may not send orders for this company, location or integrator (403).',
    remedy: 'Have the permission granted, then retry the order.',
  },
  RateLimitError: {
    meaning: 'The service asked for a pause (429).',
    remedy: 'Nothing: the order is sent again after the pause.',
  },
  RejectedError: {
    meaning: 'The service rejected the order; its details and issues say why.',
    remedy: 'Replace the order by a corrected one, or correct the cause at the service and retry the order.',
  },
  ServerError: {
    meaning: 'The service failed (5xx), so it may or may not have the order.',
    remedy: 'Nothing while the order waits; if it has stalled, look for it at the point of sale before you retry it.',
  },
  TimeoutError: {
    meaning: 'There was no response in time, so the service may or may not have the order.',
    remedy: 'Nothing: the order is sent again with the same Id.',
  },
  UnexpectedResponseError: {
    meaning: 'The response does not prove that the order was created, and may not be from the service.',
    remedy: 'Check the base URL, and what is between here and the service, such as a proxy or a maintenance page.',
  },
  OrderValidationError: {
    meaning: 'The order is invalid, so it was not sent; its issues say why.',
    remedy: 'Replace the order by a corrected one.',
  },
  OptionError: {
    meaning: 'The client rejected one of its options.',
    remedy: 'Correct the program that sends; the order is then sent without further action.',
  },
  CoreInitError: {
    meaning: 'The WebAssembly module of the package could not be loaded.',
    remedy:
      'Check the installation of the package and the policy of the platform, then restart the process that sends.',
  },
  InternalError: {
    meaning: 'The package itself failed.',
    remedy: 'Report it to the maintainers of the package; the order is sent again.',
  },
  Error: {
    meaning: "The client threw an error that is not one of this package's.",
    remedy: 'Look at the log of the program that sends, and correct it; the order is sent again.',
  },
  Deadline: {
    meaning: 'There was no final response before the deadline.',
    remedy: 'Look for the order at the point of sale; if it is missing, retry it.',
  },
  AcceptedByRelay: {
    meaning: 'A relay has accepted the order and delivers it later; the service does not have it yet.',
    remedy: 'Nothing; if it stays like this, look at the relay.',
  },
  ResponseTooLarge: {
    meaning: 'The order is created, and what the service returned is more than 1 MiB, so it is not stored.',
    remedy: 'If the receipt is needed, look for it at the point of sale.',
  },
  restored: {
    meaning:
      'A backup of the outbox was put back, and the order waited in it: since then it may have been sent, cancelled or corrected.',
    remedy: 'Look for the order at the point of sale and in the shop; if it is missing and still wanted, retry it.',
  },
  Unreadable: {
    meaning: 'The entry cannot be read, because something other than the outbox has changed it.',
    remedy: 'Compare it with the order in the shop, then retry or forget it.',
  },
};

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
export const pauseCauses: Readonly<Record<Pause['cause'], Readonly<Explanation>>> = {
  unreachable: {
    meaning: 'No connection to the service can be made, so nothing is sent.',
    remedy: 'Check the network, the host name and the certificate; deliveries resume once a connection succeeds.',
  },
  token: {
    meaning: 'The service refuses the token, or the program has none.',
    remedy: 'Renew the token; deliveries resume once the service accepts it.',
  },
  'retry-after': {
    meaning: 'The service asked for a pause.',
    remedy: 'Nothing: deliveries resume when it ends, or once an order that tries every minute gets through.',
  },
  failures: {
    meaning: 'Several orders in a row failed.',
    remedy: 'Look at the status of the service; deliveries resume once an order succeeds.',
  },
  suspect: {
    meaning: 'The responses may not be from the service: a page, a redirect, or a 403, 404 or 405.',
    remedy:
      'Check the base URL, the permissions of the token, and proxies; deliveries resume once an order is created.',
  },
};

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
