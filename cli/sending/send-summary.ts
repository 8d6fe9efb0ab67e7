import { counted, nonZero, number, ordersText, printableName, wrapped } from '../output/printable-text.js';
import type { Delivery, Ending } from './delivery.js';
import { EXIT, type ExitCode, Problem } from '../problem.js';
import { FORGET_AFTER_DAYS } from './changes.js';
import type { Invocation } from '../arguments/invocation.js';
import type { OtherOrders } from './other-orders.js';
import { CALLED, shellWord } from '../arguments/program.js';
import type { ReportFile } from './report-file.js';
import { STDIN } from '../files/text-chunks.js';
import { responseText } from './trouble.js';

/** Prints the numbers, and what to do next. `journal` is its path. */
export function summarize(invocation: Invocation, delivery: Delivery, report: ReportFile, journal: string): void {
  const { out, err } = invocation.terminal;
  const line = `${ordersText(delivery.counts.read, delivery.counts.skipped)}: ${numbers(delivery).join(', ')}.`;
  const output = invocation.has('json') ? err : out;
  for (const text of [line, ...othersLine(delivery.others)]) output.line(text);
  const { sentence } = delivery.total;
  if (sentence !== null) err.line(err.isTerminal ? wrapped(sentence, err.width) : sentence);
  if (report.count > 0) err.line(`What failed, and why: ${printableName(report.path)}`);
  for (const text of [...observations(delivery), ...advice(invocation, delivery, journal)]) err.line(text);
}

function numbers({ counts, unsettled }: Delivery): string[] {
  const { created, createdBefore, alreadyThere, changed, refused, stalled, invalid, cancelled, givenUp } = counts;
  const others = {
    'already there': alreadyThere.count,
    'created with earlier contents': changed.count,
    refused,
    stalled,
    invalid,
    cancelled,
    'given up': givenUp,
    'not settled yet': unsettled,
  };
  const earlier = createdBefore > 0 ? ` (${number(createdBefore)} settled in earlier runs)` : '';
  return [`${number(created)} created${earlier}`, ...nonZero(others)];
}

/** Returns a line about the orders of the journal that are not in the file, if there are any (D61). */
function othersLine({ isOwn, withdrawn, counts, unsettled }: OtherOrders): string[] {
  const all = { withdrawn: withdrawn.count, ...counts, 'not settled yet': unsettled };
  const sum = Object.values(all).reduce((total, count) => total + count, 0);
  const orders = counted(sum, 'order');
  const where = isOwn
    ? `${orders} of the journal ${sum === 1 ? 'is' : 'are'} no longer in the file`
    : `The journal has ${orders} of other files`;
  return sum === 0 ? [] : [`${where}: ${nonZero(all).join(', ')}.`];
}

/** Returns sentences about single orders. */
function observations({ counts, notFoundUrl, others: { withdrawn } }: Delivery): string[] {
  const { corrected, alreadyThere, changed, skippedUnsent, skippedLate } = counts;
  const equal = alreadyThere.count === 1 ? 'an equal order with its Id' : 'equal orders with their Ids';
  return [
    corrected > 0 && `${counted(corrected, 'changed order')} replaced what was not created before.`,
    withdrawn.count > 0 &&
      `Withdrawn, never sent: ${withdrawn.text}. What is in the file again is sent by the next run.`,
    alreadyThere.count > 0 &&
      `Already there: ${alreadyThere.text}. The service had ${equal} before: two sales may share a key.`,
    skippedUnsent.count > 0 && `Skipped now, and withdrawn, never sent: ${skippedUnsent.text}.`,
    skippedLate.count > 0 &&
      `Skipped after they were sent: ${skippedLate.text}. They are or may be at the point of sale: cancel them there.`,
    changed.count > 0 &&
      `Changed after they were sent: ${changed.text}. The point of sale has the earlier contents: correct them there.`,
    notFoundUrl !== undefined && `HTTP 404 from ${notFoundUrl}: check --base-url, CompanyId and EntityId.`,
  ].filter((text) => text !== false);
}

function advice(invocation: Invocation, delivery: Delivery, journal: string): string[] {
  const { ending, suspectUrl, counts } = delivery;
  const { refused, stalled } = counts;
  const outbox = (rest: string) => `${CALLED} outbox ${shellWord(journal)} ${rest}`;
  const resume = resumeText(invocation);
  const { isProven, last: suspect } = delivery.suspicion;
  const none = isProven ? 'No order was created in the last minute' : 'No order was created';
  const what = isProven ? 'CompanyId and EntityId of the orders that are left' : '--base-url';
  const texts: Record<Ending, string[]> = {
    settled: [],
    failed: [resume],
    interrupted: [resume],
    time: [`The time of --stop-after is over. ${resume}`],
    token: [`The service refused the token. Get a new one. ${resume}`],
    suspect: [
      `${none}, and responses may not come from the service: ${suspect ? responseText(suspect) : ''} from ${suspectUrl}`,
      `Check ${what} and the token's permissions. The orders wait in the journal. ${resume}`,
    ],
  };
  const atService = counts.created + counts.alreadyThere.count;
  return [
    ...texts[ending],
    ending === 'settled' &&
      refused > 0 &&
      `To send refused orders once more, unchanged: ${outbox('retry --state refused')}`,
    stalled + stalledOthers(delivery) > 0 &&
      `Stalled orders may be at the service. Look for them there first: ${outbox('list --state stalled')}`,
    ending === 'settled' &&
      atService > counts.forgotten &&
      atService === counts.settled &&
      `The journal has personal data; send deletes it after ${FORGET_AFTER_DAYS} days. To delete it now:\n  ${outbox('forget --state created')}`,
  ].filter((text) => text !== false);
}

/** Returns the number of orders that may be at the service although they are no longer in their file. */
function stalledOthers({ others }: Delivery): number {
  return others.isOwn ? others.counts.stalled : 0;
}

export function exitCode(delivery: Delivery): ExitCode {
  const { counts, others, failure, ending } = delivery;
  const unsettled = delivery.unsettled + (others.isOwn ? others.unsettled : 0);
  const stalled = counts.stalled + stalledOthers(delivery);

  if (ending === 'token') return EXIT.authentication;
  if (failure instanceof Problem) return failure.exitCode;
  if (ending === 'suspect' || unsettled > 0 || !counts.isRead || stalled > 0) return EXIT.unknown;
  const { refused, invalid, changed, skippedLate } = counts;
  return refused + invalid + changed.count + skippedLate.count > 0 ? EXIT.invalid : EXIT.done;
}

/** Returns the same command, which continues. */
export function resumeText(invocation: Invocation): string {
  const words = process.argv.slice(2).map(shellWord).join(' ');
  const again = `${CALLED} ${words}`;
  return invocation.operand === STDIN ? `To resume, give the same orders to: ${again}` : `To resume: ${again}`;
}
