import type { Platform } from '../www/platform/platform.js';
import { backoffMs } from '../www/sending/waits.js';
import type { CreatedOrder } from 'sales-order-intake/client';
import type { Trace } from '../www/platform/tracing-channel.js';
import type { AttemptResult } from './attempt.js';
import type { Suspicion } from './gates.js';
import { locationOf } from './entry.js';
import { INITIAL, settlementIn } from './members.js';
import type { ResultEvent } from './options.js';
import type { EntryReason } from './reason.js';
import type { OutboxSettings } from './settings.js';
import type { EntryOutcome, Settlement, TakenEntry } from './store/index.js';

/** The changes of an attempt in its entry. */
export interface AttemptSettlement extends Settlement {
  state: ResultEvent['state'];
  reason: EntryReason | null;
}

/**
 * How many attempts at an order are followed by waits up to `baseMs`, before they double: with sporadic faults an order may fail
 * several times, and the gates protect the service.
 */
const EQUAL_WAITS = 3;

/**
 * Returns the changes of an attempt in its entry.
 *
 * @param suspicion The judgement of the gates about the response, if it is suspect.
 */
export function settlementOf(
  entry: TakenEntry,
  result: AttemptResult,
  suspicion: Suspicion | null,
  { retry, onSettled, handlerTimeoutMs }: Pick<OutboxSettings, 'retry' | 'onSettled' | 'handlerTimeoutMs'>,
  platform: Platform,
): AttemptSettlement {
  const now = platform.date();
  const { created, error } = result;
  const end = (state: ResultEvent['state'], outcome: EntryOutcome): AttemptSettlement => ({
    ...INITIAL,
    state,
    outcome,
    attempts: entry.attempts,
    dueAt: entry.dueAt,
    settledAt: now,
    // Later, so that this process calls the handler first, and another one only if this one dies.
    noticeAt: onSettled ? now + handlerTimeoutMs : null,
  });
  if (created && !created.delivery) return { ...end('created', 'created'), ...whatCame(created, entry) };
  if (error && !('outcome' in error)) {
    const settlement = end(entry.outcome === 'unknown' ? 'stalled' : 'refused', entry.outcome);
    return {
      ...settlement,
      attempts: entry.attempts - 1,
      reason: 'OrderValidationError',
      issues: JSON.stringify(error.issues),
    };
  }

  const isUnreached = result.effect === 'unreachable' || result.effect === 'token';
  const outcome = error?.outcome ?? 'unknown';
  const what = {
    reason: result.sign.reason,
    status: result.sign.status,
    requestId: (created ?? error)?.requestId ?? null,
    detail: error?.detail ?? result.sign.failure,
    issues: jsonOf(error?.issues),
  };
  const isFinal = suspicion?.isEnough ?? !isUnreached;
  if (isFinal && error && !error.retryable) {
    return { ...end(error.relayState ?? (outcome === 'unknown' ? 'stalled' : 'refused'), outcome), ...what };
  }
  if (now >= entry.deadlineAt) return { ...end('stalled', outcome), ...what, reason: 'Deadline' };

  // An attempt that did not reach the service, or whose response may not be the service's, does not count. Without the service
  // the gate decides when to try next; a suspect order lets the others go first.
  const isSpent = !suspicion && !isUnreached;
  const attempts = isSpent ? entry.attempts : entry.attempts - 1;
  const leastMs = suspicion?.pauseMs ?? result.waitMs;
  const failures = (suspicion?.responses ?? attempts) - EQUAL_WAITS;
  const waitMs = isUnreached ? 0 : Math.max(leastMs, backoffMs(retry, Math.max(0, failures), platform));
  return {
    ...INITIAL,
    ...what,
    outcome,
    attempts,
    dueAt: Math.min(now + Math.ceil(waitMs), entry.deadlineAt),
  };
}

function whatCame({ order, status, requestId, issues, alreadyThere }: CreatedOrder, entry: TakenEntry) {
  return {
    status,
    requestId,
    issues: jsonOf(issues),
    received: order && JSON.stringify(order),
    // If an earlier attempt may have created it, it is this very order.
    alreadyThere: alreadyThere === true && entry.outcome === 'not-created',
  };
}

function jsonOf(issues: readonly unknown[] | undefined): string | null {
  return issues && issues.length > 0 ? JSON.stringify(issues) : null;
}

/** Returns the members that an attempt can change, for an entry that is given back without one. */
export function givenBack(entry: TakenEntry): Settlement {
  return { ...settlementIn(entry), state: 'waiting', attempts: entry.attempts - 1 };
}

// ---------------------------------------------------------------- reports

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
