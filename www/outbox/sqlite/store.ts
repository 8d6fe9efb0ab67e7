import type { Guid } from 'sales-order-intake';
import { wrongOption } from '../../client/option-error.js';
import {
  SELECTED,
  assignments,
  entryOfRow,
  insertion,
  pagePredicate,
  predicate,
  type Bind,
  type Value,
} from '../columns.js';
import { OutboxError } from '../errors.js';
import type {
  Change,
  Condition,
  LocationCount,
  NewEntry,
  Page,
  Settlement,
  Store,
  StoredEntry,
  TakeOptions,
  TakeResult,
  TakenEntry,
} from '../store.js';
import { guarded, type SqliteDatabase } from './database.js';
import { DueTimes } from './due-times.js';
import { GroupCommit } from './group-commit.js';
import { RECOVER, SCHEMA } from './schema.js';

type Row = Record<string, unknown>;
type Statement = ReturnType<SqliteDatabase['prepare']>;

const SWEPT_AT_ONCE = 1000;
/** How long a write that nobody waits for may be delayed, to be written together with later ones. */
const PATIENCE_MS = 10;

/** The store that {@link sqliteStore} returns. */
export interface FileStore extends Store {
  /** Writes a copy of the database, complete in itself, into a new file, while the outbox goes on. */
  backup(path: string): Promise<void>;
}

/** Entries in a table of an SQLite database, which this process alone writes. */
export class SqliteStore implements FileStore {
  readonly #database: SqliteDatabase;
  readonly #lock: SqliteDatabase | undefined;
  readonly #isOwn: boolean;
  readonly #commits: GroupCommit;
  readonly #statements = new Map<string, Statement>();
  #due = new DueTimes();
  /** Not later than the deadline of anything that waits; unknown at first, and after a rollback. */
  #nextDeadline = Number.NEGATIVE_INFINITY;
  /** True if `due` must be read from the database: at the start, and after a rollback, which undoes changes that it contains. */
  #isDueStale = true;
  #isClosed = false;

  constructor(database: SqliteDatabase, lock: SqliteDatabase | undefined, isOwn: boolean) {
    this.#database = database;
    this.#lock = lock;
    this.#isOwn = isOwn;
    database.exec(SCHEMA);
    database.exec(RECOVER);
    this.#commits = new GroupCommit(database, () => {
      this.#isDueStale = true;
      this.#nextDeadline = Number.NEGATIVE_INFINITY;
    });
  }

  add(entry: NewEntry, transaction: unknown): Promise<StoredEntry | null> {
    if (transaction === undefined) return this.#write(() => this.#insert(entry), 0);
    return this.#inCallers(transaction, () => this.#insert(entry));
  }

  /** Writes in the transaction that the caller has open, without a pause before it. */
  #inCallers<T>(transaction: unknown, run: () => T): Promise<T> {
    const isHere = transaction === this.#database;
    if (!isHere) throw wrongOption('/transaction', 'must be the DatabaseSync that sqliteStore was called with');
    this.#assertOpen();
    return Promise.resolve(guarded(run));
  }

  take({ now, limit, room }: TakeOptions): Promise<TakeResult> {
    return this.#write(() => {
      this.#refreshDue();
      const entries: TakenEntry[] = [];
      for (const location of this.#due.due(now)) {
        const most = Math.min(limit - entries.length, room(location));
        if (limit - entries.length <= 0) break;
        if (most <= 0) continue;
        const rows = this.#all(
          `UPDATE outbox_entry SET state = 'sending', attempts = attempts + 1 WHERE position IN (
             SELECT position FROM outbox_entry WHERE state = 'waiting' AND location = ? AND due_at <= ?
             ORDER BY due_at LIMIT ?) RETURNING ${SELECTED}`,
          [location, now, most],
        );
        entries.push(...rows.map(entryOfRow));
        const next = this.#all(
          `SELECT min(due_at) AS next FROM outbox_entry WHERE state = 'waiting' AND location = ?`,
          [location],
        )[0]?.next as number | null;
        this.#due.replace(location, next ?? undefined);
      }
      // An entry of a location without room is requested again when its gate opens.
      return { entries, againAt: this.#due.nextBut((location) => room(location) <= 0) };
    }, 0);
  }

  settle(entry: TakenEntry, settlement: Settlement): Promise<boolean> {
    return this.#write(() => {
      const values: Value[] = [];
      const bind = binder(values);
      const sql = `UPDATE outbox_entry SET ${assignments(settlement, bind)} WHERE order_id = ${bind(entry.orderId)}
        AND state = 'sending' AND attempts = ${bind(entry.attempts)}`;
      if (this.#run(sql, values) === 0) return false;
      if (settlement.state === 'waiting') this.#waits({ ...entry, dueAt: settlement.dueAt });
      return true;
    });
  }

  change(orderId: Guid, condition: Condition, change: Change, transaction?: unknown): Promise<StoredEntry | null> {
    if (transaction !== undefined) return this.#inCallers(transaction, () => this.#update(orderId, condition, change));
    // Nobody waits for the record that a handler has returned.
    const patienceMs = change.noticeAt === undefined ? 0 : PATIENCE_MS;
    return this.#write(() => this.#update(orderId, condition, change), patienceMs);
  }

  async get(orderId: Guid): Promise<StoredEntry | null> {
    this.#assertOpen();
    return guarded(() => this.#get(orderId));
  }

  /** Calls `change` for each entry of the page, all in one transaction. */
  changeAll(page: Page, condition: Condition, change: Change): Promise<{ changed: number; last: number | null }> {
    return this.#write(() => {
      const entries = this.#page(page);
      const changed = entries.filter(({ orderId }) => this.#update(orderId, condition, change)).length;
      return { changed, last: entries.length < page.limit ? null : (entries.at(-1)?.position ?? null) };
    }, 0);
  }

  async list(page: Page): Promise<StoredEntry[]> {
    this.#assertOpen();
    return guarded(() => this.#page(page));
  }

  #page(page: Page): StoredEntry[] {
    const values: Value[] = [];
    const bind = binder(values);
    // Otherwise the planner would scan every entry.
    const index = page.noticeUntil === undefined ? '' : 'INDEXED BY outbox_entry_notice';
    const sql = `SELECT ${SELECTED} FROM outbox_entry WHERE position IN (
      SELECT position FROM outbox_entry ${index} WHERE ${pagePredicate(page, bind)} ORDER BY position LIMIT ${bind(page.limit)}
    ) ORDER BY position`;
    return this.#all(sql, values).map(entryOfRow);
  }

  async count(): Promise<LocationCount[]> {
    this.#assertOpen();
    const sql = `SELECT state, location, count(*) AS entries, min(added_at) AS "oldestAddedAt"
      FROM outbox_entry WHERE state <> 'stalled' OR body IS NOT NULL GROUP BY state, location`;
    return guarded(() => this.#all(sql, []) as unknown as LocationCount[]);
  }

  sweep({ now, createdBefore }: { now: number; createdBefore: number }): Promise<number> {
    return this.#write(() => {
      const stalled = now < this.#nextDeadline ? 0 : this.#stall(now);
      const pruned = this.#run(
        `DELETE FROM outbox_entry WHERE position IN (SELECT position FROM outbox_entry INDEXED BY outbox_entry_settled
           WHERE state = 'created' AND settled_at < ? AND notice_at IS NULL LIMIT ${SWEPT_AT_ONCE})`,
        [createdBefore],
      );
      return stalled + pruned;
    });
  }

  async backup(path: string): Promise<void> {
    this.#assertOpen();
    await this.#commits.drain();
    guarded(() => this.#database.prepare('VACUUM INTO ?').run(path));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#commits.drain();
    this.#statements.clear();
    if (this.#isOwn) this.#database.close();
    this.#lock?.close();
  }

  #assertOpen(): void {
    if (this.#isClosed) throw new OutboxError('stopped', 'The store has been closed');
  }

  async #write<T>(run: () => T, patienceMs = PATIENCE_MS): Promise<T> {
    this.#assertOpen();
    return this.#commits.write(run, patienceMs);
  }

  /** Scans all waiting entries, so it is called only if a deadline may have passed. */
  #stall(now: number): number {
    const stalled = this.#run(
      `UPDATE outbox_entry SET state = 'stalled', reason = 'Deadline', settled_at = ?, notice_at = ? WHERE position IN (
         SELECT position FROM outbox_entry WHERE state = 'waiting' AND deadline_at <= ? LIMIT ${SWEPT_AT_ONCE})`,
      [now, now, now],
    );
    const [row] = this.#all(`SELECT min(deadline_at) AS next FROM outbox_entry WHERE state = 'waiting'`, []);
    this.#nextDeadline = (row?.next as number | null) ?? Number.POSITIVE_INFINITY;
    return stalled;
  }

  #insert(entry: NewEntry): StoredEntry | null {
    const values: Value[] = [];
    const row = insertion(entry, binder(values));
    const sql = `INSERT INTO outbox_entry (${row.columns}) VALUES (${row.values}) ON CONFLICT (order_id) DO NOTHING`;
    if (this.#run(sql, values) === 0) return this.#get(entry.orderId);
    this.#waits(entry);
    return null;
  }

  #waits({ location, dueAt, deadlineAt }: Pick<NewEntry, 'location' | 'dueAt' | 'deadlineAt'>): void {
    this.#due.add(location, dueAt);
    this.#nextDeadline = Math.min(this.#nextDeadline, deadlineAt);
  }

  #get(orderId: Guid): StoredEntry | null {
    const [row] = this.#all(`SELECT ${SELECTED} FROM outbox_entry WHERE order_id = ?`, [orderId]);
    return row ? entryOfRow(row) : null;
  }

  #update(orderId: Guid, condition: Condition, change: Change | Settlement): StoredEntry | null {
    const values: Value[] = [];
    const bind = binder(values);
    const set = assignments(change, bind);
    const sql = `UPDATE outbox_entry SET ${set} WHERE order_id = ${bind(orderId)} AND ${predicate(condition, bind)}
      RETURNING ${SELECTED}`;
    const [row] = this.#all(sql, values);
    if (!row) return null;
    const entry = entryOfRow(row);
    if (entry.state === 'waiting') this.#waits(entry);
    return entry;
  }

  #refreshDue(): void {
    if (!this.#isDueStale) return;
    this.#due = new DueTimes();
    const rows = this.#all(
      `SELECT location, min(due_at) AS next FROM outbox_entry WHERE state = 'waiting' GROUP BY location`,
      [],
    ) as { location: string; next: number }[];
    for (const { location, next } of rows) this.#due.add(location, next);
    this.#isDueStale = false;
  }

  #run(sql: string, values: readonly Value[]): number {
    return Number(this.#statement(sql).run(...values).changes);
  }

  #all(sql: string, values: readonly Value[]): Row[] {
    return this.#statement(sql).all(...values) as Row[];
  }

  #statement(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

function binder(values: Value[]): Bind {
  return (value) => {
    values.push(value);
    return '?';
  };
}
