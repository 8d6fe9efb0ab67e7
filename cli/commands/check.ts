import { prepareRequest, type PreviewOptions, type Severity, validateOrder } from 'sales-order-intake';
import { counted, jsonLine, number, ordersText, notComparedText } from '../output/printable-text.js';
import { EXIT, type ExitCode, Problem, usageProblem } from '../problem.js';
import type { Invocation } from '../arguments/invocation.js';
import { issueText } from '../output/issue-text.js';
import { issueJson, type OrderIssue, placed, preparedOrder, repeatFinder } from '../files/order-issue.js';
import { orderOptions, ordersIn } from '../arguments/order-options.js';
import { CALLED } from '../arguments/program.js';
import { filesOfMapping } from '../files/orders.js';
import { type FileIssue, fileIssue, type SourceOrder } from '../files/source-order.js';
import { checkFile, STDIN } from '../files/text-chunks.js';
import { interruption, printError } from '../output/terminal.js';
import { watch } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';

/** The default of the reference service: 1 MiB. */
const MOST_BYTES = 1 << 20;
/** The body is shorter than this many times the JSON in the file: numbers with exponents become longer. */
const MOST_GROWTH = 8;

export async function run(invocation: Invocation): Promise<ExitCode> {
  const files = invocation.operands;
  if (!invocation.has('watch')) return checkOnce(invocation);
  if (files.includes(STDIN)) throw usageProblem('--watch needs files; standard input can be read only once');
  for (const file of files) await checkFile(file);
  const map = invocation.text('map');
  // A mapping that is wrong now names no other files.
  const lookups = map === undefined ? [] : await filesOfMapping(map).catch(() => []);
  const also = [map, ...lookups, invocation.text('options')].filter((file) => file !== undefined);
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
  const maxBytes = invocation.count('max-bytes', 1, Number.MAX_SAFE_INTEGER) ?? MOST_BYTES;
  const judge = judgeOf(options);
  const repeated = repeatFinder();
  const tally = new Tally();
  for (const file of invocation.operands) {
    for await (const order of await ordersIn(file, invocation, options)) {
      if (order.isSkipped) {
        tally.skipped++;
        continue;
      }
      const { orderId, isValid, issues: found } = judge(order);
      const large = isValid ? overMaxBytes(order, options, maxBytes) : [];
      const issues = placed(order, found, [...order.fileIssues, ...repeated(order, orderId), ...large]);
      tally.add(issues);
      tally.notCompared += order.unknownAmounts;
      if (issues.length === 0) continue;
      report(invocation, issues);
      await invocation.terminal.out.ready();
    }
  }
  if (!invocation.has('json')) summarize(invocation, tally, options);
  return tally.invalid > 0 ? EXIT.invalid : EXIT.done;
}

/** Returns a function that judges orders as `validateOrder` does. */
function judgeOf(options: PreviewOptions) {
  /** Whether the orders are written as the bodies of their requests, which is so in most files. */
  let areBodies = true;
  return (order: SourceOrder) => {
    // If the body is the same, no member is left out of it, and preparing it finds the same issues in half of the time.
    const prepared = areBodies ? preparedOrder(order, options) : null;
    if (prepared?.request) areBodies = prepared.request.body === order.json;
    if (prepared?.request && areBodies) return { ...prepared, isValid: true };
    const { order: valid, issues } = validateOrder(order.json, options);
    const orderId = valid ? valid.Id : (prepared ?? preparedOrder(order, options)).orderId;
    return { orderId, issues, isValid: valid !== null };
  };
}

/** Returns a warning if the request of a valid order is larger than the service accepts. */
function overMaxBytes(order: SourceOrder, options: PreviewOptions, maxBytes: number): FileIssue[] {
  if (order.json.length * MOST_GROWTH <= maxBytes) return [];
  const bytes = Buffer.byteLength(prepareRequest(order.json, options).body);
  if (bytes <= maxBytes) return [];
  const message = `The request of this order has ${number(bytes)} bytes: a service that accepts ${number(maxBytes)} refuses it`;
  const hint = 'split the order, or set --max-bytes to what the service accepts';
  return [fileIssue('body_over_max_bytes', message, order.spanOf([], 'value'), options, hint)];
}

/** Counts orders and issues. */
class Tally {
  valid = 0;
  invalid = 0;
  skipped = 0;
  notCompared = 0;
  codes = new Set<string>();
  readonly #severities: Record<Severity, number> = { error: 0, warning: 0, notice: 0 };

  add(issues: readonly OrderIssue[]): void {
    for (const { issue } of issues) {
      this.#severities[issue.severity]++;
      if (issue.severity !== 'notice') this.codes.add(issue.code);
    }
    if (issues.some(({ issue }) => issue.severity === 'error')) this.invalid++;
    else this.valid++;
  }

  /** "2 errors, 1 warning". */
  get issues(): string {
    const counts = Object.entries(this.#severities).filter(([, count]) => count > 0);
    return counts.map(([severity, count]) => counted(count, severity)).join(', ');
  }
}

/** Writes the issues of an order at once: a file may have millions. */
function report(invocation: Invocation, issues: readonly OrderIssue[]): void {
  const { out } = invocation.terminal;
  const shown = invocation.has('quiet') ? issues.filter(({ issue }) => issue.severity === 'error') : issues;
  const text = invocation.has('json')
    ? (each: OrderIssue) => `${jsonLine(issueJson(each))}\n`
    : (each: OrderIssue) => `${issueText(each, out)}\n\n`;
  if (shown.length > 0) out.write(shown.map(text).join(''));
}

function summarize({ terminal: { out, err } }: Invocation, tally: Tally, { version = 'v3' }: PreviewOptions): void {
  const total = tally.valid + tally.invalid;
  const issues = tally.issues ? ` (${tally.issues})` : '';
  const isValid = tally.invalid === 0;
  const subject =
    total === 1 ? 'It is' : isValid ? 'All are' : tally.invalid === 1 ? '1 is' : `${number(tally.invalid)} are`;
  const orders = ordersText(total, tally.skipped);
  const result = `Checked ${orders}${tally.skipped > 0 ? ',' : ''} for ${version}. ${subject} ${isValid ? 'valid' : 'invalid'}${issues}.`;
  out.line(
    total + tally.skipped === 0 ? 'There are no orders in the input.' : out.style(isValid ? 'green' : 'red', result),
  );
  if (tally.notCompared > 0) out.line(`${notComparedText(tally.notCompared)} Run preview to see why.`);
  const [code] = tally.codes;
  if (code && err.isTerminal) err.line(err.style('dim', `${CALLED} explain ${code} explains it.`));
}

/** Editors write a file in several steps. */
const SETTLE_MS = 100;

/** Runs an action now and after each change of a file, until Ctrl-C. Returns the last result. */
async function watchFiles(files: readonly string[], action: () => Promise<ExitCode>): Promise<ExitCode> {
  let code: ExitCode = EXIT.done;
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const again = () => {
    running = running.then(async () => {
      code = await action();
    });
    return running;
  };
  // Folders, because editors replace files.
  const watchers = [...new Set(files.map((file) => dirname(resolve(file))))].map((folder) => {
    const names = new Set(files.filter((file) => dirname(resolve(file)) === folder).map((file) => basename(file)));
    return watch(folder, (_, name) => {
      if (name === null || !names.has(name)) return;
      clearTimeout(timer);
      timer = setTimeout(again, SETTLE_MS);
    });
  });
  await again();
  await interruption();
  clearTimeout(timer);
  for (const watcher of watchers) watcher.close();
  await running;
  return code;
}
