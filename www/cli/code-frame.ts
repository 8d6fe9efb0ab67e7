import { characters, printable } from './printable-text.js';
import type { Span } from './source/position.js';
import type { Format, Output } from './terminal.js';

const BEFORE = 2;
const AFTER = 1;

/** Draws the lines around a value, with the value underlined. Long lines are cut so that the value stays in view. */
export function codeFrame({ line, column, length, lines, firstLine }: Span, out: Output, colour: Format): string {
  const first = Math.max(firstLine, line - BEFORE);
  const last = Math.min(firstLine + lines.length - 1, line + AFTER);
  const margin = String(last).length;
  const room = Math.max(20, out.width - margin - 6);
  const from = windowStart(lines[line - firstLine] ?? '', column - 1, length, room);
  const frame: string[] = [];
  for (let number = first; number <= last; number++) {
    const text = cut(lines[number - firstLine] ?? '', from, room);
    const isIt = number === line;
    const gutter = `${isIt ? '>' : ' '} ${String(number).padStart(margin)} | `;
    frame.push(`${isIt ? out.style(colour, gutter) : out.style('dim', gutter)}${text}`.trimEnd());
    if (!isIt) continue;
    const { indent, width } = underline(lines[number - firstLine] ?? '', column - 1, length, from, room);
    frame.push(
      `${out.style('dim', `  ${' '.repeat(margin)} | `)}${' '.repeat(indent)}${out.style(colour, '^'.repeat(width))}`,
    );
  }
  return frame.join('\n');
}

/** Where the part of the lines that is shown begins. */
function windowStart(text: string, start: number, length: number, room: number): number {
  if (columnsUpTo(text, text.length) <= room) return 0;
  const end = Math.min(start + length, start + Math.floor(room / 2));
  if (columnsUpTo(text, end) <= room - 1) return 0;
  // Two thirds of what is shown come after the beginning of the value, unless the line ends before.
  return Math.max(0, Math.min(start - Math.floor(room / 3), text.length - room + 2));
}

function cut(text: string, from: number, room: number): string {
  let shown = from > 0 ? '…' : '';
  let columns = shown.length;
  for (const character of characters(visible(text))) {
    if (character.index < from) continue;
    if (columns + character.columns > room - 1 && character.index + character.text.length < text.length)
      return `${shown}…`;
    shown += character.text;
    columns += character.columns;
  }
  return shown;
}

function underline(text: string, start: number, length: number, from: number, room: number) {
  const before = columnsUpTo(text, start) - columnsUpTo(text, from) + (from > 0 ? 1 : 0);
  const width = columnsUpTo(text, start + length) - columnsUpTo(text, start);
  return { indent: before, width: Math.max(1, Math.min(width, room - before)) };
}

function columnsUpTo(text: string, end: number): number {
  return characters(visible(text.slice(0, end))).reduce((sum, { columns }) => sum + columns, 0);
}

/** Tabs are as wide as a space here, so that the value is found under its line. */
function visible(text: string): string {
  return printable(text).replaceAll('\t', ' ');
}
