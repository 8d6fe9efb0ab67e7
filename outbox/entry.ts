import { readOrder, type Guid, type Issue, type ReceivedOrder, type Version } from 'sales-order-intake';
import { OutboxError } from './errors.js';
import type { EntryReason } from './reason.js';
import type { Change, Condition, EntryOutcome, EntryState, StoredEntry } from './store.js';

/** What may be done with an entry. Another process may change the entry meanwhile: then the function rejects. */
export interface EntryActions {
  /** Whether `retry` may send it again. */
  retry: boolean;
  /** Whether `replace` may put a corrected order in its place. */
  replace: boolean;
  /** Whether `cancel` may end it unsent. */
  cancel: boolean;
  /** Whether `forget` may delete its personal data. */
  forget: boolean;
}

/** An order in the outbox, without its contents. */
export interface EntrySummary {
  /** The Id of the order. */
  orderId: Guid;
  /** The version of the operation that the order is sent to. */
  version: Version;
  /** The order's CompanyId; null only if an invalid order has none. */
  companyId: number | null;
  /** The order's EntityId: its location; null only if an invalid order has none. */
  entityId: number | null;
  /** The shop's own name for the order, such as a cart number (D67); null if it has none. May be personal data. */
  reference: string | null;
  /** The receipt number that the point of sale has given the order; null before, or if it has given none. */
  receiptNumber: string | null;
  /** Whether the order waits, is being sent, or is settled. */
  state: EntryState;
  /** What is known about the order at the service (D31). */
  outcome: EntryOutcome;
  /**
   * Attempts that count. An attempt does not count if nothing was sent, because the service could not be reached or there was no token
   * or no headers, or if the service refused the token: it can't have created the order. Nor does one whose response may not be the
   * service's own (D51), which may have created it: `outcome` says so.
   */
  attempts: number;
  /** When the order was added. A corrected order that replaces it does not change this. */
  addedAt: Date;
  /** When the order is sent next; null if it is not waiting. */
  nextAttemptAt: Date | null;
  /** When the outbox gives up, and the order stalls. */
  deadlineAt: Date;
  /** When the order was created, refused or cancelled, has stalled, or was stored as invalid; null before. */
  settledAt: Date | null;
  /** Why the entry is in its state: name of the last error, for example; null if nothing went wrong. */
  reason: EntryReason | null;
  /** Status of the last response; null if there was none. */
  status: number | null;
  /** The service's id for the last request: quote it to the service's support. Null if its response has none. */
  requestId: string | null;
  /**
   * Why the service refused the order, in the service's own text. May contain personal data: do not log it. After a
   * `ConnectionError`, `status` is null, and `detail` says why the connection failed, for example
   * `certificate expired (CERT_HAS_EXPIRED)` or `headers function failed`, which is not personal.
   */
  detail: string | null;
  /** What the service, or this package for an invalid order, says is wrong with it or warns of. May have personal data: do not log it. */
  issues: Issue[];
  /**
   * The service had an equal order with this Id before the outbox first sent this one (D53): perhaps another sale has the
   * same Id.
   */
  alreadyThere: boolean;
  /** What may be done with it now. */
  can: EntryActions;
}

/** An order in the outbox. */
export interface Entry extends EntrySummary {
  /**
   * The order that the service returned; null if there is none, or if it was larger than 1 MiB: `reason` is then `ResponseTooLarge`.
   * Personal data.
   */
  order: ReceivedOrder | null;
  /** The text that `order` was read from: every number as the service wrote it. Personal data. */
  received: string | null;
  /** The bytes that every attempt sends, or an invalid order as it was given, as JSON; null after `forget`. Personal data. */
  body: string | null;
}

/** An entry that is not sent any more, unless somebody retries or replaces it. */
export interface SettledEntry extends Entry {
  /** How the delivery ended. */
  state: 'created' | 'refused' | 'stalled' | 'cancelled' | 'invalid';
}

/** Returns true for an entry that is not sent any more, unless somebody retries or replaces it. */
export function isSettled(entry: Entry): entry is SettledEntry {
  return entry.state !== 'waiting' && entry.state !== 'sending';
}

export function entryOf(stored: StoredEntry): Entry {
  const { received, body } = stored;
  return { ...summaryOf(stored), order: received === null ? null : readOrder(received).order, received, body };
}

export function summaryOf(stored: StoredEntry): EntrySummary {
  const { orderId, version, reference = null, receiptNumber, state, outcome, attempts, reason, status } = stored;
  const { requestId, detail, alreadyThere } = stored;
  const can = (action: Action) => isPermitted(action, stored);
  return {
    orderId,
    version,
    ...locationOf(stored.location),
    reference,
    receiptNumber,
    state,
    // The attempt that is recorded may have been sent.
    outcome: state === 'sending' ? 'unknown' : outcome,
    attempts,
    addedAt: new Date(stored.addedAt),
    nextAttemptAt: state === 'waiting' ? new Date(stored.dueAt) : null,
    deadlineAt: new Date(stored.deadlineAt),
    settledAt: stored.settledAt === null ? null : new Date(stored.settledAt),
    // Only this package writes reasons.
    reason: reason as EntryReason | null,
    status,
    requestId,
    detail,
    issues: parsed<Issue[]>(stored.issues) ?? [],
    alreadyThere,
    can: { retry: can('retry'), replace: can('replace'), cancel: can('cancel'), forget: can('forget') },
  };
}

/** Returns null for damaged JSON: one entry must not keep others from being listed. */
function parsed<T>(json: string | null): T | null {
  try {
    return json === null ? null : (JSON.parse(json) as T);
  } catch {
    return null;
  }
}

/** Returns the ids in a location such as `1000/2000`; null for one that an invalid order lacks. */
export function locationOf(location: string): { companyId: number | null; entityId: number | null } {
  const [companyId = null, entityId = null] = location.split('/').map((id) => (id === '' ? null : Number(id)));
  return { companyId, entityId };
}

/** Returns the ids in the location of an order that is valid. */
export function placeIn(location: string): { companyId: number; entityId: number } {
  return locationOf(location) as { companyId: number; entityId: number };
}

export function locationName(companyId: number | null, entityId: number | null): string {
  return `${companyId ?? ''}/${entityId ?? ''}`;
}

// ---------------------------------------------------------------- what people may do with an entry

/** The actions of a person on an entry, and the conditions for them. */
export const CONDITIONS = {
  /** Not after the body has been deleted: nothing is left to send. */
  retry: { states: ['stalled', 'refused', 'waiting'], hasBody: true },
  /** The service has nothing of the order, and no attempt is on its way (D54); or the order is invalid. */
  replace: { states: ['waiting', 'refused', 'stalled', 'cancelled', 'invalid'], outcome: 'not-created' },
  /** Nothing of the order was ever sent. */
  cancel: { states: ['waiting', 'stalled'], attempts: 0, outcome: 'not-created' },
  forget: { states: ['created', 'refused', 'stalled', 'cancelled', 'invalid'] },
} as const satisfies Record<string, Condition>;

/** An action of a person on an entry. */
export type Action = keyof typeof CONDITIONS;

/** Returns true if an action is permitted for an entry as it is stored. */
export function isPermitted(action: Action, { state, attempts, outcome, hasBody }: StoredEntry): boolean {
  const condition: Condition = CONDITIONS[action];
  return (
    condition.states?.includes(state) === true &&
    (condition.attempts ?? attempts) === attempts &&
    ((condition.outcome ?? outcome) === outcome || state === 'invalid') &&
    (hasBody || !condition.hasBody)
  );
}

const CONTENTS = { body: null, expected: null, received: null };
/** Deletes the personal data of an entry. */
export const FORGET: Change = { ...CONTENTS, detail: null, issues: null, reference: null };

/** Returns the error for an order if another one has its Id. */
export function duplicate({ orderId, body, state }: StoredEntry): OutboxError {
  const [problem, advice] =
    body === null
      ? [`Order ${orderId} was in the outbox and has been forgotten`, 'Give each order an Id of its own, once']
      : state === 'invalid'
        ? [`The outbox has an invalid order with the Id ${orderId}`, 'Call replace to correct it']
        : [`Another order has the Id ${orderId}`, 'Give each order an Id of its own, once'];
  return new OutboxError('duplicate', `${problem}. ${advice}.`, { orderId });
}

/** Returns why an entry cannot be changed. */
export function problemOf(what: Action, { orderId, state, outcome, hasBody }: StoredEntry): string {
  const problem = `Cannot ${what} order ${orderId}, which is ${state}`;
  if (what === 'replace') {
    const fate =
      outcome === 'not-created' ? 'is being sent' : `${outcome === 'created' ? 'is' : 'may be'} at the service`;
    return `${problem}: the earlier version ${fate}`;
  }
  if (what === 'retry' && !hasBody) return `${problem}: its body has been forgotten`;
  const isSent = what === 'cancel' && (state === 'waiting' || state === 'stalled');
  return `${problem}: ${isSent ? 'it was sent, or may have been' : 'its state does not permit it'}`;
}
