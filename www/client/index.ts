export { createClient } from './client.js';
export {
  AbortedError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  NotFoundError,
  OrderIntakeError,
  PermissionError,
  ProtocolError,
  RateLimitError,
  RejectedError,
  ServerError,
  TimeoutError,
  isAbortedError,
  isAuthenticationError,
  isConflictError,
  isConnectionError,
  isNotFoundError,
  isOrderIntakeError,
  isPermissionError,
  isProtocolError,
  isRateLimitError,
  isRejectedError,
  isServerError,
  isTimeoutError,
} from './errors.js';
export type { OrderIntakeErrorName, Outcome } from './errors.js';
export type { RequestEvent, ResponseEvent, RetryEvent } from './hooks.js';
export type {
  BulkOptions,
  BulkResult,
  Client,
  ClientOptions,
  Created,
  CreateOptions,
  TokenContext,
  TokenProvider,
} from './types.js';
