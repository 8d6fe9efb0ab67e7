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
export type { RequestErrorEvent, RequestEvent, ResponseEvent, RetryEvent } from './hooks.js';
export type {
  BatchOptions,
  BatchProgress,
  ClientOptions,
  RequestOptions,
  SendOptions,
  TokenContext,
  TokenProvider,
} from './options.js';
export type { BatchResult, CreatedOrder } from './results.js';
export type { Client, PreparedRequestInput } from './types.js';
