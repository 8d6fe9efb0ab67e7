import { type IdentifiedOrder, type PreparedRequest, requestPath } from 'sales-order-intake';
import { createClient, type PreparedRequestInput, type SendOptions } from 'sales-order-intake/client';
import { checkedBaseUrl, tokenOf, tokenTimeoutMs } from '../sending/service.js';
import { Delivery } from '../sending/delivery.js';
import { assertDistinct, resolved } from '../files/distinct-files.js';
import { EXIT, type ExitCode, Problem, usageProblem } from '../problem.js';
import type { Invocation } from '../arguments/invocation.js';
import { forgetOld } from '../sending/changes.js';
import {
  assertSqlite,
  filesOfJournal,
  type Journal,
  journalOf,
  openJournal,
  retriedProblem,
  writeProblem,
} from '../sending/journal.js';
import { orderOptions, sourceOptions } from '../arguments/order-options.js';
import { Progress } from '../sending/progress.js';
import { partialOf, ReportFile, type SettledOrder, type WithdrawnOrder } from '../sending/report-file.js';
import { exitCode, resumeText, summarize } from '../sending/send-summary.js';
import { ServiceTrouble, SUSPECT_MS } from '../sending/trouble.js';
import { ordersOf, type SourceOrder } from '../files/order-source.js';
import { STDIN } from '../files/text-chunks.js';
import { printError, type Terminal } from '../output/terminal.js';

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
  const { first, orders } = await begun(ordersOf(file, sourceOptions(invocation)));
  const { out } = invocation.terminal;
  const report = new ReportFile(names.report);
  const urlOf = ({ orderId, version }: Pick<PreparedRequest, 'orderId' | 'version'>) =>
    baseUrl + requestPath(version, orderId);
  const outputs = {
    report,
    urlOf,
    onSettled(order: SettledOrder | WithdrawnOrder) {
      if (invocation.has('json')) out.json(order);
    },
  };
  const delivery = new Delivery(outputs, invocation.text('outbox') === undefined);
  const trouble = new ServiceTrouble();
  const client = createClient({ baseUrl, token, tokenTimeoutMs, hooks: trouble.clientHooks });
  const resumable = (error: unknown) => {
    const problem = writeProblem(names.journal, error);
    const isHere = problem instanceof Problem && problem.exitCode === EXIT.unknown;
    return isHere ? new Problem(problem.message, problem.exitCode, resumeText(invocation)) : problem;
  };
  const journal = await openJournal(names.journal, {
    client: {
      async createOrder(order: IdentifiedOrder | PreparedRequestInput, options?: SendOptions) {
        try {
          return await client.createOrder(order, options);
        } catch (error) {
          trouble.failed();
          delivery.attemptFailed(error);
          throw error;
        }
      },
    },
    onSettled: delivery.settled,
    concurrency,
    suspectMs: SUSPECT_MS,
    hooks: {
      onResult: delivery.attempted,
      onGate: (event) => trouble.gateChanged(event),
      onError(event) {
        const problem = retriedProblem(names.journal, event);
        if (problem) delivery.fail(problem);
      },
    },
  }).catch((error: unknown) => Promise.reject(resumable(error)));
  await delivered(invocation, {
    journal,
    report,
    delivery,
    trouble,
    orders,
    options,
    stopAfterMs,
    begin: async () => {
      try {
        await journal.use(baseUrl, first?.idSource ?? null);
        await forgetOld(journal);
        report.open();
      } catch (error) {
        throw resumable(error);
      }
    },
  });
  delivery.failure = writeProblem(names.journal, delivery.failure);
  const { ending } = delivery;
  if (delivery.failure) showFailure(delivery.failure, invocation.terminal);
  const suspect = delivery.suspicion.last;
  summarize(invocation, {
    delivery,
    report,
    ending,
    journal: names.journal,
    suspectUrl: suspect && urlOf({ orderId: suspect.orderId, version: options.version ?? 'v3' }),
  });
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
async function begun(source: AsyncGenerator<SourceOrder, void, void>): Promise<{
  first: SourceOrder | undefined;
  orders: AsyncIterable<SourceOrder>;
}> {
  const first = (await source.next()).value ?? undefined;
  async function* all() {
    if (!first) return;
    yield first;
    yield* source;
  }
  return { first, orders: all() };
}

interface Sending {
  journal: Journal;
  report: ReportFile;
  delivery: Delivery;
  trouble: ServiceTrouble;
  orders: AsyncIterable<SourceOrder>;
  options: Parameters<Delivery['run']>[2];
  /** Checks and prepares the journal, and opens the report. */
  begin(): Promise<void>;
  stopAfterMs: number | undefined;
}

async function delivered(invocation: Invocation, sending: Sending): Promise<void> {
  const { journal, report, delivery, trouble, orders, options, begin, stopAfterMs } = sending;
  const { err } = invocation.terminal;
  try {
    await begin();
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
  try {
    await delivery.run(orders, journal, options);
  } finally {
    clearTimeout(timer);
    await journal.close().catch((error: unknown) => delivery.fail(error));
    clearInterval(looking);
    progress.end();
    closeReport(report, delivery);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupted);
  }
}

/** The summary is shown nevertheless. */
function closeReport(report: ReportFile, delivery: Delivery): void {
  for (const end of [() => delivery.reportOpen(), () => report.close()]) {
    try {
      end();
    } catch (error) {
      delivery.fail(error);
    }
  }
}

function showFailure(failure: unknown, terminal: Terminal): void {
  if (failure instanceof Problem) printError(terminal, failure.message, failure.hint);
  else throw failure;
}
