import {
  AuthenticationError,
  ConflictError,
  NotFoundError,
  PermissionError,
  ProtocolError,
  RateLimitError,
  RejectedError,
  ServerError,
  type ErrorDetails,
  type OrderIntakeError,
} from './errors.js';

export type ErrorClass = new (message: string, details: ErrorDetails) => OrderIntakeError;

/** What an answer other than a success means. */
export interface Refusal {
  Type: ErrorClass;
  why: string;
  /** D33. Also what the error says of itself: see OrderIntakeError. */
  retryable: boolean;
}

/** A status of 0 is what a browser shows of a redirect that is not followed. */
export function refusalOf(status: number, mayHaveLanded: boolean): Refusal {
  if (status === 0 || (status >= 300 && status < 400)) {
    const why = 'the service answered with a redirect, which is not followed: the token is for this address only';
    return { Type: ProtocolError, why, retryable: false };
  }
  if (status >= 500 && status < 600) {
    return { Type: ServerError, why: `the service failed with ${status}`, retryable: status !== 501 };
  }
  return CLIENT_ERRORS[status]?.(mayHaveLanded) ?? other(status);
}

const CLIENT_ERRORS: Record<number, (mayHaveLanded: boolean) => Refusal> = {
  401: () => ({ Type: AuthenticationError, why: 'the service refused the token with 401', retryable: false }),
  403: () => ({ Type: PermissionError, why: 'the token is not allowed to do this: 403', retryable: false }),
  404: () => ({ Type: NotFoundError, why: 'there is no such operation, company or location: 404', retryable: false }),
  408: () => ({ Type: RejectedError, why: 'the service gave up waiting with 408', retryable: true }),
  // D34.
  409: (mayHaveLanded) => ({
    Type: ConflictError,
    why: mayHaveLanded
      ? 'the service holds an order at this id already with 409: an earlier attempt may have landed'
      : 'the service holds another order at this id already: 409',
    retryable: false,
  }),
  429: () => ({ Type: RateLimitError, why: 'the service limits the rate with 429', retryable: true }),
};

function other(status: number): Refusal {
  if (status >= 400 && status < 500) return { Type: RejectedError, why: `the service refused the order with ${status}`, retryable: false };
  return { Type: ProtocolError, why: `${status} is no status that this service can answer with`, retryable: false };
}
