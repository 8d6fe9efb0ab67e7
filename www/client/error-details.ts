import type { Guid, Issue, OrderValidationError, Version } from 'sales-order-intake';
import type { Outcome, RelayState, SendError } from './errors.js';

/** The errors after which an order was not created, or its fate is unknown: those with an `outcome`. */
export type OutcomeError = Exclude<SendError, OrderValidationError>;

/** The members of an error, and its cause. Not derived from the classes: TypeScript 5.4 would name them in another order. */
export interface ErrorDetails {
  orderId: Guid;
  version: Version;
  attempts: number;
  retryable: boolean;
  outcome: Outcome;
  status?: number | undefined;
  retryAfterMs?: number | undefined;
  requestId?: string | undefined;
  mediaType?: string | undefined;
  url?: string | undefined;
  isSuspect?: boolean | undefined;
  relayState?: RelayState | undefined;
  failure?: string | undefined;
  isSent?: boolean | undefined;
  issues?: Issue[] | undefined;
  detail?: string | undefined;
  body?: string | undefined;
  cause?: unknown;
}
