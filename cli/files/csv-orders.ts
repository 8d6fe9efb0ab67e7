import { deriveOrderId, type PreviewOptions } from 'sales-order-intake';
import { fileProblem, usageProblem } from '../problem.js';
import type { CsvMapping, RecordMapping } from './csv-mapping.js';
import { type CsvRow, missingColumns, openCsv, spanOfCell } from './csv-rows.js';
import { decimalHint, memberWriter } from './csv-values.js';
import type { Part, Span } from './position.js';
import { type FileIssue, fileIssue, type SourceOrder } from './source-order.js';
import { CORE_LIMIT, type Stream } from './text-chunks.js';

/** Makes orders of the rows of a CSV file. Rows of one order follow each other. */
export async function* csvOrders(
  file: string,
  chunks: Stream<string>,
  mapping: CsvMapping,
  options: PreviewOptions,
): Stream<SourceOrder> {
  const { delimiter, pieces } = await openCsv(file, chunks, mapping);
  let table: Table | undefined;
  let rows: Rows | undefined;
  let characters = 0;
  let key = '';
  for await (const piece of pieces) {
    for (const row of piece) {
      if (!table) {
        table = new Table(file, row, { ...mapping, delimiter }, options);
        continue;
      }
      const next = table.keyOf(row);
      if (rows && next !== key) {
        yield table.order(rows, key);
        rows = undefined;
        characters = 0;
      }
      key = next;
      // The first row beyond the limit is kept, so that the order is reported as too large; later ones are left out.
      if (!rows) rows = [row];
      else if (characters <= CORE_LIMIT && rows.length <= MOST_ITEMS) rows.push(row);
      characters += row.raw.length;
    }
  }
  if (!table) throw fileProblem(`${file} is empty; the first row must name the columns`);
  if (rows) yield table.order(rows, key);
}

const SAY_DECIMAL =
  'set "decimal": "." in the mapping; or "decimal": "," and "thousands": "." if the point separates thousands';
/** As spreadsheets write a number with more digits than they keep: 1.00025E+17. */
const SCIENTIFIC = /^[+-]?\d+(?:[.,]\d*e[+-]?\d+|e[+-]\d+)$/i;
/** Matches a key whose characters are all what they seem to be, as most are. */
const PLAIN = /^[\x20-\x7e]*$/;
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}]/gu;
/** The limit of the core, which reports an order with one more item. */
const MOST_ITEMS = 100_000;

type Rows = [CsvRow, ...CsvRow[]];

/** A cell, or all of its row. */
interface Cell {
  row: CsvRow;
  /** Undefined for the row. */
  index: number | undefined;
}

/** A column by its name, and by its index in this file. */
interface Column {
  name: string;
  index: number;
}

/** A member of a record in this file. */
interface Member {
  name: string;
  /** Undefined if the mapping has the value. */
  index: number | undefined;
  /** Returns the JSON of the member, name and value, with the text of the cell. */
  jsonOf(text: string): string;
}

/** A file with its columns. */
class Table {
  readonly #file: string;
  readonly #mapping: CsvMapping;
  readonly #options: PreviewOptions;
  readonly #delimiter: string;
  /** The number of columns: some may have no name, or the same one. */
  readonly #width: number;
  readonly #key: readonly Column[];
  readonly #orderColumns: readonly Column[];
  readonly #order: readonly Member[];
  readonly #items: readonly Member[];
  readonly #taxes: readonly (readonly Member[])[];
  readonly #discounts: readonly (readonly Member[])[];
  /** The columns of Quantity and SellAtPricePerUnit if a point in a quantity may mean a thousand. */
  readonly #unclear: { quantity: number; price: number | undefined } | undefined;
  /** The first line of each key. */
  readonly #seen = new Map<string, number>();
  /** The first line of each key that is written with other characters than it seems to be, by what it seems to be. */
  readonly #disguised = new Map<string, number>();

  constructor(file: string, header: CsvRow, mapping: CsvMapping & { delimiter: string }, options: PreviewOptions) {
    this.#file = file;
    this.#mapping = mapping;
    this.#options = options;
    this.#delimiter = mapping.delimiter;
    const names = header.cells;
    this.#width = names.length;
    const missing = mapping.columns.filter((column) => !names.includes(column));
    if (missing.length > 0) {
      const known = [...new Set(names)].filter((name) => name !== '').map((name) => `"${name}"`);
      throw missingColumns(file, missing, `The columns are ${known.join(', ')}.`);
    }
    const twice = mapping.columns.find((column) => names.indexOf(column) !== names.lastIndexOf(column));
    if (twice !== undefined) {
      const [first, last] = [names.indexOf(twice), names.lastIndexOf(twice)];
      const { line, column } = this.#span({ row: header, index: last });
      const problem = `${file}:${line}:${column}: columns ${first + 1} and ${last + 1} are both named "${twice}", which the mapping names`;
      throw usageProblem(problem, 'Rename one of them in the file, or delete it.');
    }
    const columnOf = (name: string) => ({ name, index: names.indexOf(name) });
    const membersOf = (record: RecordMapping): Member[] =>
      Object.entries(record).map(([name, { column, value }]) => ({
        name,
        index: column === undefined ? undefined : names.indexOf(column),
        jsonOf: memberWriter(name, column === undefined ? JSON.stringify(value) : undefined, mapping),
      }));
    this.#key = mapping.key.map(columnOf);
    this.#orderColumns = mapping.orderColumns.map(columnOf);
    this.#order = membersOf(mapping.order);
    this.#items = membersOf(mapping.items);
    this.#taxes = mapping.taxes.map(membersOf);
    this.#discounts = mapping.discounts.map(membersOf);
    const { Quantity, SellAtPricePerUnit } = Object.fromEntries(this.#items.map(({ name, index }) => [name, index]));
    if (!mapping.saysDecimals && Quantity !== undefined)
      this.#unclear = { quantity: Quantity, price: SellAtPricePerUnit };
  }

  /** Returns what identifies the order of a row; empty if a cell of the key is. */
  keyOf({ cells }: CsvRow): string {
    const [{ index }] = this.#key as [Column];
    if (this.#key.length === 1) return cells[index] ?? '';
    const values = this.#key.map((column) => cells[column.index] ?? '');
    return values.includes('') ? '' : JSON.stringify(values);
  }

  order(rows: Rows, key: string): SourceOrder {
    const { idSource } = this.#mapping;
    const [first] = rows;
    return {
      file: this.#file,
      json: this.#json(rows, key),
      key: key === '' ? null : key,
      idSource,
      start: { line: first.line, column: 1 },
      fileIssues: this.#issuesOf(rows, key),
      spanOf: (path, _part: Part) => this.#span(this.#cellAt(rows, path)),
      spanInJson: () => this.#span({ row: first, index: undefined }),
      // A number is not written as in JSON.
      hintOf: ({ code, path }) => {
        const { row, index } = this.#cellAt(rows, path);
        const isDecimal = code === 'not_a_decimal' && index !== undefined;
        return isDecimal ? decimalHint(row.cells[index] ?? '', this.#mapping) : undefined;
      },
    };
  }

  /** Returns the JSON of an order. */
  #json(rows: Rows, key: string): string {
    const record = (members: readonly Member[]) => `{${this.#membersOf(rows, members)}}`;
    const id = this.#idOf(key);
    const taxes = this.#present(rows, this.#taxes).map(record);
    const discounts = this.#present(rows, this.#discounts).map(record);
    const items = rows.map((row) => `{${this.#membersOf([row], this.#items)}}`);
    const members = [
      id && `"Id":"${id}"`,
      this.#membersOf(rows, this.#order),
      `"Items":[${items}]`,
      taxes.length > 0 && `"Taxes":[${taxes}]`,
      discounts.length > 0 && `"Discount":{"InvoiceLevel":[${discounts}]}`,
    ];
    return `{${members.filter(Boolean)}}`;
  }

  /** Returns the members of a record whose cells are not empty, without braces. */
  #membersOf(rows: Rows, members: readonly Member[]): string {
    let json = '';
    for (const { index, jsonOf } of members) {
      const text = index === undefined ? '' : this.#textOf(rows, index);
      if (text !== '' || index === undefined) json += json === '' ? jsonOf(text) : `,${jsonOf(text)}`;
    }
    return json;
  }

  /** Returns the taxes or discounts of an order: one whose amount is empty or zero is left out. */
  #present(rows: Rows, records: readonly (readonly Member[])[]): readonly (readonly Member[])[] {
    const isPresent = ({ name, index, jsonOf }: Member): boolean => {
      if (!AMOUNTS.includes(name) || index === undefined) return true;
      const text = this.#textOf(rows, index);
      return text !== '' && !ZERO.test(jsonOf(text));
    };
    return records.length === 0 ? records : records.filter((members) => members.every(isPresent));
  }

  /** Returns the text of the first row in which the cell is not empty. */
  #textOf(rows: Rows, index: number): string {
    return this.#rowOf(rows, index).cells[index] ?? '';
  }

  #rowOf(rows: Rows, index: number): CsvRow {
    const [first] = rows;
    return first.cells[index] || rows.length === 1 ? first : (rows.find(({ cells }) => cells[index]) ?? first);
  }

  /** Finds the cell of a value of an order; that of the key, or the row, if the value has none. */
  #cellAt(rows: Rows, [top, second, third, fourth]: readonly (string | number)[]): Cell {
    const [first] = rows;
    const of = (members: readonly Member[] | undefined, name: unknown, among: Rows): Cell => {
      const index = members?.find((member) => member.name === name)?.index;
      return { row: index === undefined ? among[0] : this.#rowOf(among, index), index };
    };
    if (top === 'Id' && this.#mapping.namespace !== undefined) return { row: first, index: this.#key[0]?.index };
    if (top === 'Items') return of(this.#items, third, [rows[Number(second)] ?? first]);
    if (top === 'Taxes') return of(this.#present(rows, this.#taxes)[Number(second)], third, rows);
    if (second === 'InvoiceLevel') return of(this.#present(rows, this.#discounts)[Number(third)], fourth, rows);
    return of(this.#order, top, rows);
  }

  #idOf(key: string): string | undefined {
    const { namespace } = this.#mapping;
    try {
      return namespace === undefined || key === '' ? undefined : deriveOrderId(namespace, key);
    } catch (error) {
      // A namespace that RFC 9562 publishes.
      throw usageProblem((error as Error).message.replace('deriveOrderId: ', 'namespace of the mapping: '));
    }
  }

  #issuesOf(rows: Rows, key: string): FileIssue[] {
    const [row] = rows;
    const issues: FileIssue[] = [];
    const add = (code: FileIssue['code'], cell: Cell, message: string, hint?: string) =>
      issues.push({ ...fileIssue(code, message, this.#span(cell), this.#options), hint });
    let characters = 0;
    for (const { raw } of rows) characters += raw.length;
    if (characters > CORE_LIMIT) {
      const message = `The rows of this order have more than ${CORE_LIMIT} characters`;
      add('csv_order_long', { row, index: undefined }, message, 'split it into several orders');
    }
    for (const row of rows) {
      const { length } = row.cells;
      if (length !== this.#width) {
        const message = `The row has ${length} cells, but there are ${this.#width} columns`;
        add('csv_cells', { row, index: undefined }, message, 'put a cell that has the delimiter into quotes');
      }
      const index = this.#unclearQuantity(row);
      if (index !== undefined)
        add('csv_decimal_unclear', { row, index }, 'The quantity is read with a decimal point', SAY_DECIMAL);
    }
    const [{ name: column, index }] = this.#key as [Column];
    if (key === '') {
      add('csv_key_empty', { row, index }, `The row has no ${column}, which identifies its order`);
      return issues;
    }
    for (const { name, index } of this.#key) {
      const text = row.cells[index] ?? '';
      if (!SCIENTIFIC.test(text)) continue;
      const message = `${name} is ${text}, which a spreadsheet has rounded: other orders may have the same`;
      add('csv_key_rounded', { row, index }, message, 'format the column as text, and export the file again');
    }
    const earlier = this.#seen.get(key);
    if (earlier === undefined) {
      this.#seen.set(key, row.line);
      const alike = this.#lineOfAlike(key, row.line);
      if (alike !== undefined) {
        const message = `${column} looks like that of line ${alike}, but has other characters: this is another order`;
        add(
          'csv_keys_alike',
          { row, index },
          message,
          'if both are one order, write the key the same in all of its rows',
        );
      }
    } else {
      const message = `Rows of this order are also at line ${earlier}: rows of one order must follow each other`;
      add('csv_rows_apart', { row, index }, message, `sort the file by ${column}`);
    }
    if (rows.length === 1) return issues;
    // A cell contradicts the value of a column of the order.
    const valid = this.#orderColumns.map(({ index }) => this.#rowOf(rows, index));
    for (const row of rows) {
      for (const [n, { name, index }] of this.#orderColumns.entries()) {
        const text = row.cells[index] ?? '';
        const { cells, line } = valid[n] ?? row;
        if (text === '' || text === cells[index]) continue;
        const message = `${name} differs from line ${line}, which is a row of the same order`;
        add('csv_row_differs', { row, index }, message);
      }
    }
    return issues;
  }

  /** Returns the line of another key that looks the same, and notes this one. */
  #lineOfAlike(key: string, line: number): number | undefined {
    const isPlain = PLAIN.test(key);
    if (isPlain && this.#disguised.size === 0) return undefined;
    const shown = isPlain ? key : key.normalize('NFKC').replace(UNSEEN, '');
    const alike = this.#disguised.get(shown) ?? (shown === key ? undefined : this.#seen.get(shown));
    if (shown !== key && alike === undefined) this.#disguised.set(shown, line);
    return alike;
  }

  /**
   * Returns the column of a quantity such as 1.000 if the mapping says nothing about decimals: it may be a thousand. Another number
   * of the row, such as 12.50, shows that 1.250 is none.
   */
  #unclearQuantity({ cells }: CsvRow): number | undefined {
    if (!this.#unclear) return undefined;
    const { quantity, price } = this.#unclear;
    const text = cells[quantity] ?? '';
    if (!/^[+-]?[1-9]\d{0,2}\.\d{3}$/.test(text)) return undefined;
    const isClear = price !== undefined && /\.(?!\d{3}$)/.test(cells[price] ?? '');
    return isClear && !text.endsWith('.000') ? undefined : quantity;
  }

  #span({ row, index }: Cell): Span {
    return spanOfCell(row, index, this.#delimiter);
  }
}

/** The amounts of taxes and discounts. */
const AMOUNTS = ['TaxAmount', 'Value'];
/** The JSON of a member whose value is zero. */
const ZERO = /:"?-?0+(?:\.0*)?"?$/;
