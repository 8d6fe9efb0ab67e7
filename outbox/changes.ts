/** Changes that people make to entries, and the conditions for them. */
import type { Change, Condition, EntryState } from './store/index.js';

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
