import { validateOrder, type PreviewOptions, type Severity } from 'sales-order-intake';
import { counted, number } from '../counted.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { watchFiles } from '../file-watch.js';
import type { Invocation } from '../invocation.js';
import { issueText } from '../issue-text.js';
import { OrderIds } from '../order-ids.js';
import { issueJson, placed, type OrderIssue } from '../order-issue.js';
import { orderOptions, sourceOptions } from '../order-options.js';
import { Problem, usageProblem } from '../problem.js';
import { CALLED } from '../program-name.js';
import { ordersOf } from '../source/order-source.js';
import { checkFile, STDIN } from '../source/text-chunks.js';
import { printError } from '../terminal.js';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const files = invocation.operands;
  if (!invocation.has('watch')) return checkOnce(invocation);
  if (files.includes(STDIN)) throw usageProblem('--watch needs files; standard input can be read only once');
  for (const file of files) await checkFile(file);
  const also = [invocation.text('map'), invocation.text('options')].filter((file) => file !== undefined);
  const { err } = invocation.terminal;
  return watchFiles([...files, ...also], async () => {
    const code = await checkOnce(invocation).catch((error: unknown) => {
      // A file that is just being written can be anything.
      if (!(error instanceof Problem)) throw error;
      printError(invocation.terminal, error.message, error.hint);
      return error.exitCode;
    });
    err.line(err.style('dim', `Watching ${counted(files.length, 'file')}; Ctrl-C ends.`));
    return code;
  });
}

async function checkOnce(invocation: Invocation): Promise<ExitCode> {
  const options = await orderOptions(invocation);
  const ids = new OrderIds();
  const tally = new Tally();
  for (const file of invocation.operands) {
    for await (const order of ordersOf(file, sourceOptions(invocation))) {
      const repeated = ids.repeated(order);
      const issues = placed(
        repeated ? { ...order, fileIssues: [...order.fileIssues, repeated] } : order,
        validateOrder(order.json, options).issues,
      );
      tally.add(issues, invocation.has('strict'));
      report(invocation, issues);
    }
  }
  if (!invocation.has('json')) summarize(invocation, tally, options);
  return tally.invalid > 0 ? EXIT.invalid : EXIT.done;
}

class Tally {
  valid = 0;
  invalid = 0;
  codes = new Set<string>();
  readonly #severities: Record<Severity, number> = { error: 0, warning: 0, notice: 0 };

  add(issues: readonly OrderIssue[], isStrict: boolean): void {
    for (const { issue } of issues) {
      this.#severities[issue.severity]++;
      if (issue.severity !== 'notice') this.codes.add(issue.code);
    }
    const isInvalid = issues.some(
      ({ issue: { severity } }) => severity === 'error' || (isStrict && severity === 'warning'),
    );
    if (isInvalid) this.invalid++;
    else this.valid++;
  }

  /** "2 errors, 1 warning". */
  get issues(): string {
    return (['error', 'warning', 'notice'] as const)
      .filter((severity) => this.#severities[severity] > 0)
      .map((severity) => counted(this.#severities[severity], severity))
      .join(', ');
  }
}

function report(invocation: Invocation, issues: readonly OrderIssue[]): void {
  const { out } = invocation.terminal;
  for (const each of issues) {
    if (invocation.has('quiet') && each.issue.severity !== 'error') continue;
    if (invocation.has('json')) out.json(issueJson(each));
    else out.line(`${issueText(each, out)}\n`);
  }
}

function summarize({ terminal: { out, err } }: Invocation, tally: Tally, { version = 'v3' }: PreviewOptions): void {
  const total = tally.valid + tally.invalid;
  const issues = tally.issues ? ` (${tally.issues})` : '';
  const isValid = tally.invalid === 0;
  const subject =
    total === 1 ? 'It is' : isValid ? 'All are' : tally.invalid === 1 ? '1 is' : `${number(tally.invalid)} are`;
  const result = `Checked ${counted(total, 'order')} for ${version}. ${subject} ${isValid ? 'valid' : 'invalid'}${issues}.`;
  out.line(total === 0 ? 'There are no orders in the input.' : out.style(isValid ? 'green' : 'red', result));
  const [code] = tally.codes;
  if (code && err.isTerminal) err.line(err.style('dim', `${CALLED} explain ${code} shows an example.`));
}
