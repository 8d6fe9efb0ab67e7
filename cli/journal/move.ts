import { createClient } from 'sales-order-intake/client';
import { OutboxError } from 'sales-order-intake/outbox';
import { baseUrlOf } from '../arguments/base-url-and-token.js';
import type { Invocation } from '../arguments/invocation.js';
import { counted } from '../output/printable-text.js';
import { EXIT, type ExitCode, usageProblem } from '../problem.js';
import { hasPassword, isPostgresUrl, openStore } from '../relay/store.js';
import { withJournal } from './selection.js';

/** Moves a journal, or an outbox in PostgreSQL, to another base URL: waiting orders are sent there from now on (D60). */
export async function move(invocation: Invocation, fileOrUrl: string): Promise<ExitCode> {
  const baseUrl = baseUrlOf(invocation);
  const moved = (waiting: number): ExitCode => {
    invocation.terminal.out.line(`The outbox is for ${baseUrl} now; ${counted(waiting, 'order')} will be sent there.`);
    return EXIT.done;
  };
  if (!isPostgresUrl(fileOrUrl)) {
    return withJournal(fileOrUrl, async ({ tables, outbox }) => {
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
