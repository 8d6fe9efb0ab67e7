/** Shared by the checks: entries, comparisons, and taking entries that are due. */
import { core } from '../harness.mjs';

export const ANYTHING = { limit: 100, room: () => 1000 };
export const DAY_MS = 86_400_000;

export function newEntry(changes = {}) {
  const now = Date.now();
  const orderId = core.newOrderId();
  const body = JSON.stringify({ Id: orderId, Note: 'Grüße 🙂 \u0001' });
  return {
    orderId,
    version: 'v3',
    body,
    location: '1/2',
    reference: null,
    preparedBy: '0.5.0',
    path: `v3/ServiceOrder(${orderId})`,
    expected: `${orderId} 1 2\n`,
    addedAt: now,
    dueAt: now,
    deadlineAt: now + DAY_MS,
    traceContext: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    ...changes,
  };
}

/** Adds entries, one after the other, and returns them. */
export async function added(store, ...changes) {
  const entries = changes.map((each) => newEntry(each));
  for (const entry of entries) await store.add(entry);
  return entries;
}

export function settlement(changes) {
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
    receiptNumber: null,
    alreadyThere: false,
    settledAt: Date.now(),
    noticeAt: null,
    ...changes,
  };
}

/** Calls `take` once. */
export async function takeOnce(store, options = {}) {
  return (await store.take({ now: Date.now(), ...ANYTHING, ...options })).entries;
}

/** Takes entries that are due; repeats while there are none, for stores that find them later. */
export async function take(store, least = 1, options = {}, patienceMs = 10_000) {
  const entries = [];
  for (const endsAt = Date.now() + patienceMs; ; ) {
    entries.push(...(await takeOnce(store, options)));
    if (entries.length >= least) return entries;
    if (Date.now() > endsAt) throw new Error(`take returned ${entries.length} entries, not ${least}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Takes one entry. */
export async function takeOne(store, options = {}) {
  const [entry] = await take(store, 1, options);
  return entry;
}

export function equal(actual, expected, what) {
  const [found, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (found !== wanted) throw new Error(`${what}: ${found}, not ${wanted}`);
}

/** Compares the members of an entry that are expected. */
export function has(entry, expected, what) {
  const members = Object.keys(expected);
  equal(Object.fromEntries(members.map((member) => [member, entry?.[member]])), expected, what);
}

export function idsOf(entries) {
  return entries.map(({ orderId }) => orderId);
}

/** The Ids of entries that may come in any order. */
export function sortedIdsOf(entries) {
  return idsOf(entries).sort();
}
