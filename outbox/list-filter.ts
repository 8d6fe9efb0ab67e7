import { check, checkNames, checkObject, copyOptions } from '../www/options/check.js';
import { locationName } from './entry.js';
import type { ListFilter } from './options.js';
import { isReason, REASONS } from './reason.js';
import type { EntryState, Page } from './store/index.js';

const STATES: readonly EntryState[] = ['waiting', 'sending', 'created', 'refused', 'stalled', 'cancelled'];
const NAMES = ['state', 'states', 'companyId', 'entityId', 'reason', 'since'];
/** The latest time that a Date can have; a larger number would not fit into the integers of databases. */
const LATEST_DATE_MS = 8.64e15;

/**
 * Returns what a store filters by.
 *
 * @throws OptionError if the filter is wrong.
 */
export function filterOf(given: ListFilter): Omit<Page, 'after' | 'limit'> {
  checkObject('', given);
  const filter = copyOptions(given);
  checkNames('', Object.keys(filter), NAMES);
  const { state, states = state && [state], companyId, entityId, reason, since } = filter;
  const isState = (value: unknown) => STATES.includes(value as EntryState);
  check('/state', state === undefined || isState(state), `one of ${STATES.join(', ')}`);
  check('/states', state === undefined || filter.states === undefined, 'absent beside state');
  check(
    '/states',
    states === undefined || (Array.isArray(states) && states.every(isState)),
    `some of ${STATES.join(', ')}`,
  );
  check('/entityId', (companyId === undefined) === (entityId === undefined), 'given together with companyId');
  check('/reason', reason === undefined || isReason(reason), `one of ${REASONS.join(', ')}`);
  const sinceMs = since instanceof Date ? since.getTime() : since;
  const isTime = sinceMs === undefined || (typeof sinceMs === 'number' && Math.abs(sinceMs) <= LATEST_DATE_MS);
  check('/since', isTime, 'a Date, or milliseconds since 1970');
  const location = companyId === undefined || entityId === undefined ? undefined : locationName(companyId, entityId);
  // Databases store whole milliseconds.
  return { states, location, reason, since: sinceMs === undefined ? undefined : Math.ceil(sinceMs) };
}
