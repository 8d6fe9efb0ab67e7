/** Shared by the checks: entries, comparisons, and taking entries that are due. */
import { newOrderId } from 'sales-order-intake';
import type { NewEntry, OutboxStore, Settlement, StoredEntry, TakeOptions, TakenEntry } from '../store/index.js';

/** The location where the stores of one check store their entries; empty at first. */
export interface StoreLocation<Transaction = never> {
  /** Opens a store at this location; can be called again after it was closed. */
  open(): OutboxStore<Transaction> | Promise<OutboxStore<Transaction>>;
  /** Begins a transaction as a caller would, for `store.add` and `store.change`. Omitted if the store has none. */
  begin?(store: OutboxStore<Transaction>): Promise<OpenTransaction<Transaction>>;
  /** Removes what was stored. */
  dispose?(): void | Promise<void>;
}

/** A transaction of a caller. */
export interface OpenTransaction<Transaction> {
  /** What the caller passes to `outbox.add`. */
  transaction: Transaction;
  /** Commits what was written in it. */
  commit(): Promise<void>;
  /** Discards what was written in it. */
  rollback(): Promise<void>;
}

/** Checks a store that has just been opened, and others that are opened at its location. */
type Check = <Transaction>(store: OutboxStore<Transaction>, bench: Bench<Transaction>) => Promise<void>;

/** Checks by their titles. */
export type Checks = Readonly<Record<string, Check>>;

export interface Bench<Transaction> {
  /** Opens another store. It is closed after the check. */
  open(): Promise<OutboxStore<Transaction>>;
  begin: StoreLocation<Transaction>['begin'];
  patienceMs: number;
}

export const ANYTHING: Omit<TakeOptions, 'now'> = { limit: 100, room: () => 1000, full: [] };
export const DAY_MS = 86_400_000;

export function newEntry(changes: Partial<NewEntry> = {}): NewEntry {
  const now = Date.now();
  const orderId = newOrderId();
  const body = JSON.stringify({ Id: orderId, Note: 'Grüße 🙂 \u0001' });
  return {
    orderId,
    version: 'v3',
    body,
    location: '1/2',
    addedAt: now,
    dueAt: now,
    deadlineAt: now + DAY_MS,
    traceContext: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    ...changes,
  };
}

/** Adds entries, one after the other, and returns them. */
export async function added<Changes extends Partial<NewEntry>[]>(store: OutboxStore, ...changes: Changes) {
  const entries = changes.map((each) => newEntry(each));
  for (const entry of entries) await store.add(entry);
  return entries as { [Index in keyof Changes]: NewEntry };
}

export function settlement(changes: Partial<Settlement>): Settlement {
  return {
    state: 'created',
    outcome: 'created',
    attempts: 1,
    dueAt: Date.now(),
    reason: null,
    status: 201,
    requestId: null,
    detail: null,
    issues: null,
    received: null,
    alreadyThere: false,
    settledAt: Date.now(),
    noticeAt: null,
    ...changes,
  };
}

/** Calls `take` once. */
export async function takeOnce(store: OutboxStore, options: Partial<TakeOptions> = {}): Promise<TakenEntry[]> {
  return (await store.take({ now: Date.now(), ...ANYTHING, ...options })).entries;
}

/** Takes entries that are due; repeats while there are none, for stores that find them later. */
export async function take(
  store: OutboxStore,
  least = 1,
  options: Partial<TakeOptions> = {},
  patienceMs = 10_000,
): Promise<TakenEntry[]> {
  const entries: TakenEntry[] = [];
  for (const endsAt = Date.now() + patienceMs; ; ) {
    entries.push(...(await takeOnce(store, options)));
    if (entries.length >= least) return entries;
    if (Date.now() > endsAt) throw new Error(`take returned ${entries.length} entries, not ${least}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Takes one entry. */
export async function takeOne(store: OutboxStore, options: Partial<TakeOptions> = {}): Promise<TakenEntry> {
  const [entry] = await take(store, 1, options);
  return entry as TakenEntry;
}

export function equal(actual: unknown, expected: unknown, what: string): void {
  const [found, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (found !== wanted) throw new Error(`${what}: ${found}, not ${wanted}`);
}

/** Compares the members of an entry that are expected. */
export function has(entry: StoredEntry | null, expected: Partial<StoredEntry>, what: string): void {
  const members = Object.keys(expected) as (keyof StoredEntry)[];
  equal(Object.fromEntries(members.map((member) => [member, entry?.[member]])), expected, what);
}

export function idsOf(entries: readonly Pick<NewEntry, 'orderId'>[]): string[] {
  return entries.map(({ orderId }) => orderId);
}

/** The Ids of entries that may come in any order. */
export function sortedIdsOf(entries: readonly Pick<NewEntry, 'orderId'>[]): string[] {
  return idsOf(entries).sort();
}
