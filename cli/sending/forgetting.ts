import type { Entry } from 'sales-order-intake/outbox';
import { batches } from './batches.js';
import type { Journal } from './journal.js';

/** How long a journal keeps the personal data of orders that are created. */
export const FORGET_AFTER_DAYS = 30;
const DAY_MS = 86_400_000;
/** The number of entries that are written in one commit. */
const AT_ONCE = 64;

/** Deletes the personal data of an entry. Its Id and key stay, so that it is not sent again, and a digest of the order. */
export async function forget(
  { outbox, tables }: Journal,
  { orderId, version, body }: Pick<Entry, 'orderId' | 'version' | 'body'>,
): Promise<Entry> {
  if (body !== null) await tables.noteContents(orderId, { version, body });
  return outbox.forget(orderId);
}

/** Deletes the personal data of orders that were created more than 30 days ago. */
export async function forgetOld(journal: Journal): Promise<void> {
  const before = Date.now() - FORGET_AFTER_DAYS * DAY_MS;
  for await (const entries of batches(oldEntries(journal, before), AT_ONCE)) {
    await Promise.all(entries.map((entry) => forget(journal, entry)));
  }
}

async function* oldEntries({ outbox }: Journal, before: number): AsyncGenerator<Entry, void, void> {
  for await (const entry of outbox.list({ state: 'created' })) {
    if (entry.body !== null && entry.settledAt !== null && entry.settledAt.getTime() < before) yield entry;
  }
}
