/** What the checks share: a store to check, entries, and comparisons. */
import { newOrderId } from 'sales-order-intake';
import type { NewEntry, Settlement, Store, StoredEntry, TakeOptions, TakenEntry } from '../store.js';
import type { StoreLocation } from './store-location.js';

/** A check, and what it runs on. */
export interface Check {
  title: string;
  check(bench: Bench): Promise<void>;
}

export interface Bench {
  location: StoreLocation;
  patienceMs: number;
  open(): Promise<Store>;
}

export const ANY_ROOM = () => 1000;
export const ANYTHING: Omit<TakeOptions, 'now'> = { limit: 100, room: ANY_ROOM, full: [] };
export const DAY_MS = 86_400_000;

export function newEntry(changes: Partial<NewEntry> = {}): NewEntry {
  const now = Date.now();
  const orderId = newOrderId();
  const body = JSON.stringify({ Id: orderId, Note: 'Grüße 🙂 \u0001' });
  return {
    ...{ orderId, version: 'v3', body, location: '1/2', addedAt: now, dueAt: now, deadlineAt: now + DAY_MS },
    ...changes,
  } as NewEntry;
}

export function settlement(changes: Partial<Settlement>): Settlement {
  return {
    ...{ state: 'created', outcome: 'created', attempts: 1, dueAt: Date.now(), reason: null, status: 201 },
    ...{ requestId: null, detail: null, issues: null, received: null, settledAt: Date.now(), noticeAt: null },
    alreadyThere: false,
    ...changes,
  } as Settlement;
}

/** Takes what is due; asks again while nothing is, for stores that find out later. */
export async function take(store: Store, least = 1, options = ANYTHING, patienceMs = 10_000): Promise<TakenEntry[]> {
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
