import { createClient } from 'sales-order-intake/client';
import { checkedBaseUrl } from '../base-url.js';
import { counted, number } from '../counted.js';
import { Delivery, type Ending } from '../delivery.js';
import { assertDistinct, resolved } from '../distinct-files.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import type { Invocation } from '../invocation.js';
import { assertSqlite, filesOfJournal, journalOf, openJournal, type Journal } from '../journal.js';
import { orderOptions, sourceOptions } from '../order-options.js';
import { Problem, usageProblem } from '../problem.js';
import { CALLED, shellWord } from '../program-name.js';
import { Progress } from '../progress.js';
import { partialOf, ReportFile } from '../report-file.js';
import { ServiceTrouble } from '../service-trouble.js';
import { ordersOf } from '../source/order-source.js';
import type { SourceOrder } from '../source/source-order.js';
import { STDIN } from '../source/text-chunks.js';
import { printError, type Terminal } from '../terminal.js';
import { tokenOf } from '../token.js';

const MOST_CONCURRENT = 1000;

export async function run(invocation: Invocation): Promise<ExitCode> {
  assertSqlite('send');
  const file = invocation.operand;
  const given = invocation.text('base-url');
  if (given === undefined) throw usageProblem('send needs --base-url URL, the base URL of the service');
  const baseUrl = checkedBaseUrl(given);
  const names = fileNames(invocation, file);
  assertFilesStay(invocation, names);
  const concurrency = invocation.count('concurrency', 1, MOST_CONCURRENT);
  const stopAfterMs = invocation.milliseconds('stop-after');
  const options = await orderOptions(invocation);
  const token = await tokenOf(invocation);
  // A file that can't be read leaves no journal.
  const orders = await begun(ordersOf(file, sourceOptions(invocation)));
  const { out } = invocation.terminal;
  const report = new ReportFile(names.report);
  const delivery = new Delivery(report, (order) => {
    if (invocation.has('json')) out.json(order);
  });
  const trouble = new ServiceTrouble();
  const client = createClient({ baseUrl, token, hooks: trouble.clientHooks });
  const journal = await openJournal(names.journal, {
    client: {
      async createOrder(...args: Parameters<typeof client.createOrder>) {
        try {
          return await client.createOrder(...args);
        } catch (error) {
          trouble.failed(error);
          delivery.attemptFailed(error);
          throw error;
        }
      },
    },
    onSettled: delivery.settled,
    ...(concurrency !== undefined && { concurrency }),
    hooks: { onResult: delivery.attempted, onGate: (event) => trouble.gateChanged(event) },
  });
  const ending = await delivered(invocation, {
    ...{ journal, report, delivery, trouble, orders, options, baseUrl, stopAfterMs },
  });
  if (delivery.failure) showFailure(delivery.failure, invocation.terminal);
  summarize(invocation, delivery, report, ending);
  return exitCode(delivery, ending);
}

function fileNames(invocation: Invocation, file: string): { journal: string; report: string } {
  const [journal, report] = [invocation.text('outbox'), invocation.text('report')];
  if (file === STDIN && journal === undefined)
    throw usageProblem('orders of standard input need a journal: --outbox FILE');
  const base = file === STDIN ? (journal ?? file) : file;
  return { journal: journal ?? journalOf(file), report: report ?? `${base}.report.ndjson` };
}

/** What is read must not be overwritten, and the report not the journal. */
function assertFilesStay(invocation: Invocation, { journal, report }: ReturnType<typeof fileNames>): void {
  const inputs = ['map', 'options', 'token-file'].map((flag) => ({ name: `--${flag}`, path: invocation.text(flag) }));
  const read = [{ name: 'the orders', path: invocation.operand }, ...inputs];
  const written = filesOfJournal(journal).map((path) => ({ name: 'the journal', path }));
  assertDistinct([{ name: '--outbox', path: journal }], read);
  assertDistinct(
    [report, partialOf(resolved(report))].map((path) => ({ name: '--report', path })),
    [...read, ...written],
  );
}

/** Reads the first order now, so that a file that can't be read is reported before anything else happens. */
async function begun(orders: AsyncGenerator<SourceOrder, void, void>): Promise<AsyncIterable<SourceOrder>> {
  const first = await orders.next();
  return (async function* () {
    if (first.done) return;
    yield first.value;
    yield* orders;
  })();
}

interface Sending {
  journal: Journal;
  report: ReportFile;
  delivery: Delivery;
  trouble: ServiceTrouble;
  orders: AsyncIterable<SourceOrder>;
  options: Parameters<Delivery['run']>[2];
  baseUrl: string;
  stopAfterMs: number | undefined;
}

async function delivered(invocation: Invocation, sending: Sending): Promise<Ending> {
  const { journal, report, delivery, trouble, orders, options, baseUrl, stopAfterMs } = sending;
  const { err } = invocation.terminal;
  try {
    await journal.sendTo(baseUrl);
    report.open();
  } catch (error) {
    await journal.close();
    throw error;
  }
  const progress = new Progress(err, delivery.counts);
  const interrupted = () => {
    if (delivery.counts.isStopping) {
      progress.end();
      closeReport(report, delivery);
      err.line(`Ended at once. ${resumeText(invocation)}`);
      process.exit(EXIT.unknown);
    }
    delivery.end('interrupted');
    if (!err.isTerminal) err.line('Stopping: waiting for the orders in flight. Ctrl-C again ends at once.');
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, interrupted);
  trouble.onChange = () => {
    delivery.counts.trouble = trouble.text;
    progress.troubleChanged(trouble.kind);
  };
  // The text counts down the seconds.
  const looking = setInterval(trouble.onChange, 200);
  const timer = stopAfterMs === undefined ? undefined : setTimeout(() => delivery.end('time'), stopAfterMs);
  journal.outbox.start();
  try {
    return await delivery.run(orders, journal.outbox, options);
  } finally {
    clearTimeout(timer);
    await journal.close();
    clearInterval(looking);
    progress.end();
    closeReport(report, delivery);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupted);
  }
}

/** The summary is shown nevertheless. */
function closeReport(report: ReportFile, delivery: Delivery): void {
  try {
    report.close();
  } catch (error) {
    delivery.fail(error);
  }
}

function showFailure(failure: unknown, terminal: Terminal): void {
  if (failure instanceof Problem) printError(terminal, failure.message, failure.hint);
  else throw failure;
}

function summarize(invocation: Invocation, delivery: Delivery, report: ReportFile, ending: Ending): void {
  const { out, err } = invocation.terminal;
  const { read, created, settledBefore, refused, stalled, invalid } = delivery.counts;
  const parts = [
    `${number(created)} created${settledBefore > 0 && created > 0 ? ` (${number(settledBefore)} settled in earlier runs)` : ''}`,
    refused > 0 && `${number(refused)} refused`,
    stalled > 0 && `${number(stalled)} stalled`,
    invalid > 0 && `${number(invalid)} invalid`,
    delivery.cancelled > 0 && `${number(delivery.cancelled)} cancelled`,
    delivery.unsettled > 0 && `${number(delivery.unsettled)} not settled yet`,
  ];
  const line = `${counted(read, 'order')}: ${parts.filter(Boolean).join(', ')}.`;
  if (!invocation.has('json')) out.line(line);
  else err.line(line);
  if (report.count > 0) err.line(`What failed, and why: ${report.path}`);
  for (const text of advice(invocation, delivery, ending)) err.line(text);
}

function advice(invocation: Invocation, { counts: { refused, stalled } }: Delivery, ending: Ending): string[] {
  const journal = fileNames(invocation, invocation.operand).journal;
  const outbox = (rest: string) => `${CALLED} outbox ${shellWord(journal)} ${rest}`;
  const texts: Record<Ending, string[]> = {
    settled: [],
    failed: [resumeText(invocation)],
    interrupted: [resumeText(invocation)],
    time: [`The time of --stop-after is over. ${resumeText(invocation)}`],
    token: [`The service refused the token. With a new one: ${resumeText(invocation)}`],
    'wrong-service': [
      'The service refused every order so far with 403, 404 or 405: check --base-url, and what the token may do.',
      `Then mark them to be sent again: ${outbox('retry --state refused')}`,
    ],
  };
  return [
    ...texts[ending],
    ...(ending === 'settled' && refused > 0
      ? [`To send refused orders once more, unchanged: ${outbox('retry --state refused')}`]
      : []),
    ...(stalled > 0
      ? [`Stalled orders may be at the service. Look for them there first: ${outbox('list --state stalled')}`]
      : []),
  ];
}

function exitCode({ counts, unsettled, failure }: Delivery, ending: Ending): ExitCode {
  if (ending === 'token') return EXIT.authentication;
  if (failure instanceof Problem) return failure.exitCode;
  if (unsettled > 0 || !counts.isRead || counts.stalled > 0) return EXIT.unknown;
  return counts.refused + counts.invalid > 0 ? EXIT.invalid : EXIT.done;
}

/** The same command: it goes on where this one ended. */
function resumeText(invocation: Invocation): string {
  const words = process.argv.slice(2).map(shellWord).join(' ');
  const again = `${CALLED} ${words}`;
  return invocation.operand === STDIN ? `To resume, give the same orders to: ${again}` : `To resume: ${again}`;
}
