import type { CellIssue } from './csv-orders.js';
import { type CsvRow, SCIENTIFIC } from './csv-rows.js';
import { rowsApart } from './source-order.js';

/** A column by its name, and by its index in this file. */
export interface Column {
  name: string;
  index: number;
}

/** Matches a key whose characters are all what they seem to be, as most are. */
const PLAIN = /^[\x20-\x7e]*$/;
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}]/gu;

/** The keys of the orders of a file. */
export class CsvKeys {
  readonly #columns: readonly Column[];
  /** The first line of each key. */
  readonly #seen = new Map<string, number>();
  /** The first line of each key that is written with other characters than it seems to be, by what it seems to be. */
  readonly #disguised = new Map<string, number>();
  /** Keys whose first rows skip their order. */
  readonly #skipped = new Set<string>();

  /** Makes them of one or more columns. */
  constructor(columns: readonly Column[]) {
    this.#columns = columns;
  }

  /** The first column. */
  get index(): number | undefined {
    return this.#columns[0]?.index;
  }

  /** Returns what identifies the order of a row; empty if a cell of the key is. */
  of({ cells }: CsvRow): string {
    if (this.#columns.length === 1) return cells[this.index ?? 0] ?? '';
    const values = this.#columns.map((column) => cells[column.index] ?? '');
    return values.includes('') ? '' : JSON.stringify(values);
  }

  /** Returns the parts of the key of a row that a spreadsheet has rounded. */
  roundedIn({ cells }: CsvRow): (Column & { text: string })[] {
    const parts = this.#columns.map((column) => ({ ...column, text: cells[column.index] ?? '' }));
    return parts.filter(({ text }) => SCIENTIFIC.test(text));
  }

  /** Adds the issues of the next key, which the first row of its order has. */
  addIssues(issues: CellIssue[], key: string, row: CsvRow, isSkipped: boolean): void {
    const [{ name, index } = { name: '', index: 0 }] = this.#columns;
    const cell = { row, index };
    if (key === '') {
      issues.push(['csv_key_empty', cell, `The row has no ${name}, which identifies its order`]);
      return;
    }
    for (const { name, index, text } of this.roundedIn(row)) {
      const message = `${name} is ${text}, which a spreadsheet has rounded: other orders may have the same`;
      issues.push(['csv_key_rounded', { row, index }, message, 'format the column as text, and export the file again']);
    }
    const earlier = this.#seen.get(key);
    if (isSkipped && earlier === undefined) this.#skipped.add(key);
    // Nothing of such an order is sent.
    const isLeftOut = isSkipped && this.#skipped.has(key);
    const alike = earlier === undefined ? this.#lineOfAlike(key, row.line) : undefined;
    if (earlier !== undefined && !isLeftOut) {
      issues.push(['csv_rows_apart', cell, rowsApart(earlier), `sort the file by ${name}`]);
    } else if (alike !== undefined) {
      const message = `${name} looks like that of line ${alike}, but has other characters: this is another order`;
      const hint = 'if both are one order, write the key the same in all of its rows';
      issues.push(['csv_keys_alike', cell, message, hint]);
    }
  }

  /** Adds the issue of an order that a row without a key follows. */
  addUnclear(issues: CellIssue[], row: CsvRow): void {
    const [{ name, index } = { name: '', index: 0 }] = this.#columns;
    const message = `The row after this order has no ${name}, so it may be a part of the order`;
    issues.push(['csv_key_empty', { row, index }, message]);
  }

  /** Returns the line of another key that looks the same. Remembers this one. */
  #lineOfAlike(key: string, line: number): number | undefined {
    this.#seen.set(key, line);
    const isPlain = PLAIN.test(key);
    if (isPlain && this.#disguised.size === 0) return undefined;
    const shown = isPlain ? key : key.normalize('NFKC').replace(UNSEEN, '');
    const alike = this.#disguised.get(shown) ?? (shown === key ? undefined : this.#seen.get(shown));
    if (shown !== key && alike === undefined) this.#disguised.set(shown, line);
    return alike;
  }
}
