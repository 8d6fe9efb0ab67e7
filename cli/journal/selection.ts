/** The journal that `outbox` is about, and the orders in it that a user means. */
import { parseGuid } from 'sales-order-intake';
import { type Entry, entryReasons, type ListFilter } from 'sales-order-intake/outbox';
import type { Invocation } from '../arguments/invocation.js';
import type { Stream } from '../files/text-chunks.js';
import { type ExitCode, unknownWord, usageProblem } from '../problem.js';
import { type Journal, type JournalReader, openJournal, openReader } from '../sending/journal.js';
import { existingJournal } from '../sending/journal-file.js';
import { readProblem, writeProblem } from '../sending/journal-problem.js';
import { assertSqlite } from '../sending/sqlite.js';

/** Nothing is sent here. */
export const NO_CLIENT = { createOrder: () => Promise.reject(new Error('outbox sends nothing')) };

/** The orders that a user means: those that are named, or all. */
export interface Selection {
  /** Ids. All orders if empty. */
  names: readonly string[];
  filter: ListFilter;
}

/** Flags that choose orders. */
export const CHOOSING = ['state', 'reason'];

export function selectionOf(invocation: Invocation, names: readonly string[]): Selection {
  const reason = invocation.text('reason');
  if (reason !== undefined && !Object.hasOwn(entryReasons, reason))
    throw unknownWord(`there is no reason ${reason}`, reason, Object.keys(entryReasons));
  return { names, filter: { state: invocation.text('state'), reason } as ListFilter };
}

export async function* entriesOf({ outbox }: JournalReader, { names, filter }: Selection): Stream<Entry> {
  if (names.length === 0) return yield* outbox.list(filter);
  for (const name of names) {
    const entry = parseGuid(name) && (await outbox.get(name));
    if (!entry) throw usageProblem(`the journal has no order ${name}`);
    const { state = entry.state, reason = entry.reason } = filter;
    if (entry.state === state && entry.reason === reason) yield entry;
  }
}

/** Reads a journal, and changes nothing of it. */
export function withReader(file: string, act: (journal: JournalReader, path: string) => Promise<ExitCode>) {
  return inJournal(file, (path) => openReader(path, NO_CLIENT), act, readProblem);
}

/** Opens a journal that no other process uses. */
export function withJournal(
  file: string,
  act: (journal: Journal, path: string) => Promise<ExitCode>,
  restored = false,
): Promise<ExitCode> {
  return inJournal(file, (path) => openJournal(path, { client: NO_CLIENT, restored }), act, writeProblem);
}

async function inJournal<Opened extends JournalReader>(
  file: string,
  open: (path: string) => Promise<Opened>,
  act: (journal: Opened, path: string) => Promise<ExitCode>,
  problemOf: typeof writeProblem,
): Promise<ExitCode> {
  assertSqlite('outbox');
  const path = existingJournal(file);
  const journal = await open(path);
  try {
    return await act(journal, path);
  } catch (error) {
    throw problemOf(path, error);
  } finally {
    await journal.close();
  }
}
