import type { Guid } from 'sales-order-intake';
import { wrongOption } from '../../pkg-template/src/options/check.js';
import { assertBound, KEPT_EVENTS, type Binding } from '../binding.js';
import { OutboxError } from '../errors.js';
import {
  SELECTED,
  SETTLED_FROM_ROW,
  SUMMARY,
  assignments,
  entryOfRow,
  eventRow,
  historyIn,
  historyQuery,
  newRow,
  pageQuery,
  predicate,
  rowOf,
  statementValues,
} from '../members.js';
import type {
  Change,
  ChangedPage,
  Condition,
  LocationCount,
  NewEntry,
  Page,
  Recorded,
  Settlement,
  StoredEntry,
  StoredEvent,
  SweepOptions,
  TakenEntry,
} from '../store.js';
import type { Turn } from '../turns.js';
import { DURABLE, type Executor } from './database.js';
import { UNCERTAIN, codeOf, guarded } from './failure.js';
import { EVENT_COLUMNS, EVENT_ROW, ROW } from './schema.js';

/** A process that has not reported for longer has lost what it was sending. */
const SILENT_MS = 10_000;
const SWEPT_AT_ONCE = 1000;
/** After this time, the row of a process that has ended is deleted. */
const FORGOTTEN_AFTER = "interval '1 hour'";
const NO_ACTIVE_TRANSACTION = '25P01';
/** The time of the database, in milliseconds since 1970. */
const NOW = 'extract(epoch FROM clock_timestamp()) * 1000';
const SETTLED_EVENT = "json_build_object('at', settled_at, 'what', 'settled', 'outcome', outcome, 'reason', reason)";
/** Only attempts are made by a process. */
const NO_PROCESS = 'NULL::uuid AS process';
const TIMES = ['added_at', 'due_at', 'deadline_at', 'settled_at', 'notice_at'];
/** How late the clock was that the times of a new row are by. */
const LATE = `SELECT CASE WHEN is_added_now THEN (${NOW})::bigint - added_at ELSE 0 END AS late`;

interface Taking {
  /** The locations to take from, the first one first. */
  turns: readonly Turn[];
  limit: number;
  processId: string;
  binding: Binding | undefined;
}

/** What a process takes, and in how long the first entry of each location with waiting entries is due; before it took any. */
interface Taken {
  entries: LeasedEntry[];
  due: [location: string, ms: number][];
}

/** The lease differs for each time that the entry is taken. */
export interface LeasedEntry extends TakenEntry {
  readonly lease: number;
}

/**
 * The table of the entries, on one connection or in one transaction. An entry that is being sent has the process that sends it, and a
 * lease: the time at which it was taken, or later if it was taken twice in a millisecond.
 */
export class EntryTable {
  readonly #name: string;
  readonly #events: string;
  readonly #settings: string;
  readonly #processes: string;
  readonly #announcement: string[];
  readonly #db: Executor;

  /** @param isAnnounced Whether processes that listen learn of entries that become waiting. */
  constructor(schema: string, isAnnounced: boolean, db: Executor) {
    this.#name = `${schema}.outbox_entry`;
    this.#events = `${schema}.outbox_event`;
    this.#settings = `${schema}.outbox_setting`;
    this.#processes = `${schema}.outbox_process`;
    this.#announcement = isAnnounced ? [`pg_notify('${schema}', '')::text AS announced`] : [];
    this.#db = db;
  }

  /**
   * Checks that statements run in a transaction: LOCK fails outside of one, and takes the lock that an INSERT takes anyway.
   * Otherwise each statement would commit by itself, and the caller's rollback would not discard the order.
   *
   * @throws OptionError if there is no open transaction.
   */
  async assertTransaction(): Promise<void> {
    try {
      await this.#rows(`LOCK TABLE ${this.#name} IN ROW EXCLUSIVE MODE`);
    } catch (error) {
      if (codeOf(error) !== NO_ACTIVE_TRANSACTION) throw error;
      throw wrongOption('/transaction', 'must have an open transaction: begin it before this call');
    }
  }

  /** Returns the time of the database. */
  async now(): Promise<number> {
    const [row] = await this.#rows(`SELECT (${NOW})::float8 AS now`);
    return Number(row?.now);
  }

  /**
   * Inserts entries, in the order of their Ids, so that two processes that add the same orders don't wait for each other. Returns null
   * for each new entry, or the entry that was stored before.
   */
  async insert(entries: readonly NewEntry[], isRepeated = false): Promise<(StoredEntry | null)[]> {
    const given = entries.map((entry) => ({ ...newRow(entry), is_added_now: entry.isAddedNow === true }));
    const columns = Object.keys(newRow(entries[0] as NewEntry));
    const values = columns.map((column) => (TIMES.includes(column) ? `${column} + late` : column));
    const returned = ['order_id AS "addedId"', `${DURABLE} AS durable`, ...this.#announcement];
    const hasInvalid = entries.some(({ state }) => state === 'invalid');
    if (hasInvalid)
      returned.push('position', 'events', `CASE events WHEN 1 THEN ${SETTLED_EVENT} END AS event`, NO_PROCESS);
    const sql = `WITH given AS (SELECT * FROM json_to_recordset($1::text::json) AS row (${ROW}, is_added_now boolean)),
      added AS (INSERT INTO ${this.#name} (${columns.join()}, events)
        SELECT ${values.join()}, (state = 'invalid')::int FROM given, LATERAL (${LATE}) AS clock ORDER BY order_id
        ON CONFLICT (order_id) DO NOTHING RETURNING ${returned.join()})${hasInvalid ? `, ${this.#recorded('added')}` : ''},
      existing AS (SELECT ${SELECTED} FROM ${this.#name} WHERE order_id = ANY (ARRAY(SELECT order_id FROM given)))
      SELECT "addedId", added.durable, existing.* FROM added FULL JOIN existing ON "addedId" = existing."orderId"`;
    const rows = await this.#rows(sql, [JSON.stringify(given)]);
    const added = new Set(rows.map(({ addedId }) => addedId));
    const existing = new Map(rows.filter(({ orderId }) => orderId !== null).map((row) => [row.orderId, entryIn(row)]));
    const found = entries.map(({ orderId }) => (added.delete(orderId) ? null : existing.get(orderId)));
    // These were stored while the statement ran, or twice by it.
    const missing = entries.filter((_, index) => found[index] === undefined);
    if (missing.length > 0 && isRepeated) {
      throw new OutboxError('store', 'Another process deletes an entry with this Id. The order was not stored');
    }
    const repeated = missing.length > 0 ? await guarded(UNCERTAIN, () => this.insert(missing, true)) : [];
    return found.map((entry) => (entry === undefined ? (repeated.shift() ?? null) : entry));
  }

  async get(orderId: Guid): Promise<StoredEntry | null> {
    const [row] = await this.#rows(`SELECT ${SELECTED} FROM ${this.#name} WHERE order_id = $1`, [orderId]);
    return row ? entryOfRow(row) : null;
  }

  /**
   * Returns common table expressions that append to the histories: for each row of `changed`, which has the position and the number of
   * events of its entry, an event as JSON, or null for none, and the process that made an attempt.
   */
  #recorded(changed: string, isForgotten = false): string {
    const dropped = `number = (SELECT events FROM ${changed} WHERE position = event.position) - ${KEPT_EVENTS}`;
    return `recorded AS (INSERT INTO ${this.#events} (position, number, process_id, ${EVENT_COLUMNS})
        SELECT position, events, process, event.* FROM ${changed}, json_to_record(${changed}.event) AS event (${EVENT_ROW})
        WHERE ${changed}.event IS NOT NULL),
      dropped AS (DELETE FROM ${this.#events} AS event
        WHERE position = ANY (ARRAY(SELECT position FROM ${changed} WHERE events > ${isForgotten ? 0 : 2 * KEPT_EVENTS}))
          AND ${isForgotten || dropped})`;
  }

  /** Returns what an UPDATE needs in order to add an event to the histories of the entries that it changes. */
  #recording(change: Recorded, bind: (value: string) => string) {
    const row = eventRow(change);
    if (!row) return { set: '', returned: [], record: null };
    const returned = ['events', NO_PROCESS, `${bind(JSON.stringify(row))}::text::json AS event`];
    const record = (changed: string) => this.#recorded(changed, row.what === 'forget');
    return { set: ', events = events + 1', returned, record };
  }

  async history(orderId: Guid): Promise<StoredEvent[]> {
    return historyIn(await this.#rows(historyQuery(this.#name, this.#events, '$1'), [orderId]));
  }

  async page(page: Page): Promise<StoredEntry[]> {
    const values = statementValues('$');
    const sql = pageQuery(page.contents ? SELECTED : SUMMARY, this.#name, page, values);
    return (await this.#rows(sql, values.values)).map(entryOfRow);
  }

  async count(): Promise<LocationCount[]> {
    const sql = `SELECT state, location, count(*)::int AS entries, min(added_at)::float8 AS "oldestAddedAt" FROM ${this.#name} WHERE`;
    // Two halves, each of which an index covers: the entries themselves, with their bodies, are not read.
    const settled = "IN ('refused', 'stalled', 'invalid')";
    const halves = [`state NOT ${settled}`, `state ${settled} AND body IS NOT NULL`];
    const counts = halves.map((half) => `${sql} ${half} GROUP BY state, location`).join(' UNION ALL ');
    return (await this.#rows(counts)) as unknown as LocationCount[];
  }

  // ---------------------------------------------------------------- attempts

  /**
   * Takes entries that are due, and records an attempt of each. Locations take turns, so that one with many entries that are due
   * delays no other; of a location, the entry that is due first is taken first. Entries that another process takes are left out.
   * Without turns, only looks for locations.
   *
   * @throws OutboxError if the store has another base URL by now.
   */
  async take({ turns, limit: most, processId, binding }: Taking): Promise<Taken> {
    const limit = Math.floor(most);
    const now = `(SELECT (${NOW})::bigint)`;
    const waiting = `FROM ${this.#name} WHERE state = 'waiting'`;
    const first = (location: string) =>
      `(SELECT location, due_at ${waiting} ${location} ORDER BY location, due_at LIMIT 1)`;
    const due = (location: string) => `${waiting} AND location = ${location} AND due_at <= ${now}`;
    const baseUrl = `(SELECT value FROM ${this.#settings} WHERE name = 'base_url')`;
    // The share of each location is counted before any entry is locked. Each inner limit is a constant, which the planner knows; the
    // outer one ends the search. Entries are updated by an array of positions, so that the planner never scans the table.
    const taking = `,
      share AS (SELECT location, count(*) AS room FROM (
        SELECT turn.location FROM json_to_recordset($1::text::json) AS turn (location text, room integer, "index" integer), LATERAL (
          SELECT row_number() OVER () AS round FROM (
            SELECT 1 FROM (SELECT 1 ${due('turn.location')} LIMIT ${limit}) AS due LIMIT turn.room) AS due) AS rounds
        WHERE coalesce(${baseUrl} = $3, true) ORDER BY round, "index" LIMIT ${limit}) AS chosen GROUP BY location),
      taken AS (UPDATE ${this.#name} SET state = 'sending', attempts = attempts + 1, process = $2, lease = greatest(lease + 1, ${now})
        WHERE position = ANY (ARRAY(SELECT found.position FROM share, LATERAL (SELECT position FROM (
          SELECT position ${due('share.location')} ORDER BY due_at LIMIT ${limit} FOR UPDATE SKIP LOCKED) AS next
          LIMIT share.room) AS found))
        RETURNING lease, ${SELECTED})`;
    const given = turns.map((turn, index) => ({ ...turn, index }));
    const [taken, values] =
      turns.length > 0
        ? [taking, [JSON.stringify(given), processId, binding?.baseUrl ?? null]]
        : [', taken AS (SELECT NULL AS "orderId")', []];
    // Skips from location to location in the index.
    const sql = `WITH RECURSIVE
      first AS (${first('')} UNION ALL SELECT next.* FROM first, LATERAL ${first('AND location > first.location')} AS next)${taken}
      SELECT taken.*, ${baseUrl} AS "baseUrl", ${DURABLE} AS durable, CASE row_number() OVER () WHEN 1
        THEN (SELECT json_agg(json_build_array(location, due_at - ${now}))::text FROM first) END AS due
      FROM (VALUES (1)) AS one LEFT JOIN taken ON true`;
    const rows = await this.#rows(sql, values);
    const stored = rows[0]?.baseUrl;
    if (binding && typeof stored === 'string') assertBound(stored, binding);
    const found = rows.filter(({ orderId }) => orderId !== null);
    const entries = found.map((row) => ({ ...entryIn(row), lease: Number(row.lease) }));
    entries.sort((a, b) => a.dueAt - b.dueAt);
    const list = rows.find((row) => row.due !== null)?.due;
    return { entries, due: typeof list === 'string' ? JSON.parse(list) : [] };
  }

  /** Writes results. Returns the leases that still held: the entries of the others have been taken since, or changed. */
  async settle(items: readonly (readonly [LeasedEntry, Settlement & Recorded])[]): Promise<boolean[]> {
    const rows = items.map(([{ position, lease }, settlement]) => {
      return { ...rowOf(settlement), position, lease, event: eventRow(settlement) };
    });
    const sql = `WITH settled AS (UPDATE ${this.#name} AS entry
        SET ${SETTLED_FROM_ROW}, events = events + (row.event IS NOT NULL)::int
        FROM json_to_recordset($1::text::json) AS row (${ROW}, position bigint, lease bigint, event json)
        WHERE entry.position = ANY (ARRAY(SELECT (value ->> 'position')::bigint FROM json_array_elements($1::text::json)))
          AND entry.position = row.position AND entry.lease = row.lease AND entry.state = 'sending'
        RETURNING entry.position, entry.lease, events, process, row.event, ${DURABLE} AS durable),
      ${this.#recorded('settled')}
      SELECT position::float8, lease::float8, durable FROM settled`;
    const settled = await this.#rows(sql, [JSON.stringify(rows)]);
    const mine = new Map(settled.map(({ position, lease }) => [position, lease]));
    return items.map(([{ position, lease }]) => mine.get(position) === lease);
  }

  /**
   * Reports that a process lives, and returns entries to `waiting` whose process does not, or that this process was given without
   * learning of it: an attempt may have been made.
   *
   * @param held The positions of the entries that this process is sending.
   */
  async beat(processId: string, held: readonly number[]): Promise<void> {
    const sql = `WITH beat AS (INSERT INTO ${this.#processes} (id, seen_at) VALUES ($1, clock_timestamp())
        ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at),
      lost AS (UPDATE ${this.#name} SET state = 'waiting', outcome = 'unknown', events = events + 1 WHERE position = ANY (ARRAY(
        SELECT position FROM ${this.#name} WHERE state = 'sending' AND CASE WHEN process = $1
          THEN abs(lease - ${NOW}) > ${SILENT_MS} AND position NOT IN (SELECT json_array_elements_text($2::text::json)::bigint)
          ELSE NOT EXISTS (SELECT 1 FROM ${this.#processes} AS other WHERE other.id = process
            AND seen_at > clock_timestamp() - interval '${SILENT_MS} ms') END
        LIMIT ${SWEPT_AT_ONCE} FOR UPDATE SKIP LOCKED))
        RETURNING position, events, process, json_build_object('at', lease, 'what', 'attempt', 'outcome', outcome) AS event),
      ${this.#recorded('lost')}
      SELECT 1`;
    await this.#rows(sql, [processId, JSON.stringify(held)]);
  }

  /** Deletes the row of a process that ends: others send again what it was sending. */
  async end(processId: string): Promise<void> {
    await this.#rows(`DELETE FROM ${this.#processes} WHERE id = $1`, [processId]);
  }

  // ---------------------------------------------------------------- housekeeping

  /**
   * Stalls entries that wait past their deadline, and deletes created entries whose handler was called and that were settled before a
   * time, and the rows of processes that ended long ago. Returns the number of entries.
   */
  async sweep({ now, createdBefore }: SweepOptions): Promise<number> {
    const found = (condition: string) => `position = ANY (ARRAY(SELECT position FROM ${this.#name}
      WHERE ${condition} LIMIT ${SWEPT_AT_ONCE} FOR UPDATE SKIP LOCKED))`;
    const sql = `WITH ended AS (DELETE FROM ${this.#processes} WHERE seen_at < clock_timestamp() - ${FORGOTTEN_AFTER}),
      stalled AS (UPDATE ${this.#name}
        SET state = 'stalled', reason = 'Deadline', settled_at = $1, notice_at = $1, events = events + 1
        WHERE ${found("state = 'waiting' AND deadline_at <= $1")}
        RETURNING position, events, ${NO_PROCESS}, ${SETTLED_EVENT} AS event),
      ${this.#recorded('stalled')},
      pruned AS (DELETE FROM ${this.#name}
        WHERE ${found("state = 'created' AND settled_at < $2 AND notice_at IS NULL")} RETURNING position),
      emptied AS (DELETE FROM ${this.#events} WHERE position = ANY (ARRAY(SELECT position FROM pruned)))
      SELECT (SELECT count(*) FROM stalled) + (SELECT count(*) FROM pruned) AS swept`;
    const [row] = await this.#rows(sql, [Math.round(now), Math.round(createdBefore)]);
    return Number(row?.swept);
  }

  /** Stores the pauses of a process, or removes them. */
  async setPauses(processId: string, pauses: string | null, now: number): Promise<void> {
    const sql = `INSERT INTO ${this.#processes} VALUES ($1, clock_timestamp(), $2, $3)
      ON CONFLICT (id) DO UPDATE SET pauses = excluded.pauses, paused_at = excluded.paused_at`;
    await this.#rows(sql, [processId, pauses, Math.round(now)]);
  }

  async getPauses(since: number): Promise<string[]> {
    const sql = `SELECT pauses FROM ${this.#processes} WHERE pauses IS NOT NULL AND paused_at >= $1`;
    return (await this.#rows(sql, [Math.round(since)])).map(({ pauses }) => pauses as string);
  }

  // ---------------------------------------------------------------- changes

  /** Changes an entry if the condition holds. */
  async change(orderId: Guid, condition: Condition, change: Change): Promise<StoredEntry | null> {
    const { values, bind } = statementValues('$', [orderId]);
    const { set, returned, record } = this.#recording(change, bind);
    const sql = `UPDATE ${this.#name} SET ${assignments(change, bind)}${set} WHERE order_id = $1 AND ${predicate(condition, bind)}
      RETURNING ${[SELECTED, `${DURABLE} AS durable`, ...this.#announced(change), ...returned].join()}`;
    const [row] = await this.#rows(
      record ? `WITH changed AS (${sql}), ${record('changed')} SELECT * FROM changed` : sql,
      values,
    );
    return row ? entryIn(row) : null;
  }

  /**
   * Changes those entries of a page that meet the condition and that no other transaction has locked. Never waits for a lock:
   * two transactions that each lock many entries could wait for each other.
   *
   * @returns in `busy` the entries that another transaction has locked. They may meet the condition, too.
   */
  async changePage(page: Page, condition: Condition, change: Change): Promise<ChangedPage & { busy: Guid[] }> {
    const values = statementValues('$');
    const { bind } = values;
    const columns = `position, order_id, ${predicate(condition, bind)} AS meets`;
    const { set, returned, record } = this.#recording(change, bind);
    const sql = `WITH page AS (${pageQuery(columns, this.#name, page, values)}),
      done AS (UPDATE ${this.#name} SET ${assignments(change, bind)}${set} WHERE ${predicate(condition, bind)} AND position = ANY (ARRAY(
          SELECT position FROM ${this.#name} WHERE position = ANY (ARRAY(SELECT position FROM page WHERE meets))
          FOR UPDATE SKIP LOCKED))
        RETURNING ${['position', 'order_id', `${DURABLE} AS durable`, ...this.#announced(change), ...returned].join()})${record ? `, ${record('done')}` : ''}
      SELECT page.position, page.order_id AS "orderId", meets, done.order_id IS NOT NULL AS "isChanged"
        FROM page LEFT JOIN done ON done.order_id = page.order_id ORDER BY page.position`;
    const rows = await this.#rows(sql, values.values);
    const last = rows.length < page.limit ? null : Number(rows.at(-1)?.position);
    const changed = rows.filter(({ isChanged }) => isChanged === true).length;
    const busy = rows.filter(({ meets, isChanged }) => meets === true && isChanged === false);
    return { changed, last, busy: busy.map(({ orderId }) => orderId as Guid) };
  }

  #announced({ state }: Change): string[] {
    return state === 'waiting' ? this.#announcement : [];
  }

  async #rows(sql: string, values?: unknown[]): Promise<Record<string, unknown>[]> {
    return (await this.#db.executeSql(sql, values)).rows;
  }
}

/** Returns the entry of a row that has other columns, too. */
function entryIn(row: Record<string, unknown>): StoredEntry {
  const { addedId: _1, durable: _2, announced: _3, baseUrl: _4, due: _5, lease: _6, ...entry } = row;
  const { events: _7, process: _8, event: _9, ...members } = entry;
  return entryOfRow(members);
}
