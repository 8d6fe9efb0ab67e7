/** What the checks share: a store to check, entries, and comparisons. */
import { newOrderId } from 'sales-order-intake';
import type { NewEntry, OutboxStore, Settlement, StoredEntry, TakeOptions, TakenEntry } from '../store/index.js';

/** Where the stores of one check store their entries: empty at first. */
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

/** A check, and what it runs on. */
export interface Check {
  title: string;
  check<Transaction>(bench: Bench<Transaction>): Promise<void>;
}

export interface Bench<Transaction> {
  location: StoreLocation<Transaction>;
  patienceMs: number;
  open(): Promise<OutboxStore<Transaction>>;
}

export const ANY_ROOM = () => 1000;
export const ANYTHING: Omit<TakeOptions, 'now'> = { limit: 100, room: ANY_ROOM, full: [] };
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

/** Takes what is due; asks again while nothing is, for stores that find out later. */
export async function take(
  store: OutboxStore,
  least = 1,
  options = ANYTHING,
  patienceMs = 10_000,
): Promise<TakenEntry[]> {
  const entries: TakenEntry[] = [];
  for (const endsAt = Date.now() + patienceMs; ; ) {
    const taken = await store.take({ now: Date.now(), ...options });
    entries.push(...taken.entries);
    if (entries.length >= least) return entries;
    if (Date.now() > endsAt) throw new Error(`take returned ${entries.length} entries, not ${least}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export function equal(actual: unknown, expected: unknown, what: string): void {
  const [found, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (found !== wanted) throw new Error(`${what}: ${found}, not ${wanted}`);
}

export function first<T>(items: readonly T[]): T {
  const [item] = items;
  if (item === undefined) throw new Error('there is none');
  return item;
}

export function pick(entry: StoredEntry | null, ...members: (keyof StoredEntry)[]): unknown[] {
  return members.map((member) => entry?.[member]);
}
