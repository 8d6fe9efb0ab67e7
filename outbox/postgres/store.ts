import type { Guid } from 'sales-order-intake';
import { every, type Platform } from '../../pkg-template/src/platform/platform.js';
import { Batches } from '../../pkg-template/src/platform/batches.js';
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
import { type Turn, Turns } from '../turns.js';
import { Connections } from './connections.js';
import { type Executor, TimeLimit } from './database.js';
import { EntryTable, type LeasedEntry } from './entry-table.js';
import { failureOf, guarded, NOTHING_WRITTEN, ROLL_BACK } from './failure.js';
import type { PostgresSettings } from './options.js';
import { executorOf, type PostgresTransaction } from './transaction.js';

/** How often a process that delivers reports that it lives, and looks for entries of processes that do not. */
const BEAT_MS = 3000;
/** After this time without a report, for example because the process was frozen, it reports before it takes anything. */
const STALE_MS = 2 * BEAT_MS;
/** The shortest and the longest wait between polls while nothing is due. */
const SHORTEST_POLL_MS = 100;
const LONGEST_POLL_MS = 1000;
/** The wait before the first poll after a write in the caller's transaction: most transactions end soon. */
const FIRST_POLL_MS = 10;

/** Work on one connection, or in one transaction. */
type Work<T> = (table: EntryTable) => Promise<T>;

/**
 * Entries in a table of PostgreSQL, for any number of processes. The row of an entry has all that is known of its delivery: when it is
 * due, and which process is sending it.
 */
export class PostgresStore implements OutboxStore<PostgresTransaction> {
  readonly #platform: Platform;
  readonly #settings: PostgresSettings;
  readonly #connections: Connections;
  /** Distinguishes this process from others. */
  readonly #processId: string;
  readonly #adds: Batches<NewEntry, StoredEntry | null>;
  readonly #settles: Batches<[LeasedEntry, Settlement & Recorded], boolean>;
  /** The leases of the entries that this process is sending, by position. */
  readonly #held = new Map<number, number>();
  /** By the monotonic clock. */
  readonly #turns = new Turns();
  #pollMs = SHORTEST_POLL_MS;
  #endBeats: (() => void) | undefined;
  #beatAt = Number.NEGATIVE_INFINITY;
  /** The last failure of the work in the background. */
  #failure: Error | undefined;
  #closing: Promise<void> | undefined;

  constructor(platform: Platform, settings: PostgresSettings) {
    this.#platform = platform;
    this.#settings = settings;
    this.#processId = platform.uuid();
    const onSilence = (error: unknown) => this.#failed(failureOf('Its connection was closed', error));
    this.#connections = new Connections({ ...settings, platform, onSilence });
    this.#adds = new Batches({
      platform,
      limitMs: settings.queryTimeoutMs,
      lengthOf: ({ body }) => body.length,
      write: (entries) => this.#write((table) => table.insert(entries)),
    });
    this.#settles = new Batches({
      platform,
      limitMs: settings.queryTimeoutMs,
      lengthOf: ([, { received, issues }]) => (received?.length ?? 0) + (issues?.length ?? 0),
      write: (items) => this.#settleAll(items),
    });
  }

  bind(baseUrl: string, movedFrom: string | null = null): void {
    this.#connections.binding = { baseUrl, movedFrom };
  }

  async now(transaction?: PostgresTransaction): Promise<number> {
    if (transaction === undefined) return this.#read((table) => table.now());
    return guarded(ROLL_BACK, () => this.#tableOn(executorOf(transaction)).now());
  }

  start(wake?: () => void): void {
    this.#connections.start(wake);
    const beat = () => void this.#beat().catch((error: Error) => this.#failed(error));
    this.#endBeats ??= every(this.#platform, BEAT_MS, beat);
  }

  async add(entry: NewEntry, transaction?: PostgresTransaction): Promise<StoredEntry | null> {
    this.#assertOpen();
    if (transaction === undefined) return this.#adds.run(entry);
    const [existing = null] = await this.#inCallersTransaction(transaction, (table) => table.insert([entry]));
    return existing;
  }

  async take({ now, limit, room }: TakeOptions): Promise<TakeResult> {
    this.#assertOpen();
    const startedAt = this.#platform.now();
    // A process that takes entries delivers, even if a wrapper of this store has no start().
    this.start();
    if (startedAt - this.#beatAt > STALE_MS) await this.#beat();
    const turns = () => {
      const due = this.#turns.due(this.#platform.now(), (location) => Math.min(limit, room(location)));
      return due.slice(0, limit);
    };
    const known = turns();
    let entries = await this.#take(known, limit);
    // A location that this process did not know of has something to take.
    const others = entries.length === 0 ? turns() : [];
    if (others.some(({ location }) => known.every((turn) => turn.location !== location)))
      entries = await this.#take(others, limit);
    const endedAt = this.#platform.now();
    this.#pollMs = entries.length > 0 ? SHORTEST_POLL_MS : Math.min(LONGEST_POLL_MS, this.#pollMs * 1.5);
    const againAt = Math.min(endedAt + this.#pollMs, this.#turns.next(room, endedAt));
    return { entries, againAt: now - startedAt + (entries.length > 0 ? endedAt : againAt) };
  }

  async settle(entry: TakenEntry, settlement: Settlement & Recorded): Promise<boolean> {
    // Even while the store closes, because only this process knows the result.
    return this.#settles.run([entry as LeasedEntry, settlement]);
  }

  async change(
    orderId: Guid,
    condition: Condition,
    change: Change,
    transaction?: PostgresTransaction,
  ): Promise<StoredEntry | null> {
    const work: Work<StoredEntry | null> = (table) => table.change(orderId, condition, change);
    this.#assertOpen();
    return transaction === undefined ? this.#write(work) : this.#inCallersTransaction(transaction, work);
  }

  async changeAll(page: Page, condition: Condition, change: Change): Promise<ChangedPage> {
    this.#assertOpen();
    const result = await this.#write((table) => table.changePage(page, condition, change));
    let { changed } = result;
    // One at a time, so that each waits for its lock while it holds no other.
    for (const orderId of result.busy) {
      if (await this.change(orderId, condition, change)) changed++;
    }
    return { changed, last: result.last };
  }

  get(orderId: Guid, transaction?: PostgresTransaction): Promise<StoredEntry | null> {
    const work: Work<StoredEntry | null> = (table) => table.get(orderId);
    return transaction === undefined ? this.#read(work) : this.#inCallersTransaction(transaction, work);
  }

  history(orderId: Guid): Promise<StoredEvent[]> {
    return this.#read((table) => table.history(orderId));
  }

  list(page: Page): Promise<StoredEntry[]> {
    return this.#read((table) => table.page(page));
  }

  count(): Promise<LocationCount[]> {
    return this.#read((table) => table.count());
  }

  async setPauses(pauses: string | null, now: number): Promise<void> {
    await this.#write((table) => table.setPauses(this.#processId, pauses, now));
  }

  getPauses(since: number): Promise<string[]> {
    return this.#read((table) => table.getPauses(since));
  }

  async sweep(options: SweepOptions): Promise<number> {
    this.#assertOpen();
    const swept = await this.#write((table) => table.sweep(options));
    const failure = this.#failure;
    this.#failure = undefined;
    // Once. It has lost nothing, but while failures go on, nobody sends what processes that died were sending.
    if (failure) throw failure;
    return swept;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#endBeats?.();
    const limit = new TimeLimit(this.#platform, this.#settings.queryTimeoutMs);
    // Work that has not finished by then is given up: nothing that was accepted is lost.
    await limit.wait('the end', this.#finish()).catch(() => {});
    limit.end();
    this.#connections.disconnect();
  }

  async #finish(): Promise<void> {
    await Promise.all([this.#adds.drain(), this.#settles.drain()]);
    // Otherwise others would have to wait before they send what this process was sending.
    if (this.#endBeats) await this.#write((table) => table.end(this.#processId)).catch(() => {});
    await this.#connections.close();
  }

  #assertOpen(): void {
    if (this.#closing) throw new OutboxError('stopped', 'The store has been closed');
  }

  // ---------------------------------------------------------------- attempts

  async #beat(): Promise<void> {
    await this.#write((table) => table.beat(this.#processId, [...this.#held.keys()]));
    this.#beatAt = this.#platform.now();
  }

  async #take(turns: readonly Turn[], limit: number): Promise<LeasedEntry[]> {
    const [processId, { binding }] = [this.#processId, this.#connections];
    const { entries, due } = await this.#write((table) => table.take({ turns, limit, processId, binding }));
    for (const { position, lease } of entries) this.#held.set(position, lease);
    const now = this.#platform.now();
    this.#turns.replace(new Map(due.map(([location, ms]) => [location, now + ms])), turns);
    return entries;
  }

  async #settleAll(items: readonly [LeasedEntry, Settlement & Recorded][]): Promise<boolean[]> {
    const settled = await this.#write((table) => table.settle(items));
    for (const [{ position, lease }] of items) if (this.#held.get(position) === lease) this.#held.delete(position);
    return settled;
  }

  #failed(error: Error): void {
    this.#failure = error;
  }

  // ---------------------------------------------------------------- the database

  #tableOn(db: Executor): EntryTable {
    return new EntryTable(this.#settings.schema, this.#settings.listen, db);
  }

  /** Runs work whose statements each commit by themselves. */
  async #write<T>(work: Work<T>): Promise<T> {
    const database = await this.#connections.openToWrite();
    return work(this.#tableOn({ executeSql: (text, values) => database.write(text, values) }));
  }

  async #inCallersTransaction<T>(transaction: PostgresTransaction, work: Work<T>): Promise<T> {
    const caller = executorOf(transaction);
    const limit = new TimeLimit(this.#platform, this.#settings.queryTimeoutMs);
    const db = limit.of(caller);
    const table = this.#tableOn(db);
    return guarded(ROLL_BACK, async () => {
      await this.#connections.openFor(db);
      await table.assertTransaction();
      const result = await work(table);
      this.#pollMs = FIRST_POLL_MS;
      return result;
    }).finally(limit.end);
  }

  async #read<T>(work: Work<T>): Promise<T> {
    this.#assertOpen();
    const table = this.#tableOn(await this.#connections.open());
    return guarded(NOTHING_WRITTEN, () => work(table));
  }
}
