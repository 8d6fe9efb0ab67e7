import {
  compareAmounts,
  type DecimalString,
  deriveOrderId,
  type Issue,
  type PreviewOptions,
  previewOrder,
} from 'sales-order-intake';
import { fileProblem, usageProblem } from '../problem.js';
import type { Conditions, CsvMapping, RecordMapping } from './csv-mapping.js';
import { type Member, membersOf, type OrderRows, type Rows, rowWith } from './csv-members.js';
import { type CsvRow, missingColumns, openCsv, SCIENTIFIC, spanOfCell } from './csv-rows.js';
import { decimalHint, decimalIn, isZero, withoutSign } from './csv-values.js';
import type { Part, Span } from './position.js';
import { type FileIssue, fileIssue, type SourceOrder } from './source-order.js';
import { CORE_LIMIT, type Stream } from './text-chunks.js';

/**
 * Makes orders of the rows of a CSV file. Rows of one order follow each other.
 *
 * @param options With them the amounts are calculated that the mapping compares; with `strict`, warnings about the file are errors.
 */
export async function* csvOrders(
  file: string,
  chunks: Stream<string>,
  mapping: CsvMapping,
  options: PreviewOptions,
): Stream<SourceOrder> {
  const { delimiter, pieces } = await openCsv(file, chunks, mapping);
  let table: Table | undefined;
  let rows: [CsvRow, ...CsvRow[]] | undefined;
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
const DIVISOR = 'the amount is divided by this quantity, which must be a number other than 0';
/** Matches a key whose characters are all what they seem to be, as most are. */
const PLAIN = /^[\x20-\x7e]*$/;
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}]/gu;
/** The limit of the core, which reports an order with one more item. */
const MOST_ITEMS = 100_000;

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

/** A column with the values that are meant; true for any value. */
interface Condition extends Column {
  values: true | ReadonlySet<string>;
}

type Members = readonly Member[];

/** The records of an order that are not left out. */
interface Parts extends OrderRows {
  extraItems: readonly Members[];
  taxes: readonly Members[];
  discounts: readonly Members[];
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
  readonly #skip: readonly Condition[];
  readonly #itemRows: readonly Condition[];
  /** Those of the items: a row in which all are empty has no item. */
  readonly #itemColumns: readonly number[];
  readonly #order: Members;
  readonly #items: Members;
  readonly #extraItems: readonly Members[];
  readonly #taxes: readonly Members[];
  readonly #discounts: readonly Members[];
  readonly #expected: Members;
  /** Whether values are looked up. */
  readonly #hasLookups: boolean;
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
    if (missing.length > 0) throw missingColumns(file, missing, names);
    const twice = mapping.columns.find((column) => names.indexOf(column) !== names.lastIndexOf(column));
    if (twice !== undefined) {
      const [first, last] = [names.indexOf(twice), names.lastIndexOf(twice)];
      const { line, column } = this.#span({ row: header, index: last });
      const problem = `${file}:${line}:${column}: columns ${first + 1} and ${last + 1} are both named "${twice}", which the mapping names`;
      throw usageProblem(problem, 'Rename one of them in the file, or delete it.');
    }
    const columnOf = (name: string) => ({ name, index: names.indexOf(name) });
    const conditionsOf = (conditions: Conditions) =>
      Object.entries(conditions).map(([name, values]) => ({
        ...columnOf(name),
        values: values === true || new Set(values),
      }));
    this.#key = mapping.key.map(columnOf);
    this.#orderColumns = mapping.orderColumns.map(columnOf);
    this.#skip = conditionsOf(mapping.skip);
    this.#itemRows = conditionsOf(mapping.itemRows);
    const of = (record: RecordMapping) => membersOf(record, names, mapping);
    this.#order = of(mapping.order);
    this.#items = of(mapping.items);
    this.#itemColumns = this.#items.flatMap(({ index }) => index ?? []);
    this.#extraItems = mapping.extraItems.map(of);
    this.#taxes = mapping.taxes.map(of);
    this.#discounts = mapping.discounts.map(of);
    this.#expected = of(mapping.expect);
    this.#hasLookups = mapping.lookups.length > 0;
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
    const parts = this.#partsOf(rows);
    const json = this.#json(parts, key);
    const skipping = this.#skipping(rows);
    const fileIssues = this.#issuesOf(rows, parts, key, skipping);
    const isCompared = this.#expected.length > 0 && skipping !== true;
    return {
      file: this.#file,
      json,
      key: key === '' ? null : key,
      idSource,
      start: { line: first.line, column: 1 },
      isSkipped: skipping === true,
      fileIssues,
      unknownAmounts: isCompared ? this.#addDifferences(parts, json, fileIssues) : 0,
      spanOf: (path, _part: Part) => this.#span(this.#cellAt(parts, path)),
      spanInJson: () => this.#span({ row: first, index: undefined }),
      // A number is not written as in JSON.
      hintOf: ({ code, path }) => {
        const { row, index } = this.#cellAt(parts, path);
        if (code !== 'not_a_decimal' || index === undefined) return undefined;
        if (this.#memberAt(parts, path)[0]?.divisor === index) return DIVISOR;
        return decimalHint(row.cells[index] ?? '', this.#mapping);
      },
      isReported: (issue) => this.#hasLookups && this.#isNotFound(parts, issue),
    };
  }

  /** Returns the rows and the records of an order. */
  #partsOf(rows: Rows): Parts {
    let items: readonly CsvRow[] = rows;
    let order = rows;
    if (this.#itemRows.length > 0) {
      const hasItem = (row: CsvRow) => this.#itemRows.some((condition) => isMet(condition, row));
      const [first, ...others] = rows.filter((row) => !hasItem(row));
      items = rows.filter(hasItem);
      if (first) order = [first, ...others];
    }
    const columns = this.#itemColumns;
    const isItem = ({ cells }: CsvRow) => columns.some((index) => cells[index]);
    if (columns.length > 0 && !items.every(isItem)) items = items.filter(isItem);
    const all = { order, items };
    const present = (records: readonly Members[]) =>
      records.length === 0 ? records : records.filter((record) => isPresent(record, all));
    return {
      ...all,
      extraItems: present(this.#extraItems),
      taxes: present(this.#taxes),
      discounts: present(this.#discounts),
    };
  }

  /** Returns the JSON of an order. */
  #json(parts: Parts, key: string): string {
    const record = (members: Members) => `{${jsonOf(members, parts)}}`;
    const id = this.#idOf(key);
    const items = parts.items.map((row) => `{${jsonOf(this.#items, itemRow(row))}}`);
    const taxes = parts.taxes.map(record);
    const discounts = parts.discounts.map((members) => `{${jsonOf(members, parts, true)}}`);
    const members = [
      id && `"Id":"${id}"`,
      jsonOf(this.#order, parts),
      `"Items":[${[...items, ...parts.extraItems.map(record)]}]`,
      taxes.length > 0 && `"Taxes":[${taxes}]`,
      discounts.length > 0 && `"Discount":{"InvoiceLevel":[${discounts}]}`,
    ];
    return `{${members.filter(Boolean)}}`;
  }

  /**
   * Returns true if an order is skipped, the cell that contradicts the others if that is unclear, and undefined if it is not
   * skipped. A row with another number of cells says nothing: its cells may be in other columns.
   */
  #skipping(rows: Rows): true | Cell | undefined {
    if (this.#skip.length === 0 || rows.some(({ cells }) => cells.length !== this.#width)) return undefined;
    let unclear: Cell | undefined;
    for (const condition of this.#skip) {
      const { index } = condition;
      const [first = rows[0], ...others] = rows.filter(({ cells }) => cells[index]);
      const isSkipped = isMet(condition, first);
      const row = others.find((each) => isMet(condition, each) !== isSkipped);
      if (row) unclear ??= { row, index };
      else if (isSkipped) return true;
    }
    return unclear;
  }

  /** Finds the member at a path, and the rows that it is about. */
  #memberAt(parts: Parts, [top, second, third, fourth]: readonly (string | number)[]): [Member | undefined, OrderRows] {
    const of = (
      members: Members | undefined,
      name: unknown,
      rows: OrderRows = parts,
    ): [Member | undefined, OrderRows] => [members?.find((member) => member.name === name), rows];
    if (top === 'Items') {
      const row = parts.items[Number(second)];
      if (row) return of(this.#items, third, itemRow(row));
      return of(parts.extraItems[Number(second) - parts.items.length], third);
    }
    if (top === 'Taxes') return of(parts.taxes[Number(second)], third);
    if (second === 'InvoiceLevel') return of(parts.discounts[Number(third)], fourth);
    return of(this.#order, top);
  }

  /** Finds the cell of a value of an order; that of the key, or the row, if the value has none. */
  #cellAt(parts: Parts, path: readonly (string | number)[]): Cell {
    const [row] = parts.order;
    if (path[0] === 'Id' && this.#mapping.namespace !== undefined) return { row, index: this.#key[0]?.index };
    const [member, rows] = this.#memberAt(parts, path);
    return member ? member.cellOf(rows) : { row: rows.order[0], index: undefined };
  }

  /** Returns whether a member is missing because its value was not found, which is an issue of its own. */
  #isNotFound(parts: Parts, { code, path }: Issue): boolean {
    if (code !== 'missing') return false;
    const [member, rows] = this.#memberAt(parts, path);
    return member?.lookup !== undefined && member.textOf(rows) !== '';
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

  #issuesOf(rows: Rows, parts: Parts, key: string, skipping: true | Cell | undefined): FileIssue[] {
    const [row] = rows;
    const issues: FileIssue[] = [];
    const add = (code: FileIssue['code'], cell: Cell, message: string, hint?: string) => {
      issues.push({ ...fileIssue(code, message, this.#span(cell), this.#options), hint });
    };
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
    if (this.#hasLookups) this.#addNotFound(parts, add);
    if (typeof skipping === 'object') {
      const message = `${this.#nameOf(skipping)} differs from other rows of the same order, some of which skip the order`;
      add('csv_row_differs', skipping, message);
    }
    if (parts.order.length === 1) return issues;
    // A cell contradicts the value of a column of the order.
    const valid = this.#orderColumns.map(({ index }) => rowWith(parts.order, index));
    for (const row of parts.order) {
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

  #nameOf({ index }: Cell): string {
    return this.#skip.find((condition) => condition.index === index)?.name ?? '';
  }

  /** Adds the values that their look-ups do not have. */
  #addNotFound(parts: Parts, add: (code: FileIssue['code'], cell: Cell, message: string, hint?: string) => void): void {
    const ofItems = parts.items.map((row) => [this.#items, itemRow(row)] as const);
    const ofOrder = [this.#order, ...parts.extraItems, ...parts.taxes, ...parts.discounts].map(
      (record) => [record, parts] as const,
    );
    for (const [record, rows] of [...ofOrder, ...ofItems]) {
      for (const member of record) {
        const text = member.lookup ? member.textOf(rows) : '';
        if (!member.lookup || text === '' || member.lookup.table.has(text)) continue;
        const { file, from } = member.lookup;
        const message = `${JSON.stringify(text)} is not in ${file}${from === undefined ? '' : `, column ${from}`}`;
        add('csv_lookup_missing', member.cellOf(rows), message, `add it to ${file}, or correct it`);
      }
    }
  }

  /** Adds the amounts of the other system that differ from those of the order. Returns how many are unknown in the order. */
  #addDifferences(parts: Parts, json: string, issues: FileIssue[]): number {
    let unknown = 0;
    const { subtotal, discount, tax, total } = previewOrder(json, this.#options);
    const amounts: { [name: string]: DecimalString | null } = {
      ...{ subtotal, total },
      ...{ discount: discount.total, tax: tax.total },
    };
    for (const member of this.#expected) {
      const [written, amount] = [member.jsonOf(parts), amounts[member.name] ?? null];
      if (written === undefined) continue;
      if (amount === null) {
        unknown++;
        continue;
      }
      const expected = decimalIn(member.name === 'discount' ? withoutSign(written) : written);
      if (expected !== null && compareAmounts(expected, amount) === 0) continue;
      const other = expected ?? JSON.stringify(member.textOf(parts));
      const message = `The ${member.name} of the order is ${amount}, but the file has ${other}`;
      issues.push(fileIssue('csv_amount_differs', message, this.#span(member.cellOf(parts)), this.#options));
    }
    return unknown;
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
    return spanOfCell(row, index, this.#delimiter, this.#mapping.quote);
  }
}

/** The amounts without which a record is left out, and those that may be zero only there. */
const AMOUNTS = ['TaxAmount', 'Value', 'SellAtPricePerUnit'];

/** Returns false if the amount of a tax, a discount or an extra item is an empty cell or zero. */
function isPresent(record: Members, rows: OrderRows): boolean {
  return record.every((member) => {
    if (member.index === undefined || !AMOUNTS.includes(member.name)) return true;
    const json = member.jsonOf(rows);
    return json !== undefined && !isZero(json);
  });
}

function itemRow(row: CsvRow): OrderRows {
  return { order: [row], items: [row] };
}

function isMet({ index, values }: Condition, { cells }: CsvRow): boolean {
  const text = cells[index] ?? '';
  return values === true ? text !== '' : values.has(text);
}

/** Returns the members of a record that have a value, without braces. */
function jsonOf(members: Members, rows: OrderRows, isDiscount = false): string {
  let json = '';
  for (const { name, start, jsonOf } of members) {
    const value = jsonOf(rows);
    if (value === undefined) continue;
    if (json !== '') json += ',';
    json += start + (isDiscount && name === 'Value' ? withoutSign(value) : value);
  }
  return json;
}
