/** Characters of East Asian scripts, and pictures, which take two columns. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u;
const INVISIBLE = /^(?:\p{Mark}|\p{Default_Ignorable_Code_Point})+$/u;
const CONTROL = /(?![\n\t])\p{Cc}|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Replaces control characters, so that text of a file or a service can't change the terminal. Line breaks and tabs stay. */
export function printable(text: string): string {
  return text.replace(CONTROL, '\ufffd');
}

/** Splits into the characters that a person sees, each with its columns. */
export function characters(text: string): { text: string; columns: number; index: number }[] {
  return [...graphemes.segment(text)].map(({ segment, index }) => ({
    text: segment,
    columns: INVISIBLE.test(segment) ? 0 : WIDE.test(segment) ? 2 : 1,
    index,
  }));
}

/** Returns the columns that a text takes on a terminal. */
export function columnsOf(text: string): number {
  return characters(text).reduce((columns, character) => columns + character.columns, 0);
}

/** Cuts a text to a number of columns, with an ellipsis if something is left out. */
export function fitted(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
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
