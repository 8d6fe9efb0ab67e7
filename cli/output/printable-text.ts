/** Characters of East Asian scripts, and pictures, which take two columns. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u;
const INVISIBLE = /^(?:\p{Mark}|\p{Default_Ignorable_Code_Point})+$/u;
/** Control characters, and those that change the direction of text. */
export const CONTROL = /\p{Cc}|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;
/** Matches text whose characters take one column each and need no replacement, as in most files: a quick check. */
const PLAIN = /^[\x20-\x7e]*$/;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Replaces control characters, so that text of a file or a service can't change the terminal. Line breaks and tabs stay. */
export function printable(text: string): string {
  return PLAIN.test(text) ? text : text.replace(CONTROL, (found) => (/[\n\t]/.test(found) ? found : '\ufffd'));
}

/** As `printable`, for the name of a file, which is shown in one line. */
export function printableName(file: string): string {
  return file.replace(CONTROL, '\ufffd');
}

/** Yields the characters that a person sees, each with its columns, one at a time, because the text may be long. */
function* characters(text: string): Generator<{ text: string; columns: number }, void, void> {
  for (const { segment } of graphemes.segment(text)) {
    yield { text: segment, columns: INVISIBLE.test(segment) ? 0 : WIDE.test(segment) ? 2 : 1 };
  }
}

/** Returns the columns that a text takes on a terminal. Stops counting after `most`. */
export function columnsOf(text: string, most = Number.POSITIVE_INFINITY): number {
  if (PLAIN.test(text)) return text.length;
  let columns = 0;
  for (const character of characters(text)) {
    columns += character.columns;
    if (columns >= most) break;
  }
  return columns;
}

/** Cuts a text to a number of columns, with an ellipsis if something is left out. */
export function fitted(text: string, columns: number): string {
  if (columnsOf(text, columns + 1) <= columns) return text;
  if (PLAIN.test(text)) return `${text.slice(0, Math.max(0, columns - 1))}…`;
  let taken = '';
  let left = columns - 1;
  for (const character of characters(text)) {
    left -= character.columns;
    if (left < 0) break;
    taken += character.text;
  }
  return `${taken}…`;
}

/** Breaks a paragraph into lines. Words that are longer than a line stay whole. */
export function wrapped(text: string, columns: number, indent = ''): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).filter(Boolean)) {
    if (line && columnsOf(`${indent}${line} ${word}`) > columns) {
      lines.push(line);
      line = word;
    } else {
      line = line ? `${line} ${word}` : word;
    }
  }
  if (line) lines.push(line);
  return lines.map((each) => indent + each).join('\n');
}

const NUMBER = new Intl.NumberFormat('en');

/** Formats a whole number: 5,000. */
export function number(count: number): string {
  return NUMBER.format(count);
}

/** Formats a number of things: "1 order", "5,000 orders". */
export function counted(count: number, noun: string): string {
  return `${number(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Formats numbers of orders: "37 orders, 3 skipped". */
export function ordersText(count: number, skipped: number): string {
  return [counted(count, 'order'), ...nonZero({ skipped })].join(', ');
}

/** Says that amounts of the system that wrote a file were not compared. */
export function notComparedText(count: number): string {
  return `${counted(count, 'amount')} of the file not compared: unknown in the order.`;
}

/** Returns "5,000 created" and the like, by name, of the numbers that are not 0. */
export function nonZero(numbers: Readonly<Record<string, number>>): string[] {
  return Object.entries(numbers).flatMap(([what, count]) => (count > 0 ? [`${number(count)} ${what}`] : []));
}

const RISKY = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/**
 * Returns a value as JSON in one line that can be printed: control characters and those that change the direction of text are
 * escaped, which JSON does only below U+0020. Some terminals take U+009B for the beginning of a command.
 */
export function jsonLine(value: unknown): string {
  return printableJson(JSON.stringify(value));
}

/** Escapes the same characters in JSON, or in a string of JavaScript: its value stays the same. */
export function printableJson(json: string): string {
  return json.replace(RISKY, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

export interface Column {
  /** @default left */
  align?: 'left' | 'right';
  /** The most columns of the terminal that it takes. */
  most?: number;
}

const GAP = '  ';

/** Aligns rows in columns; texts that are too long are cut. */
export function textTable(rows: readonly (readonly string[])[], columns: readonly Column[]): string[] {
  const cells = rows.map((row) => columns.map(({ most = 200 }, index) => fitted(row[index] ?? '', most)));
  const widths = columns.map((_, index) => Math.max(0, ...cells.map((row) => columnsOf(row[index] ?? ''))));
  return cells.map((row) =>
    row
      .map((cell, index) => {
        const space = ' '.repeat((widths[index] ?? 0) - columnsOf(cell));
        return columns[index]?.align === 'right' ? space + cell : cell + space;
      })
      .join(GAP)
      .trimEnd(),
  );
}
