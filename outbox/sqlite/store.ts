import type { Guid } from 'sales-order-intake';
import { check, wrongOption } from '../../pkg-template/src/options/check.js';
import type { Platform } from '../../pkg-template/src/platform/platform.js';
import { OutboxError } from '../errors.js';
import type {
  Change,
  ChangedPage,
  Condition,
  LocationCount,
  NewEntry,
  Page,
  Recorded,
  Settlement,
  OutboxStore,
  StoredEntry,
  StoredEvent,
  SweepOptions,
  TakeOptions,
  TakeResult,
  TakenEntry,
} from '../store.js';
import { Turns } from '../turns.js';
import type { Binding } from '../binding.js';
import { writeBackup } from './backup.js';
import { guarded, isInTransaction, type SqliteDatabase } from './database.js';
import { EntryTable } from './entry-table.js';
import { fileCheck } from './file.js';
import { GroupCommit } from './group-commit.js';
import type { Lineage } from './lineage.js';
import type { FileHeader } from './log.js';
import { type Opening, assertTables, prepareTables } from './schema.js';

/** How long a write that nobody waits for may be delayed, to be written together with later ones. */
const PATIENCE_MS = 10;

/** The store that {@link sqliteStore} returns. */
export interface FileStore extends OutboxStore<SqliteDatabase> {
  /**
   * Writes a copy of the database, complete in itself, into a new file, while the outbox goes on. Until it is complete, the copy is
   * in a file of the same name with `.partial` at its end.
   *
   * @throws OptionError if there is a file with this name; OutboxError if the copy can't be written. Both are rejections.
   */
  backup(path: string): Promise<void>;
}

export interface SqliteStoreOptions {
  platform: Platform;
  database: SqliteDatabase;
  /** Called when the store is closed. */
  unlock?: (() => void) | undefined;
  /** The store closes the database. Nobody else uses the connection. */
  isOwn: boolean;
  /** Empty for a database in memory. */
  path: string;
  busyTimeoutMs: number;
  /** Undefined if another process writes. */
  opening?: Opening | undefined;
  /** Undefined if the store has not opened the file, or only reads it. */
  header?: FileHeader | undefined;
  /** Undefined if the file is not the outbox's own. */
  lineage?: Lineage | undefined;
}

/** Entries in a table of an SQLite database, which one process alone writes. */
export class SqliteStore implements FileStore {
  readonly #options: SqliteStoreOptions;
  /** Throws if the file is not the one that was opened. */
  readonly #checkFile: () => void;
  readonly #commits: GroupCommit;
  readonly #table: EntryTable;
  #turns = new Turns();
  /** Not later than the deadline of any waiting entry; unknown at first, and after a rollback. */
  #nextDeadline = Number.NEGATIVE_INFINITY;
  /** True if the turns must be read from the database: at the start, and after a rollback, which undoes changes that it contains. */
  #isDueStale = true;
  #binding: Binding | undefined;
  #isClosed = false;

  constructor(options: SqliteStoreOptions) {
    const { platform, database, path, busyTimeoutMs, opening, header, lineage } = options;
    this.#options = options;
    if (opening) prepareTables(database, opening, () => lineage?.increase());
    else assertTables(database);
    lineage?.open();
    header?.note();
    this.#table = new EntryTable(database);
    this.#checkFile = fileCheck(database, path);
    this.#commits = new GroupCommit(database, {
      platform,
      busyTimeoutMs,
      isTaken: () => this.#isTaken,
      // Nothing has been written yet at this point, and no order in a file that has lost its name is acknowledged.
      beforeCommit: () => {
        this.#checkFile();
        if (header?.isOwn() === false) throw this.#overwritten();
        this.#bind();
        lineage?.increase();
      },
      afterCommit: () => {
        header?.note();
        lineage?.committed();
      },
      onRollback: () => {
        this.#isDueStale = true;
        this.#nextDeadline = Number.NEGATIVE_INFINITY;
      },
    });
  }

  /** Another process delivers if this one only reads. */
  get isOfOneProcess(): boolean {
    return this.#options.opening !== undefined;
  }

  /** True while the shop has a transaction open on the connection of this store. */
  get #isTaken(): boolean {
    const { isOwn, database } = this.#options;
    return !isOwn && isInTransaction(database);
  }

  bind(baseUrl: string, movedFrom: string | null = null): void {
    this.#binding = { baseUrl, movedFrom };
  }

  async add(entry: NewEntry, transaction?: SqliteDatabase): Promise<StoredEntry | null> {
    if (transaction !== undefined) return this.#inCallers(transaction, () => this.#insert(entry));
    this.#assertNotForgotten();
    return this.#write(() => this.#insert(entry), 0);
  }

  /** Writes in the open transaction of the caller, without awaiting first. */
  #inCallers<T>(transaction: SqliteDatabase, run: () => T): T {
    check('/transaction', transaction === this.#options.database, 'the DatabaseSync that sqliteStore was called with');
    this.#assertOpen();
    return guarded(() => {
      if (!this.#isTaken) throw wrongOption('/transaction', 'must have a transaction open: call it after BEGIN');
      this.#checkFile();
      this.#bind();
      return run();
    });
  }

  /** Throws if the caller did not pass its open transaction: waiting for its end is a deadlock if the caller awaits this. */
  #assertNotForgotten(): void {
    this.#assertOpen();
    if (!guarded(() => this.#isTaken)) return;
    const problem = 'is missing, although a transaction is open on the connection of the outbox';
    throw wrongOption('/transaction', `${problem}: pass { transaction: database }, or call it after COMMIT`);
  }

  async take({ now, limit, room }: TakeOptions): Promise<TakeResult> {
    return this.#write(() => {
      this.#refreshDue();
      const entries: TakenEntry[] = [];
      for (const { location, room: most } of this.#turns.due(now, room)) {
        if (entries.length >= limit) break;
        entries.push(...this.#table.take(location, now, Math.min(limit - entries.length, most)));
        this.#turns.visited(location, this.#table.nextDue(location));
      }
      // An entry of a location without room is requested again when its gate opens.
      return { entries, againAt: this.#turns.next(room) };
    }, 0);
  }

  settle(entry: TakenEntry, settlement: Settlement & Recorded): Promise<boolean> {
    return this.#write(() => {
      const isSettled = this.#table.settle(entry, settlement);
      if (isSettled && settlement.state === 'waiting') this.#waits({ ...entry, dueAt: settlement.dueAt });
      return isSettled;
    });
  }

  async change(
    orderId: Guid,
    condition: Condition,
    change: Change,
    transaction?: SqliteDatabase,
  ): Promise<StoredEntry | null> {
    if (transaction !== undefined) return this.#inCallers(transaction, () => this.#update(orderId, condition, change));
    // A new body comes from `replace`.
    if (typeof change.body === 'string') this.#assertNotForgotten();
    // Nobody waits for the record that a handler has returned.
    const patienceMs = change.noticeAt === undefined ? 0 : PATIENCE_MS;
    return this.#write(() => this.#update(orderId, condition, change), patienceMs);
  }

  get(orderId: Guid): Promise<StoredEntry | null> {
    return this.#read(() => this.#table.get(orderId));
  }

  history(orderId: Guid): Promise<StoredEvent[]> {
    return this.#read(() => this.#table.history(orderId));
  }

  /** Calls `change` for each entry of the page, all in one transaction. */
  changeAll(page: Page, condition: Condition, change: Change): Promise<ChangedPage> {
    return this.#write(() => {
      const entries = this.#table.page(page);
      const changed = entries.filter(({ orderId }) => this.#update(orderId, condition, change)).length;
      return { changed, last: entries.length < page.limit ? null : (entries.at(-1)?.position ?? null) };
    }, 0);
  }

  list(page: Page): Promise<StoredEntry[]> {
    return this.#read(() => this.#table.page(page));
  }

  count(): Promise<LocationCount[]> {
    return this.#read(() => this.#table.count());
  }

  sweep({ now, createdBefore }: SweepOptions): Promise<number> {
    return this.#write(() => {
      let stalled = 0;
      if (now >= this.#nextDeadline) {
        stalled = this.#table.stall(now);
        this.#nextDeadline = this.#table.nextDeadline();
      }
      return stalled + this.#table.prune(createdBefore);
    });
  }

  setPauses(pauses: string | null, now: number): Promise<void> {
    return this.#write(() => this.#table.setPauses(pauses, now));
  }

  getPauses(since: number): Promise<string[]> {
    return this.#read(() => this.#table.getPauses(since));
  }

  async backup(path: string): Promise<void> {
    this.#assertOpen();
    await this.#commits.drain();
    writeBackup(this.#options.database, path);
  }

  hurry(): void {
    this.#commits.hurry();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#commits.drain();
    this.#table.close();
    const { isOwn, database, header, lineage, unlock } = this.#options;
    if (isOwn) database.close();
    lineage?.close();
    header?.close();
    unlock?.();
  }

  #overwritten(): OutboxError {
    this.#options.lineage?.end();
    const problem = 'The file of the outbox has been overwritten since it was opened, so nothing was written';
    const advice = 'End this process, put the backup in its place again, and open it with { restored: true }';
    return new OutboxError('store', `${problem}. ${advice}`);
  }

  #assertOpen(): void {
    if (this.#isClosed) throw new OutboxError('stopped', 'The store has been closed');
  }

  async #read<T>(run: () => T): Promise<T> {
    this.#assertOpen();
    return guarded(run);
  }

  async #write<T>(run: () => T, patienceMs = PATIENCE_MS): Promise<T> {
    this.#assertOpen();
    if (!this.#options.opening) {
      throw new OutboxError('unsupported', 'This store was opened with readOnly: another process writes');
    }
    return this.#commits.write(run, patienceMs);
  }

  /** @throws OutboxError if the tables belong to another service: then nothing is committed. */
  #bind(): void {
    if (this.#binding) this.#table.bind(this.#binding);
  }

  #insert(entry: NewEntry): StoredEntry | null {
    const existing = this.#table.insert(entry);
    if (!existing && entry.state !== 'invalid') this.#waits(entry);
    return existing;
  }

  #update(orderId: Guid, condition: Condition, change: Change): StoredEntry | null {
    const updated = this.#table.update(orderId, condition, change);
    if (updated?.isWaiting) this.#waits(updated.entry);
    return updated?.entry ?? null;
  }

  #waits({ location, dueAt, deadlineAt }: Pick<NewEntry, 'location' | 'dueAt' | 'deadlineAt'>): void {
    this.#turns.add(location, dueAt);
    this.#nextDeadline = Math.min(this.#nextDeadline, deadlineAt);
  }

  #refreshDue(): void {
    if (!this.#isDueStale) return;
    this.#turns = new Turns();
    for (const { location, time } of this.#table.allDue()) this.#turns.add(location, time);
    this.#isDueStale = false;
  }
}
