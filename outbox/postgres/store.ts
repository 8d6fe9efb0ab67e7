import type { Guid } from 'sales-order-intake';
import type { Platform } from '../../www/platform/platform.js';
import { SELECTED, SUMMARY, entryOfRow, pageOrder, pagePredicate, type Value } from '../columns.js';
import { OutboxError } from '../errors.js';
import type {
  Change,
  ChangedPage,
  Condition,
  LocationCount,
  NewEntry,
  Page,
  Settlement,
  OutboxStore,
  StoredEntry,
  SweepOptions,
  TakeOptions,
  TakeResult,
  TakenEntry,
} from '../store/index.js';
import { beginAttempts, settleAttempts } from './attempts.js';
import { Batcher } from './batcher.js';
import { Changes } from './changes.js';
import { type Executor, TimeLimit } from './database.js';
import type { Job, Lease } from './engine.js';
import { guarded, isRepeatable, NOTHING_WRITTEN, ROLL_BACK, UNCERTAIN } from './failure.js';
import { insertEntries } from './insert.js';
import { Leases } from './leases.js';
import type { PoolSource } from './options.js';
import { Engine, type Sending } from './queue.js';
import { binder, type Row } from './rows.js';
import { ROW } from './schema.js';
import { assertTransaction, executorOf, type PostgresTransaction } from './transaction.js';

const SWEPT_AT_ONCE = 1000;
/** How often the store searches for lost jobs. */
const RESTORE_MS = 600_000;
/** The shortest and the longest wait between polls while there are no jobs. */
const SHORTEST_POLL_MS = 100;
const LONGEST_POLL_MS = 1000;

/** Entries in a table of PostgreSQL; a job of the engine is one attempt of one order, and carries its id. */
export class PostgresStore implements OutboxStore<PostgresTransaction> {
  readonly #platform: Platform;
  readonly #engine: Engine;
  readonly #timeoutMs: number;
  readonly #table: string;
  readonly #changes: Changes;
  readonly #leases: Leases;
  readonly #adds = new Batcher<NewEntry, StoredEntry | null>(
    ({ orderId }) => orderId,
    (entries) => this.#inTransaction((db) => insertEntries(entries, this.#table, this.#engine, db)),
  );
  readonly #settles = new Batcher<[TakenEntry, Settlement], boolean>(
    ([{ orderId }]) => orderId,
    (items) => this.#settleAll(items),
  );
  #pollMs = SHORTEST_POLL_MS;
  #restoreAt = Number.NEGATIVE_INFINITY;
  #givingBack: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  constructor(platform: Platform, schema: string, source: PoolSource, timeoutMs: number) {
    this.#platform = platform;
    this.#timeoutMs = timeoutMs;
    this.#leases = new Leases(platform);
    this.#table = `${schema}.outbox_entry`;
    this.#engine = new Engine(platform, schema, source, timeoutMs, () => this.#beat());
    this.#changes = new Changes(this.#table, this.#engine);
  }

  bind(baseUrl: string, movedFrom: string | null = null): void {
    this.#engine.binding = { baseUrl, movedFrom };
  }

  async now(transaction?: PostgresTransaction): Promise<number> {
    const sql = 'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now';
    const { rows } = transaction
      ? await guarded(ROLL_BACK, () => executorOf(transaction).executeSql(sql, []))
      : { rows: await this.#rows(sql, []) };
    return Number(rows[0]?.now);
  }

  start(): void {
    this.#engine.start();
  }

  async add(entry: NewEntry, transaction?: PostgresTransaction): Promise<StoredEntry | null> {
    this.#assertOpen();
    if (transaction === undefined) return this.#adds.run(entry);
    return this.#inCallersTransaction(transaction, async (db) => {
      const [existing = null] = await insertEntries([entry], this.#table, this.#engine, db);
      return existing;
    });
  }

  async take({ now, limit, room, full }: TakeOptions): Promise<TakeResult> {
    this.#assertOpen();
    const startedAt = this.#platform.now();
    // A process that takes entries delivers, even if a wrapper of this store has no start().
    this.#engine.start();
    await this.#engine.open();
    return guarded(UNCERTAIN, async () => {
      const { usable, stocked } = this.#leases.stock(room);
      const wanted = limit - usable;
      const fetched = wanted > 0 ? await this.#engine.fetch(wanted, [...new Set([...full, ...stocked])]) : [];
      this.#leases.add(fetched);
      const jobs = this.#leases.choose(fetched, limit, room);
      void this.#giveBackSurplus();
      const entries = jobs.length > 0 ? await this.#beginOrHold(jobs) : [];
      const isBusy = fetched.length > 0;
      this.#pollMs = isBusy ? SHORTEST_POLL_MS : Math.min(LONGEST_POLL_MS, this.#pollMs * 1.5);
      return { entries, againAt: now + this.#platform.now() - startedAt + (isBusy ? 0 : this.#pollMs) };
    });
  }

  async settle(entry: TakenEntry, settlement: Settlement): Promise<boolean> {
    // Even while the store closes, because only this process knows the result.
    return this.#settles.run([entry, settlement]);
  }

  async change(
    orderId: Guid,
    condition: Condition,
    change: Change,
    transaction?: PostgresTransaction,
  ): Promise<StoredEntry | null> {
    if (transaction !== undefined) {
      return this.#inCallersTransaction(transaction, (db) =>
        this.#changes.oneInCallers(orderId, condition, change, db),
      );
    }
    for (;;) {
      const changed = await this.#inTransaction((db) => this.#changes.one(orderId, condition, change, db));
      if (changed !== 'moved') return changed;
    }
  }

  async changeAll(page: Page, condition: Condition, change: Change): Promise<ChangedPage> {
    const result = await this.#inTransaction((db) => this.#changes.page(page, condition, change, db));
    let { changed } = result;
    // One at a time, each waits for its lock while it holds no other.
    for (const orderId of result.busy) {
      if (await this.change(orderId, condition, change)) changed++;
    }
    return { changed, last: result.last };
  }

  async get(orderId: Guid): Promise<StoredEntry | null> {
    const [row] = await this.#rows(`SELECT ${SELECTED} FROM ${this.#table} WHERE order_id = $1`, [orderId]);
    return row ? entryOfRow(row) : null;
  }

  async list(page: Page): Promise<StoredEntry[]> {
    const values: Value[] = [];
    const bind = binder(values);
    const where = pagePredicate(page, bind);
    const columns = page.contents ? SELECTED : SUMMARY;
    const sql = `SELECT ${columns} FROM ${this.#table} WHERE ${where} ${pageOrder(page)} LIMIT ${bind(page.limit)}`;
    return (await this.#rows(sql, values)).map(entryOfRow);
  }

  async count(): Promise<LocationCount[]> {
    const sql = `SELECT state, location, count(*)::int AS entries, min(added_at)::float8 AS "oldestAddedAt" FROM ${this.#table} WHERE`;
    // Two halves, each of which an index answers: the entries themselves, with their bodies, are not read.
    const halves = ["state <> 'stalled'", "state = 'stalled' AND body IS NOT NULL"];
    const counts = halves.map((half) => `${sql} ${half} GROUP BY state, location`).join(' UNION ALL ');
    return (await this.#rows(counts, [])) as unknown as LocationCount[];
  }

  async sweep({ now, createdBefore }: SweepOptions): Promise<number> {
    const stalled = await this.#rows(
      `UPDATE ${this.#table} SET state = 'stalled', reason = 'Deadline', settled_at = $1, notice_at = $1
       WHERE order_id IN (SELECT order_id FROM ${this.#table} WHERE state = 'waiting' AND deadline_at <= $1
         LIMIT ${SWEPT_AT_ONCE} FOR UPDATE SKIP LOCKED) RETURNING 1`,
      [Math.round(now)],
      UNCERTAIN,
    );
    const pruned = await this.#rows(
      `DELETE FROM ${this.#table} WHERE order_id IN (SELECT order_id FROM ${this.#table}
         WHERE state = 'created' AND settled_at < $1 AND notice_at IS NULL
         LIMIT ${SWEPT_AT_ONCE} FOR UPDATE SKIP LOCKED) RETURNING 1`,
      [Math.round(createdBefore)],
      UNCERTAIN,
    );
    await this.#restore();
    this.#engine.reportFailure();
    return stalled.length + pruned.length;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const limit = new TimeLimit(this.#platform, this.#timeoutMs);
    // What is not finished then can't be: nothing that was accepted is lost.
    await limit.wait('the end', this.#finish()).catch(() => {});
    limit.end();
    this.#engine.disconnect();
  }

  async #finish(): Promise<void> {
    await Promise.all([this.#adds.drain(), this.#settles.drain(), this.#givingBack]);
    const held = this.#leases.release();
    // Otherwise other processes would have to wait until the jobs expire.
    if (held.length > 0) {
      await this.#inTransaction((db) => this.#giveBack(held, db)).catch(() => {});
    }
    await this.#engine.close();
  }

  #assertOpen(): void {
    if (this.#closing) throw new OutboxError('stopped', 'The store has been closed');
  }

  // ---------------------------------------------------------------- attempts

  /** Keeps the jobs of this process, also while nothing is taken because everything is held back. */
  async #beat(): Promise<void> {
    const jobs = this.#leases.all;
    if (jobs.length > 0) await this.#engine.touch(jobs);
    await this.#giveBackSurplus();
  }

  async #beginOrHold(jobs: readonly Job[]): Promise<TakenEntry[]> {
    try {
      return await this.#begin(jobs);
    } catch (error) {
      // They are still this process's, and are taken next time.
      this.#leases.hold(jobs);
      throw error;
    }
  }

  async #begin(jobs: readonly Job[]): Promise<TakenEntry[]> {
    const { entries, dropped } = await this.#inTransaction((db) => beginAttempts(jobs, this.#table, this.#engine, db));
    this.#leases.remove(dropped);
    return entries;
  }

  async #settleAll(items: readonly [TakenEntry, Settlement][]): Promise<boolean[]> {
    const settled = await this.#inTransaction((db) => settleAttempts(items, this.#table, this.#engine, db));
    this.#leases.remove(items.map(([{ lease }]) => lease as Lease));
    return settled;
  }

  /** Releases jobs that have waited here too long, so that another process can fetch them. */
  #giveBackSurplus(): Promise<void> {
    this.#givingBack ??= this.#releaseSurplus().finally(() => {
      this.#givingBack = undefined;
    });
    return this.#givingBack;
  }

  async #releaseSurplus(): Promise<void> {
    const surplus = this.#leases.releaseSurplus();
    if (surplus.length === 0) return;
    try {
      await this.#inTransaction((db) => this.#giveBack(surplus, db));
      this.#leases.remove(surplus);
    } catch {
      // If they are still this process's, they are given back next time.
      this.#leases.hold(surplus);
    }
  }

  /** Lets other processes have jobs that were fetched here, and whose attempts have not begun. */
  async #giveBack(jobs: readonly Job[], db: Executor): Promise<void> {
    const ours = await this.#engine.complete(jobs, db);
    const mine = jobs.filter(({ id }) => ours.has(id));
    const again = mine.map(({ data }) => ({ ...data, jobId: this.#engine.newJobId() }));
    if (again.length > 0) await this.#sendAgain(again, db);
  }

  /**
   * Creates jobs for entries that have lost theirs, for example because the queue was emptied. A job has a new id, so that
   * the worker of the lost one, if there is any, can't settle the entry.
   */
  async #restore(): Promise<void> {
    if (this.#platform.now() < this.#restoreAt) return;
    const restored = await this.#inTransaction(async (db) => {
      const lost = `SELECT order_id AS "orderId", location, due_at AS "dueAt" FROM ${this.#table} AS entry
        WHERE state IN ('waiting', 'sending') AND NOT EXISTS (${this.#engine.jobOf('entry.job_id')})`;
      const { rows: locked } = await db.executeSql(`${lost} LIMIT ${SWEPT_AT_ONCE} FOR UPDATE SKIP LOCKED`, []);
      if (locked.length === 0) return 0;
      // A job that was exchanged while the first statement ran is not lost; now that they are locked, none is exchanged.
      const { rows } = await db.executeSql(
        `${lost} AND order_id IN (SELECT json_array_elements_text($1::text::json))`,
        [JSON.stringify(locked.map(({ orderId }) => orderId))],
      );
      const entries = rows.map((row) => ({ ...entryOfRow(row), jobId: this.#engine.newJobId() }));
      if (entries.length > 0) await this.#sendAgain(entries, db);
      return locked.length;
    });
    if (restored < SWEPT_AT_ONCE) this.#restoreAt = this.#platform.now() + RESTORE_MS;
  }

  /** Sends entries with new jobs. */
  async #sendAgain(entries: readonly Sending[], db: Executor): Promise<void> {
    await this.#engine.send(entries, db);
    await db.executeSql(
      `UPDATE ${this.#table} AS entry SET job_id = row.job_id
       FROM json_to_recordset($1::text::json) AS row (${ROW}) WHERE entry.order_id = row.order_id`,
      [JSON.stringify(entries.map(({ orderId, jobId }) => ({ order_id: orderId, job_id: jobId })))],
    );
  }

  // ---------------------------------------------------------------- the database

  async #inTransaction<T>(work: (db: Executor) => Promise<T>): Promise<T> {
    const db = await this.#engine.open();
    try {
      return await db.transaction(work);
    } catch (error) {
      if (!isRepeatable(error)) throw error;
      return db.transaction(work);
    }
  }

  async #inCallersTransaction<T>(transaction: PostgresTransaction, work: (db: Executor) => Promise<T>): Promise<T> {
    this.#assertOpen();
    const db = executorOf(transaction);
    await this.#engine.open();
    const limit = new TimeLimit(this.#platform, this.#timeoutMs);
    const limited = limit.of(db);
    return guarded(ROLL_BACK, async () => {
      await assertTransaction(limited, this.#table);
      return work(limited);
    }).finally(limit.end);
  }

  async #rows(sql: string, values: Value[], consequence = NOTHING_WRITTEN): Promise<Row[]> {
    this.#assertOpen();
    const db = await this.#engine.open();
    return guarded(consequence, async () => (await db.executeSql(sql, values)).rows);
  }
}
