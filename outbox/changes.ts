/** Changes that people make to entries, the conditions for them, and why they are refused. */
import type { Guid } from 'sales-order-intake';
import { OutboxError } from './errors.js';
import type { Change, Condition, EntryState, StoredEntry } from './store/index.js';

/** What a person may send again, and only while its body has not been deleted. */
export const RETRIED: readonly EntryState[] = ['stalled', 'refused', 'waiting'];
/** Deletes the personal data of an entry. */
export const FORGET: Change = { body: null, received: null, detail: null, issues: null };
/** Nothing of such an order was ever sent. */
export const NEVER_SENT: Condition = { states: ['waiting', 'stalled'], attempts: 0, outcome: 'not-created' };
/** The service has nothing of such an order, and no attempt is on its way (D54). */
export const NOT_CREATED: Condition = {
  states: ['waiting', 'refused', 'stalled', 'cancelled'],
  outcome: 'not-created',
};
export const RETRYABLE: Condition = { states: RETRIED, hasBody: true };
/** An entry as it is before its first attempt. */
export const FRESH: Change = {
  state: 'waiting',
  outcome: 'not-created',
  attempts: 0,
  reason: null,
  status: null,
  requestId: null,
  detail: null,
  issues: null,
  received: null,
  alreadyThere: false,
  settledAt: null,
  noticeAt: null,
};

/** Returns the error for an order whose Id another one has. */
export function duplicate(orderId: Guid, isForgotten: boolean): OutboxError {
  const problem = isForgotten
    ? `Order ${orderId} was in the outbox and has been forgotten`
    : `Another order has the Id ${orderId}`;
  return new OutboxError('duplicate', `${problem}. Give each order an Id of its own, once.`, { orderId });
}

/** Returns why an entry cannot be changed. */
export function problemOf(what: string, { orderId, state, outcome, body }: StoredEntry): string {
  const problem = `Cannot ${what} order ${orderId}, which is ${state}`;
  if (what === 'replace') {
    const fate =
      outcome === 'not-created' ? 'is being sent' : `${outcome === 'created' ? 'is' : 'may be'} at the service`;
    return `${problem}: the earlier version ${fate}`;
  }
  if (what === 'retry' && body === null) return `${problem}: its body has been forgotten`;
  if (what !== 'cancel' || outcome === 'created') return `${problem}: its state does not permit it`;
  return `${problem}: only an order without an attempt that counts can be cancelled`;
}
