import { createClient } from 'sales-order-intake/client';
import { baseUrlOf } from '../arguments/base-url-and-token.js';
import type { Invocation } from '../arguments/invocation.js';
import { counted } from '../output/printable-text.js';
import { EXIT, type ExitCode } from '../problem.js';
import { isPostgresUrl } from '../relay/store.js';
import { type OpenOutbox, withDatabase, withJournal } from './selection.js';

/** Moves a journal, or an outbox in PostgreSQL, to another base URL: waiting orders are sent there from now on (D60). */
export async function move(invocation: Invocation, fileOrUrl: string): Promise<ExitCode> {
  const baseUrl = baseUrlOf(invocation);
  const moved = async ({ outbox }: OpenOutbox): Promise<ExitCode> => {
    const { waiting, sending } = await outbox.counts();
    const orders = counted(waiting + sending, 'order');
    invocation.terminal.out.line(`The outbox is for ${baseUrl} now; ${orders} will be sent there.`);
    return EXIT.done;
  };
  if (!isPostgresUrl(fileOrUrl))
    return withJournal(fileOrUrl, (journal) => journal.tables.setBaseUrl(baseUrl).then(() => moved(journal)));
  const options = { client: createClient({ baseUrl, token: () => '' }), movedFrom: '*' };
  // A write notes the base URL.
  return withDatabase(fileOrUrl, options, (opened) => opened.probe().then(() => moved(opened)));
}
