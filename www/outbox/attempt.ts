import { isOrderValidationError, requestPath, type PreparedRequest } from 'sales-order-intake';
import { wasNeverConnected } from '../client/connection.js';
import {
  isAuthenticationError,
  isConnectionError,
  isOrderIntakeError,
  type OrderIntakeError,
} from '../client/errors.js';
import type { Platform } from '../client/platform.js';
import type { CreatedOrder } from '../client/results.js';
import { backoffMs } from '../client/retry.js';
import type { Client } from '../client/types.js';
import type { Trouble } from './gates.js';
import type { Settlement, TakenEntry } from './store.js';

/** A wrong Retry-After must not delay an order, or stop deliveries, for longer. */
const LONGEST_ASKED_MS = 3_600_000;

export interface AttemptSettings {
  client: Pick<Client, 'createOrder'>;
  retry: { baseMs: number; capMs: number };
  /** How long the handler has before the entry may be handed over again; null if there is none. */
  handlerMs: number | null;
}

/** The result of an attempt for its entry, and for the gates. */
export interface AttemptResult {
  settlement: Settlement;
  trouble: Trouble;
  /** What Retry-After asks for, bounded; 0 if nothing. */
  askedMs: number;
}

/** Sends an order once, with the stored bytes. The client decides what the response means (D31–D35). */
export async function attempt(
  entry: TakenEntry,
  settings: AttemptSettings,
  platform: Platform,
  signal: AbortSignal,
): Promise<AttemptResult> {
  const earlierAttempts = entry.outcome === 'unknown' ? 'unknown' : 'none';
  try {
    const created = await settings.client.createOrder(requestOf(entry), {
      earlierAttempts,
      maxRetries: 0,
      sharePause: false,
      signal,
    });
    return { settlement: createdBy(created, entry, platform.date(), settings.handlerMs), trouble: 'none', askedMs: 0 };
  } catch (error) {
    return failedWith(error, entry, settings, platform);
  }
}

function requestOf({ orderId, version, body }: TakenEntry): PreparedRequest {
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

const NOTHING = {
  reason: null,
  status: null,
  requestId: null,
  detail: null,
  issues: null,
  received: null,
  alreadyThere: false,
};

function createdBy(created: CreatedOrder, entry: TakenEntry, now: number, handlerMs: number | null): Settlement {
  const { order, status, requestId, issues } = created;
  return {
    ...settled('created', 'created', entry, now, handlerMs),
    status,
    requestId,
    issues: issues.length > 0 ? JSON.stringify(issues) : null,
    received: order && JSON.stringify(order),
  };
}

function settled(
  state: Settlement['state'],
  outcome: Settlement['outcome'],
  { attempts, dueAt }: TakenEntry,
  now: number,
  handlerMs: number | null,
): Settlement {
  return {
    ...NOTHING,
    state,
    outcome,
    attempts,
    dueAt,
    settledAt: now,
    // Later, so that this process comes first and another one only if this dies.
    noticeAt: handlerMs === null ? null : now + handlerMs,
  };
}

function failedWith(
  error: unknown,
  entry: TakenEntry,
  { retry, handlerMs }: AttemptSettings,
  platform: Platform,
): AttemptResult {
  const now = platform.date();
  if (isOrderValidationError(error)) {
    // Rules of a newer version of this package: the order was valid when it was added.
    const state = entry.outcome === 'unknown' ? 'stalled' : 'refused';
    const settlement = {
      ...settled(state, entry.outcome, entry, now, handlerMs),
      attempts: entry.attempts - 1,
      reason: error.name,
      issues: JSON.stringify(error.issues),
    };
    return { settlement, trouble: 'unsent', askedMs: 0 };
  }
  const known = isOrderIntakeError(error) ? error : undefined;
  const askedMs = Math.min(known?.retryAfterMs ?? 0, LONGEST_ASKED_MS);
  const outcome = known?.outcome ?? 'unknown';
  const what = {
    reason: (error as Error | undefined)?.name ?? 'Error',
    status: known?.status ?? null,
    requestId: known?.requestId ?? null,
    detail: known?.detail ?? null,
    issues: known?.issues && known.issues.length > 0 ? JSON.stringify(known.issues) : null,
  };
  const trouble = troubleOf(known);
  const isTransient = !known || known.retryable || trouble === 'service';
  if (!isTransient || now >= entry.deadlineAt) {
    const state = isTransient || outcome === 'unknown' ? 'stalled' : 'refused';
    const reason = isTransient ? 'Deadline' : what.reason;
    const settlement = { ...settled(state, outcome, entry, now, handlerMs), ...what, reason };
    return { settlement, trouble: isTransient ? trouble : 'none', askedMs };
  }
  // An attempt that could not reach the service, or had no valid token, does not count: the gate decides when to try next.
  const isSpent = trouble !== 'service' || !known;
  const attempts = isSpent ? entry.attempts : entry.attempts - 1;
  const waitMs = isSpent ? Math.max(askedMs, backoffMs(retry, attempts - 1, platform)) : 0;
  const settlement: Settlement = {
    ...NOTHING,
    ...what,
    state: 'waiting',
    outcome,
    attempts,
    dueAt: Math.min(now + Math.ceil(waitMs), entry.deadlineAt),
    settledAt: null,
    noticeAt: null,
  };
  return { settlement, trouble, askedMs };
}

function troubleOf(error: OrderIntakeError | undefined): Trouble {
  if (!error) return 'service';
  // The token was rejected, or the token function failed.
  if (isAuthenticationError(error)) return 'service';
  // No connection could be made.
  if (isConnectionError(error) && wasNeverConnected(error.cause)) return 'service';
  return error.status === 429 || error.status === 503 ? 'location' : 'transient';
}
