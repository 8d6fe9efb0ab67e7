import type { Guid } from 'sales-order-intake';
import { wrongOption } from '../../pkg-template/src/options/check.js';
import { assertBound, type Binding, pausesIn } from '../binding.js';
import { OutboxError } from '../errors.js';
import {
  SELECTED,
  SETTLED_FROM_ROW,
  SUMMARY,
  assignments,
  entryOfRow,
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
  Settlement,
  StoredEntry,
  TakenEntry,
} from '../store.js';
import { DURABLE, type Executor } from './database.js';
import type { Job, Lease } from './pg-boss.js';
import type { Engine, LockWait, Sending } from './engine.js';
import { codeOf } from './failure.js';
import { ROW } from './schema.js';

const SWEPT_AT_ONCE = 1000;
const DAY_MS = 86_400_000;
const NO_ACTIVE_TRANSACTION = '25P01';

/** An entry to change, and the job that it must still have then; null for any. */
interface Candidate {
  orderId: Guid;
  jobId: string | null;
}
/** The time of the database, in milliseconds since 1970. */
const NOW = 'extract(epoch FROM clock_timestamp()) * 1000';
const TIMES = ['added_at', 'due_at', 'deadline_at'];
/** How late the clock was that the times of a new row are by. */
const LATE = `SELECT CASE WHEN is_added_now THEN (${NOW})::bigint - added_at ELSE 0 END AS late`;
const CANDIDATE = 'order_id AS "orderId", job_id AS "jobId"';

/**
 * The table of the entries, on one connection or in one transaction. An entry that waits or is being sent has one job of the engine,
 * and knows its id.
 */
export class EntryTable {
  readonly #name: string;
  readonly #settings: string;
  readonly #engine: Engine;
  readonly #db: Executor;

  constructor(schema: string, engine: Engine, db: Executor) {
    this.#name = `${schema}.outbox_entry`;
    this.#settings = `${schema}.outbox_setting`;
    this.#engine = engine;
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

  /** @throws OutboxError if the store has another base URL by now. */
  async assertBound(binding: Binding): Promise<void> {
    const [row] = await this.#rows(`SELECT value FROM ${this.#settings} WHERE name = 'base_url'`);
    if (row) assertBound(row.value, binding);
  }

  /** Returns the time of the database. */
  async now(): Promise<number> {
    const [row] = await this.#rows(`SELECT (${NOW})::float8 AS now`);
    return Number(row?.now);
  }

  /** Inserts entries with their jobs. Returns null for each new entry, or the entry that was stored before. */
  async insert(entries: readonly NewEntry[], isRepeated = false): Promise<(StoredEntry | null)[]> {
    const withJobs = entries.map((entry) => ({ ...entry, jobId: this.#engine.newJobId() }));
    const rows = withJobs.map((entry) => ({ ...newRow(entry), job_id: entry.jobId }));
    const columns = Object.keys(rows[0] ?? {});
    const values = columns.map((column) => (TIMES.includes(column) ? `${column} + late` : column));
    const given = rows.map((row, index) => ({ ...row, is_added_now: entries[index]?.isAddedNow === true }));
    const returned = ['job_id', 'due_at::float8 AS "dueAt"', `${DURABLE} AS durable`, this.#engine.announcement];
    const sql = `INSERT INTO ${this.#name} (${columns.join()}) SELECT ${values.join()}
      FROM json_to_recordset($1::text::json) AS row (${ROW}, is_added_now boolean), LATERAL (${LATE}) AS clock
      ON CONFLICT (order_id) DO NOTHING RETURNING ${returned.filter(Boolean).join()}`;
    const inserted = await this.#rows(sql, [JSON.stringify(given)]);
    const dueTimes = new Map(inserted.map(({ job_id, dueAt }) => [job_id as string, dueAt as number]));
    const isNew = ({ jobId }: Sending) => dueTimes.has(jobId);
    const sent = withJobs.filter(isNew).map((entry) => ({ ...entry, dueAt: dueTimes.get(entry.jobId) ?? entry.dueAt }));
    await this.#engine.send(sent, this.#db);
    if (inserted.length === entries.length) return entries.map(() => null);
    const existing = await this.#find(entries);
    // These were stored when the rows were inserted, and have been pruned since.
    const pruned = withJobs.filter((entry) => !isNew(entry) && !existing.has(entry.orderId));
    if (pruned.length > 0 && isRepeated) {
      throw new OutboxError('store', 'Another process deletes an entry with this Id. The order was not stored');
    }
    const repeated = pruned.length > 0 ? await this.insert(pruned, true) : [];
    return withJobs.map((entry) => (isNew(entry) ? null : (existing.get(entry.orderId) ?? repeated.shift() ?? null)));
  }

  async #find(entries: readonly { orderId: Guid }[]): Promise<Map<Guid, StoredEntry>> {
    const sql = `SELECT ${SELECTED} FROM ${this.#name} WHERE order_id IN (SELECT json_array_elements_text($1::text::json))`;
    const rows = await this.#rows(sql, [JSON.stringify(entries.map(({ orderId }) => orderId))]);
    return new Map(rows.map(entryOfRow).map((entry) => [entry.orderId, entry]));
  }

  async get(orderId: Guid): Promise<StoredEntry | null> {
    return (await this.#find([{ orderId }])).get(orderId) ?? null;
  }

  async page(page: Page): Promise<StoredEntry[]> {
    const values = statementValues('$');
    const sql = pageQuery(page.contents ? SELECTED : SUMMARY, this.#name, page, values);
    return (await this.#rows(sql, values.values)).map(entryOfRow);
  }

  async count(): Promise<LocationCount[]> {
    const sql = `SELECT state, location, count(*)::int AS entries, min(added_at)::float8 AS "oldestAddedAt" FROM ${this.#name} WHERE`;
    // Two halves, each of which an index covers: the entries themselves, with their bodies, are not read.
    const halves = ["state <> 'stalled'", "state = 'stalled' AND body IS NOT NULL"];
    const counts = halves.map((half) => `${sql} ${half} GROUP BY state, location`).join(' UNION ALL ');
    return (await this.#rows(counts)) as unknown as LocationCount[];
  }

  /** Stalls entries that wait past their deadline. Returns their number. */
  stall(now: number): Promise<number> {
    const stalled = `UPDATE ${this.#name} SET state = 'stalled', reason = 'Deadline', settled_at = $1, notice_at = $1`;
    return this.#sweep(stalled, "state = 'waiting' AND deadline_at <= $1", now);
  }

  /** Deletes created entries whose handler was called and that were settled before this time. Returns their number. */
  prune(createdBefore: number): Promise<number> {
    const condition = "state = 'created' AND settled_at < $1 AND notice_at IS NULL";
    return this.#sweep(`DELETE FROM ${this.#name}`, condition, createdBefore);
  }

  async #sweep(statement: string, condition: string, time: number): Promise<number> {
    const found = `SELECT order_id FROM ${this.#name} WHERE ${condition} LIMIT ${SWEPT_AT_ONCE} FOR UPDATE SKIP LOCKED`;
    return (await this.#rows(`${statement} WHERE order_id IN (${found}) RETURNING 1`, [Math.round(time)])).length;
  }

  /** Stores the pauses of this process, or removes them together with those of processes that died a day ago. */
  async setPauses(pauses: string | null, now: number): Promise<void> {
    const [sql, value] = pauses
      ? [
          `INSERT INTO ${this.#settings} VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
          `${now} ${pauses}`,
        ]
      : [
          `DELETE FROM ${this.#settings} WHERE name = $1 OR CASE WHEN name LIKE 'pauses %' THEN split_part(value, ' ', 1)::bigint END < $2`,
          now - DAY_MS,
        ];
    await this.#rows(sql, [`pauses ${this.#engine.processId}`, value]);
  }

  async getPauses(since: number): Promise<string[]> {
    return pausesIn(await this.#rows(`SELECT value FROM ${this.#settings} WHERE name LIKE 'pauses %'`), since);
  }

  // ---------------------------------------------------------------- attempts

  /**
   * Records an attempt for each job. Jobs that another process has by now, or whose order is settled, are dropped: this
   * process has nothing more to do with them.
   */
  async begin(jobs: readonly Job[]): Promise<{ entries: TakenEntry[]; dropped: Job[] }> {
    const ours = await this.#engine.touch(jobs, this.#db);
    const mine = jobs.filter(({ id }) => ours.has(id));
    const rows = await this.#rows(
      `UPDATE ${this.#name} SET state = 'sending', attempts = attempts + 1,
         outcome = CASE state WHEN 'sending' THEN 'unknown' ELSE outcome END
       FROM json_to_recordset($1::text::json) AS job ("jobId" uuid, "ofOrder" text)
       WHERE order_id = "ofOrder" AND job_id = "jobId" AND (state IN ('waiting', 'sending')) IS TRUE
       RETURNING job_id, ${SELECTED}`,
      // Found by the Ids of their orders: there is no index by job, and IS TRUE keeps the planner from the one by state, which
      // seems to find nothing for a while after many entries were retried.
      [JSON.stringify(mine.map(({ id, data }) => ({ jobId: id, ofOrder: data.orderId })))],
    );
    const taken = new Map(rows.map(({ job_id: id, ...row }) => [id as string, entryOfRow(row)]));
    const done = mine.filter(({ id }) => !taken.has(id));
    if (done.length > 0) await this.#engine.complete(done, this.#db);
    const entries = mine.flatMap(({ id, retryCount }) => {
      const entry = taken.get(id);
      return entry ? [{ ...entry, lease: { id, retryCount } }] : [];
    });
    return { entries, dropped: jobs.filter(({ id }) => !taken.has(id)) };
  }

  /** Writes results, with the jobs of the attempts that follow. Returns false for an attempt that another process has by now. */
  async settle(items: readonly [TakenEntry, Settlement][]): Promise<boolean[]> {
    const leases = items.map(([{ lease }]) => lease as Lease);
    const ours = await this.#engine.complete(leases, this.#db);
    const mine = items.flatMap(([{ orderId, location }, settlement], index) => {
      const lease = leases[index] as Lease;
      if (!ours.has(lease.id)) return [];
      const jobId: string = settlement.state === 'waiting' ? this.#engine.newJobId() : lease.id;
      return [{ ...settlement, orderId, location, jobId }];
    });
    if (mine.length > 0) await this.#updateEach(`${SETTLED_FROM_ROW}, job_id = row.job_id`, mine);
    const again = mine.filter(({ state }) => state === 'waiting');
    await this.#engine.send(again, this.#db);
    return leases.map(({ id }) => ours.has(id));
  }

  /** Lets other processes have jobs that were fetched here, and whose attempts have not begun. */
  async giveBack(jobs: readonly Job[]): Promise<void> {
    const ours = await this.#engine.complete(jobs, this.#db);
    await this.#sendAgain(jobs.flatMap(({ id, data }) => (ours.has(id) ? [data] : [])));
  }

  /**
   * Creates jobs for entries that have lost theirs, for example because the queue was emptied. A job has a new id, so that
   * the worker of the lost one, if there is any, can't settle the entry. Returns true if there may be more.
   */
  async restore(): Promise<boolean> {
    const lost = `SELECT order_id AS "orderId", location, due_at::float8 AS "dueAt" FROM ${this.#name} AS entry
      WHERE state IN ('waiting', 'sending') AND NOT EXISTS (${this.#engine.jobOf('entry.job_id')})`;
    const locked = await this.#rows(`${lost} LIMIT ${SWEPT_AT_ONCE} FOR UPDATE SKIP LOCKED`, []);
    if (locked.length === 0) return false;
    // A job that was exchanged while the first statement ran is not lost; now that they are locked, none is exchanged.
    const rows = await this.#rows(`${lost} AND order_id IN (SELECT json_array_elements_text($1::text::json))`, [
      JSON.stringify(locked.map(({ orderId }) => orderId)),
    ]);
    await this.#sendAgain(rows as unknown as Omit<Sending, 'jobId'>[]);
    return locked.length === SWEPT_AT_ONCE;
  }

  /** Sends entries with new jobs. */
  async #sendAgain(entries: readonly Omit<Sending, 'jobId'>[]): Promise<void> {
    if (entries.length === 0) return;
    const again = entries.map((entry) => ({ ...entry, jobId: this.#engine.newJobId() }));
    await this.#engine.send(again, this.#db);
    await this.#updateEach('job_id = row.job_id', again);
  }

  /** @param set Assigns columns of `row`. */
  async #updateEach(set: string, entries: readonly Sending[]): Promise<void> {
    const sql = `UPDATE ${this.#name} AS entry SET ${set}
      FROM json_to_recordset($1::text::json) AS row (${ROW}) WHERE entry.order_id = row.order_id`;
    await this.#rows(sql, [JSON.stringify(entries.map((entry) => ({ ...rowOf(entry), job_id: entry.jobId })))]);
  }

  // ---------------------------------------------------------------- changes

  /**
   * Changes an entry if the condition holds.
   *
   * @returns the changed entry, or null; undefined if it was changed meanwhile: then roll back, which releases the locks, and try
   * again.
   */
  async change(orderId: Guid, condition: Condition, change: Change): Promise<StoredEntry | null | undefined> {
    const how = { columns: SELECTED, wait: '' } as const;
    if (change.state !== 'waiting') {
      const [entry = null] = await this.#change([{ orderId, jobId: null }], condition, change, how);
      return entry;
    }
    const { values, bind } = statementValues('$', [orderId]);
    const sql = `SELECT ${CANDIDATE} FROM ${this.#name} WHERE order_id = $1 AND ${predicate(condition, bind)}`;
    const rows = await this.#rows(sql, values);
    if (rows.length === 0) return null;
    return (await this.#change(rows as unknown as Candidate[], condition, change, how))[0];
  }

  /** Changes an entry in the caller's transaction. Rolls back only its own part. */
  async changeInCallers(orderId: Guid, condition: Condition, change: Change): Promise<StoredEntry | null> {
    await this.#rows(`SELECT ${DURABLE}`);
    for (;;) {
      await this.#rows('SAVEPOINT outbox_change');
      const changed = await this.change(orderId, condition, change);
      if (changed === undefined) await this.#rows('ROLLBACK TO SAVEPOINT outbox_change');
      await this.#rows('RELEASE SAVEPOINT outbox_change');
      if (changed !== undefined) return changed;
    }
  }

  /**
   * Changes those entries of a page that meet the condition and that no other transaction has locked. Never waits for a lock:
   * two transactions that each lock many entries could wait for each other.
   *
   * @returns in `busy` the entries that another transaction has locked. They may meet the condition, too.
   */
  async changePage(page: Page, condition: Condition, change: Change): Promise<ChangedPage & { busy: Guid[] }> {
    const values = statementValues('$');
    const columns = `position, ${CANDIDATE}, ${predicate(condition, values.bind)} AS meets`;
    const rows = await this.#rows(pageQuery(columns, this.#name, page, values), values.values);
    const last = rows.length < page.limit ? null : Number(rows.at(-1)?.position);
    const found = rows.filter(({ meets }) => meets === true) as unknown as Candidate[];
    if (found.length === 0) return { changed: 0, last, busy: [] };
    const changed = await this.#change(found, condition, change, { columns: SUMMARY, wait: 'SKIP LOCKED' });
    const done = new Set(changed.map(({ orderId }) => orderId));
    return { changed: done.size, last, busy: found.flatMap(({ orderId }) => (done.has(orderId) ? [] : [orderId])) };
  }

  /**
   * Changes those entries that still have their job and meet the condition. Those that become `waiting` get new jobs, because the
   * old ones may be due at another time; the old jobs are locked before the entries, as workers do that begin or end an attempt.
   */
  async #change(
    found: readonly Candidate[],
    condition: Condition,
    change: Change,
    { columns, wait }: { columns: string; wait: LockWait },
  ): Promise<StoredEntry[]> {
    const isRenewed = change.state === 'waiting';
    const busy = isRenewed ? await this.#engine.lock(found, wait, this.#db) : new Set();
    const free = found.filter(({ jobId }) => !busy.has(jobId));
    const items = free.map((each) => ({ ...each, nextId: isRenewed ? this.#engine.newJobId() : null }));
    const { values, bind } = statementValues('$', [JSON.stringify(items)]);
    const list = 'json_to_recordset($1::text::json) AS item ("orderId" text, "jobId" uuid, "nextId" uuid)';
    const unlocked = `SELECT order_id FROM ${this.#name} WHERE order_id IN (SELECT "orderId" FROM ${list}) FOR UPDATE ${wait}`;
    const sql = `UPDATE ${this.#name} SET ${assignments(change, bind)}, job_id = coalesce("nextId", job_id)
      FROM ${list} WHERE order_id = item."orderId" AND job_id = coalesce("jobId", job_id) AND ${predicate(condition, bind)}
        ${wait && `AND order_id IN (${unlocked})`} RETURNING "jobId", "nextId", ${columns}`;
    const rows = await this.#rows(sql, values);
    const changed = rows.map(({ jobId: _1, nextId: _2, ...row }) => entryOfRow(row));
    if (isRenewed && changed.length > 0) {
      const oldIds = rows.map(({ jobId }) => jobId as string);
      const jobs = changed.map((entry, index) => ({ ...entry, jobId: rows[index]?.nextId as string }));
      await this.#engine.exchange(oldIds, jobs, this.#db);
    }
    return changed;
  }

  async #rows(sql: string, values?: unknown[]): Promise<Record<string, unknown>[]> {
    return (await this.#db.executeSql(sql, values)).rows;
  }
}
