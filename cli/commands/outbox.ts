import { OptionError, OrderValidationError, parseGuid, prepareRequest, type PreviewOptions } from 'sales-order-intake';
import { createClient } from 'sales-order-intake/client';
import { type Entry, OutboxError } from 'sales-order-intake/outbox';
import { postgresSchema } from 'sales-order-intake/outbox/postgres';
import { ACTIONS } from '../arguments/command-table.js';
import type { Invocation } from '../arguments/invocation.js';
import { orderOptions, ordersIn } from '../arguments/order-options.js';
import type { SourceOrder } from '../files/source-order.js';
import type { Stream } from '../files/text-chunks.js';
import { counted, printable, textTable } from '../output/printable-text.js';
import { printError } from '../output/terminal.js';
import { EXIT, type ExitCode, fileProblem, Problem, unknownWord, usageProblem } from '../problem.js';
import { hasPassword, isPostgresUrl, openStore } from '../relay/store.js';
import { batches, forget } from '../sending/changes.js';
import { type Journal, type JournalReader, openJournal, openReader } from '../sending/journal.js';
import { existingJournal } from '../sending/journal-file.js';
import { readProblem, writeProblem } from '../sending/journal-problem.js';
import { assertSqlite } from '../sending/sqlite.js';
import { baseUrlOf } from '../arguments/base-url-and-token.js';

type EntryState = Entry['state'];
type Change = 'retry' | 'cancel' | 'forget';

/** What the actions that change orders do to them, after "can't be". */
const CHANGES: Record<Change, string> = { retry: 'sent again', cancel: 'cancelled', forget: 'forgotten' };
/** Flags that one action needs and no other accepts. */
const OWN_FLAGS = {
  'base-url': { action: 'move', usage: '--base-url URL' },
  from: { action: 'replace', usage: '--from ORDERS, the corrected orders' },
};
/** Nothing is sent here. */
const NO_CLIENT = { createOrder: () => Promise.reject(new Error('outbox sends nothing')) };

/** The orders of a journal that a command is about. */
interface Selection<Opened extends JournalReader = Journal> {
  journal: Opened;
  /** All if empty. */
  ids: readonly string[];
  /** Only those in this state. */
  state: EntryState | undefined;
}

export async function run(invocation: Invocation): Promise<ExitCode> {
  if (invocation.has('schema')) return printSchema(invocation);
  const [file = '', action = '', ...ids] = invocation.operands;
  const state = invocation.text('state') as EntryState | undefined;
  checkUse(invocation, action, ids, state);
  if (action === 'move') return move(invocation, file);
  if (action === 'restore') return restore(invocation, file);
  if (action === 'list') {
    const open = (path: string) => openReader(path, NO_CLIENT);
    return inJournal(file, open, (journal) => list(invocation, { journal, ids, state }), readProblem);
  }
  return inJournal(file, openToChange, (journal) => {
    const selection = { journal, ids, state };
    return isChange(action) ? change(invocation, selection, action) : replaceOrders(invocation, selection);
  });
}

function isChange(action: string): action is Change {
  return Object.hasOwn(CHANGES, action);
}

const openToChange = (path: string) => openJournal(path, { client: NO_CLIENT });

async function inJournal<Opened extends JournalReader>(
  file: string,
  open: (path: string) => Promise<Opened>,
  act: (journal: Opened) => Promise<ExitCode>,
  problemOf = writeProblem,
): Promise<ExitCode> {
  assertSqlite('outbox');
  const path = existingJournal(file);
  const journal = await open(path);
  try {
    return await act(journal);
  } catch (error) {
    throw problemOf(path, error);
  } finally {
    await journal.close();
  }
}

function checkUse(invocation: Invocation, action: string, ids: readonly string[], state: EntryState | undefined): void {
  if (!ACTIONS.some((known) => known === action)) {
    const message = `outbox does list, retry, cancel, forget, replace, move or restore, not ${action}`;
    throw unknownWord(message, action, ACTIONS);
  }
  for (const [flag, own] of Object.entries(OWN_FLAGS)) {
    const isGiven = invocation.text(flag) !== undefined;
    if (own.action === action && !isGiven) throw usageProblem(`outbox ${action} needs ${own.usage}`);
    if (own.action !== action && isGiven) throw usageProblem(`outbox ${action} takes no --${flag}`);
  }
  const isAll = ids.length === 0 && state === undefined;
  if (['move', 'restore'].includes(action) && !isAll)
    throw usageProblem(`outbox ${action} takes all orders: no Ids, no --state`);
  if (/\.[ct]sv$/i.test(invocation.text('from') ?? '')) throw usageProblem('--from takes orders as JSON or NDJSON');
  if (isChange(action) && isAll) throw usageProblem(`outbox ${action} needs the Ids of orders, or --state`);
}

/** Moves a journal, or an outbox in PostgreSQL, to another base URL: waiting orders are sent there from now on (D60). */
async function move(invocation: Invocation, fileOrUrl: string): Promise<ExitCode> {
  const baseUrl = baseUrlOf(invocation);
  const moved = (waiting: number): ExitCode => {
    invocation.terminal.out.line(`The outbox is for ${baseUrl} now; ${counted(waiting, 'order')} will be sent there.`);
    return EXIT.done;
  };
  if (!isPostgresUrl(fileOrUrl)) {
    return inJournal(fileOrUrl, openToChange, async ({ tables, outbox }) => {
      await tables.setBaseUrl(baseUrl);
      return moved((await outbox.counts()).waiting);
    });
  }
  if (hasPassword(fileOrUrl)) throw usageProblem('others can see a password in an argument', 'PGPASSWORD has it.');
  const options = { client: createClient({ baseUrl, token: () => '' }), movedFrom: '*' };
  const { outbox, probe, close } = await openStore(fileOrUrl, baseUrl, options);
  try {
    await probe();
    const { waiting, sending } = await outbox.counts();
    return moved(waiting + sending);
  } catch (error) {
    throw error instanceof OutboxError ? usageProblem(`the outbox can't be used: ${error.message}`) : error;
  } finally {
    await close();
  }
}

/** Accepts a file that was put back from a backup (D68). */
async function restore({ terminal }: Invocation, file: string): Promise<ExitCode> {
  const open = (path: string) => openJournal(path, { client: NO_CLIENT, restored: true });
  return inJournal(file, open, async ({ outbox }) => {
    let stalled = 0;
    for await (const { reason } of outbox.list({ state: 'stalled', contents: false }))
      if (reason === 'restored') stalled++;
    terminal.out.line(
      `The file is accepted. ${counted(stalled, 'order')} that waited in it ${stalled === 1 ? 'has' : 'have'} stalled.`,
    );
    const advice =
      'They may have been sent, cancelled or corrected since the backup: look for them, then retry those that are missing.';
    if (stalled > 0) terminal.err.line(advice);
    return EXIT.done;
  });
}

async function list(invocation: Invocation, selection: Selection<JournalReader>): Promise<ExitCode> {
  const { out, err } = invocation.terminal;
  const { outbox, tables } = selection.journal;
  const withDetail = invocation.has('detail');
  const rows: string[][] = [];
  for await (const entry of entriesOf(selection)) {
    const key = tables.keyOf(entry.orderId);
    if (invocation.has('json')) out.json(entryJson(entry, key, withDetail));
    else rows.push(rowOf(entry, key ?? '', withDetail));
  }
  if (invocation.has('json')) return EXIT.done;
  if (rows.length === 0) {
    out.line('There are no such orders in the journal.');
    return EXIT.done;
  }
  const table = [['Key', 'Order', 'State', 'Outcome', 'Attempts', 'Why'], ...rows];
  const columns = [{ most: 40 }, {}, {}, {}, { align: 'right' as const }, { most: 400 }];
  const first = rows.some(([key]) => key !== '') ? 0 : 1;
  const shown = table.map((row) => row.slice(first));
  out.line(textTable(shown, columns.slice(first)).join('\n'));
  const { stalled, refused } = await outbox.counts();
  if (refused + stalled > 0) err.line(`${counted(refused, 'refused order')}, ${counted(stalled, 'stalled order')}.`);
  return EXIT.done;
}

async function* entriesOf({ journal: { outbox }, ids, state }: Selection<JournalReader>): Stream<Entry> {
  if (ids.length === 0) return yield* outbox.list(state ? { state } : {});
  for (const id of ids) {
    const entry = await outbox.get(id);
    if (!entry) throw usageProblem(`the journal has no order ${id}`);
    if (!state || entry.state === state) yield entry;
  }
}

async function change(invocation: Invocation, selection: Selection, action: Change): Promise<ExitCode> {
  const { terminal } = invocation;
  const { journal, ids, state } = selection;
  let code: ExitCode = EXIT.done;
  let changed = 0;
  let left = 0;
  // An Id that the journal does not have is an error before anything is changed.
  const most = ids.length > 0 ? ids.length : undefined;
  for await (const entries of batches(entriesOf(selection), most)) {
    // Forgotten orders are left alone.
    const meant = entries.filter(({ body }) => ids.length > 0 || body !== null);
    // Each Id for which it is not permitted is an error of its own.
    const those = meant.filter(({ can }) => ids.length > 0 || can[action]);
    left += meant.length - those.length;
    const results = await Promise.allSettled(
      those.map((entry) => (action === 'forget' ? forget(journal, entry) : journal.outbox[action](entry.orderId))),
    );
    for (const result of results) {
      if (result.status === 'fulfilled') {
        changed++;
        const key = journal.tables.keyOf(result.value.orderId);
        if (invocation.has('json')) terminal.out.json(entryJson(result.value, key, false));
        continue;
      }
      const error: unknown = result.reason;
      if (!(error instanceof OutboxError) || error.reason === 'store') throw error;
      printError(terminal, error.message);
      code = EXIT.invalid;
    }
  }
  if (left > 0) {
    const problem = `${counted(left, 'order')} that ${left === 1 ? 'is' : 'are'} ${state} can't be ${CHANGES[action]}`;
    printError(terminal, problem, 'list --json shows for each order what it permits now: can.');
    code = EXIT.invalid;
  }
  const effects = {
    retry: 'will be sent by the next send',
    cancel: 'will not be sent',
    forget: `${changed === 1 ? 'has' : 'have'} no personal data in the journal any more`,
  };
  if (!invocation.has('json')) terminal.out.line(`${counted(changed, 'order')} ${effects[action]}.`);
  return code;
}

function entryJson(entry: Entry, key: string | null, withDetail: boolean): object {
  const { orderId, body: _body, received: _received, order: _order, detail: _detail, issues, ...rest } = entry;
  const shown = { orderId, key, ...rest, detail: shownDetail(entry, withDetail) };
  return withDetail ? { ...shown, issues } : shown;
}

/** If there was no response, the detail is why the connection failed, which is not personal. */
function shownDetail({ status, detail }: Entry, withDetail: boolean): string | null {
  return withDetail || status === null ? detail : null;
}

function rowOf(entry: Entry, key: string, withDetail: boolean): string[] {
  const { orderId, state, outcome, attempts, reason, status, alreadyThere } = entry;
  const parts = [reason, status, alreadyThere && 'already there', shownDetail(entry, withDetail)];
  const why = parts.filter((part) => part !== null && part !== false).join(' ');
  return [key, orderId, state, outcome, String(attempts), why].map((cell) => printable(cell).replace(/\s+/g, ' '));
}

/** Replaces orders with corrected ones with the same Id. Each that can't be replaced is an error; the others are replaced. */
async function replaceOrders(invocation: Invocation, { journal, ids, state }: Selection): Promise<ExitCode> {
  const { terminal } = invocation;
  const { outbox, tables } = journal;
  const options = await orderOptions(invocation);
  const wanted = new Set(ids.map((id) => parseGuid(id) ?? id));
  let code: ExitCode = EXIT.done;
  let replaced = 0;
  for await (const order of await ordersIn(invocation.text('from') ?? '', invocation)) {
    try {
      const { entry, request } = await replacementOf(order, journal, options);
      const { orderId, version, body } = entry;
      if (ids.length > 0 && !wanted.delete(orderId)) continue;
      if (state && entry.state !== state) continue;
      // Notes the contents in the file, so that the next send does not take them for a correction.
      if (body !== null) await tables.noteContents(orderId, { version, body });
      await outbox.replace(request);
      replaced++;
      if (invocation.has('json')) terminal.out.json({ orderId, key: tables.keyOf(orderId), state: 'waiting' });
    } catch (error) {
      const isExpected = error instanceof OutboxError ? error.reason === 'wrong-state' : error instanceof Problem;
      if (!isExpected) throw error;
      const { file, start } = order;
      printError(terminal, `${file}:${start.line}:${start.column}: ${(error as Error).message}`);
      code = EXIT.invalid;
    }
  }
  for (const id of wanted) {
    printError(terminal, `no corrected order has the Id ${id}`);
    code = EXIT.invalid;
  }
  if (!invocation.has('json')) terminal.out.line(`${counted(replaced, 'order')} will be sent by the next send.`);
  return code;
}

/** Returns the request of a corrected order, for the same version, and the entry that it replaces. */
async function replacementOf({ json }: SourceOrder, { outbox }: Journal, options: PreviewOptions) {
  try {
    const { orderId } = prepareRequest(json, options);
    const entry = await outbox.get(orderId);
    if (!entry) throw fileProblem(`the journal has no order ${orderId}`);
    return { entry, request: prepareRequest(json, { ...options, version: entry.version }) };
  } catch (error) {
    if (!(error instanceof OrderValidationError)) throw error;
    const errors = error.issues.filter(({ severity }) => severity === 'error');
    throw fileProblem(errors.map(({ message }) => message).join('; '));
  }
}

/** Prints the SQL of an outbox in PostgreSQL, for the role that may create tables. */
async function printSchema({ operands, terminal }: Invocation): Promise<ExitCode> {
  const [schema, unexpected] = operands;
  if (unexpected !== undefined) throw usageProblem(`outbox --schema does not take "${unexpected}"`);
  try {
    terminal.out.line(await postgresSchema({ schema }));
  } catch (error) {
    if (error instanceof OptionError) throw usageProblem(`the schema ${schema} must be a lower-case name`);
    throw error;
  }
  return EXIT.done;
}
