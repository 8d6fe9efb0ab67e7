/** Shows orders: in a list, or each with its history. */
import { type Entry, entryReasons, type HistoryEvent } from 'sales-order-intake/outbox';
import type { Invocation } from '../arguments/invocation.js';
import { nonZero, printable, textTable, wrapped } from '../output/printable-text.js';
import { EXIT, type ExitCode } from '../problem.js';
import { entriesOf, type OpenOutbox, type Selection } from './selection.js';
import type { Output } from '../output/terminal.js';

/** Lists orders. */
export async function list(invocation: Invocation, journal: OpenOutbox, selection: Selection): Promise<ExitCode> {
  const { out, err } = invocation.terminal;
  const withDetail = invocation.has('detail');
  const rows: string[][] = [];
  for await (const entry of entriesOf(journal, selection)) {
    if (invocation.has('json')) out.json(entryJson(entry, withDetail));
    else rows.push(rowOf(entry, withDetail));
  }
  if (invocation.has('json')) return EXIT.done;
  if (rows.length === 0) {
    out.line('There are no such orders in the journal.');
    return EXIT.done;
  }
  const table = [['Reference', 'Order', 'State', 'Outcome', 'Attempts', 'Why'], ...rows];
  const columns = [{ most: 40 }, {}, {}, {}, { align: 'right' as const }, { most: 400 }];
  const first = rows.some(([reference]) => reference !== '') ? 0 : 1;
  const shown = table.map((row) => row.slice(first));
  out.line(textTable(shown, columns.slice(first)).join('\n'));
  const { stalled, refused, invalid } = await journal.outbox.counts();
  const open = nonZero({ refused, stalled, invalid });
  if (open.length > 0) err.line(`Orders that need a person: ${open.join(', ')}.`);
  return EXIT.done;
}

/** Returns an entry as `--json` prints it, without personal data unless it is asked for. */
export function entryJson(entry: Entry, withDetail: boolean): object {
  const { orderId, body: _body, received: _received, order: _order, detail: _detail, issues, ...rest } = entry;
  const shown = { orderId, key: entry.reference, ...rest, detail: shownDetail(entry, withDetail) };
  return withDetail ? { ...shown, issues } : shown;
}

/** If there was no response, the detail is why the connection failed, which is not personal. */
function shownDetail({ status, detail }: Entry, withDetail: boolean): string | null {
  return withDetail || status === null ? detail : null;
}

function rowOf(entry: Entry, withDetail: boolean): string[] {
  const { reference, orderId, state, outcome, attempts, reason, status, alreadyThere } = entry;
  const parts = [reason, status, alreadyThere && 'already there', shownDetail(entry, withDetail)];
  const why = parts.filter((part) => part !== null && part !== false).join(' ');
  return [reference ?? '', orderId, state, outcome, String(attempts), why].map((cell) =>
    printable(cell).replace(/\s+/g, ' '),
  );
}

/** Shows what happened to orders. */
export async function show(invocation: Invocation, journal: OpenOutbox, selection: Selection): Promise<ExitCode> {
  const { out } = invocation.terminal;
  const withDetail = invocation.has('detail');
  let isFirst = true;
  for await (const entry of entriesOf(journal, selection)) {
    const history = await journal.outbox.history(entry.orderId);
    if (invocation.has('json')) {
      out.json({ ...entryJson(entry, withDetail), history });
      continue;
    }
    if (!isFirst) out.line();
    isFirst = false;
    showEntry(entry, withDetail, out);
    out.line(out.style('bold', 'History'));
    out.line(textTable(history.map(eventRow), [{}, {}, { most: 400 }]).join('\n'));
  }
  if (isFirst && !invocation.has('json')) out.line('There are no such orders in the journal.');
  return EXIT.done;
}

function showEntry(entry: Entry, withDetail: boolean, out: Output): void {
  const { orderId, reference, receiptNumber, companyId, entityId, state, outcome, reason } = entry;
  const { addedAt, nextAttemptAt, alreadyThere, can } = entry;
  const permitted = Object.entries(can).flatMap(([action, isPermitted]) => (isPermitted ? [action] : []));
  const rows: [name: string, value: string | null | false][] = [
    ['Order', orderId],
    ['Reference', reference],
    ['Location', companyId !== null && entityId !== null && `company ${companyId}, entity ${entityId}`],
    ['State', state],
    ['Outcome', outcome],
    ['Receipt', receiptNumber],
    ['Why', reason],
    ['Note', alreadyThere && 'the service had this order before it was first sent'],
    ['Detail', shownDetail(entry, withDetail)],
    ['Issues', shownIssues(entry, withDetail)],
    ['Added', localTime(addedAt)],
    ['Next attempt', nextAttemptAt && localTime(nextAttemptAt)],
    ['Permitted', permitted.join(', ') || 'nothing'],
  ];
  const shown = rows.flatMap(([name, value]) => (value ? [[name, printable(value).replace(/\s+/g, ' ')]] : []));
  out.line(textTable(shown, [{}, { most: 400 }]).join('\n'));
  if (reason) {
    const { meaning, remedy } = entryReasons[reason];
    out.line(wrapped(`${meaning} ${remedy}`, out.width));
  }
}

/** Returns false unless the issues may be shown: those of the service may contain personal data. */
function shownIssues({ state, issues }: Entry, withDetail: boolean): string | false {
  if (withDetail)
    return issues.map(({ pointer, message }) => (pointer ? `${pointer}: ${message}` : message)).join('; ');
  const errors = issues.filter(({ severity }) => severity === 'error');
  return state === 'invalid' && errors.map(({ code, pointer }) => `${code} at ${pointer}`).join(', ');
}

function eventRow({ at, what, by, status, failure, outcome, reason, durationMs, processId }: HistoryEvent): string[] {
  const parts = [
    by && `by ${by}`,
    status,
    failure,
    reason,
    outcome && what !== 'added' && outcome,
    durationMs !== undefined && `${durationMs} ms`,
    what === 'attempt' && durationMs === undefined && 'the process died before it knew the result',
    processId && `process ${processId}`,
  ];
  const about = parts.filter((part) => part !== undefined && part !== false && part !== '').join(', ');
  return [localTime(at), what, printable(about)];
}

/** Returns a time to the second in the zone of this machine, with its offset. */
function localTime(at: Date): string {
  const offset = -at.getTimezoneOffset();
  const [time = ''] = new Date(at.getTime() + offset * 60_000).toISOString().split('.');
  const two = (number: number) => `${Math.floor(number)}`.padStart(2, '0');
  return `${time.replace('T', ' ')} ${offset < 0 ? '-' : '+'}${two(Math.abs(offset) / 60)}:${two(Math.abs(offset) % 60)}`;
}
