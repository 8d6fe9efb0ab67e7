import { check, checkNames, checkObject, copyOptions } from '../pkg-template/src/options/check.js';
import { locationName } from './entry.js';
import { LATEST, STATES } from './members.js';
import type { ListFilter, PageOptions } from './options.js';
import { isReason, REASONS } from './reason.js';
import { checkLine, LONGEST_REFERENCE } from './checked-options.js';
import type { EntryState, Page } from './store.js';

const NAMES = [
  ...['state', 'states', 'companyId', 'entityId', 'reason', 'reference', 'receiptNumber', 'since', 'before'],
  ...['contents', 'newestFirst'],
];
/** The default and the maximum number of entries of a page. */
const PAGE = 50;
const MOST = 500;

/**
 * Returns the filter for a store.
 *
 * @throws OptionError if the filter is wrong.
 */
export function filterOf(given: ListFilter): Omit<Page, 'after' | 'limit'> {
  checkObject('', given);
  const filter = copyOptions(given);
  checkNames('', Object.keys(filter), NAMES);
  const { state, companyId, entityId, reason, contents = true, newestFirst = false } = filter;
  const { states = state && [state], reference } = filter;
  const isState = (value: unknown) => STATES.includes(value as EntryState);
  check('/state', state === undefined || isState(state), `one of ${STATES.join(', ')}`);
  check('/states', state === undefined || filter.states === undefined, 'absent beside state');
  const areStates = states === undefined || (Array.isArray(states) && states.every(isState));
  check('/states', areStates, `some of ${STATES.join(', ')}`);
  check('/entityId', (companyId === undefined) === (entityId === undefined), 'given together with companyId');
  check('/reason', reason === undefined || isReason(reason), `one of ${REASONS.join(', ')}`);
  checkLine('/reference', reference, LONGEST_REFERENCE);
  const receiptNumber = typeof filter.receiptNumber === 'number' ? `${filter.receiptNumber}` : filter.receiptNumber;
  checkLine('/receiptNumber', receiptNumber, LONGEST_REFERENCE);
  const [since, before] = [timeOf('/since', filter.since), timeOf('/before', filter.before)];
  check('/contents', typeof contents === 'boolean', 'true or false');
  check('/newestFirst', typeof newestFirst === 'boolean', 'true or false');
  const location = companyId === undefined || entityId === undefined ? undefined : locationName(companyId, entityId);
  return { states, location, reason, reference, receiptNumber, since, before, contents, newestFirst };
}

/** Returns a time in whole milliseconds, as databases store them. A later one would not fit into their integers. */
function timeOf(option: string, given: unknown): number | undefined {
  const ms = given instanceof Date ? given.getTime() : given;
  const isTime = ms === undefined || (typeof ms === 'number' && Math.abs(ms) <= LATEST);
  check(option, isTime, 'a Date, or milliseconds since 1970');
  return ms === undefined ? undefined : Math.ceil(ms as number);
}

/**
 * Returns the requested page.
 *
 * @throws OptionError if an option is wrong.
 */
export function pageOf(given: PageOptions): Page {
  checkObject('', given);
  const { after, limit = PAGE, newestFirst = true, ...filter } = copyOptions(given);
  checkNames('', Object.keys(given), [...NAMES, 'after', 'limit']);
  const { contents = false } = filter;
  check('/contents', contents === false, 'absent, or false: get has the contents');
  const isCursor = after === undefined || (typeof after === 'string' && /^[1-9]\d{0,14}$/.test(after));
  check('/after', isCursor, 'the next of the page before');
  check('/limit', Number.isSafeInteger(limit) && limit >= 1 && limit <= MOST, `a whole number, 1 to ${MOST}`);
  return { ...filterOf({ ...filter, newestFirst, contents }), after: Number(after ?? 0), limit };
}
