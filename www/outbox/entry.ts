import type { Guid, Issue, ReceivedOrder, Version } from 'sales-order-intake';
import { locationOf } from './location.js';
import type { EntryOutcome, State, StoredEntry } from './store.js';

/** An order in the outbox. */
export interface Entry {
  orderId: Guid;
  version: Version;
  companyId: number;
  entityId: number;
  state: State;
  outcome: EntryOutcome;
  /**
   * Attempts that count. An attempt does not count if the service could not be reached or refused the token, so that it
   * can't have created the order.
   */
  attempts: number;
  addedAt: Date;
  /** When the order is sent next; null if it is not waiting. */
  nextAttemptAt: Date | null;
  /** When the outbox gives up, and the order stalls. */
  deadlineAt: Date;
  settledAt: Date | null;
  /**
   * Name of the last error, for example `RejectedError`; `Deadline`; `AcceptedByRelay` after a 202 with a Location; `Unreadable`
   * if the store can't read the entry. Null if there is none.
   */
  reason: string | null;
  /** Status of the last response. */
  status: number | null;
  /** The service's id for the last request: quote it to the service's support. */
  requestId: string | null;
  /** Why the service refused the order, as the service worded it. May have personal data: do not log it. */
  detail: string | null;
  /** What the service says is wrong with the order, or warns of. May have personal data: do not log it. */
  issues: Issue[];
  /**
   * The service had an equal order with this Id before the outbox first sent this one (D53): perhaps another sale has the
   * same Id.
   */
  alreadyThere: boolean;
  /** The order that the service returned. Personal data. */
  order: ReceivedOrder | null;
  /** The bytes that every attempt sends; null after `forget`. Personal data. */
  body: string | null;
}

/** An entry that is sent no more, unless somebody retries or replaces it. */
export type SettledEntry = Entry & { state: 'created' | 'refused' | 'stalled' | 'cancelled' };

/** Returns true for an entry that is sent no more, unless somebody retries or replaces it. */
export function isSettled(entry: Entry): entry is SettledEntry {
  return entry.state !== 'waiting' && entry.state !== 'sending';
}

export function entryOf(stored: StoredEntry): Entry {
  const { orderId, version, state, outcome, attempts, reason, status, requestId, detail, body, alreadyThere } = stored;
  return {
    orderId,
    version,
    ...locationOf(stored.location),
    state,
    // The attempt that is recorded may have been sent.
    outcome: state === 'sending' ? 'unknown' : outcome,
    attempts,
    addedAt: new Date(stored.addedAt),
    nextAttemptAt: state === 'waiting' ? new Date(stored.dueAt) : null,
    deadlineAt: new Date(stored.deadlineAt),
    settledAt: stored.settledAt === null ? null : new Date(stored.settledAt),
    reason,
    status,
    requestId,
    detail,
    issues: parsed<Issue[]>(stored.issues) ?? [],
    alreadyThere,
    order: parsed<ReceivedOrder>(stored.received),
    body,
  };
}

/** Returns null for JSON that somebody has damaged: one entry must not keep others from being listed. */
function parsed<T>(json: string | null): T | null {
  try {
    return json === null ? null : (JSON.parse(json) as T);
  } catch {
    return null;
  }
}
