import { OrderValidationError, requestPath, type PreparedRequest } from 'sales-order-intake';
import {
  AbortedError,
  AuthenticationError,
  ConnectionError,
  OrderIntakeError,
  TimeoutError,
  type CreatedOrder,
} from 'sales-order-intake/client';
import { packageVersion, sendStoredOf } from '../pkg-template/src/sending/inner-client.js';
import { asksForPause, isAboutOrder, LONGEST_PAUSE_MS } from '../pkg-template/src/sending/waits.js';
import type { AttemptEnd, Effect } from './delivery-pauses.js';
import { reasonOf } from './reason.js';
import type { CheckedOptions } from './checked-options.js';
import type { EntryOutcome, TakenEntry } from './store.js';

/** The result of an attempt. */
export interface AttemptResult extends AttemptEnd {
  /** The order that the service returned, or null if the attempt failed. */
  created: CreatedOrder | null;
  /** Why the attempt failed; null if the client threw an error that clients never throw. */
  error: OrderIntakeError | OrderValidationError | null;
  /** The value that the client threw, if clients never throw it; `created` and `error` are then null. */
  thrown?: unknown;
  /** False if nothing of the order was sent, or the service refused the token: then the attempt does not count. */
  isSent: boolean;
  /** What is known about the order now. */
  outcome: EntryOutcome;
  /** How long the service asks this order to wait, bounded; 0 if it does not. */
  waitMs: number;
}

/** Sends an order once, with the stored bytes. The client decides what the response means (D26, D31–D35). */
export async function attempt(
  entry: TakenEntry,
  client: CheckedOptions['client'],
  signal: AbortSignal,
): Promise<AttemptResult> {
  const earlierAttempts = entry.outcome === 'unknown' ? 'unknown' : 'none';
  try {
    const created = await send(entry, client, { earlierAttempts, signal });
    assertComplete(created);
    // A relay has accepted the order, and the service does not have it yet.
    const [effect, outcome] = created.delivery
      ? (['responded', 'unknown'] as const)
      : (['created', 'created'] as const);
    // The sign of a created order is never read.
    const sign = { reason: 'AcceptedByRelay' as const, status: created.status, mediaType: null, failure: null };
    return { created, error: null, isSent: true, outcome, effect, askedMs: 0, waitMs: 0, sign };
  } catch (error) {
    return { ...failed(readable(error), entry), created: null };
  }
}

/** @throws TypeError if a program's own client returns something else than a CreatedOrder. */
function assertComplete({ status, order, body }: CreatedOrder): void {
  if (typeof status !== 'number' || (order !== null && typeof body !== 'string'))
    throw new TypeError('the client must return what createOrder of createClient returns');
}

/** Returns another error for a value that nothing can be read of, such as a revoked proxy. */
function readable(thrown: unknown): unknown {
  try {
    void (thrown as { name?: unknown } | null | undefined)?.name;
    return thrown;
  } catch {
    return new TypeError('the client threw a value that can not be read');
  }
}

/** Sends what was stored as it is. Another version of this package may have stored it: then the client checks it again. */
function send(
  { orderId, version, preparedBy, path, body, expected }: TakenEntry,
  client: CheckedOptions['client'],
  options: { earlierAttempts: 'none' | 'unknown'; signal: AbortSignal },
): Promise<CreatedOrder> {
  const sendStored = preparedBy === packageVersion ? sendStoredOf(client) : undefined;
  if (sendStored && path !== null && body !== null && expected !== null)
    return sendStored({ version, orderId, path, body, expected }, options);
  const request: PreparedRequest = {
    method: 'PUT',
    version,
    orderId,
    path: requestPath(version, orderId),
    headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
    body: body ?? '',
    issues: [],
  };
  return client.createOrder(request, { ...options, maxRetries: 0, sharePause: false });
}

function failed(thrown: unknown, entry: TakenEntry): Omit<AttemptResult, 'created'> {
  if (thrown instanceof OrderIntakeError) return failedBy(thrown);
  const reason = reasonOf(thrown);
  const sign = { reason, status: null, mediaType: null, failure: null };
  const came = { askedMs: 0, waitMs: 0, sign };
  const { outcome } = entry;
  // Rules of a newer version of this package: the order was valid when it was added.
  if (thrown instanceof OrderValidationError)
    return { ...came, error: thrown, isSent: false, outcome, effect: 'nothing' };
  const failure = { ...came, error: null, thrown, effect: 'trouble' } as const;
  // Clients throw these before they send anything; what else a program's own client throws proves nothing.
  if (reason === 'OptionError' || reason === 'CoreInitError') return { ...failure, isSent: false, outcome };
  return { ...failure, isSent: true, outcome: 'unknown' };
}

function failedBy(error: OrderIntakeError): Omit<AttemptResult, 'created'> {
  const { status = null, mediaType = null, retryAfterMs = 0, outcome } = error;
  const waitMs = Math.min(retryAfterMs, LONGEST_PAUSE_MS);
  const askedMs = asksForPause(error.status) ? waitMs : 0;
  const failure = (error instanceof ConnectionError && error.failure) || null;
  const effect = effectOf(error);
  // There was no token in time.
  const reason = effect === 'token' ? 'AuthenticationError' : reasonOf(error);
  const sign = { reason, status, mediaType, failure };
  const isSent = effect !== 'token' && effect !== 'unreachable' && !isUnsent(error);
  return { error, isSent, outcome, effect, askedMs, waitMs, sign };
}

/**
 * Returns true if certainly nothing was sent. An attempt that was sent and had no response has the outcome `unknown`; but an order
 * whose token was refused, and which got no other one in time, was not sent either.
 */
function isUnsent(error: OrderIntakeError): boolean {
  const isInterrupted = error instanceof TimeoutError || error instanceof AbortedError;
  return error.attempts === 0 || (isInterrupted && error.outcome === 'not-created');
}

function effectOf(error: OrderIntakeError): Effect {
  // The token was rejected, or the token function failed or was late.
  if (error instanceof AuthenticationError || (error instanceof TimeoutError && isUnsent(error))) return 'token';
  if (error instanceof AbortedError && isUnsent(error)) return 'nothing';
  // The headers function failed, perhaps for this order alone.
  if (error.attempts === 0) return 'trouble';
  if (error instanceof ConnectionError && error.isSent === false) return 'unreachable';
  if (error.isSuspect) return 'suspect';
  if (error.relayState || isAboutOrder(error.status)) return 'responded';
  return 'trouble';
}
