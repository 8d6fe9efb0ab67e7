import type { Change, Condition, NewEntry, Page, Settlement, StoredEntry } from './store/index.js';

/** The columns of both stores, by member. */
const COLUMNS = {
  orderId: 'order_id',
  version: 'version',
  location: 'location',
  state: 'state',
  outcome: 'outcome',
  attempts: 'attempts',
  addedAt: 'added_at',
  dueAt: 'due_at',
  deadlineAt: 'deadline_at',
  traceContext: 'trace_context',
  settledAt: 'settled_at',
  noticeAt: 'notice_at',
  reason: 'reason',
  status: 'status',
  requestId: 'request_id',
  detail: 'detail',
  issues: 'issues',
  received: 'received',
  alreadyThere: 'already_there',
  body: 'body',
} as const satisfies Record<Exclude<keyof StoredEntry, 'position' | 'hasBody'>, string>;

type Member = keyof typeof COLUMNS;
/** A value of a statement. */
export type Value = string | number | null;
/** Returns the placeholder of a value. */
export type Bind = (value: Value) => string;

const TIMES: readonly string[] = ['addedAt', 'dueAt', 'deadlineAt', 'settledAt', 'noticeAt', 'position'];

/** The columns of a SELECT, named like the members. */
export const SELECTED = selected([]);
/** The same without contents, which may be large. */
export const SUMMARY = selected(['body', 'received']);

function selected(empty: readonly string[]): string {
  const columns = Object.entries(COLUMNS);
  return [
    'position',
    'body IS NOT NULL AS "hasBody"',
    ...columns.map(([member, column]) => `${empty.includes(member) ? 'NULL' : column} AS "${member}"`),
  ].join();
}

/** Drivers return large integers as strings; a flag is 0 or 1 in both databases. */
export function entryOfRow(row: Record<string, unknown>): StoredEntry {
  const entry: Record<string, unknown> = {
    ...row,
    alreadyThere: Number(row.alreadyThere) === 1,
    hasBody: Boolean(row.hasBody),
  };
  for (const name of TIMES) if (typeof entry[name] === 'string') entry[name] = Number(entry[name]);
  return entry as unknown as StoredEntry;
}

/** The columns and values of a new row. */
export function insertion(entry: NewEntry, bind: Bind): { columns: string; values: string } {
  const row = { ...entry, state: 'waiting', outcome: 'not-created', attempts: 0, alreadyThere: 0 } as const;
  const members = Object.keys(row) as (keyof typeof row)[];
  return {
    columns: members.map((member) => COLUMNS[member]).join(),
    values: members.map((member) => bind(row[member])).join(),
  };
}

export function assignments(change: Change | Settlement, bind: Bind): string {
  return Object.entries(change)
    .map(([member, value]) => `${COLUMNS[member as Member]} = ${bind(storedValue(value))}`)
    .join();
}

/** Returns a member as the databases store it. */
export function storedValue(value: string | number | boolean | null): Value {
  return typeof value === 'boolean' ? Number(value) : value;
}

/** Returns a condition as SQL. */
export function predicate({ states, attempts, outcome, noticeAt, hasBody }: Condition, bind: Bind): string {
  const parts = [
    states && `state IN (${states.map(bind).join()})`,
    attempts !== undefined && `attempts = ${bind(attempts)}`,
    outcome && `outcome = ${bind(outcome)}`,
    noticeAt !== undefined && `notice_at = ${bind(noticeAt)}`,
    hasBody && 'body IS NOT NULL',
  ];
  return parts.filter(Boolean).join(' AND ') || '1 = 1';
}

/** Returns the order of a page as SQL. */
export function pageOrder({ newestFirst }: Page): string {
  return `ORDER BY position${newestFirst ? ' DESC' : ''}`;
}

/** Returns the filter of a page as SQL. */
export function pagePredicate(page: Page, bind: Bind): string {
  const { states, location, reason, since, before, noticeUntil, dueAfter, newestFirst, after } = page;
  const parts = [
    newestFirst && after === 0 ? 'position > 0' : `position ${newestFirst ? '<' : '>'} ${bind(after)}`,
    states && (states.length > 0 ? `state IN (${states.map(bind).join()})` : '1 = 0'),
    location && `location = ${bind(location)}`,
    reason !== undefined && `reason = ${bind(reason)}`,
    since !== undefined && `coalesce(settled_at, added_at) >= ${bind(since)}`,
    before !== undefined && `coalesce(settled_at, added_at) < ${bind(before)}`,
    noticeUntil !== undefined && `notice_at <= ${bind(noticeUntil)}`,
    dueAfter !== undefined && `due_at > ${bind(dueAfter)}`,
  ];
  return parts.filter(Boolean).join(' AND ');
}
