import {
  OrderValidationError,
  parseGuid,
  prepareRequest,
  type PreparedRequest,
  type PreviewOptions,
} from 'sales-order-intake';
import { OutboxError, type Entry } from 'sales-order-intake/outbox';
import { counted } from '../output/counted.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import type { Invocation } from '../arguments/invocation.js';
import type { Journal } from './journal.js';
import { placed } from '../files/order-issue.js';
import { fileProblem, Problem } from '../problem.js';
import type { SourceOrder } from '../files/source-order.js';
import { printError } from '../output/terminal.js';

/** Corrected orders, and which of them to take. */
export interface Replacement {
  orders: AsyncIterable<SourceOrder>;
  /** All if empty. */
  ids: readonly string[];
  /** Only those that replace an order in this state. */
  state: Entry['state'] | undefined;
  options: PreviewOptions;
}

/** Replaces orders by corrected ones with the same Id. Each that can't be replaced is an error; the others are replaced. */
export async function replaceOrders(
  invocation: Invocation,
  journal: Journal,
  { orders, ids, state, options }: Replacement,
): Promise<ExitCode> {
  const { terminal } = invocation;
  const wanted = new Set(ids.map((id) => parseGuid(id) ?? id));
  let code: ExitCode = EXIT.done;
  let replaced = 0;
  for await (const order of orders) {
    try {
      const { entry, request } = await replacementOf(order, journal, options);
      if (ids.length > 0 && !wanted.delete(entry.orderId)) continue;
      if (state && entry.state !== state) continue;
      await replaceOne(journal, entry, request);
      replaced++;
      if (invocation.has('json'))
        terminal.out.json({ orderId: entry.orderId, key: journal.tables.keyOf(entry.orderId), state: 'waiting' });
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
async function replacementOf(
  order: SourceOrder,
  { outbox }: Journal,
  options: PreviewOptions,
): Promise<{ entry: Entry; request: PreparedRequest }> {
  try {
    const { orderId } = prepareRequest(order.json, options);
    const entry = await outbox.get(orderId);
    if (!entry) throw fileProblem(`the journal has no order ${orderId}`);
    return { entry, request: prepareRequest(order.json, { ...options, version: entry.version }) };
  } catch (error) {
    if (!(error instanceof OrderValidationError)) throw error;
    const messages = placed(order, error.issues)
      .filter(({ issue }) => issue.severity === 'error')
      .map(({ issue }) => issue.message);
    throw fileProblem(messages.join('; '));
  }
}

/** What the file has of the order is noted first, so that the next send does not take it for a correction. */
async function replaceOne({ outbox, tables }: Journal, entry: Entry, request: PreparedRequest): Promise<void> {
  const { orderId, version, body } = entry;
  if (body !== null) await tables.noteContents(orderId, { version, body });
  await outbox.replace(request);
}
