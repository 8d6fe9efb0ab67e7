import type { Guid, Issue, OrderValidationError, Version } from 'sales-order-intake';
import { pageUrl } from '../../pkg-template/src/doc-url.js';
import { defineMember, isInstance, markClasses } from '../../pkg-template/src/error-class.js';
import type { ErrorDetails } from './error-details.js';

/**
 * What is known about the order (D31).
 *
 * - `not-created`: nothing was sent, or the service rejected it and no other attempt may have created it.
 * - `unknown`: it may have been created. Send it again with the same Id, never with a new one.
 */
export type Outcome = 'not-created' | 'unknown';

/** The states in which a relay has stopped sending an order. */
export type RelayState = 'refused' | 'stalled' | 'cancelled' | 'invalid';

/** Everything that sending an order can throw. The `name` distinguishes the errors, as in `switch (error.name)`. */
export type SendError =
  | OrderValidationError
  | AbortedError
  | AuthenticationError
  | ConflictError
  | ConnectionError
  | NotFoundError
  | PermissionError
  | RateLimitError
  | RejectedError
  | ServerError
  | TimeoutError
  | UnexpectedResponseError;

/** The names of the subclasses of {@link OrderIntakeError}, for a `switch` over `error.name`. */
export type OrderIntakeErrorName = Exclude<SendError, OrderValidationError>['name'];

/**
 * Base of all errors of {@link Client.createOrder} except OrderValidationError and OptionError. Only its subclasses are thrown.
 *
 * The message and the enumerable members have no token, name or note, so the error can be logged (D45). `issues`,
 * `detail` and `body` come from the service and may contain them: they are not enumerable, so that printing the
 * error doesn't show them.
 *
 * `instanceof` also holds for errors of another copy of this package, for example of its CommonJS form.
 */
export abstract class OrderIntakeError extends Error {
  static override [Symbol.hasInstance]: (value: unknown) => boolean = isInstance;

  /** The name of the subclass. */
  override get name(): OrderIntakeErrorName {
    return 'OrderIntakeError' as OrderIntakeErrorName;
  }

  /** The address of the page about this error; undefined in a build whose documentation has no address. */
  get docUrl(): string | undefined {
    return pageUrl('concepts/order-fates', '#all-errors-of-the-client');
  }

  /** The Id of the order. */
  declare readonly orderId: Guid;
  /** The version of the operation that was called. */
  declare readonly version: Version;
  /** Number of requests for the order; 0 if none was started. */
  declare readonly attempts: number;
  /** Whether sending the same order again later, with the same Id, can succeed. */
  declare readonly retryable: boolean;
  /** What is known about the order. Make a new Id for it only if this is `not-created`. */
  declare readonly outcome: Outcome;
  /** Status of the last response; undefined if the last attempt got none. */
  declare readonly status?: number;
  /** Milliseconds that the service asks to wait, if it does. */
  declare readonly retryAfterMs?: number;
  /** The service's id for the last request, if its response has one: quote it to the service's support. */
  declare readonly requestId?: string;
  /** Media type of the last response, in lower case and without parameters, for example `text/html`. */
  declare readonly mediaType?: string;
  /** URL of the last response, or of the connection that failed, without its query. */
  declare readonly url?: string;
  /**
   * Whether the response may be an outage in disguise (D51): a redirect, a page, a 2xx that proves nothing, a 403, 404,
   * 405 or 501. A proxy, or a node without the route, may have sent it: then it says nothing about the order.
   */
  declare readonly isSuspect: boolean;
  /**
   * The state in which a relay has stopped sending the order; undefined if the response is not a relay's. `refused`:
   * the service refused it, `detail` and `issues` say why. `stalled`: the relay has given up. `cancelled`: somebody
   * cancelled it before it was sent. `invalid`: the relay has stored it although it is invalid, for a person to correct.
   */
  declare readonly relayState?: RelayState;
  /** The service's reasons against the order, in the form of the package's own issues. */
  declare readonly issues?: Issue[];
  /** The reason that the service gave, for example for a 403. At most 1,000 characters. */
  declare readonly detail?: string;
  /** Body of the last response, at most 10,000 characters. */
  declare readonly body?: string;

  constructor(message: string, details: ErrorDetails) {
    const { cause, issues, detail, body, isSuspect = false } = details;
    super(message, cause === undefined ? undefined : { cause });
    markClasses(this);
    const { orderId, version, attempts, retryable, outcome } = details;
    const { status, retryAfterMs, requestId, mediaType, url, relayState, failure, isSent } = details;
    const always = { orderId, version, attempts, retryable, outcome, isSuspect };
    const cameWith = { status, retryAfterMs, requestId, mediaType, url, relayState, failure, isSent };
    // No private member: types of the ECMAScript and the CommonJS form would not be assignable to each other. And no rest of the
    // details: a member can be logged only if it is named here.
    defineMembers(this, { ...always, ...cameWith }, true);
    defineMembers(this, { issues, detail, body }, false);
  }
}

function defineMembers(error: OrderIntakeError, members: Partial<ErrorDetails>, enumerable: boolean): void {
  for (const [name, value] of Object.entries(members))
    if (value !== undefined) defineMember(error, name, value, enumerable);
}

/**
 * Thrown for a 401 to a token that is not replaced (D35), or if the token function failed, whose error is then the `cause`.
 * It is `retryable` if the function failed, or if no time was left to replace a token.
 */
export class AuthenticationError extends OrderIntakeError {
  static override [Symbol.hasInstance]: (value: unknown) => boolean = isInstance;

  /** Always `AuthenticationError`. */
  override get name() {
    return 'AuthenticationError' as const;
  }
}

/** Thrown for a 403: the token is valid, but not for this order. `detail` says why if the service does. */
export class PermissionError extends OrderIntakeError {
  static override [Symbol.hasInstance]: (value: unknown) => boolean = isInstance;

  /** Always `PermissionError`. */
  override get name() {
    return 'PermissionError' as const;
  }
}

/** Thrown for a 404: check the base URL, `CompanyId` and `EntityId`. */
export class NotFoundError extends OrderIntakeError {
  static override [Symbol.hasInstance]: (value: unknown) => boolean = isInstance;

  /** Always `NotFoundError`. */
  override get name() {
    return 'NotFoundError' as const;
  }
}

/**
 * Thrown for a 409: the service has another order with this Id. After an attempt that may have created the order, the client
 * repeats it, because that attempt may have stored the order, or still be in progress; if it stays, `outcome` is `unknown` (D34).
 */
export class ConflictError extends OrderIntakeError {
  static override [Symbol.hasInstance]: (value: unknown) => boolean = isInstance;

  /** Always `ConflictError`. */
  override get name() {
    return 'ConflictError' as const;
  }
}

/**
 * Thrown for another 4xx: the service rejects the order; `issues` and `detail` say why if the service does. A 408, 460 or 499
 * says nothing about the order: something on the way stopped waiting, and `outcome` is `unknown` (D31).
 */
export class RejectedError extends OrderIntakeError {
  static override [Symbol.hasInstance]: (value: unknown) => boolean = isInstance;

  /** Always `RejectedError`. */
  override get name() {
    return 'RejectedError' as const;
  }
}

/** Thrown after a 429 on every attempt, or if the service asks for a longer wait than there is time: see `retryAfterMs`. */
export class RateLimitError extends OrderIntakeError {
  static override [Symbol.hasInstance]: (value: unknown) => boolean = isInstance;

  /** Always `RateLimitError`. */
  override get name() {
    return 'RateLimitError' as const;
  }
}

/** Thrown for a 5xx. */
export class ServerError extends OrderIntakeError {
  static override [Symbol.hasInstance]: (value: unknown) => boolean = isInstance;

  /** Always `ServerError`. */
  override get name() {
    return 'ServerError' as const;
  }
}

/**
 * Thrown if the connection was not made, or was lost before the response was complete. `cause` is what fetch threw. If that
 * proves that nothing was sent, `isSent` is false, and `outcome` is `not-created` unless an earlier attempt may have created
 * the order (D31). The message names the host and the reason. Browsers report neither. Also thrown if the function `headers` failed,
 * whose error is then the `cause`.
 */
export class ConnectionError extends OrderIntakeError {
  static override [Symbol.hasInstance]: (value: unknown) => boolean = isInstance;

  /** Always `ConnectionError`. */
  override get name() {
    return 'ConnectionError' as const;
  }

  /**
   * Why the connection failed, in a few words, with the platform's code if it has one: `host not found (ENOTFOUND)`,
   * `certificate expired (CERT_HAS_EXPIRED)`, `connection lost (ECONNRESET)`. Contains nothing personal.
   * `connection failed` if the platform does not say why. On Node also says if the environment names a proxy that is not used.
   * `headers function failed` if there was no attempt to connect.
   */
  declare readonly failure: string;
  /**
   * False if it is certain that nothing of the last attempt was sent: the host was not found, the connection was
   * refused, the TLS handshake failed, for an expired certificate for instance (D31), or there were no headers. True if the service may have
   * received the request.
   */
  declare readonly isSent: boolean;
}

/** Thrown if an attempt took longer than `timeoutMs`, or all together took longer than `totalTimeoutMs`. */
export class TimeoutError extends OrderIntakeError {
  static override [Symbol.hasInstance]: (value: unknown) => boolean = isInstance;

  /** Always `TimeoutError`. */
  override get name() {
    return 'TimeoutError' as const;
  }
}

/** Thrown if the caller's signal fired. `cause` is the reason of the signal. */
export class AbortedError extends OrderIntakeError {
  static override [Symbol.hasInstance]: (value: unknown) => boolean = isInstance;

  /** Always `AbortedError`. */
  override get name() {
    return 'AbortedError' as const;
  }
}

/**
 * Thrown for a response that is not expected of the service: a 2xx that proves nothing (a page, an order with another Id, an
 * empty 200; D26), a redirect, which is not followed, or a status that is not valid. It may come from something between the
 * client and the service: see `status`, `mediaType` and `url`. After such a 2xx the client sends the order again
 * (`retryable`). The outcome is always `unknown`.
 */
export class UnexpectedResponseError extends OrderIntakeError {
  static override [Symbol.hasInstance]: (value: unknown) => boolean = isInstance;

  /** Always `UnexpectedResponseError`. */
  override get name() {
    return 'UnexpectedResponseError' as const;
  }
}
