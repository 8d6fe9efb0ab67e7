import { isOutboxError, type Entry, type Outbox } from 'sales-order-intake/outbox';
import { counted } from '../counted.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import type { Invocation } from '../invocation.js';
import { assertSqlite, existingJournal, openJournal } from '../journal.js';
import { nearestWord } from '../nearest-word.js';
import { printable } from '../printable-text.js';
import { printSchema } from '../printed-schema.js';
import { usageProblem } from '../problem.js';
import { CALLED } from '../program-name.js';
import { printError } from '../terminal.js';
import { textTable } from '../text-table.js';

const ACTIONS = ['list', 'retry', 'cancel'];
/** States in which an order can be sent again, or withdrawn. */
const PERMITTED: Record<string, string[]> = { retry: ['refused', 'stalled', 'waiting'], cancel: ['waiting'] };
/** Nothing is sent here. */
const NO_CLIENT = { createOrder: () => Promise.reject(new Error('outbox sends nothing')) };

type EntryState = Entry['state'];

export async function run(invocation: Invocation): Promise<ExitCode> {
  if (invocation.has('schema')) return printSchema(invocation);
  if (invocation.operands.length < 2) {
    throw usageProblem('outbox needs FILE list|retry|cancel [ID…]', `${CALLED} outbox --help shows all flags.`);
  }
  const [file = '', action = '', ...ids] = invocation.operands;
  if (!ACTIONS.includes(action)) {
    const meant = nearestWord(action, ACTIONS);
    throw usageProblem(`outbox does list, retry or cancel, not ${action}`, meant && `Did you mean ${meant}?`);
  }
  const state = invocation.text('state') as EntryState | undefined;
  if (action !== 'list' && ids.length === 0 && state === undefined) {
    throw usageProblem(`outbox ${action} needs the Ids of orders, or --state`);
  }
  const permitted = PERMITTED[action];
  if (permitted && state !== undefined && !permitted.includes(state)) {
    throw usageProblem(`outbox ${action} is for orders that are ${permitted.join(', ')}, not ${state}`);
  }
  assertSqlite('outbox');
  const { outbox, close } = await openJournal(existingJournal(file), { client: NO_CLIENT });
  try {
    return action === 'list'
      ? await list(invocation, outbox, ids, state)
      : await change(invocation, outbox, action as 'retry' | 'cancel', ids, state);
  } finally {
    await close();
  }
}

async function list(
  invocation: Invocation,
  outbox: Outbox,
  ids: readonly string[],
  state: EntryState | undefined,
): Promise<ExitCode> {
  const { out } = invocation.terminal;
  const withDetail = invocation.has('detail');
  const rows: string[][] = [];
  let found = 0;
  for await (const entry of entriesOf(outbox, ids, state)) {
    found++;
    if (invocation.has('json')) out.json(entryJson(entry, withDetail));
    else rows.push(rowOf(entry, withDetail));
  }
  if (invocation.has('json')) return EXIT.done;
  if (found === 0) out.line('There are no such orders in the journal.');
  else
    out.line(
      textTable(
        [['Order', 'State', 'Outcome', 'Attempts', 'Why'], ...rows],
        [{}, {}, {}, { align: 'right' }, { most: 400 }],
      ).join('\n'),
    );
  const { stalled, refused } = await outbox.counts();
  if (refused + stalled > 0 && found > 0) {
    invocation.terminal.err.line(`${counted(refused, 'refused order')}, ${counted(stalled, 'stalled order')}.`);
  }
  return EXIT.done;
}

async function* entriesOf(
  outbox: Outbox,
  ids: readonly string[],
  state: EntryState | undefined,
): AsyncGenerator<Entry> {
  if (ids.length === 0) return yield* outbox.list(state ? { state } : {});
  for (const id of ids) {
    const entry = await outbox.get(id);
    if (!entry) throw usageProblem(`the journal has no order ${id}`);
    if (!state || entry.state === state) yield entry;
  }
}

async function change(
  invocation: Invocation,
  outbox: Outbox,
  action: 'retry' | 'cancel',
  given: readonly string[],
  state: EntryState | undefined,
): Promise<ExitCode> {
  const ids: string[] = [];
  for await (const { orderId } of entriesOf(outbox, given, state)) ids.push(orderId);
  let code: ExitCode = EXIT.done;
  let changed = 0;
  for (const id of ids) {
    try {
      const entry = await outbox[action](id);
      changed++;
      if (invocation.has('json')) invocation.terminal.out.json(entryJson(entry, false));
    } catch (error) {
      if (!isOutboxError(error) || error.reason === 'store') throw error;
      printError(invocation.terminal, error.message);
      code = EXIT.invalid;
    }
  }
  if (!invocation.has('json')) {
    const what = action === 'retry' ? 'will be sent by the next send' : 'will not be sent';
    invocation.terminal.out.line(`${counted(changed, 'order')} ${what}.`);
  }
  return code;
}

function entryJson(entry: Entry, withDetail: boolean): object {
  const { body: _body, order: _order, detail, issues, ...rest } = entry;
  return withDetail ? { ...rest, detail, issues } : rest;
}

function rowOf({ orderId, state, outcome, attempts, reason, status, detail }: Entry, withDetail: boolean): string[] {
  const why = [reason, status, withDetail && detail].filter((part) => part !== null && part !== false).join(' ');
  return [orderId, state, outcome, String(attempts), printable(why).replace(/\s+/g, ' ')];
}
