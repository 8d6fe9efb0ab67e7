import type { Guid } from 'sales-order-intake';
import { type Binding, assertBound } from '../binding.js';
import {
  LATEST,
  SELECTED,
  SUMMARY,
  UNREADABLE,
  assignments,
  eventRow,
  historyIn,
  historyQuery,
  newRow,
  pageQuery,
  predicate,
  readRow,
  statementValues,
} from '../members.js';
import type {
  Change,
  Condition,
  LocationCount,
  NewEntry,
  Page,
  Recorded,
  Settlement,
  StoredEntry,
  StoredEvent,
  TakenEntry,
} from '../store.js';
import type { SqliteDatabase, SqliteStatement, SqliteValue } from './database.js';
import { NEXT_EVENT } from './schema.js';

type Row = Record<string, unknown>;

/** A statement, and what is bound to each of its placeholders: a position in the list of values. */
interface Prepared {
  statement: SqliteStatement;
  bound: readonly number[];
}

const PLACEHOLDER = /\?(\d*)/g;
const SWEPT_AT_ONCE = 1000;

/** The table of the entries. */
export class EntryTable {
  readonly #database: SqliteDatabase;
  readonly #prepared = new Map<string, Prepared>();

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  /**
   * Stores the base URL if none is stored yet, or if the stored one has moved.
   *
   * @throws OutboxError if another one is stored.
   */
  bind(binding: Binding): void {
    const { baseUrl, movedFrom } = binding;
    const [row] = this.#all(`SELECT value FROM outbox_setting WHERE name = 'base_url'`, []);
    if (row?.value === baseUrl) return;
    if (row && row.value !== movedFrom && movedFrom !== '*') assertBound(row.value, binding);
    this.#run(`INSERT OR REPLACE INTO outbox_setting VALUES ('base_url', ?)`, [baseUrl]);
  }

  setPauses(pauses: string | null, now: number): void {
    if (pauses) this.#run(`INSERT OR REPLACE INTO outbox_setting VALUES ('pauses', ?)`, [`${now} ${pauses}`]);
    else this.#run(`DELETE FROM outbox_setting WHERE name = 'pauses'`, []);
  }

  getPauses(since: number): string[] {
    const rows = this.#all(`SELECT value FROM outbox_setting WHERE name = 'pauses'`, []);
    const values = rows.map(({ value }) => String(value));
    // A time and JSON.
    return values
      .filter((value) => Number.parseInt(value, 10) >= since)
      .map((value) => value.slice(value.indexOf(' ')));
  }

  /** Returns null, or the entry that has this id already. */
  insert(entry: NewEntry): StoredEntry | null {
    const row = newRow(entry);
    const columns = Object.keys(row);
    // A position is not used again after its entry has been deleted.
    const position = `1 + max(coalesce((SELECT max(position) FROM outbox_entry), 0),
      coalesce((SELECT value FROM outbox_setting WHERE name = 'position'), 0))`;
    const sql = `INSERT INTO outbox_entry (position, ${columns.join()}) VALUES (${position}, ${columns.map(() => '?').join()})
      ON CONFLICT (order_id) DO NOTHING`;
    if (this.#run(sql, Object.values(row)) === 0) return this.get(entry.orderId);
    const { orderId, state, outcome = 'not-created', reason = null, settledAt: at } = entry;
    if (state === 'invalid' && at) this.#record(orderId, { event: { at, what: 'settled', outcome, reason } });
    return null;
  }

  /** Appends to the history of an entry. */
  #record(orderId: Guid, recorded: Recorded): void {
    const row = eventRow(recorded);
    if (!row) return;
    if (row.what === 'forget') {
      this.#run('DELETE FROM outbox_event WHERE position = (SELECT position FROM outbox_entry WHERE order_id = ?)', [
        orderId,
      ]);
    }
    const columns = Object.keys(row);
    const sql = `INSERT INTO outbox_event (position, number, ${columns.join()})
      SELECT position, ${NEXT_EVENT}, ${columns.map(() => '?').join()} FROM outbox_entry AS entry WHERE order_id = ?`;
    this.#run(sql, [...Object.values(row), orderId]);
  }

  history(orderId: Guid): StoredEvent[] {
    return historyIn(this.#all(historyQuery('outbox_entry', 'outbox_event', '?'), [orderId]));
  }

  get(orderId: Guid): StoredEntry | null {
    const [row] = this.#all(`SELECT ${SELECTED} FROM outbox_entry WHERE order_id = ?`, [orderId]);
    return row ? readRow(row).entry : null;
  }

  /** Records an attempt of each entry that is due in a location. Unreadable entries stall instead. */
  take(location: string, now: number, limit: number): TakenEntry[] {
    const taken = `UPDATE outbox_entry SET state = 'sending', attempts = attempts + 1, lease = max(lease + 1, ?)
      WHERE position IN (SELECT position FROM outbox_entry WHERE state = 'waiting' AND location = ? AND due_at <= ?
      ORDER BY due_at LIMIT ?) RETURNING lease, ${SELECTED}`;
    return this.#all(taken, [Math.floor(now), location, now, limit]).flatMap(({ lease, ...row }) => {
      const { entry, repair } = readRow(row);
      if (!repair) return [{ ...entry, lease }];
      const { values, bind } = statementValues('?');
      const set = assignments({ ...repair, settledAt: now, noticeAt: now }, bind);
      const sql = `UPDATE outbox_entry SET ${set} WHERE position = ?`;
      this.#run(sql, [...values, row.position as SqliteValue]);
      this.#record(entry.orderId, { event: { at: now, what: 'settled', outcome: entry.outcome, reason: UNREADABLE } });
      return [];
    });
  }

  settle({ orderId, lease }: TakenEntry, settlement: Settlement & Recorded): boolean {
    const { values, bind } = statementValues('?');
    const sql = `UPDATE outbox_entry SET ${assignments(settlement, bind)} WHERE order_id = ${bind(orderId)}
      AND state = 'sending' AND lease = ${bind(lease as number)}`;
    if (this.#run(sql, values) === 0) return false;
    this.#record(orderId, settlement);
    return true;
  }

  /** Returns the changed entry, and whether its row is waiting now, even if it can't be read; null if none was changed. */
  update(orderId: Guid, condition: Condition, change: Change): { entry: StoredEntry; isWaiting: boolean } | null {
    const { values, bind } = statementValues('?');
    const set = assignments(change, bind);
    const sql = `UPDATE outbox_entry SET ${set} WHERE order_id = ${bind(orderId)} AND ${predicate(condition, bind)}
      RETURNING ${SELECTED}`;
    const [row] = this.#all(sql, values);
    if (row) this.#record(orderId, change);
    return row ? { entry: readRow(row).entry, isWaiting: row.state === 'waiting' } : null;
  }

  page(page: Page): StoredEntry[] {
    const values = statementValues('?');
    // Otherwise the planner would scan every entry.
    const { noticeUntil, reference, receiptNumber } = page;
    const name = receiptNumber ? 'receipt' : reference ? 'reference' : noticeUntil === undefined ? '' : 'notice';
    const index = name && `INDEXED BY outbox_entry_${name}`;
    const sql = pageQuery(page.contents ? SELECTED : SUMMARY, 'outbox_entry', page, values, index);
    return this.#all(sql, values.values).map((row) => readRow(row).entry);
  }

  count(): LocationCount[] {
    const counts = (columns: string, which: string, group: string) =>
      `SELECT ${columns} AS time, count(*) AS entries FROM outbox_entry ${which} GROUP BY ${group}`;
    const each = 'state, location, min(added_at)';
    // Indexes have what is frequent in the order of its groups.
    const parts = [
      counts("state, '' AS location, 0", "WHERE state IN ('created', 'cancelled')", 'state'),
      counts(each, "INDEXED BY outbox_entry_due WHERE state = 'waiting'", 'location'),
      counts(each, "WHERE state = 'sending'", 'state, location'),
      counts(each, "WHERE state IN ('refused', 'stalled', 'invalid') AND body IS NOT NULL", 'state, location'),
    ];
    const rows = this.#all(parts.join(' UNION ALL '), []) as unknown as LocationCount[];
    return rows.map(({ state, location, entries, ...row }) => {
      return { state, location, entries, oldestAddedAt: timeOf(row) ?? 0 };
    });
  }

  /** Returns when the next entry of a location is due; undefined if none is waiting. */
  nextDue(location: string): number | undefined {
    const sql = `SELECT min(due_at) AS time FROM outbox_entry WHERE state = 'waiting' AND location = ?`;
    return timeOf(this.#all(sql, [location])[0]);
  }

  /** Returns when the next entry of each location is due. */
  allDue(): { location: string; time: number }[] {
    const sql = `SELECT location, min(due_at) AS time FROM outbox_entry WHERE state = 'waiting' GROUP BY location`;
    return this.#all(sql, []).map((row) => {
      return { location: row.location as string, time: timeOf(row) ?? Number.POSITIVE_INFINITY };
    });
  }

  /**
   * Stalls entries that wait past their deadline, and entries with unreadable times, which would never be taken. Scans all
   * waiting entries.
   */
  stall(now: number): number {
    const late = `position IN (SELECT position FROM outbox_entry WHERE state = 'waiting'
        AND (deadline_at NOT BETWEEN ? AND ${LATEST} OR due_at NOT BETWEEN ${-LATEST} AND ${LATEST})
        LIMIT ${SWEPT_AT_ONCE})`;
    const reason = `iif(deadline_at <= ?, 'Deadline', '${UNREADABLE}')`;
    const event = `INSERT INTO outbox_event (position, number, at, what, outcome, reason)
      SELECT position, ${NEXT_EVENT}, ?, 'settled', outcome, ${reason} FROM outbox_entry AS entry WHERE ${late}`;
    const sql = `UPDATE outbox_entry SET state = 'stalled', settled_at = ?, notice_at = ?, reason = ${reason} WHERE ${late}`;
    this.#run(event, [now, now, now + 1]);
    return this.#run(sql, [now, now, now, now + 1]);
  }

  /** Returns the first deadline of the waiting entries; Infinity if there is none. */
  nextDeadline(): number {
    const [row] = this.#all(`SELECT min(deadline_at) AS time FROM outbox_entry WHERE state = 'waiting'`, []);
    return timeOf(row) ?? Number.POSITIVE_INFINITY;
  }

  /** Deletes created entries whose handler was called and that were settled before this time. */
  prune(createdBefore: number): number {
    const [last] = this.#all('SELECT max(position) AS position FROM outbox_entry', []);
    const pruned = `DELETE FROM outbox_entry WHERE position IN (
      SELECT position FROM outbox_entry INDEXED BY outbox_entry_settled
      WHERE state = 'created' AND settled_at < ? AND notice_at IS NULL LIMIT ${SWEPT_AT_ONCE})`;
    const deleted = this.#run(pruned, [createdBefore]);
    if (deleted > 0) {
      const sql = `INSERT INTO outbox_setting VALUES ('position', ?) ON CONFLICT (name) DO UPDATE SET value = max(value, excluded.value)`;
      this.#run(sql, [last?.position as SqliteValue]);
    }
    return deleted;
  }

  /** Releases the prepared statements. */
  close(): void {
    this.#prepared.clear();
  }

  /** Returns the number of changed rows. */
  #run(sql: string, values: readonly SqliteValue[]): number {
    const { statement, bound } = this.#prepare(sql);
    return Number(statement.run(...bound.map((index) => values[index] as SqliteValue)).changes);
  }

  /** Returns rows; integers that a number can't represent are BigInts in them. */
  #all(sql: string, values: readonly SqliteValue[]): Row[] {
    const { statement, bound } = this.#prepare(sql);
    const rows = statement.all(...bound.map((index) => values[index] as SqliteValue)) as Row[];
    for (const row of rows) {
      for (const name of Object.keys(row)) {
        const value = row[name];
        if (typeof value === 'bigint' && Number.isSafeInteger(Number(value))) row[name] = Number(value);
      }
    }
    return rows;
  }

  #prepare(sql: string): Prepared {
    let prepared = this.#prepared.get(sql);
    if (!prepared) {
      // Node before 22.20 and 24.7 binds values to ?, but not to ?1.
      const bound = [...sql.matchAll(PLACEHOLDER)].map(([, number], index) => (number ? Number(number) - 1 : index));
      const statement = this.#database.prepare(sql.replaceAll(PLACEHOLDER, '?'));
      // Otherwise Node throws at the first large integer, and no row can be read.
      statement.setReadBigInts?.(true);
      prepared = { statement, bound };
      this.#prepared.set(sql, prepared);
    }
    return prepared;
  }
}

/** Returns undefined if there is no time. A time that can't be read exactly is still before or after all others. */
function timeOf(row: object | undefined): number | undefined {
  const { time } = (row ?? {}) as { time?: unknown };
  return typeof time === 'number' || typeof time === 'bigint' ? Number(time) : undefined;
}
