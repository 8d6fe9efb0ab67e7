import {
  AuthenticationError,
  ConflictError,
  NotFoundError,
  PermissionError,
  UnexpectedResponseError,
  RateLimitError,
  RejectedError,
  ServerError,
  type ErrorDetails,
  type OrderIntakeError,
} from './errors.js';

export type ErrorClass = new (message: string, details: ErrorDetails) => OrderIntakeError;

/** The error for a status other than 2xx: its class, its message and whether a retry can help (D33). */
export type StatusError = readonly [Type: ErrorClass, problem: string, retryable: boolean];

const CLIENT_ERRORS: Record<number, StatusError> = {
  401: [AuthenticationError, 'refused the token', false],
  403: [PermissionError, 'does not permit this with the token', false],
  404: [NotFoundError, 'found no such operation, company or location', false],
  408: [RejectedError, 'timed out waiting for the request', true],
  409: [ConflictError, 'already has an order with this Id', false],
  429: [RateLimitError, 'limits the rate of requests', true],
};

export function errorOfStatus(status: number): StatusError {
  if (isRedirect(status)) return [UnexpectedResponseError, 'responded with a redirect, which is not followed', false];
  if (status >= 500 && status < 600) return [ServerError, 'failed', status !== 501];
  if (status >= 400 && status < 500) return CLIENT_ERRORS[status] ?? [RejectedError, 'rejected the order', false];
  return [UnexpectedResponseError, 'responded with a status that is not valid here', false];
}

/** Returns true for a redirect; browsers show 0 for one that is not followed. */
export function isRedirect(status: number): boolean {
  return status === 0 || (status >= 300 && status < 400);
}
