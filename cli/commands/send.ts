import { requestPath } from 'sales-order-intake';
import { createClient } from 'sales-order-intake/client';
import { baseUrlOf, tokenOf, tokenTimeoutMs } from '../arguments/base-url-and-token.js';
import { Delivery, type DeliveryOutputs } from '../sending/delivery.js';
import { assertDistinct, resolved } from '../files/distinct-files.js';
import { EXIT, type ExitCode, Problem, usageProblem } from '../problem.js';
import type { Invocation } from '../arguments/invocation.js';
import { forgetOld } from '../sending/changes.js';
import { type Journal, openJournal, useJournal } from '../sending/journal.js';
import { filesOfJournal, journalOf, assertSqlite } from '../sending/journal-file.js';
import { retriedProblem, writeProblem } from '../sending/journal-problem.js';
import { orderOptions, ordersIn } from '../arguments/order-options.js';
import { deliveryProgress, STOPPING } from '../sending/counts.js';
import { partialOf, ReportFile } from '../sending/report-file.js';
import { exitCode, resumeText, summarize } from '../sending/send-summary.js';
import { ServiceTrouble, SUSPECT_MS } from '../sending/trouble.js';
import { filesOfMapping } from '../files/orders.js';
import type { SourceOrder } from '../files/source-order.js';
import { STDIN, type Stream } from '../files/text-chunks.js';
import { endProgress, showProgress } from '../output/progress.js';
import { onSignals, type Output, printError } from '../output/terminal.js';

const MOST_CONCURRENT = 1000;

export async function run(invocation: Invocation): Promise<ExitCode> {
  assertSqlite('send');
  const baseUrl = baseUrlOf(invocation);
  const names = fileNames(invocation, invocation.operand);
  const map = invocation.text('map');
  assertFilesStay(invocation, names, map === undefined ? [] : await filesOfMapping(map));
  const concurrency = invocation.count('concurrency', 1, MOST_CONCURRENT);
  const stopAfterMs = invocation.milliseconds('stop-after');
  const options = await orderOptions(invocation);
  const report = new ReportFile(names.report);
  const outputs: DeliveryOutputs = {
    report,
    urlOf: ({ orderId, version }) => baseUrl + requestPath(version, orderId),
    onSettled({ detail: _1, issues: _2, ...order }) {
      if (invocation.has('json')) invocation.terminal.out.json(order);
    },
  };
  const delivery = new Delivery(outputs, invocation.text('outbox') === undefined);
  const trouble = new ServiceTrouble();
  const token = await tokenOf(invocation, (problem) => delivery.tokenFailed(problem));
  // First, so that a file that can't be read leaves no journal.
  const { first, orders } = await begun(await ordersIn(invocation.operand, invocation, options));
  let journal: Journal | undefined;
  try {
    journal = await openJournal(names.journal, {
      client: createClient({ baseUrl, token, tokenTimeoutMs, hooks: trouble.clientHooks }),
      onSettled: delivery.settled,
      concurrency,
      suspectMs: SUSPECT_MS,
      hooks: {
        onResult(event) {
          trouble.attempted();
          delivery.attempted(event);
        },
        onGate: (event) => trouble.gateChanged(event),
        onError(event) {
          const problem = retriedProblem(names.journal, event);
          if (problem) delivery.fail(problem);
        },
      },
    });
    await useJournal(names.journal, journal, baseUrl, first?.idSource ?? null);
    await forgetOld(journal);
    report.open();
  } catch (error) {
    await journal?.close();
    const problem = writeProblem(names.journal, error);
    if (!(problem instanceof Problem) || problem.exitCode !== EXIT.unknown) throw problem;
    throw new Problem(problem.message, problem.exitCode, resumeText(invocation));
  }
  const stopFollowing = follow(invocation, delivery, trouble, report);
  const timer = stopAfterMs === undefined ? undefined : setTimeout(() => delivery.end('time'), stopAfterMs);
  await delivery.run(orders, journal, options, Boolean(first?.idSource));
  clearTimeout(timer);
  await journal.close().catch((error: unknown) => delivery.fail(error));
  stopFollowing();
  const failure = writeProblem(names.journal, delivery.failure);
  delivery.failure = failure;
  if (failure instanceof Problem) printError(invocation.terminal, failure.message, failure.hint);
  else if (failure) throw failure;
  summarize(invocation, delivery, report, names.journal);
  return exitCode(delivery);
}

function fileNames(invocation: Invocation, file: string): { journal: string; report: string } {
  const [journal, report] = [invocation.text('outbox'), invocation.text('report')];
  if (file === STDIN && journal === undefined)
    throw usageProblem('orders of standard input need a journal: --outbox FILE');
  const base = file === STDIN ? (journal ?? file) : file;
  return { journal: journal ?? journalOf(file), report: report ?? `${base}.report.ndjson` };
}

/** Makes sure that no file is overwritten that is read, and that the report does not replace the journal. */
function assertFilesStay(
  invocation: Invocation,
  { journal, report }: ReturnType<typeof fileNames>,
  lookups: readonly string[],
): void {
  const inputs = ['map', 'options', 'token-file'].map((flag) => ({ name: `--${flag}`, path: invocation.text(flag) }));
  const ofMapping = lookups.map((path) => ({ name: 'the mapping', path }));
  const read = [{ name: 'the orders', path: invocation.operand }, ...inputs, ...ofMapping];
  const written = filesOfJournal(journal).map((path) => ({ name: 'the journal', path }));
  assertDistinct([{ name: '--outbox', path: journal }], read);
  const reports = [report, partialOf(resolved(report))].map((path) => ({ name: '--report', path }));
  assertDistinct(reports, [...read, ...written]);
}

/** Reads the first order now, so that a file that can't be read is reported before anything else happens. */
async function begun(source: Stream<SourceOrder>) {
  const first = (await source.next()).value ?? undefined;
  async function* all(): Stream<SourceOrder> {
    if (!first) return;
    yield first;
    yield* source;
  }
  return { first, orders: all() };
}

/** Shows the progress of a delivery, and ends it at Ctrl-C. Returns a function that stops both and closes the report. */
function follow(invocation: Invocation, delivery: Delivery, trouble: ServiceTrouble, report: ReportFile): () => void {
  const { err } = invocation.terminal;
  showProgress(err, () => deliveryProgress(delivery, trouble));
  if (!err.isTerminal) reportTrouble(trouble, err);
  const end = () => {
    endProgress();
    for (const close of [() => delivery.reportOpen(), () => report.close()]) delivery.runOrFail(close);
    ignoreSignals();
  };
  const ignoreSignals = onSignals(() => {
    if (delivery.isEnding) {
      end();
      err.line(`Ended at once. ${resumeText(invocation)}`);
      process.exit(EXIT.unknown);
    }
    delivery.end('interrupted');
    if (!err.isTerminal) err.line(STOPPING);
  });
  return end;
}

/** Reports at once that the token is refused or the service out of reach, and the end of that. */
function reportTrouble(trouble: ServiceTrouble, err: Output): void {
  let reported = '';
  trouble.onChange = () => {
    const { kind, text } = trouble.now;
    if (kind !== reported) err.line(kind ? text : 'The service takes orders again.');
    reported = kind;
  };
}
