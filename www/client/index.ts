/**
 * Sends sales orders by `fetch`, with the same Id and the same bytes on every attempt.
 *
 * Numbers in parentheses, such as (D18) or (§2.1), refer to DECISIONS.md in this package.
 *
 * @module
 */
export { createClient } from './client.js';
export {
  AbortedError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  NotFoundError,
  OrderIntakeError,
  PermissionError,
  UnexpectedResponseError,
  RateLimitError,
  RejectedError,
  ServerError,
  TimeoutError,
} from './errors.js';
export type { OrderIntakeErrorName, Outcome, RelayState, SendError } from './errors.js';
export type {
  BatchOptions,
  BatchProgress,
  ClientFetch,
  ClientOptions,
  HeadersContext,
  HeadersProvider,
  RequestErrorEvent,
  RequestEvent,
  RequestOptions,
  ResponseEvent,
  RetryEvent,
  SendOptions,
  TokenContext,
  TokenProvider,
} from './options.js';
export type { Batch, BatchResult, BatchSummary, CreatedOrder } from './results.js';
export type { AttemptTrace, OrderTrace } from '../platform/tracing-channel.js';
export type { PreparedRequestInput } from '../sending/request.js';
export type { Client } from './types.js';
