import type { Severity } from 'sales-order-intake';
import type { OrderIssue } from '../files/order-issue.js';
import { columnsOf, fitted, printable, printableName } from './printable-text.js';
import type { Format, Output } from './terminal.js';
import { REACH, type Span } from '../files/position.js';

export const COLOURS: Record<Severity, Format> = { error: 'red', warning: 'yellow', notice: 'blue' };

/** Shows an issue as compilers do: `file:line:column: severity: message [code] (order KEY)`, the lines around it, and the hint. */
export function issueText({ issue, file, key, span }: OrderIssue, out: Output): string {
  const colour = COLOURS[issue.severity];
  // The position is at the beginning of the line.
  const message = printable(issue.message.replace(/ at line \d+ column \d+$/, ''));
  const position = out.style('bold', `${printableName(file)}:${span.line}:${span.column}:`);
  const origin = `[${issue.code}]${key === null ? '' : ` (order ${printableName(key)})`}`;
  const lines = [
    `${position} ${out.style(colour, `${issue.severity}:`)} ${message} ${out.style('dim', origin)}`,
    codeFrame(span, out, colour),
  ];
  if (issue.hint) lines.push(`  ${out.style('dim', 'hint:')} ${printable(issue.hint)}`);
  return lines.join('\n');
}

/** Matches the rest of a character that was cut in its middle. */
const REST_OF_CHARACTER = /^[\udc00-\udfff]?[\p{Mark}\p{Default_Ignorable_Code_Point}]*/u;

/** Draws the lines around a value, with the value underlined. Long lines are cut so that the value stays in view. */
export function codeFrame(span: Span, out: Output, colour: Format): string {
  const { line, column, length, lines, firstLine, leftOut } = span;
  const margin = String(firstLine + lines.length - 1).length;
  const room = Math.min(Math.max(20, out.width - margin - 6), REACH / 2);
  const windows = lines.map(visible);
  const shown = windows[line - firstLine] ?? '';
  const start = column - 1 - leftOut;
  const isCutBefore = leftOut > 0;
  const from = windowStart(shown, start, length, room, isCutBefore);
  const isCut = isCutBefore || from > 0;
  const frame: string[] = [];
  for (const [index, text] of windows.entries()) {
    const number = firstLine + index;
    const isIt = number === line;
    const gutter = `${isIt ? '>' : ' '} ${String(number).padStart(margin)} | `;
    frame.push(`${out.style(isIt ? colour : 'dim', gutter)}${cut(text, from, room, isCut)}`.trimEnd());
    if (!isIt) continue;
    const indent = columnsOf(text.slice(from, start), room) + (isCut ? 1 : 0);
    const width = columnsOf(text.slice(start, start + length), room);
    const marks = '^'.repeat(Math.max(1, Math.min(width, room - indent)));
    frame.push(`${out.style('dim', `  ${' '.repeat(margin)} | `)}${' '.repeat(indent)}${out.style(colour, marks)}`);
  }
  return frame.join('\n');
}

/** Returns the beginning of the part of the lines that is shown. */
function windowStart(text: string, start: number, length: number, room: number, isCutBefore: boolean): number {
  if (!isCutBefore) {
    if (columnsOf(text, room + 1) <= room) return 0;
    const end = Math.min(start + length, start + Math.floor(room / 2));
    if (columnsOf(text.slice(0, end), room) <= room - 1) return 0;
  }
  // Two thirds of the columns come after the beginning of the value, unless the line ends before.
  const from = Math.max(0, Math.min(start - Math.floor(room / 3), text.length - room + 2));
  const [rest = ''] = REST_OF_CHARACTER.exec(text.slice(from, start)) ?? [];
  return from + rest.length;
}

function cut(text: string, from: number, room: number, isCut: boolean): string {
  const before = isCut && text !== '' ? '…' : '';
  return before + fitted(text.slice(from), room - before.length);
}

/** Replaces tabs with a space, so that the underline is below the value. */
function visible(text: string): string {
  return printable(text).replaceAll('\t', ' ');
}
