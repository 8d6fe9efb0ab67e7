import type { Guid } from 'sales-order-intake';
import type { Platform } from '../../pkg-template/src/platform/platform.js';
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
} from '../store.js';
import { batcher } from './batcher.js';
import { type Executor, TimeLimit } from './database.js';
import type { Job, Lease } from './pg-boss.js';
import { EntryTable } from './entry-table.js';
import { guarded, isRepeatable, NOTHING_WRITTEN, ROLL_BACK, UNCERTAIN } from './failure.js';
import { Leases } from './leases.js';
import type { PostgresSettings } from './options.js';
import { Engine } from './engine.js';
import { executorOf, type PostgresTransaction } from './transaction.js';

/** How often the store searches for lost jobs. */
const RESTORE_MS = 600_000;
/** The shortest and the longest wait between polls while there are no jobs. */
const SHORTEST_POLL_MS = 100;
const LONGEST_POLL_MS = 1000;

/** Work on one connection, or in one transaction. */
type Work<T> = (table: EntryTable) => Promise<T>;

/** Entries in a table of PostgreSQL; a job of the engine is one attempt of one order, and carries its id. */
export class PostgresStore implements OutboxStore<PostgresTransaction> {
  readonly #platform: Platform;
  readonly #engine: Engine;
  readonly #schema: string;
  readonly #timeoutMs: number;
  readonly #leases: Leases;
  readonly #adds = batcher<NewEntry, StoredEntry | null>({
    idOf: ({ orderId }) => orderId,
    lengthOf: ({ body }) => body.length,
    write: (entries) => this.#inTransaction((table) => table.insert(entries)),
  });
  readonly #settles = batcher<[TakenEntry, Settlement], boolean>({
    idOf: ([{ orderId }]) => orderId,
    lengthOf: ([, { received, issues }]) => (received?.length ?? 0) + (issues?.length ?? 0),
    write: (items) => this.#settleAll(items),
  });
  #pollMs = SHORTEST_POLL_MS;
  #restoreAt = Number.NEGATIVE_INFINITY;
  #givingBack: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  constructor(platform: Platform, settings: PostgresSettings) {
    this.#platform = platform;
    this.#schema = settings.schema;
    this.#timeoutMs = settings.queryTimeoutMs;
    this.#leases = new Leases(platform);
    this.#engine = new Engine({ ...settings, platform, onBeat: () => this.#beat() });
  }

  bind(baseUrl: string, movedFrom: string | null = null): void {
    this.#engine.binding = { baseUrl, movedFrom };
  }

  async now(transaction?: PostgresTransaction): Promise<number> {
    if (transaction === undefined) return this.#read((table) => table.now());
    return guarded(ROLL_BACK, () => this.#tableOn(executorOf(transaction)).now());
  }

  start(wake?: () => void): void {
    this.#engine.start(wake);
  }

  async add(entry: NewEntry, transaction?: PostgresTransaction): Promise<StoredEntry | null> {
    this.#assertOpen();
    if (transaction === undefined) return this.#adds.run(entry);
    const [existing = null] = await this.#inCallersTransaction(transaction, (table) => table.insert([entry]));
    return existing;
  }

  async take({ now, limit, room, full }: TakeOptions): Promise<TakeResult> {
    this.#assertOpen();
    const startedAt = this.#platform.now();
    // A process that takes entries delivers, even if a wrapper of this store has no start().
    this.#engine.start();
    await this.#engine.open();
    return guarded(UNCERTAIN, async () => {
      await this.#assertBound();
      const { usable, stocked } = this.#leases.stock(room);
      const wanted = limit - usable;
      const fetched = wanted > 0 ? await this.#engine.fetch(wanted, [...new Set([...full, ...stocked])]) : [];
      this.#leases.add(fetched);
      const jobs = this.#leases.choose(fetched, limit, room);
      void this.#giveBackSurplus();
      const entries = jobs.length > 0 ? await this.#begin(jobs) : [];
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
      return this.#inCallersTransaction(transaction, (table) => table.changeInCallers(orderId, condition, change));
    }
    for (;;) {
      const changed = await this.#inTransaction((table) => table.change(orderId, condition, change));
      if (changed !== undefined) return changed;
    }
  }

  async changeAll(page: Page, condition: Condition, change: Change): Promise<ChangedPage> {
    const result = await this.#inTransaction((table) => table.changePage(page, condition, change));
    let { changed } = result;
    // One at a time, so that each waits for its lock while it holds no other.
    for (const orderId of result.busy) {
      if (await this.change(orderId, condition, change)) changed++;
    }
    return { changed, last: result.last };
  }

  get(orderId: Guid): Promise<StoredEntry | null> {
    return this.#read((table) => table.get(orderId));
  }

  list(page: Page): Promise<StoredEntry[]> {
    return this.#read((table) => table.page(page));
  }

  count(): Promise<LocationCount[]> {
    return this.#read((table) => table.count());
  }

  async setPauses(pauses: string | null, now: number): Promise<void> {
    await this.#read((table) => table.setPauses(pauses, Math.round(now)), UNCERTAIN);
  }

  getPauses(since: number): Promise<string[]> {
    return this.#read((table) => table.getPauses(since));
  }

  async sweep({ now, createdBefore }: SweepOptions): Promise<number> {
    const stalled = await this.#read((table) => table.stall(now), UNCERTAIN);
    const pruned = await this.#read((table) => table.prune(createdBefore), UNCERTAIN);
    if (this.#platform.now() >= this.#restoreAt) {
      const hasMore = await this.#inTransaction((table) => table.restore());
      if (!hasMore) this.#restoreAt = this.#platform.now() + RESTORE_MS;
    }
    this.#engine.reportFailure();
    return stalled + pruned;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const limit = new TimeLimit(this.#platform, this.#timeoutMs);
    // Work that has not finished by then is given up: nothing that was accepted is lost.
    await limit.wait('the end', this.#finish()).catch(() => {});
    limit.end();
    this.#engine.disconnect();
  }

  async #finish(): Promise<void> {
    await Promise.all([this.#adds.drain(), this.#settles.drain(), this.#givingBack]);
    const held = this.#leases.release();
    // Otherwise other processes would have to wait until the jobs expire.
    if (held.length > 0) {
      await this.#inTransaction((table) => table.giveBack(held)).catch(() => {});
    }
    await this.#engine.close();
  }

  #assertOpen(): void {
    if (this.#closing) throw new OutboxError('stopped', 'The store has been closed');
  }

  // ---------------------------------------------------------------- attempts

  /** Renews the leases of this process, also while nothing is taken because everything is held back. */
  async #beat(): Promise<void> {
    const jobs = this.#leases.all;
    if (jobs.length > 0) await this.#engine.touch(jobs);
    await this.#giveBackSurplus();
  }

  /** Fetches no jobs, and lets others have those that it has, if the store was moved to another service meanwhile (D60). */
  async #assertBound(): Promise<void> {
    const { binding } = this.#engine;
    if (!binding) return;
    try {
      await this.#read((table) => table.assertBound(binding));
    } catch (error) {
      void this.#giveBackSurplus();
      throw error;
    }
  }

  async #begin(jobs: readonly Job[]): Promise<TakenEntry[]> {
    try {
      const { entries, dropped } = await this.#inTransaction((table) => table.begin(jobs));
      this.#leases.remove(dropped);
      return entries;
    } catch (error) {
      // The jobs are still this process's, and are taken next time.
      this.#leases.hold(jobs);
      throw error;
    }
  }

  async #settleAll(items: readonly [TakenEntry, Settlement][]): Promise<boolean[]> {
    const settled = await this.#inTransaction((table) => table.settle(items));
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
      await this.#inTransaction((table) => table.giveBack(surplus));
      this.#leases.remove(surplus);
    } catch {
      // If the jobs are still this process's, they are given back next time.
      this.#leases.hold(surplus);
    }
  }

  // ---------------------------------------------------------------- the database

  #tableOn(db: Executor): EntryTable {
    return new EntryTable(this.#schema, this.#engine, db);
  }

  async #inTransaction<T>(work: Work<T>): Promise<T> {
    const database = await this.#engine.open();
    const run = () => database.transaction((db) => work(this.#tableOn(db)));
    return run().catch((error: unknown) => {
      if (!isRepeatable(error)) throw error;
      return run();
    });
  }

  async #inCallersTransaction<T>(transaction: PostgresTransaction, work: Work<T>): Promise<T> {
    this.#assertOpen();
    const db = executorOf(transaction);
    await this.#engine.open();
    const limit = new TimeLimit(this.#platform, this.#timeoutMs);
    const table = this.#tableOn(limit.of(db));
    return guarded(ROLL_BACK, async () => {
      await table.assertTransaction();
      return work(table);
    }).finally(limit.end);
  }

  /** Runs work on any connection, outside of a transaction. */
  async #read<T>(work: Work<T>, consequence = NOTHING_WRITTEN): Promise<T> {
    this.#assertOpen();
    const table = this.#tableOn(await this.#engine.open());
    return guarded(consequence, () => work(table));
  }
}
