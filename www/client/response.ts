/** Reads a response: the proof that the order was created, or the error. */
import { parseGuid, readError, readOrder, type Guid, type ReceivedOrder } from 'sales-order-intake';
import type { Platform } from '../platform/platform.js';
import type { OrderRequest } from '../sending/request.js';
import {
  AuthenticationError,
  ConflictError,
  NotFoundError,
  OrderIntakeError,
  PermissionError,
  RateLimitError,
  RejectedError,
  ServerError,
  UnexpectedResponseError,
  type ErrorDetails,
  type OutcomeError,
} from './errors.js';
import type { CompleteResponse } from './exchange.js';
import { secondsOf } from './message.js';
import type { CreatedOrder } from './results.js';
import type { Sign } from './turnstile.js';

// ---------------------------------------------------------------- a 2xx

/** The statuses that prove creation without a body. */
const PROOF_WITHOUT_BODY = [201, 204];

/** The states of an order that a relay has accepted and not delivered yet. */
const ACCEPTED: readonly unknown[] = ['waiting', 'sending'];

/** What a 2xx response proves. */
export type Proof = Pick<CreatedOrder, 'order' | 'issues' | 'delivery'>;

/**
 * Reads a 2xx response. It proves that the order was created if it has the order with its Id, or is a 201 or 204 without a
 * body; a 202 with a Location proves that a relay has accepted it, and so does any 2xx with a Location and the relay's state of
 * the order (D26). Returns what came instead, for an error message, if it proves neither.
 */
export function readCreated(
  { status, body, response, url, mediaType, endsAtClose }: CompleteResponse,
  request: OrderRequest,
  acceptEmptyBody: boolean,
): Proof | string {
  const { order, issues } = readOrder(body);
  const location = locationOf(response, url);
  if (order?.Id === request.orderId) {
    return { order, issues: [...request.issues, ...issues], delivery: status === 202 ? location : null };
  }
  if (location && (status === 202 || isAccepted(order, request.orderId))) {
    return { order: null, issues: request.issues, delivery: location };
  }
  if (endsAtClose && !acceptEmptyBody) return 'an empty body that may have been cut off';
  if (body.trim() === '') {
    if (!acceptEmptyBody && !PROOF_WITHOUT_BODY.includes(status)) return 'an empty body';
    return { order: null, issues: [...request.issues, ...issues], delivery: null };
  }
  if (order?.Id) return 'an order with another Id';
  return order ? 'JSON that is not the order' : (mediaType ?? 'a body without a media type');
}

/** Returns true for a relay's state of an order that it will deliver. Members that are not the order's are read unchanged. */
function isAccepted(json: ReceivedOrder | null, orderId: Guid): boolean {
  return ACCEPTED.includes(json?.state) && parseGuid(json?.orderId as string) === orderId;
}

function locationOf({ headers }: Response, requestUrl: string): URL | null {
  const location = headers.get('location');
  try {
    return location === null ? null : new URL(location, requestUrl);
  } catch {
    return null;
  }
}

// ---------------------------------------------------------------- any other status

export type ErrorClass = new (message: string, details: ErrorDetails) => OutcomeError;

/** What describes an error: its class, the problem, and its members. */
export type Failure = [
  Type: ErrorClass,
  problem: string,
  details: Pick<ErrorDetails, 'retryable'> & Partial<ErrorDetails>,
];

/** The error for a status other than 2xx: its class, its message and whether a retry can help (D33). */
type StatusError = readonly [Type: ErrorClass, problem: string, retryable: boolean];

const CLIENT_ERRORS: Record<number, StatusError> = {
  401: [AuthenticationError, 'refused the token', false],
  403: [PermissionError, 'does not permit this with the token', false],
  404: [NotFoundError, 'found no such operation, company or location', false],
  408: [RejectedError, 'timed out waiting for the request', true],
  409: [ConflictError, 'already has an order with this Id', false],
  429: [RateLimitError, 'limits the rate of requests', true],
};

/** In characters. */
const LONGEST_ERROR_BODY = 10_000;
/** A year: a longer Retry-After is a mistake, and may be a number that no timer and no message can hold. */
const LONGEST_ASKED_MS = 31_536_000_000;

/** Describes the error for a response that is not a 2xx (D30, D31, D33). */
export function refusalOf(complete: CompleteResponse, platform: Platform): Failure {
  const { status, body, response } = complete;
  const askedMs = retryAfterMs(response.headers, platform);
  const [Type, problem, retryable] = errorOfStatus(status);
  const { detail, issues } = readError(body);
  const pause = askedMs ? ` and asks to wait ${secondsOf(askedMs)}` : '';
  const hasReason = detail !== null || issues.length > 0;
  const details = {
    retryable,
    retryAfterMs: askedMs,
    issues,
    detail: detail ?? undefined,
    isFromService: status >= 400 ? hasReason && isJsonObject(body) : undefined,
    ...cameOf(complete),
  };
  return [Type, `The service ${problem}${status ? ` (${status})` : ''}${pause}`, details];
}

/** Returns the members of an error that describe a response. */
export function cameOf({ status, body, mediaType, url, requestId }: CompleteResponse): Partial<ErrorDetails> {
  return { status: status || undefined, body: body.slice(0, LONGEST_ERROR_BODY), mediaType, url, requestId };
}

function errorOfStatus(status: number): StatusError {
  if (isRedirect(status)) return [UnexpectedResponseError, 'responded with a redirect, which is not followed', false];
  if (status >= 500 && status < 600) return [ServerError, 'failed', status !== 501];
  if (status >= 400 && status < 500) return CLIENT_ERRORS[status] ?? [RejectedError, 'rejected the order', false];
  return [UnexpectedResponseError, 'responded with a status that is not valid here', false];
}

/** Returns true for a redirect; browsers show 0 for one that is not followed. */
function isRedirect(status: number): boolean {
  return status === 0 || (status >= 300 && status < 400);
}

/** Returns true for an object in JSON; null and arrays have no reason. */
function isJsonObject(body: string): boolean {
  try {
    return typeof JSON.parse(body) === 'object';
  } catch {
    return false;
  }
}

/**
 * Parses Retry-After: seconds, or a date, which counts from the Date of the response if it has one. Returns undefined if
 * it is missing or not valid.
 */
function retryAfterMs(headers: Headers, platform: Platform): number | undefined {
  const value = headers.get('retry-after')?.trim() ?? '';
  const ms = /^\d+(\.\d+)?$/.test(value)
    ? Number(value) * 1000
    : dateOf(value) - (dateOf(headers.get('date') ?? '') || platform.date());
  return Number.isNaN(ms) ? undefined : Math.max(0, Math.min(ms, LONGEST_ASKED_MS));
}

/** Parses an HTTP date in any of its three forms (RFC 9110); returns NaN if it is not valid. */
function dateOf(value: string): number {
  // Date.parse accepts almost anything, but an HTTP date has a weekday and a time. Only the form without a comma has no zone.
  const [, comma] = /^[a-z]+(,| [a-z]{3}) .*:/i.exec(value) ?? [];
  return Date.parse(comma === ',' ? value : comma ? `${value} GMT` : '');
}

/** Judges the service by a result, for the number of requests at the same time (D52). */
export function signOf(result: CreatedOrder | OutcomeError | undefined): Sign {
  if (!result || result instanceof AuthenticationError) return 'none';
  const isTrouble =
    result instanceof OrderIntakeError && (result.retryable || result instanceof UnexpectedResponseError);
  return isTrouble ? 'trouble' : 'success';
}
