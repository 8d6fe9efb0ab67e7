/** The outbox that the command is about, and the orders in it that a user means. */
import { setImmediate } from 'node:timers/promises';
import { deriveOrderId, type Guid, OptionError, parseGuid } from 'sales-order-intake';
import {
  type Entry,
  entryReasons,
  type ListFilter,
  type Outbox,
  OutboxError,
  type OutboxOptions,
} from 'sales-order-intake/outbox';
import type { Invocation } from '../arguments/invocation.js';
import type { Stream } from '../files/text-chunks.js';
import { counted } from '../output/printable-text.js';
import { showFinding } from '../output/progress.js';
import type { Output } from '../output/terminal.js';
import { type ExitCode, unknownWord, usageProblem } from '../problem.js';
import { databaseProblem, isPostgresUrl, openPostgres, type RelayStore } from '../relay/store.js';
import { referenceOf } from '../sending/changes.js';
import { type Journal, type JournalReader, openJournal, openReader } from '../sending/journal.js';
import { existingJournal, assertSqlite } from '../sending/journal-file.js';
import { readProblem, writeProblem } from '../sending/journal-problem.js';
import { idSourceIn } from '../sending/send-tables.js';

/** After how many orders timers can fire. */
const TURN = 500;
/** Nothing is sent here. */
const NO_CLIENT = { createOrder: () => Promise.reject(new Error('outbox sends nothing')) };

/** The orders that a user means: those that are named, or all that match. */
export interface Selection {
  /** Ids and references. */
  names: readonly string[];
  filter: ListFilter;
  /** Shows how many were found. */
  err: Output;
}

/** Flags that choose orders. */
export const CHOOSING = ['state', 'reason', 'reference', 'receipt'];

export function selectionOf(invocation: Invocation, names: readonly string[]): Selection {
  const [state, reason, reference, receiptNumber] = CHOOSING.map((flag) => invocation.text(flag));
  if (reason !== undefined && !Object.hasOwn(entryReasons, reason))
    throw unknownWord(`there is no reason ${reason}`, reason, Object.keys(entryReasons));
  const filter = { state, reason, reference, receiptNumber } as ListFilter;
  return { names, filter, err: invocation.terminal.err };
}

/** Finds the orders, and shows how many there are so far. @throws Problem if one that is named does not exist. */
export async function* entriesOf({ outbox, database }: OpenOutbox, selection: Selection): Stream<Entry> {
  const { names, filter, err } = selection;
  if (names.length === 0) {
    let found = 0;
    showFinding(err, () => ({
      done: counted(found, 'order'),
      rated: found,
      line: `${counted(found, 'order')} found`,
    }));
    for await (const entry of outbox.list(filter)) {
      // A list of a file leaves no time for timers.
      if (++found % TURN === 0) await setImmediate();
      yield entry;
    }
    return;
  }
  const { state, reason } = filter;
  const namespace = (database && idSourceIn(database)?.namespace) ?? null;
  for (const name of names) {
    let isFound = false;
    for await (const entry of entriesNamed(outbox, name, namespace)) {
      isFound = true;
      if (entry.state === (state ?? entry.state) && entry.reason === (reason ?? entry.reason)) yield entry;
    }
    if (!isFound) throw usageProblem(`the journal has no order ${name}`);
  }
}

/** Returns the Ids that an order may have: its name, and what `send` derives from it, by which a forgotten order is found. */
export function idsOf(name: string, namespace: string | null): Guid[] {
  const ids = [parseGuid(name), namespace === null || name === '' ? null : deriveOrderId(namespace, name)];
  return ids.filter((id) => id !== null);
}

/** Finds the order with an Id, or those with a reference. */
async function* entriesNamed(outbox: Outbox, name: string, namespace: string | null): Stream<Entry> {
  for (const id of idsOf(name, namespace)) {
    const entry = await outbox.get(id);
    if (!entry) continue;
    yield entry;
    return;
  }
  if (name === '') return;
  // The journal has only their beginning, which orders may share.
  if (name !== referenceOf(name)) {
    const hint = 'Name the order by its Id, which outbox FILE list --reference BEGINNING shows.';
    throw usageProblem('a key of more than 100 characters, or with control characters, was not found', hint);
  }
  for await (const each of outbox.list({ reference: name })) if (each.reference === name) yield each;
}

/** An outbox that a user looks into: the journal of send, that of another program, or of relays in PostgreSQL. */
export type OpenOutbox = Pick<Journal, 'outbox'> & Partial<Pick<Journal, 'tables' | 'database'>>;

type Act<Opened> = (outbox: Opened, path: string) => Promise<ExitCode>;

/** Opens an outbox, and changes nothing of a file. */
export function withReader(fileOrUrl: string, act: Act<OpenOutbox>): Promise<ExitCode> {
  return isPostgresUrl(fileOrUrl)
    ? withDatabase(fileOrUrl, { client: NO_CLIENT }, act)
    : inJournal(fileOrUrl, (path) => openReader(path, NO_CLIENT), act, readProblem);
}

/** Opens an outbox to change orders: a file that no other process uses, or a database. */
export function withWriter(fileOrUrl: string, act: Act<OpenOutbox>): Promise<ExitCode> {
  return isPostgresUrl(fileOrUrl) ? withDatabase(fileOrUrl, { client: NO_CLIENT }, act) : withJournal(fileOrUrl, act);
}

/** Opens a journal that no other process uses. */
export function withJournal(file: string, act: Act<Journal>, restored = false): Promise<ExitCode> {
  const options = { client: NO_CLIENT, restored, isOfSend: false };
  return inJournal(file, (path) => openJournal(path, options), act, writeProblem);
}

async function inJournal<Opened extends JournalReader>(
  file: string,
  open: (path: string) => Promise<Opened>,
  act: Act<Opened>,
  problemOf: typeof writeProblem,
): Promise<ExitCode> {
  assertSqlite('outbox');
  const path = existingJournal(file);
  const journal = await open(path);
  try {
    return await act(journal, path);
  } catch (error) {
    throw problemOf(path, flagProblem(error));
  } finally {
    await journal.close();
  }
}

/** Opens the outbox of relays in PostgreSQL, which may run meanwhile. */
export async function withDatabase(
  url: string,
  options: Omit<OutboxOptions, 'store'>,
  act: Act<OpenOutbox & Pick<RelayStore, 'probe'>>,
): Promise<ExitCode> {
  const { outbox, probe, close } = await openPostgres(url, options, false);
  try {
    return await act({ outbox, probe }, url);
  } catch (error) {
    throw error instanceof OutboxError ? databaseProblem(error) : flagProblem(error);
  } finally {
    await close();
  }
}

/** Names the flag that an option of the outbox is. */
function flagProblem(error: unknown): unknown {
  if (!(error instanceof OptionError)) return error;
  return usageProblem(error.message.replace('/receiptNumber', '/receipt').replace('/', '--'));
}
