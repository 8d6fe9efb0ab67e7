import type { Guid, Issue, Version } from 'sales-order-intake';

/**
 * What is known of the order (D31).
 *
 * - `not-created`: nothing of it was sent, or the service refused it and no earlier attempt may have landed.
 * - `unknown`: it may have been created. Send it again with the same id, never with a new one.
 */
export type Outcome = 'not-created' | 'unknown';

/** All that an error tells beside its message. */
export interface ErrorDetails {
  orderId: Guid;
  version: Version;
  attempts: number;
  retryable: boolean;
  outcome: Outcome;
  status?: number | undefined;
  retryAfterMs?: number | undefined;
  issues?: Issue[] | undefined;
  body?: string | undefined;
  cause?: unknown;
}

/**
 * Base of all errors of {@link Client.createOrder} but OrderValidationError and TypeError.
 *
 * Neither the message nor the enumerable members hold a token, a name or a note, so the error can be logged (D45).
 * `issues` and `body` are the service's own words and may: they are there, but printing the error doesn't show them.
 */
export class OrderIntakeError extends Error {
  override get name(): string {
    return 'OrderIntakeError';
  }

  readonly orderId: Guid;
  readonly version: Version;
  /** How often the order was sent; 0 where nothing left. */
  readonly attempts: number;
  /** Whether sending the same order again later, with the same id, can make sense. */
  readonly retryable: boolean;
  readonly outcome: Outcome;
  /** Status of the last answer, where the last attempt had one. */
  declare readonly status?: number;
  /** How long the service asks to wait, where it does. */
  declare readonly retryAfterMs?: number;
  /** What is wrong with which member, where the service says so: as those of the package's own validation. */
  declare readonly issues?: Issue[];
  /** The beginning of the last answer's body, at most 10,000 characters. */
  declare readonly body?: string;

  constructor(message: string, details: ErrorDetails) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.orderId = details.orderId;
    this.version = details.version;
    this.attempts = details.attempts;
    this.retryable = details.retryable;
    this.outcome = details.outcome;
    for (const [member, enumerable] of [['status', true], ['retryAfterMs', true], ['issues', false], ['body', false]] as const) {
      const value = details[member];
      if (value !== undefined) Object.defineProperty(this, member, { value, enumerable, writable: true, configurable: true });
    }
  }
}

/** 401, or no token to be had. An error of the token provider is its `cause`. */
export class AuthenticationError extends OrderIntakeError {
  override get name() {
    return 'AuthenticationError' as const;
  }
}

/** 403: the token is good, but not for this. */
export class PermissionError extends OrderIntakeError {
  override get name() {
    return 'PermissionError' as const;
  }
}

/** 404: nothing at this address; probably the base URL, the company or the location. */
export class NotFoundError extends OrderIntakeError {
  override get name() {
    return 'NotFoundError' as const;
  }
}

/** 409: the service holds another order at this id, or this one from an earlier attempt: see `outcome` (D34). */
export class ConflictError extends OrderIntakeError {
  override get name() {
    return 'ConflictError' as const;
  }
}

/** Another 4xx: the service refuses the order; `issues` says why, where it does. */
export class RejectedError extends OrderIntakeError {
  override get name() {
    return 'RejectedError' as const;
  }
}

/** 429 on every attempt, or a wait beyond the time that was left: see `retryAfterMs`. */
export class RateLimitError extends OrderIntakeError {
  override get name() {
    return 'RateLimitError' as const;
  }
}

/** 5xx. */
export class ServerError extends OrderIntakeError {
  override get name() {
    return 'ServerError' as const;
  }
}

/** The connection could not be made, or was lost before the answer was complete. `cause` is what fetch threw. */
export class ConnectionError extends OrderIntakeError {
  override get name() {
    return 'ConnectionError' as const;
  }
}

/** An attempt, or all together, took longer than `timeoutMs` or `totalTimeoutMs` allow. */
export class TimeoutError extends OrderIntakeError {
  override get name() {
    return 'TimeoutError' as const;
  }
}

/** The caller's signal fired. `cause` is its reason. */
export class AbortedError extends OrderIntakeError {
  override get name() {
    return 'AbortedError' as const;
  }
}

/** An answer that this service can't have given: a redirect, or the order of another id. */
export class ProtocolError extends OrderIntakeError {
  override get name() {
    return 'ProtocolError' as const;
  }
}

const CLASSES = {
  AbortedError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  NotFoundError,
  PermissionError,
  ProtocolError,
  RateLimitError,
  RejectedError,
  ServerError,
  TimeoutError,
};

/** For a `switch` over `error.name`. */
export type OrderIntakeErrorName = keyof typeof CLASSES;
type ErrorOf<Name extends OrderIntakeErrorName> = InstanceType<(typeof CLASSES)[Name]>;
type AnyOrderIntakeError = { [Name in OrderIntakeErrorName]: ErrorOf<Name> }[OrderIntakeErrorName];

/** Whether `error` is one of the client's, also one from another copy of this package. */
export function isOrderIntakeError(error: unknown): error is AnyOrderIntakeError {
  return error instanceof Error && Object.hasOwn(CLASSES, error.name) && tellsOutcome(error);
}

/** Whether `error` is an {@link AbortedError}, also one from another copy of this package. */
export function isAbortedError(error: unknown): error is AbortedError {
  return isNamed('AbortedError', error);
}

/** Whether `error` is an {@link AuthenticationError}, also one from another copy of this package. */
export function isAuthenticationError(error: unknown): error is AuthenticationError {
  return isNamed('AuthenticationError', error);
}

/** Whether `error` is a {@link ConflictError}, also one from another copy of this package. */
export function isConflictError(error: unknown): error is ConflictError {
  return isNamed('ConflictError', error);
}

/** Whether `error` is a {@link ConnectionError}, also one from another copy of this package. */
export function isConnectionError(error: unknown): error is ConnectionError {
  return isNamed('ConnectionError', error);
}

/** Whether `error` is a {@link NotFoundError}, also one from another copy of this package. */
export function isNotFoundError(error: unknown): error is NotFoundError {
  return isNamed('NotFoundError', error);
}

/** Whether `error` is a {@link PermissionError}, also one from another copy of this package. */
export function isPermissionError(error: unknown): error is PermissionError {
  return isNamed('PermissionError', error);
}

/** Whether `error` is a {@link ProtocolError}, also one from another copy of this package. */
export function isProtocolError(error: unknown): error is ProtocolError {
  return isNamed('ProtocolError', error);
}

/** Whether `error` is a {@link RateLimitError}, also one from another copy of this package. */
export function isRateLimitError(error: unknown): error is RateLimitError {
  return isNamed('RateLimitError', error);
}

/** Whether `error` is a {@link RejectedError}, also one from another copy of this package. */
export function isRejectedError(error: unknown): error is RejectedError {
  return isNamed('RejectedError', error);
}

/** Whether `error` is a {@link ServerError}, also one from another copy of this package. */
export function isServerError(error: unknown): error is ServerError {
  return isNamed('ServerError', error);
}

/** Whether `error` is a {@link TimeoutError}, also one from another copy of this package. */
export function isTimeoutError(error: unknown): error is TimeoutError {
  return isNamed('TimeoutError', error);
}

function isNamed(name: OrderIntakeErrorName, error: unknown): boolean {
  return isOrderIntakeError(error) && error.name === name;
}

/** The platform has a TimeoutError of its own. */
function tellsOutcome(error: Error): boolean {
  const { outcome } = error as { outcome?: unknown };
  return outcome === 'not-created' || outcome === 'unknown';
}
