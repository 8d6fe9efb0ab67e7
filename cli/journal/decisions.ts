/** What a person decides about orders: retry, cancel, forget and replace. */
import { OrderValidationError, parseGuid, prepareRequest, type PreviewOptions } from 'sales-order-intake';
import { OutboxError } from 'sales-order-intake/outbox';
import type { Invocation } from '../arguments/invocation.js';
import { orderOptions, ordersIn } from '../arguments/order-options.js';
import type { SourceOrder } from '../files/source-order.js';
import { counted } from '../output/printable-text.js';
import { printError } from '../output/terminal.js';
import { EXIT, type ExitCode, fileProblem, Problem } from '../problem.js';
import { batches, forget } from '../sending/changes.js';
import { entryJson } from './show.js';
import { entriesOf, type OpenOutbox, type Selection } from './selection.js';

/** The decisions, with what is done to an order, after "can't be". */
const DECISIONS = { retry: 'sent again', cancel: 'cancelled', forget: 'forgotten' };

export type Decision = keyof typeof DECISIONS;

/** Does what a person has decided to each order that permits it. Of orders that are named, each that does not is an error. */
export async function decide(
  invocation: Invocation,
  journal: OpenOutbox,
  selection: Selection,
  decision: Decision,
): Promise<ExitCode> {
  const { terminal } = invocation;
  const areNamed = selection.names.length > 0;
  const by = { by: invocation.text('by') };
  let code: ExitCode = EXIT.done;
  let changed = 0;
  let left = 0;
  // A name that the journal does not have is an error before anything is changed.
  const most = areNamed ? Number.POSITIVE_INFINITY : undefined;
  for await (const entries of batches(entriesOf(journal, selection), most)) {
    // Forgotten orders are left alone.
    const meant = entries.filter(({ body }) => areNamed || body !== null);
    const those = meant.filter(({ can }) => areNamed || can[decision]);
    left += meant.length - those.length;
    const results = await Promise.allSettled(
      those.map((entry) =>
        decision === 'forget' ? forget(journal, entry, by) : journal.outbox[decision](entry.orderId, by),
      ),
    );
    for (const result of results) {
      if (result.status === 'fulfilled') {
        changed++;
        if (invocation.has('json')) terminal.out.json(entryJson(result.value, false));
        continue;
      }
      const error: unknown = result.reason;
      if (!(error instanceof OutboxError) || error.reason === 'store') throw error;
      printError(terminal, error.message);
      code = EXIT.invalid;
    }
  }
  if (left > 0) {
    const which = selection.filter.state ? `that ${left === 1 ? 'is' : 'are'} ${selection.filter.state}` : 'of these';
    const problem = `${counted(left, 'order')} ${which} can't be ${DECISIONS[decision]}`;
    printError(terminal, problem, 'list --json shows for each order what it permits now: can.');
    code = EXIT.invalid;
  }
  const effects = {
    retry: `will be sent by ${journal.database ? 'the next send' : 'the relay'}`,
    cancel: 'will not be sent',
    forget: `${changed === 1 ? 'has' : 'have'} no personal data in the journal any more`,
  };
  if (!invocation.has('json')) terminal.out.line(`${counted(changed, 'order')} ${effects[decision]}.`);
  return code;
}

/** Replaces orders with corrected ones with the same Id. Each that can't be replaced is an error; the others are replaced. */
export async function replaceOrders(
  invocation: Invocation,
  journal: OpenOutbox,
  { names, filter }: Selection,
): Promise<ExitCode> {
  const { terminal } = invocation;
  const { outbox, tables } = journal;
  const options = await orderOptions(invocation);
  const wanted = new Set(names.map((id) => parseGuid(id) ?? id));
  let code: ExitCode = EXIT.done;
  let replaced = 0;
  for await (const order of await ordersIn(invocation.text('from') ?? '', invocation)) {
    try {
      const { entry, request } = await replacementOf(order, journal, options);
      const { orderId, version, body } = entry;
      if (names.length > 0 && !wanted.delete(orderId)) continue;
      if (entry.state !== (filter.state ?? entry.state)) continue;
      // Notes the contents in the file, so that the next send does not take them for a correction.
      if (body !== null) await tables?.noteContents(orderId, { version, body });
      await outbox.replace(request, { by: invocation.text('by') });
      replaced++;
      if (invocation.has('json')) terminal.out.json({ orderId, key: entry.reference, state: 'waiting' });
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
  const sender = journal.database ? 'the next send' : 'the relay';
  if (!invocation.has('json')) terminal.out.line(`${counted(replaced, 'order')} will be sent by ${sender}.`);
  return code;
}

/** Returns the request of a corrected order, for the same version, and the entry that it replaces. */
async function replacementOf({ json }: SourceOrder, { outbox }: OpenOutbox, options: PreviewOptions) {
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
