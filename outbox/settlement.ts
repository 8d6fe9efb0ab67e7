import type { Platform } from '../pkg-template/src/platform/platform.js';
import { backoffMs } from '../pkg-template/src/sending/waits.js';
import type { CreatedOrder, OrderIntakeError } from 'sales-order-intake/client';
import type { Trace } from '../pkg-template/src/platform/tracing-channel.js';
import type { AttemptResult } from './attempt.js';
import type { SuspectResponse } from './delivery-pauses.js';
import { placeIn } from './entry.js';
import { INITIAL, settlementIn } from './members.js';
import type { ResultEvent } from './options.js';
import type { EntryReason } from './reason.js';
import { LONGEST_REFERENCE, type CheckedOptions } from './checked-options.js';
import type { Recorded, Settlement, TakenEntry } from './store.js';

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
/** The most bytes of an order, or of issues, that the service returned. */
const MOST_STORED = 2 ** 20;

/**
 * Returns the changes of an attempt in its entry.
 *
 * @param judgement `suspicion` is that of the gates, if the response is suspect; `isLast` is true if the response settles the order.
 */
export function settlementOf(
  entry: TakenEntry,
  result: AttemptResult,
  { suspicion, isLast }: { suspicion: SuspectResponse | null; isLast: boolean },
  { retry, onSettled, handlerTimeoutMs }: Pick<CheckedOptions, 'retry' | 'onSettled' | 'handlerTimeoutMs'>,
  platform: Platform,
): AttemptSettlement {
  const now = platform.date();
  const { created, error, isSent, outcome, effect, sign } = result;
  // An attempt that was not sent, or whose response may not be the service's, does not count.
  const attempts = isSent && !suspicion ? entry.attempts : entry.attempts - 1;
  const end = (state: ResultEvent['state'], counted = entry.attempts): AttemptSettlement => ({
    ...INITIAL,
    state,
    outcome,
    attempts: counted,
    dueAt: entry.dueAt,
    settledAt: now,
    // Later, so that this process calls the handler first, and another one only if this one dies.
    noticeAt: onSettled ? now + handlerTimeoutMs : null,
  });
  if (created && !created.delivery) return { ...end('created'), ...whatCame(created, entry) };
  const settled = outcome === 'unknown' ? 'stalled' : 'refused';
  if (error && !('outcome' in error)) {
    const issues = JSON.stringify(error.issues);
    return { ...end(settled, attempts), reason: 'OrderValidationError', issues };
  }

  const what = {
    reason: sign.reason,
    status: sign.status,
    requestId: (created ?? error)?.requestId ?? null,
    detail: error?.detail ?? sign.failure,
    issues: jsonOf(error?.issues),
  };
  if (isLast && error) return { ...end(stateAtRelay(error) ?? settled), ...what };
  if (now >= entry.deadlineAt) return { ...end('stalled', attempts), ...what, reason: 'Deadline' };

  // Without the service or a token the gate decides when to try next; a suspect order lets the others go first.
  const isGated = effect === 'unreachable' || effect === 'token' || effect === 'nothing';
  const leastMs = suspicion?.pauseMs ?? result.waitMs;
  // The attempts of an order that can't be sent are not counted, so its waits can't grow.
  const failures = isSent ? (suspicion?.responses ?? attempts) - EQUAL_WAITS : Number.POSITIVE_INFINITY;
  const waitMs = isGated ? 0 : Math.max(leastMs, backoffMs(retry, Math.max(0, failures), platform));
  return {
    ...INITIAL,
    ...what,
    outcome,
    attempts,
    dueAt: Math.min(now + Math.ceil(waitMs), entry.deadlineAt),
  };
}

/** Returns the state of an order at a relay, if the response has one. An order that is invalid there needs a person here, too. */
function stateAtRelay({ relayState }: OrderIntakeError) {
  return relayState === 'invalid' ? 'stalled' : relayState;
}

function whatCame({ order, body, status, requestId, issues, alreadyThere }: CreatedOrder, entry: TakenEntry) {
  const isTooLarge = order !== null && !isStorable(body);
  return {
    reason: isTooLarge ? ('ResponseTooLarge' as const) : null,
    status,
    // A program's own client may have none.
    requestId: requestId ?? null,
    issues: jsonOf(issues),
    received: order === null || isTooLarge ? null : body,
    receiptNumber: receiptNumberOf(order?.ReceiptNumber),
    // If an earlier attempt may have created it, it is this very order.
    alreadyThere: alreadyThere === true && entry.outcome === 'not-created',
  };
}

/** Returns null for a receipt number that no database could have an index of. */
function receiptNumberOf(received: unknown): string | null {
  const text = typeof received === 'number' ? `${received}` : received;
  return typeof text === 'string' && text !== '' && text.length <= LONGEST_REFERENCE ? text : null;
}

/** Returns as many of the issues as can be stored; null if there are none. */
export function jsonOf(issues: readonly unknown[] | undefined): string | null {
  if (!issues || issues.length === 0) return null;
  const json = JSON.stringify(issues);
  return isStorable(json) ? json : jsonOf(issues.slice(0, issues.length / 2));
}

/** A larger text of a response would hold up the results of other orders. */
function isStorable(json: string): boolean {
  return json.length <= MOST_STORED && new TextEncoder().encode(json).length <= MOST_STORED;
}

/** Returns the members that an attempt can change, for an entry that is given back without one. It stalls after its deadline. */
export function givenBack(entry: TakenEntry, now: number): Settlement & Recorded {
  const back = { ...settlementIn(entry), state: 'waiting', attempts: entry.attempts - 1 } as const;
  if (now < entry.deadlineAt) return back;
  const late = { outcome: entry.outcome, reason: 'Deadline' };
  const event = { at: now, what: 'settled', ...late } as const;
  return { ...back, ...late, state: 'stalled', settledAt: now, noticeAt: now, event };
}

/** Returns an attempt for the history (D66), which ends as it was settled. Has no text of the service. */
export function attemptOf(
  settlement: AttemptSettlement,
  { sign }: AttemptResult,
  ms: number,
  now: number,
): Required<Recorded>['event'] {
  const { settledAt, outcome, status, reason } = settlement;
  const isLate = reason === 'Deadline';
  const what = settledAt === null ? 'attempt' : isLate ? 'deadline' : 'settled';
  const durationMs = Math.max(0, Math.round(ms));
  const at = (settledAt ?? now) - durationMs;
  return { at, what, status, failure: sign.failure, outcome, reason: isLate ? sign.reason : reason, durationMs };
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
    ...placeIn(location),
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
