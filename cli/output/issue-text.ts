import type { Severity } from 'sales-order-intake';
import { codeFrame } from './code-frame.js';
import type { OrderIssue } from '../files/order-issue.js';
import { printable, printableName } from './printable-text.js';
import type { Format, Output } from './terminal.js';

const COLOURS: Record<Severity, Format> = { error: 'red', warning: 'yellow', notice: 'blue' };

/** Shows an issue as compilers do: `file:line:column: severity: message [code]`, the lines around it, and the hint. */
export function issueText({ issue, file, span }: OrderIssue, out: Output): string {
  const colour = COLOURS[issue.severity];
  // The position is at the beginning of the line.
  const message = printable(issue.message.replace(/ at line \d+ column \d+$/, ''));
  const position = out.style('bold', `${printableName(file)}:${span.line}:${span.column}:`);
  const lines = [
    `${position} ${out.style(colour, `${issue.severity}:`)} ${message} ${out.style('dim', `[${issue.code}]`)}`,
    codeFrame(span, out, colour),
  ];
  if (issue.hint) lines.push(`  ${out.style('dim', 'hint:')} ${printable(issue.hint)}`);
  return lines.join('\n');
}
