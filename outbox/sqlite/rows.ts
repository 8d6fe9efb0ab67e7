import { entryOfRow } from '../columns.js';
import type { Change, StoredEntry } from '../store/index.js';
import type { Row } from './statements.js';

/** The `reason` of an entry with a value that no version of this store writes: somebody else has changed the file. */
export const UNREADABLE = 'Unreadable';
/** No Date is later. */
export const LATEST = 8.64e15;

type IsValid = (value: unknown) => boolean;

const isString: IsValid = (value) => typeof value === 'string';
const isInteger: IsValid = (value) => Number.isSafeInteger(value);
const isTime: IsValid = (value) => Number.isSafeInteger(value) && Math.abs(value as number) <= LATEST;
const isNullOr =
  (isValid: IsValid): IsValid =>
  (value) =>
    value === null || isValid(value);

/** What an entry was sent with, and under which name: never written again. */
const FIXED: readonly [(keyof StoredEntry)[], IsValid, unknown][] = [
  [['position'], isInteger, 0],
  [['orderId', 'version', 'location'], isString, ''],
  [['body'], isNullOr(isString), null],
];
/** Members, the values that are valid, and what replaces others. */
const CHANGEABLE: readonly [(keyof Change)[], IsValid, unknown][] = [
  [['state'], isString, 'stalled'],
  [['outcome'], isString, 'unknown'],
  [['attempts'], isInteger, 0],
  [['status'], isNullOr(isInteger), null],
  [['addedAt', 'dueAt', 'deadlineAt'], isTime, 0],
  [['settledAt', 'noticeAt'], isNullOr(isTime), null],
  [['reason', 'requestId', 'detail', 'issues', 'received', 'traceContext'], isNullOr(isString), null],
];

export interface ReadRow {
  entry: StoredEntry;
  /** What has to be written so that the entry can be read; null if it can be. */
  repair: Change | null;
}

/**
 * Returns the entry of a row, so that one that can't be read stops nobody: values that can't be read are replaced, and an
 * entry that would be sent is `stalled`, with the reason {@link UNREADABLE}.
 */
export function readRow(row: Row): ReadRow {
  const fixed = replacements(row, FIXED);
  const changed = replacements(row, CHANGEABLE);
  if (!fixed && !changed) return { entry: entryOfRow(row), repair: null };
  const isSettled = isString(row.state) && row.state !== 'waiting' && row.state !== 'sending';
  const stalled = isSettled ? undefined : { state: 'stalled', outcome: 'unknown', reason: UNREADABLE };
  const repair = { ...changed, ...stalled };
  return { entry: entryOfRow({ ...row, ...fixed, ...repair }), repair: repair as Change };
}

function replacements(row: Row, rules: readonly [string[], IsValid, unknown][]): Row | undefined {
  let replaced: Row | undefined;
  for (const [members, isValid, value] of rules) {
    for (const member of members) {
      if (isValid(row[member])) continue;
      replaced ??= {};
      replaced[member] = value;
    }
  }
  return replaced;
}
