/** What is reported about the end of an attempt. */
import type { Trace } from '../www/platform/tracing-channel.js';
import type { AttemptResult } from './attempt.js';
import { locationOf } from './entry.js';
import type { ResultEvent } from './options.js';
import type { AttemptSettlement } from './settlement.js';
import type { TakenEntry } from './store/index.js';

/** Returns the event for a result that is durable. */
export function eventOf(
  { orderId, location, addedAt }: TakenEntry,
  settlement: AttemptSettlement,
  { effect, sign }: AttemptResult,
  durationMs: number,
  now: number,
): ResultEvent {
  const { state, outcome, attempts, reason, status, requestId, alreadyThere } = settlement;
  return {
    orderId,
    ...locationOf(location),
    state,
    outcome,
    attempts,
    reason,
    status,
    requestId,
    alreadyThere,
    isSuspect: effect === 'suspect',
    mediaType: sign.mediaType,
    failure: sign.failure,
    durationMs,
    ageMs: Math.max(0, now - addedAt),
  };
}

/** Describes an attempt for its trace. An order that a relay has accepted has not failed, and is not delivered yet. */
export function traceOf(settlement: AttemptSettlement | null, ageMs: number): Partial<Trace<'delivery'>> {
  if (!settlement) return { result: null };
  const { state, outcome, attempts, reason, status } = settlement;
  const isFailure = state !== 'created' && reason !== null && reason !== 'AcceptedByRelay';
  return {
    result: { state, outcome, attempts, ageMs },
    ...(isFailure && { error: { name: reason, status, outcome } }),
  };
}
