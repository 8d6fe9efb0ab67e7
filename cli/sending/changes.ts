import type { Guid, PreparedRequest } from 'sales-order-intake';
import { type ActionOptions, type Entry, OutboxError } from 'sales-order-intake/outbox';
import type { Stream } from '../files/text-chunks.js';
import { printableName } from '../output/printable-text.js';
import type { Journal } from './journal.js';

/** An order of the file that is in the journal now. */
interface Filed {
  /** Null if the order waits: it is new, or it has replaced an earlier one. */
  entry: Entry | null;
  /** It has replaced an order that was not created. */
  isCorrected?: boolean;
  /** The entry has other contents, and can't be replaced. */
  isChanged?: boolean;
}

/** The most characters of a reference (D67). */
const LONGEST = 100;

/** Returns the key of an order as its reference in the outbox: the beginning of a long one. */
export function referenceOf(key: string): string {
  return [...printableName(key)].slice(0, LONGEST).join('');
}

/** Adds an order to the outbox, or replaces one that was not created. Returns its entry if an earlier run has settled it. */
export async function addOrReplace(
  request: PreparedRequest,
  key: string | null,
  { outbox, tables }: Journal,
): Promise<Filed> {
  const { orderId } = request;
  const options = { reference: key === null ? undefined : referenceOf(key) };
  try {
    const { state } = await outbox.add(request, options);
    const isWithdrawn = state === 'cancelled' && tables.areNoted(orderId, request) === false;
    if (isWithdrawn) return await replaced();
    await tables.dropContents(orderId);
    return { entry: state === 'waiting' ? null : await outbox.get(orderId) };
  } catch (error) {
    if (!(error instanceof OutboxError) || error.reason !== 'duplicate') throw error;
  }
  const entry = await outbox.get(orderId);
  const isSame = tables.areNoted(orderId, request) ?? entry?.body === null;
  return isSame ? { entry } : replaced();

  async function replaced(): Promise<Filed> {
    try {
      await outbox.replace(request, options);
      await tables.dropContents(orderId);
      return { entry: null, isCorrected: true };
    } catch (error) {
      return { entry: entryOf(error), isChanged: true };
    }
  }
}

/** Returns true if the entry of an order has the same contents, or they are forgotten. */
export async function isUnchanged(request: PreparedRequest, { outbox, tables }: Journal): Promise<boolean> {
  const { body, version } = (await outbox.get(request.orderId)) ?? {};
  const isSame = body === null || (body === request.body && version === request.version);
  return tables.areNoted(request.orderId, request) ?? isSame;
}

/**
 * Withdraws the entry of an order that is now invalid in the file, if it was never sent. Notes this, so that the order is
 * sent once it is valid again, changed or not.
 *
 * @returns false if the order was created, or may have been, or will be: its entry has the real state.
 */
export async function withdraw(orderId: Guid, json: string, { outbox, tables }: Journal): Promise<boolean> {
  const entry = await outbox.get(orderId);
  if (!entry) return true;
  if (entry.outcome !== 'not-created' || entry.state === 'sending') return false;
  if (entry.state !== 'waiting') return true;
  await tables.dropContents(orderId);
  // No version: these are not the contents of any order that is sent.
  await tables.noteContents(orderId, { version: '', body: json });
  try {
    await outbox.cancel(orderId);
    return true;
  } catch (error) {
    entryOf(error);
    return false;
  }
}

/** Returns the entry whose state does not permit a change. */
function entryOf(error: unknown): Entry {
  if (error instanceof OutboxError && error.reason === 'wrong-state' && error.entry) return error.entry;
  throw error;
}

/** How long a journal keeps the personal data of orders that are created. */
export const FORGET_AFTER_DAYS = 30;
const DAY_MS = 86_400_000;

/** Deletes the personal data of an entry. Its Id, its state and a digest of the order stay, so that it is not sent again. */
export async function forget(
  { outbox, tables }: Pick<Journal, 'outbox'> & Partial<Journal>,
  { orderId, version, body }: Pick<Entry, 'orderId' | 'version' | 'body'>,
  options: ActionOptions = {},
): Promise<Entry> {
  if (body !== null) await tables?.noteContents(orderId, { version, body });
  return outbox.forget(orderId, options);
}

/** Deletes the personal data of orders that were created more than 30 days ago. */
export async function forgetOld(journal: Journal): Promise<void> {
  const old = journal.outbox.list({ state: 'created', before: Date.now() - FORGET_AFTER_DAYS * DAY_MS });
  for await (const entries of batches(old)) {
    await Promise.all(entries.filter(({ body }) => body !== null).map((entry) => forget(journal, entry)));
  }
}

/** Collects values into arrays of at most `most`, each for one commit. */
export async function* batches<Value>(values: AsyncIterable<Value>, most = 64): Stream<Value[]> {
  let batch: Value[] = [];
  for await (const value of values) {
    batch.push(value);
    if (batch.length < most) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
