import { readError } from 'sales-order-intake';
import { AuthenticationError, OrderIntakeError, UnexpectedResponseError, type ErrorDetails } from './errors.js';
import type { CompleteResponse } from './exchange.js';
import { secondsOf } from './message.js';
import type { Platform } from '../platform/platform.js';
import type { CreatedOrder } from './results.js';
import { retryAfterMs } from './retry-after.js';
import { errorOfStatus, type ErrorClass } from './status.js';
import type { Verdict } from './turnstile.js';

const LONGEST_ERROR_BODY = 10_000;

/** What describes an error: its class, the problem, and its members. */
export type Failure = [
  Type: ErrorClass,
  problem: string,
  details: Pick<ErrorDetails, 'retryable'> & Partial<ErrorDetails>,
];

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

/** Returns true for an object in JSON; null and arrays have no reason. */
function isJsonObject(body: string): boolean {
  try {
    return typeof JSON.parse(body) === 'object';
  } catch {
    return false;
  }
}

/** Judges the service by a result, for the number of requests at the same time (D52). */
export function verdictOf(result: CreatedOrder | OrderIntakeError | undefined): Verdict {
  if (!result || result instanceof AuthenticationError) return 'nothing';
  const isTrouble =
    result instanceof OrderIntakeError && (result.retryable || result instanceof UnexpectedResponseError);
  return isTrouble ? 'trouble' : 'success';
}
