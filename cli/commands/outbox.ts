import { OptionError } from 'sales-order-intake';
import { createClient } from 'sales-order-intake/client';
import { postgresSchema } from 'sales-order-intake/outbox/postgres';
import { baseUrlOf } from '../arguments/base-url-and-token.js';
import type { Invocation } from '../arguments/invocation.js';
import { backUp, restore } from '../journal/backup.js';
import { decide, type Decision, replaceOrders } from '../journal/decisions.js';
import { missing } from '../journal/missing.js';
import {
  CHOOSING,
  type OpenOutbox,
  selectionOf,
  withDatabase,
  withJournal,
  withReader,
  withWriter,
} from '../journal/selection.js';
import { list, show } from '../journal/show.js';
import { counted } from '../output/printable-text.js';
import { EXIT, type ExitCode, unknownWord, usageProblem } from '../problem.js';
import { isPostgresUrl, outboxOf } from '../relay/store.js';

/** What an action takes, and what it does. */
interface Use {
  /** The operands after its name: names of orders, or a file, which may be left out if `?` follows. */
  takes: 'orders' | 'FILE' | 'FILE?' | null;
  flags: readonly string[];
  /** A flag that it needs. */
  needs?: string;
  /** @param rest The operands after its name. */
  run(invocation: Invocation, file: string, rest: readonly string[]): Promise<ExitCode>;
}

const looking = (action: typeof list): Use => ({
  ...{ takes: 'orders', flags: [...CHOOSING, 'detail', 'json'] },
  run(invocation, file, rest) {
    const selection = selectionOf(invocation, rest);
    return withReader(file, (outbox) => action(invocation, outbox, selection));
  },
});
const deciding = (decision: Decision): Use => ({
  ...{ takes: 'orders', flags: [...CHOOSING, 'by', 'json'] },
  run(invocation, file, rest) {
    const selection = selectionOf(invocation, rest);
    return withWriter(file, (outbox) => decide(invocation, outbox, selection, decision));
  },
});
const USES: Readonly<Record<string, Use>> = {
  list: looking(list),
  show: looking(show),
  retry: deciding('retry'),
  cancel: deciding('cancel'),
  forget: deciding('forget'),
  replace: {
    takes: 'orders',
    flags: ['state', 'by', 'options', 'json', 'from'],
    needs: '--from ORDERS, the corrected orders',
    run: (invocation, file, rest) =>
      withWriter(file, (outbox) => replaceOrders(invocation, outbox, selectionOf(invocation, rest))),
  },
  backup: { takes: 'FILE', flags: [], run: (invocation, file, [to = '']) => backUp(invocation, file, to) },
  restore: { takes: 'FILE?', flags: [], run: (invocation, file, [from]) => restore(invocation, file, from) },
  missing: {
    takes: 'FILE',
    flags: ['column', 'map', 'json'],
    run: (invocation, file, [carts = '']) => withReader(file, (outbox) => missing(invocation, outbox, carts)),
  },
  move: { takes: null, flags: ['base-url'], needs: '--base-url URL', run: move },
};

export async function run(invocation: Invocation): Promise<ExitCode> {
  if (invocation.has('schema')) return printSchema(invocation);
  const [given = '', action = '', ...rest] = invocation.operands;
  const use = useOf(invocation, action, rest);
  const file = outboxOf(invocation, given) ?? given;
  if (isPostgresUrl(file) && ['backup', 'restore'].includes(action))
    throw usageProblem(`outbox ${action} is for files`, 'Use the backups of PostgreSQL, such as pg_dump.');
  return use.run(invocation, file, rest);
}

/** @throws Problem if the action, its operands or its flags are wrong. */
function useOf(invocation: Invocation, action: string, rest: readonly string[]): Use {
  const use = Object.hasOwn(USES, action) ? USES[action] : undefined;
  if (!use) {
    const actions = Object.keys(USES);
    const message = `outbox does ${actions.slice(0, -1).join(', ')} or ${actions.at(-1)}, not ${action}`;
    throw unknownWord(message, action, actions);
  }
  const { takes, flags, needs } = use;
  for (const flag of invocation.flags)
    if (!flags.includes(flag)) throw usageProblem(`outbox ${action} takes no --${flag}`);
  const [, needed = ''] = /^--([\w-]+)/.exec(needs ?? '') ?? [];
  if (needed && invocation.text(needed) === undefined) throw usageProblem(`outbox ${action} needs ${needs}`);
  if (takes === 'FILE' && rest.length === 0)
    throw usageProblem(`outbox ${action} needs a file, as outbox --help shows`);
  const most = takes === 'orders' ? Number.POSITIVE_INFINITY : takes === null ? 0 : 1;
  if (rest.length > most) throw usageProblem(`outbox ${action} does not take "${rest[most]}"`);
  if (/\.[ct]sv$/i.test(invocation.text('from') ?? '')) throw usageProblem('--from takes orders as JSON or NDJSON');
  const isAll = rest.length === 0 && !CHOOSING.some((flag) => invocation.text(flag) !== undefined);
  if (['show', 'retry', 'cancel', 'forget'].includes(action) && isAll)
    throw usageProblem(`outbox ${action} needs the Ids of orders, or --state, --reason, --reference or --receipt`);
  return use;
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

/** Moves a journal, or an outbox in PostgreSQL, to another base URL: waiting orders are sent there from now on (D60). */
async function move(invocation: Invocation, fileOrUrl: string): Promise<ExitCode> {
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
