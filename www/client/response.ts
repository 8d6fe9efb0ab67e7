/** Turns a response into a result or an error. The core decides what the response means (D57). */
import { fateWithoutResponse, orderFate, type FailedAttempt } from '../../pkg-template/src/order-fate.js';
import type { Platform } from '../../pkg-template/src/platform/platform.js';
import type { OrderRequest } from '../../pkg-template/src/sending/request.js';
import { asksForPause, isAboutOrder } from '../../pkg-template/src/sending/waits.js';
import {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  NotFoundError,
  OrderIntakeError,
  PermissionError,
  RateLimitError,
  RejectedError,
  ServerError,
  UnexpectedResponseError,
} from './errors.js';
import type { ErrorDetails, OutcomeError } from './error-details.js';
import type { CompleteResponse } from './exchange.js';
import type { CreatedOrder } from './results.js';
import type { ClientSettings, SendSettings } from './settings.js';
import type { Sign } from './client-gate.js';

/** An order that the service has, or that a relay has accepted. */
export type Proof = Pick<CreatedOrder, 'order' | 'issues' | 'delivery'>;

export type ErrorClass = new (message: string, details: ErrorDetails) => OutcomeError;

/** The parts of an error: its class, the problem, and its members. */
export interface Failure {
  Type: ErrorClass;
  problem: string;
  /** This attempt may have created the order. */
  mayBeCreated: boolean;
  details: Pick<ErrorDetails, 'retryable'> & Partial<ErrorDetails>;
}

/** The errors by the names that the core gives. */
const CLASSES: Record<string, ErrorClass> = {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  RejectedError,
  ServerError,
  UnexpectedResponseError,
};

/** In characters. */
const LONGEST_ERROR_BODY = 10_000;

/** Returns the proof that a response contains, or describes the error. */
export function judged(
  complete: CompleteResponse,
  { expected, issues: warnings }: OrderRequest,
  options: Pick<ClientSettings, 'proof' | 'acceptEmptyBody'> & Pick<SendSettings, 'earlierAttempts'>,
  platform: Platform,
): Proof | Failure {
  const location = locationOf(complete);
  const fate = orderFate(expected, complete, location?.href ?? '', platform.date(), options);
  if (fate.fate === 'created') {
    return { order: fate.order, issues: [...warnings, ...fate.issues], delivery: null };
  }
  if (fate.fate === 'accepted') return { order: fate.order, issues: warnings, delivery: location };
  return failureOf(fate, cameOf(complete));
}

/** Describes the error of an attempt without a response. */
export function unanswered(wasSent: boolean): Failure {
  return failureOf(fateWithoutResponse(wasSent ? 'lost' : 'not-sent'), {});
}

function failureOf(fate: FailedAttempt, came: Partial<ErrorDetails>): Failure {
  const { error, problem, retryable, isSuspect, issues } = fate;
  const details = {
    ...came,
    retryable,
    isSuspect,
    issues,
    retryAfterMs: fate.retryAfterMs ?? undefined,
    relayState: fate.relayState ?? undefined,
    detail: fate.detail ?? undefined,
    ...(fate.holdsForAll && { outcome: fate.fate }),
  };
  return { Type: CLASSES[error] ?? UnexpectedResponseError, problem, mayBeCreated: fate.fate === 'unknown', details };
}

function locationOf({ response, url }: CompleteResponse): URL | null {
  try {
    const location = response.headers.get('location');
    const found = location ? new URL(location, url) : null;
    // A page may link to it.
    return found && /^https?:$/.test(found.protocol) ? found : null;
  } catch {
    return null;
  }
}

/** Returns the members of an error that describe a response. */
export function cameOf({ status, body, mediaType, url, requestId }: CompleteResponse): Partial<ErrorDetails> {
  return { status: status || undefined, body: body.slice(0, LONGEST_ERROR_BODY), mediaType, url, requestId };
}

/** Returns the sign that a result gives about the service, which adapts the number of concurrent requests (D52). */
export function signOf(result: CreatedOrder | OutcomeError | undefined): Sign {
  if (!result || result instanceof AuthenticationError) return 'none';
  if (!(result instanceof OrderIntakeError) || isAboutOrder(result.status)) return 'success';
  const isTrouble = result.retryable || result instanceof UnexpectedResponseError;
  return isTrouble ? 'trouble' : 'success';
}

/** Returns the milliseconds that a response asks all orders to wait (D52); 0 if it does not. */
export function askedPauseMs(result: CreatedOrder | OutcomeError | undefined): number {
  if (!(result instanceof OrderIntakeError) || !asksForPause(result.status)) return 0;
  return result.retryAfterMs ?? 0;
}
