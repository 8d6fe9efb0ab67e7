/** Changes that people make to entries, their conditions, and the reasons why they are refused. */
import type { Guid } from 'sales-order-intake';
import { OutboxError } from './errors.js';
import type { Change, Condition, StoredEntry } from './store.js';

/** The actions of a person on an entry, and the conditions for them. */
export const CONDITIONS = {
  /** Not after the body has been deleted: nothing is left to send. */
  retry: { states: ['stalled', 'refused', 'waiting'], hasBody: true },
  /** The service has nothing of the order, and no attempt is on its way (D54). */
  replace: { states: ['waiting', 'refused', 'stalled', 'cancelled'], outcome: 'not-created' },
  /** Nothing of the order was ever sent. */
  cancel: { states: ['waiting', 'stalled'], attempts: 0, outcome: 'not-created' },
  forget: { states: ['created', 'refused', 'stalled', 'cancelled'] },
} as const satisfies Record<string, Condition>;

/** An action of a person on an entry. */
export type Action = keyof typeof CONDITIONS;

/** Returns true if an action is permitted for an entry as it is stored. */
export function isPermitted(action: Action, { state, attempts, outcome, hasBody }: StoredEntry): boolean {
  const condition: Condition = CONDITIONS[action];
  return (
    condition.states?.includes(state) === true &&
    (condition.attempts ?? attempts) === attempts &&
    (condition.outcome ?? outcome) === outcome &&
    (hasBody || !condition.hasBody)
  );
}

/** Deletes the personal data of an entry. */
export const FORGET: Change = { body: null, received: null, detail: null, issues: null };
/** Returns the error for an order if another one has its Id. */
export function duplicate(orderId: Guid, isForgotten: boolean): OutboxError {
  const problem = isForgotten
    ? `Order ${orderId} was in the outbox and has been forgotten`
    : `Another order has the Id ${orderId}`;
  return new OutboxError('duplicate', `${problem}. Give each order an Id of its own, once.`, { orderId });
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
  if (what !== 'cancel' || outcome === 'created') return `${problem}: its state does not permit it`;
  return `${problem}: only an order without an attempt that counts can be cancelled`;
}
