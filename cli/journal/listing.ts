import type { Entry } from 'sales-order-intake/outbox';
import type { Invocation } from '../arguments/invocation.js';
import { nonZero, printable, textTable } from '../output/printable-text.js';
import { EXIT, type ExitCode } from '../problem.js';
import { entriesOf, type OpenOutbox, type Selection } from './selection.js';

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
export function shownDetail({ status, detail }: Entry, withDetail: boolean): string | null {
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
