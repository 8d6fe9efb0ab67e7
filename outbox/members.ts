import type {
  Change,
  Condition,
  EntryState,
  NewEntry,
  Page,
  Recorded,
  Settlement,
  StoredEntry,
  StoredEvent,
} from './store.js';

/** A value of a statement. */
export type Value = string | number | null;
type Row = Record<string, unknown>;

interface Member {
  /** A `time` is in milliseconds since 1970, a `flag` is stored as 0 or 1. */
  type: 'text' | 'integer' | 'time' | 'flag';
  /** The value in a new entry; if absent, it comes from the order. */
  initial?: Value | boolean;
  /** Null is a value too; implied if it is the initial one. */
  isOptional?: boolean;
  /** An attempt writes it; implied if it has an initial value. */
  isSettled?: boolean;
  /** It identifies the order or is sent: only a corrected order changes it. */
  isFixed?: boolean;
  /** May be large: lists without contents leave it out. */
  isContent?: boolean;
}

export const STATES: readonly EntryState[] = [
  'waiting',
  'sending',
  'created',
  'refused',
  'stalled',
  'cancelled',
  'invalid',
];

/**
 * The members of an entry except its position, as both stores know them. The columns are in this order: large values are last,
 * because SQLite reads through them to get at what follows.
 */
const MEMBERS = {
  orderId: { type: 'text', isFixed: true },
  version: { type: 'text', isFixed: true },
  location: { type: 'text', isFixed: true },
  state: { type: 'text', initial: 'waiting' },
  outcome: { type: 'text', initial: 'not-created' },
  attempts: { type: 'integer', initial: 0 },
  addedAt: { type: 'time' },
  dueAt: { type: 'time', isSettled: true },
  deadlineAt: { type: 'time' },
  traceContext: { type: 'text', isOptional: true },
  settledAt: { type: 'time', initial: null },
  noticeAt: { type: 'time', initial: null },
  reference: { type: 'text', isOptional: true },
  receiptNumber: { type: 'text', initial: null },
  reason: { type: 'text', initial: null },
  status: { type: 'integer', initial: null },
  requestId: { type: 'text', initial: null },
  detail: { type: 'text', initial: null },
  issues: { type: 'text', initial: null },
  alreadyThere: { type: 'flag', initial: false },
  preparedBy: { type: 'text', isFixed: true, isOptional: true },
  path: { type: 'text', isFixed: true, isOptional: true, isContent: true },
  expected: { type: 'text', isFixed: true, isOptional: true, isContent: true },
  received: { type: 'text', initial: null, isContent: true },
  body: { type: 'text', isFixed: true, isOptional: true, isContent: true },
} as const satisfies Record<Exclude<keyof StoredEntry, 'position' | 'hasBody'>, Member>;

/** The members of an event. */
const EVENT = {
  at: 'time',
  what: 'text',
  by: 'text',
  status: 'integer',
  failure: 'text',
  outcome: 'text',
  reason: 'text',
  durationMs: 'integer',
} as const satisfies Record<Exclude<keyof StoredEvent, 'processId'>, Member['type']>;

type Name = keyof typeof MEMBERS;
const ENTRIES = Object.entries(MEMBERS) as [Name, Member][];

/** The members that the end of an attempt writes. */
const SETTLED = ENTRIES.filter(([, { initial, isSettled }]) => initial !== undefined || isSettled).map(
  ([name]) => name,
);

/** The members of an entry before its first attempt. */
export const INITIAL = Object.fromEntries(
  ENTRIES.flatMap(([name, { initial }]) => (initial === undefined ? [] : [[name, initial]])),
) as unknown as Omit<Settlement, 'dueAt'> & { state: 'waiting'; reason: null };

/** Returns the members that an attempt writes, as they are. */
export function settlementIn(entry: StoredEntry): Settlement {
  return Object.fromEntries(SETTLED.map((name) => [name, entry[name]])) as unknown as Settlement;
}

function columnOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function isOptional({ initial, isOptional = false }: Member): boolean {
  return initial === null || isOptional;
}

// ---------------------------------------------------------------- tables

/** The names of the types in a database. */
export type Types = Readonly<Record<Member['type'], string>>;

/** Returns the definitions of the columns, by name. */
export function definitions(types: Types): Map<string, string> {
  return new Map(
    ENTRIES.map(([name, member]) => {
      const type = `${types[member.type]}${isOptional(member) ? '' : ' NOT NULL'}`;
      return [columnOf(name), member.type === 'flag' ? `${type} DEFAULT 0` : type];
    }),
  );
}

/** Returns the definitions of the columns of an event, by name. */
export function eventDefinitions(types: Types): [name: string, definition: string][] {
  const isRequired = (name: string) => name === 'at' || name === 'what';
  return Object.entries(EVENT).map(([name, type]) => [
    columnOf(name),
    `${types[type]}${isRequired(name) ? ' NOT NULL' : ''}`,
  ]);
}

// ---------------------------------------------------------------- statements

/** The columns of a SELECT, named like the members. */
export const SELECTED = selected(() => false);
/** The same without contents. */
export const SUMMARY = selected(({ isContent }) => isContent === true);

function selected(isLeftOut: (member: Member) => boolean): string {
  const columns = ENTRIES.map(([name, member]) => `${isLeftOut(member) ? 'NULL' : columnOf(name)} AS "${name}"`);
  return ['position', 'body IS NOT NULL AS "hasBody"', ...columns].join();
}

/** The values of a statement, and a function that adds one and returns its placeholder. */
export interface Values {
  values: Value[];
  bind(value: Value): string;
}

/** @param sign The first character of the database's placeholders. */
export function statementValues(sign: '$' | '?', values: Value[] = []): Values {
  const bind = (value: Value) => {
    // The columns of numbers are integers; an option may have a fraction of a millisecond.
    values.push(typeof value === 'number' ? Math.round(value) : value);
    return `${sign}${values.length}`;
  };
  return { values, bind };
}

type Bind = Values['bind'];

/** Returns the columns and values of an entry, or of a change of one. */
export function rowOf(members: NewEntry | Change | Settlement): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) => (name in MEMBERS ? [[columnOf(name), storedValue(value)]] : [])),
  );
}

/** PostgreSQL has no text with a NUL; the texts of a service may have one. */
function storedValue(value: Value | boolean): Value {
  if (typeof value === 'string') return value.replaceAll('\0', '\uFFFD');
  return typeof value === 'number' ? Math.round(value) : typeof value === 'boolean' ? Number(value) : value;
}

/** Returns the columns and values of a new row. */
export function newRow(entry: NewEntry): Record<string, Value> {
  return rowOf({ ...INITIAL, ...entry });
}

/** Returns the SET of a change. */
export function assignments(change: Change | Settlement, bind: Bind): string {
  return Object.entries(rowOf(change))
    .map(([column, value]) => `${column} = ${bind(value)}`)
    .join();
}

/** The SET of the end of an attempt, from columns of `row`. */
export const SETTLED_FROM_ROW = SETTLED.map(columnOf)
  .map((column) => `${column} = row.${column}`)
  .join();

/** Returns a condition as SQL. */
export function predicate({ states, attempts, outcome, noticeAt, hasBody }: Condition, bind: Bind): string {
  const parts = [
    states && `state IN (${states.map(bind).join()})`,
    attempts !== undefined && `attempts = ${bind(attempts)}`,
    outcome && `(outcome = ${bind(outcome)} OR state = 'invalid')`,
    noticeAt !== undefined && `notice_at = ${bind(noticeAt)}`,
    hasBody && 'body IS NOT NULL',
  ];
  return parts.filter(Boolean).join(' AND ') || '1 = 1';
}

/**
 * Returns a SELECT of the entries of a page. It searches each state separately, because an index then has the positions in
 * order, and reads no entry before it has the positions of the page. A reference or receipt number has an index of its own.
 *
 * @param index A clause that names the index, if the planner does not find it.
 */
export function pageQuery(columns: string, table: string, page: Page, { bind }: Values, index = ''): string {
  const { states, location, reason, since, before, noticeUntil, dueAfter, newestFirst, after, limit } = page;
  const { reference, receiptNumber } = page;
  const direction = newestFirst ? ' DESC' : '';
  const order = `ORDER BY position${direction}`;
  const most = `LIMIT ${bind(limit)}`;
  const isLookup = reference !== undefined || receiptNumber !== undefined;
  const isOneOf = states && (states.map((state) => `state = '${state}'`).join(' OR ') || '1 = 0');
  const condition = [
    newestFirst && after === 0 ? 'position > 0' : `position ${newestFirst ? '<' : '>'} ${bind(after)}`,
    location && `location = ${bind(location)}`,
    reason !== undefined && `reason = ${bind(reason)}`,
    reference !== undefined && `reference >= ${bind(reference)} AND reference < ${bind(`${reference}\u{10ffff}`)}`,
    receiptNumber !== undefined && `receipt_number = ${bind(receiptNumber)}`,
    isLookup && isOneOf && `(${isOneOf})`,
    since !== undefined && `coalesce(settled_at, added_at) >= ${bind(since)}`,
    before !== undefined && `coalesce(settled_at, added_at) < ${bind(before)}`,
    noticeUntil !== undefined && `notice_at <= ${bind(noticeUntil)}`,
    dueAfter !== undefined && `due_at > ${bind(dueAfter)}`,
  ].filter((part) => typeof part === 'string');
  const isFiltered = condition.length > 1 && noticeUntil === undefined;
  const searched =
    !isLookup && (states || isFiltered) ? STATES.filter((state) => states?.includes(state) ?? true) : null;
  const conditions = searched?.map((state) => `state = '${state}' AND `) ?? [''];
  const found = (conditions.length > 0 ? conditions : ['1 = 0 AND ']).map((first, n) => {
    // A lookup must not go through all positions to have them in order.
    const inOrder = isLookup ? `ORDER BY position + 0${direction}` : order;
    const positions = `SELECT position FROM ${table} ${index} WHERE ${first}${condition.join(' AND ')} ${inOrder} ${most}`;
    return `SELECT position FROM (${positions}) AS found_${n}`;
  });
  const list = `SELECT position FROM (${found.join(' UNION ALL ')}) AS found ${order} ${most}`;
  return `SELECT ${columns} FROM ${table} WHERE position IN (${list}) ${order}`;
}

/** Returns the columns and values of an event. */
export function eventRow({ event }: Recorded): Record<string, Value> | null {
  if (!event) return null;
  return Object.fromEntries(Object.entries(event).map(([name, value]) => [columnOf(name), storedValue(value)]));
}

/** Returns a SELECT of the events of an entry. Its first row has the time when the entry was added. */
export function historyQuery(entries: string, events: string, orderId: string): string {
  const columns = [...Object.keys(EVENT), 'processId'].map((name) => `event.${columnOf(name)} AS "${name}"`);
  return `SELECT added_at AS "addedAt", ${columns.join()} FROM ${entries} AS entry
    LEFT JOIN ${events} AS event ON event.position = entry.position WHERE order_id = ${orderId} ORDER BY number`;
}

/** Returns the history in rows of {@link historyQuery}: drivers return large integers as strings. Values that can't be read are null. */
export function historyIn(rows: readonly Row[]): StoredEvent[] {
  const added = rows.slice(0, 1).map(({ addedAt }): Row => ({ at: addedAt, what: 'added' }));
  const events = [...added, ...rows].map((row) => {
    const members = Object.entries(EVENT).map(([name, type]) => {
      const value = type === 'text' ? row[name] : Number(row[name] ?? Number.NaN);
      return [name, Number.isNaN(value) ? null : (value ?? null)];
    });
    return { ...Object.fromEntries(members), processId: row.processId ?? null } as StoredEvent;
  });
  return events.filter(({ at, what }) => typeof what === 'string' && at !== null && Math.abs(at) <= LATEST);
}

// ---------------------------------------------------------------- rows

/** No Date is later. */
export const LATEST = 8.64e15;
/** The `reason` of an entry with a value that no version of these stores writes: something else has changed the file. */
export const UNREADABLE = 'Unreadable';
/** The replacements of values that can't be read; others become null, '' or 0. */
const REPLACEMENTS: Row = { state: 'stalled', outcome: 'unknown' };

/** Returns the entry of a row. Drivers return large integers as strings. */
export function entryOfRow(row: Row): StoredEntry {
  const entry: Row = { ...row, hasBody: Boolean(row.hasBody), position: Number(row.position) };
  for (const [name, { type }] of ENTRIES) {
    const value = entry[name];
    if (type === 'flag') entry[name] = Number(value) === 1;
    else if (type === 'time' && typeof value === 'string') entry[name] = Number(value);
  }
  return entry as unknown as StoredEntry;
}

/**
 * Returns the entry of a row whose values may have any type, so that an unreadable entry does not stop the others: unreadable
 * values are replaced, and an entry that would be sent is `stalled`, with the reason {@link UNREADABLE}.
 *
 * @returns `repair` is the change that makes the entry readable; null if it is readable.
 */
export function readRow(row: Row): { entry: StoredEntry; repair: Change | null } {
  const broken = ENTRIES.filter(([name, member]) => !isReadable(row[name], member));
  if (broken.length === 0 && Number.isSafeInteger(row.position)) return { entry: entryOfRow(row), repair: null };
  const replaced = (members: typeof ENTRIES): Row =>
    Object.fromEntries(
      members.map(([name, member]) => {
        const none = isOptional(member) ? null : member.type === 'text' ? '' : 0;
        return [name, REPLACEMENTS[name] ?? none];
      }),
    );
  const isSettled = typeof row.state === 'string' && row.state !== 'waiting' && row.state !== 'sending';
  const stalled = isSettled ? {} : { state: 'stalled', outcome: 'unknown', reason: UNREADABLE };
  const repair = { ...replaced(broken.filter(([, { isFixed }]) => !isFixed)), ...stalled };
  return { entry: entryOfRow({ ...row, ...replaced(broken), ...repair }), repair: repair as Change };
}

function isReadable(value: unknown, member: Member): boolean {
  if (value === null && isOptional(member)) return true;
  if (member.type === 'flag') return true;
  if (member.type === 'text') return typeof value === 'string';
  return Number.isSafeInteger(value) && (member.type === 'integer' || Math.abs(value as number) <= LATEST);
}
