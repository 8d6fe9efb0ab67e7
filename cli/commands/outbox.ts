import { OptionError } from 'sales-order-intake';
import { postgresSchema } from 'sales-order-intake/outbox/postgres';
import { ACTIONS } from '../arguments/command-table.js';
import type { Invocation } from '../arguments/invocation.js';
import { backUp, restore } from '../journal/backup.js';
import { decide, isDecision, replaceOrders } from '../journal/decisions.js';
import { list, show } from '../journal/show.js';
import { missing } from '../journal/missing.js';
import { move } from '../journal/move.js';
import { CHOOSING, selectionOf, withReader, withWriter } from '../journal/selection.js';
import { EXIT, type ExitCode, unknownWord, usageProblem } from '../problem.js';
import { isPostgresUrl, outboxOf } from '../relay/store.js';

type Action = (typeof ACTIONS)[number];

/** What an action takes. */
interface Use {
  /** The operands after its name: names of orders, or a file, which may be left out if `?` follows. */
  takes: 'orders' | 'FILE' | 'FILE?' | null;
  flags: readonly string[];
  /** A flag that it needs. */
  needs?: string;
}

const LOOK: Use = { takes: 'orders', flags: [...CHOOSING, 'detail', 'json'] };
const DECISION: Use = { takes: 'orders', flags: [...CHOOSING, 'by', 'json'] };
const USES: Record<Action, Use> = {
  list: LOOK,
  show: LOOK,
  retry: DECISION,
  cancel: DECISION,
  forget: DECISION,
  replace: {
    takes: 'orders',
    flags: ['state', 'by', 'options', 'json', 'from'],
    needs: '--from ORDERS, the corrected orders',
  },
  move: { takes: null, flags: ['base-url'], needs: '--base-url URL' },
  backup: { takes: 'FILE', flags: [] },
  restore: { takes: 'FILE?', flags: [] },
  missing: { takes: 'FILE', flags: ['column', 'map', 'json'] },
};

export async function run(invocation: Invocation): Promise<ExitCode> {
  if (invocation.has('schema')) return printSchema(invocation);
  const [given = '', action = '', ...rest] = invocation.operands;
  assertUse(invocation, action, rest);
  const file = outboxOf(invocation, given) ?? given;
  if (isPostgresUrl(file) && ['backup', 'restore'].includes(action))
    throw usageProblem(`outbox ${action} is for files`, 'Use the backups of PostgreSQL, such as pg_dump.');
  const selection = selectionOf(invocation, rest);
  const [other = ''] = rest;
  if (action === 'move') return move(invocation, file);
  if (action === 'backup') return backUp(invocation, file, other);
  if (action === 'restore') return restore(invocation, file, rest[0]);
  if (action === 'missing') return withReader(file, (journal) => missing(invocation, journal, other));
  if (action === 'list') return withReader(file, (journal) => list(invocation, journal, selection));
  if (action === 'show') return withReader(file, (journal) => show(invocation, journal, selection));
  return withWriter(file, (journal) =>
    isDecision(action) ? decide(invocation, journal, selection, action) : replaceOrders(invocation, journal, selection),
  );
}

function assertUse(invocation: Invocation, action: string, rest: readonly string[]): asserts action is Action {
  if (!isAction(action)) {
    const message = `outbox does ${ACTIONS.slice(0, -1).join(', ')} or ${ACTIONS.at(-1)}, not ${action}`;
    throw unknownWord(message, action, ACTIONS);
  }
  const { takes, flags, needs } = USES[action];
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
  if ((isDecision(action) || action === 'show') && isAll)
    throw usageProblem(`outbox ${action} needs the Ids of orders, or --state, --reason, --reference or --receipt`);
}

function isAction(action: string): action is Action {
  return Object.hasOwn(USES, action);
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
