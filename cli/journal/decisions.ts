/** What a person decides about orders: retry, cancel and forget. */
import { OutboxError } from 'sales-order-intake/outbox';
import type { Invocation } from '../arguments/invocation.js';
import { counted } from '../output/printable-text.js';
import { printError } from '../output/terminal.js';
import { EXIT, type ExitCode } from '../problem.js';
import { batches, forget } from '../sending/changes.js';
import { entryJson } from './listing.js';
import { entriesOf, type OpenOutbox, type Selection } from './selection.js';

/** The decisions, with what is done to an order, after "can't be". */
const DECISIONS = { retry: 'sent again', cancel: 'cancelled', forget: 'forgotten' };

export type Decision = keyof typeof DECISIONS;

export function isDecision(action: string): action is Decision {
  return Object.hasOwn(DECISIONS, action);
}

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
