import { OrderValidationError, requestPath, type PreparedRequest } from 'sales-order-intake';
import { AuthenticationError, ConnectionError, OrderIntakeError, type CreatedOrder } from 'sales-order-intake/client';
import { asksForPause, LONGEST_PAUSE_MS } from '../www/sending/waits.js';
import type { AttemptEnd, Effect } from './gates.js';
import { reasonOf } from './reason.js';
import type { OutboxSettings } from './settings.js';
import type { TakenEntry } from './store/index.js';

/** The result of an attempt. */
export interface AttemptResult extends AttemptEnd {
  /** The order that the service returned, or null if the attempt failed. */
  created: CreatedOrder | null;
  /** Why the attempt failed; null if the client threw an error that clients never throw. */
  error: OrderIntakeError | OrderValidationError | null;
  /** The value that the client threw, if clients never throw it; `created` and `error` are then null. */
  thrown?: unknown;
  /** How long the service asks this order to wait, bounded; 0 if it does not. */
  waitMs: number;
}

/** Sends an order once, with the stored bytes. The client decides what the response means (D26, D31–D35). */
export async function attempt(
  entry: TakenEntry,
  client: OutboxSettings['client'],
  signal: AbortSignal,
): Promise<AttemptResult> {
  const earlierAttempts = entry.outcome === 'unknown' ? 'unknown' : 'none';
  try {
    const created = await client.createOrder(storedRequest(entry), {
      earlierAttempts,
      maxRetries: 0,
      sharePause: false,
      signal,
    });
    // A relay has accepted the order, and the service does not have it yet.
    const effect = created.delivery ? 'responded' : 'created';
    // The sign of a created order is never read.
    const sign = { reason: 'AcceptedByRelay' as const, status: created.status, mediaType: null, failure: null };
    return { created, error: null, effect, askedMs: 0, waitMs: 0, sign };
  } catch (error) {
    return failed(error);
  }
}

function storedRequest({ orderId, version, body }: TakenEntry): PreparedRequest {
  const headers = { Accept: 'application/json', 'Content-Type': 'application/json' } as const;
  return {
    method: 'PUT',
    version,
    orderId,
    path: requestPath(version, orderId),
    headers,
    body: body ?? '',
    issues: [],
  };
}

function failed(thrown: unknown): AttemptResult {
  const created = null;
  const reason = reasonOf(thrown);
  if (!(thrown instanceof OrderIntakeError)) {
    const sign = { reason, status: null, mediaType: null, failure: null };
    // Rules of a newer version of this package: the order was valid when it was added.
    if (thrown instanceof OrderValidationError)
      return { created, error: thrown, effect: 'nothing', askedMs: 0, waitMs: 0, sign };
    return { created, error: null, thrown, effect: 'trouble', askedMs: 0, waitMs: 0, sign };
  }
  const { status = null, mediaType = null, retryAfterMs = 0 } = thrown;
  const waitMs = Math.min(retryAfterMs, LONGEST_PAUSE_MS);
  const askedMs = asksForPause(thrown.status) ? waitMs : 0;
  const failure = (thrown instanceof ConnectionError && thrown.failure) || null;
  const sign = { reason, status, mediaType, failure };
  return { created, error: thrown, effect: effectOf(thrown), askedMs, waitMs, sign };
}

function effectOf(error: OrderIntakeError): Effect {
  // The token was rejected, or the token function failed.
  if (error instanceof AuthenticationError) return 'token';
  if (error instanceof ConnectionError && error.isSent === false) return 'unreachable';
  if (error.isSuspect) return 'suspect';
  if (error.retryable) return 'trouble';
  const { status = 0 } = error;
  return error.relayState || (status >= 400 && status < 500) ? 'responded' : 'trouble';
}
