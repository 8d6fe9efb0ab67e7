import type { Guid } from 'sales-order-intake';
import { SELECTED, assignments, entryOfRow, pagePredicate, predicate, type Value } from '../columns.js';
import type { Change, ChangedPage, Condition, Page, StoredEntry } from '../store/index.js';
import { DURABLE, type Executor } from './database.js';
import type { Engine } from './queue.js';
import { binder } from './rows.js';

/** A page of entries after it was changed. */
export interface LockedPage extends ChangedPage {
  /** Entries of the page that another transaction has locked. They may meet the condition, too. */
  busy: Guid[];
}

interface Candidate {
  orderId: Guid;
  jobId: string;
}

interface Rescheduled {
  orderId: string;
  location: string;
  dueAt: number;
  jobId: string;
}

/** Changes entries, together with their jobs. */
export class Changes {
  readonly #table: string;
  readonly #engine: Engine;

  constructor(table: string, engine: Engine) {
    this.#table = table;
    this.#engine = engine;
  }

  /**
   * Changes an entry if the condition holds. Returns the changed entry, null, or 'moved' if the entry has got another job
   * meanwhile: then roll back, which releases the locks, and try again.
   */
  async one(orderId: Guid, condition: Condition, change: Change, db: Executor): Promise<StoredEntry | null | 'moved'> {
    return change.state === 'waiting'
      ? this.#reschedule(orderId, condition, change, db)
      : this.#update(orderId, condition, change, undefined, db);
  }

  /** Does so in the caller's transaction. Rolls back no more than its own part. */
  async oneInCallers(orderId: Guid, condition: Condition, change: Change, db: Executor): Promise<StoredEntry | null> {
    await db.executeSql(`SELECT ${DURABLE}`, []);
    for (;;) {
      await db.executeSql('SAVEPOINT outbox_change', []);
      const changed = await this.one(orderId, condition, change, db);
      if (changed === 'moved') await db.executeSql('ROLLBACK TO SAVEPOINT outbox_change', []);
      await db.executeSql('RELEASE SAVEPOINT outbox_change', []);
      if (changed !== 'moved') return changed;
    }
  }

  /**
   * Changes those entries of a page that meet the condition and that no other transaction has locked. Never waits for a lock:
   * two transactions that each lock many entries could wait for each other.
   */
  async page(page: Page, condition: Condition, change: Change, db: Executor): Promise<LockedPage> {
    const values: Value[] = [];
    const bind = binder(values);
    const { rows } = await db.executeSql(
      `SELECT position, order_id AS "orderId", job_id AS "jobId", ${predicate(condition, bind)} AS meets
       FROM ${this.#table} WHERE ${pagePredicate(page, bind)} ORDER BY position LIMIT ${bind(page.limit)}`,
      values,
    );
    const last = rows.length < page.limit ? null : Number(rows.at(-1)?.position);
    const candidates = rows.filter(({ meets }) => meets === true) as unknown as Candidate[];
    if (candidates.length === 0) return { changed: 0, last, busy: [] };
    const free = await this.#lockAll(candidates, condition, db);
    if (free.length > 0) await this.#changeLocked(free, change, db);
    const locked = new Set(free.map(({ orderId }) => orderId));
    const busy = candidates.flatMap(({ orderId }) => (locked.has(orderId) ? [] : [orderId]));
    return { changed: free.length, last, busy };
  }

  /** Locks jobs before entries, as workers do. Returns the entries that meet the condition once they are locked. */
  async #lockAll(candidates: readonly Candidate[], condition: Condition, db: Executor): Promise<Candidate[]> {
    const busy = await this.#engine.tryLock(
      candidates.map(({ jobId }) => jobId),
      db,
    );
    const free = candidates.filter(({ jobId }) => !busy.has(jobId));
    const values: Value[] = [JSON.stringify(free)];
    const { rows } = await db.executeSql(
      `SELECT order_id AS "orderId", job_id AS "jobId" FROM ${this.#table}
       WHERE (order_id, job_id) IN (SELECT "orderId", "jobId" FROM json_to_recordset($1::text::json)
         AS row ("orderId" text, "jobId" uuid)) AND ${predicate(condition, binder(values))} FOR UPDATE SKIP LOCKED`,
      values,
    );
    return rows as unknown as Candidate[];
  }

  async #changeLocked(entries: readonly Candidate[], change: Change, db: Executor): Promise<void> {
    const isWaiting = change.state === 'waiting';
    const renewed = entries.map(({ orderId, jobId }) => ({
      orderId,
      jobId: isWaiting ? this.#engine.newJobId() : jobId,
    }));
    const values: Value[] = [JSON.stringify(renewed)];
    const { rows } = await db.executeSql(
      `UPDATE ${this.#table} AS entry SET ${assignments(change, binder(values))}, job_id = row."jobId"
       FROM json_to_recordset($1::text::json) AS row ("orderId" text, "jobId" uuid) WHERE entry.order_id = row."orderId"
       RETURNING entry.order_id AS "orderId", location, due_at::float8 AS "dueAt", job_id AS "jobId"`,
      values,
    );
    if (!isWaiting) return;
    await this.#engine.remove(
      entries.map(({ jobId }) => jobId),
      db,
    );
    await this.#engine.send(rows as unknown as Rescheduled[], db);
  }

  async #update(
    orderId: Guid,
    condition: Condition,
    change: Change,
    jobId: string | undefined,
    db: Executor,
  ): Promise<StoredEntry | null> {
    const values: Value[] = [];
    const bind = binder(values);
    const job = jobId === undefined ? '' : `, job_id = ${bind(jobId)}::uuid`;
    const { rows } = await db.executeSql(
      `UPDATE ${this.#table} SET ${assignments(change, bind)}${job}
       WHERE order_id = ${bind(orderId)} AND ${predicate(condition, bind)} RETURNING ${SELECTED}`,
      values,
    );
    const [row] = rows;
    return row ? entryOfRow(row) : null;
  }

  /**
   * Changes an entry to `waiting`, with a new job, because the old one may be due at another time. Locks the job first, as
   * workers do that begin or end an attempt.
   */
  async #reschedule(
    orderId: Guid,
    condition: Condition,
    change: Change,
    db: Executor,
  ): Promise<StoredEntry | null | 'moved'> {
    const sql = `SELECT job_id FROM ${this.#table} WHERE order_id = $1`;
    const [before] = (await db.executeSql(sql, [orderId])).rows;
    if (!before) return null;
    await this.#engine.lock(before.job_id as string, db);
    const [locked] = (await db.executeSql(`${sql} FOR UPDATE`, [orderId])).rows;
    if (!locked) return null;
    if (locked.job_id !== before.job_id) return 'moved';
    const jobId = this.#engine.newJobId();
    const entry = await this.#update(orderId, condition, change, jobId, db);
    if (entry) {
      await this.#engine.remove([before.job_id as string], db);
      await this.#engine.send([{ ...entry, jobId }], db);
    }
    return entry;
  }
}
