import {
  compareAmounts,
  type DecimalString,
  deriveOrderId,
  type PreviewOptions,
  previewOrder,
} from 'sales-order-intake';
import { usageProblem } from '../problem.js';
import { type Condition, conditionsIn, isMet } from './csv-conditions.js';
import { type Column, CsvKeys } from './csv-keys.js';
import type { CsvMapping, RecordMapping } from './csv-mapping.js';
import { type OrderRows, type Reader, type Reading, readersOf, type Rows, rowWith } from './csv-members.js';
import { type Cell, type CsvTable, type CsvRow, openTable } from './csv-rows.js';
import { decimalHint, decimalIn, isZero } from './csv-values.js';
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
  const csv = await openTable(file, chunks, mapping);
  const table = new Table(file, csv, mapping, options);
  let rows: [CsvRow, ...CsvRow[]] | undefined;
  let characters = 0;
  let key = '';
  for await (const piece of csv.pieces) {
    for (const row of piece) {
      const next = table.keys.of(row);
      if (rows && next !== key) {
        yield table.order(rows, key, next === '' && !table.skips(row));
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
  if (rows) yield table.order(rows, key);
}

const SAY_DECIMAL =
  'set "decimal": "." in the mapping; or "decimal": "," and "thousands": "." if the point separates thousands';
const DIVISOR = 'the amount is divided by this quantity, which must be a number other than 0';
/** The limit of the core, which reports an order with one more item. */
const MOST_ITEMS = 100_000;
/** The amounts without which a tax, a discount or an extra item is left out, and those that may be zero only there. */
const AMOUNTS = ['TaxAmount', 'Value', 'SellAtPricePerUnit'];

/** The members of a record that a mapping names. */
type Values = readonly Reading[];

/** What is read of an order. */
interface OrderValues {
  rows: OrderRows;
  members: Values;
  /** The extra items follow those of the rows. */
  items: readonly Values[];
  taxes: readonly Values[];
  discounts: readonly Values[];
}

/** An issue of the file, at a cell. */
export type CellIssue = readonly [code: FileIssue['code'], cell: Cell, message: string, hint?: string];

/** A file with its columns. */
class Table {
  readonly keys: CsvKeys;
  readonly #file: string;
  readonly #csv: CsvTable;
  readonly #mapping: CsvMapping;
  readonly #options: PreviewOptions;
  readonly #orderColumns: readonly Column[];
  readonly #skip: readonly Condition[];
  readonly #itemRows: readonly Condition[];
  /** Those of the items: a row in which all are empty has no item. */
  readonly #itemColumns: readonly number[];
  readonly #order: readonly Reader[];
  readonly #items: readonly Reader[];
  readonly #extraItems: readonly Reader[][];
  readonly #taxes: readonly Reader[][];
  readonly #discounts: readonly Reader[][];
  readonly #expected: readonly Reader[];

  constructor(file: string, csv: CsvTable, mapping: CsvMapping, options: PreviewOptions) {
    this.#file = file;
    this.#csv = csv;
    this.#mapping = mapping;
    this.#options = options;
    const { names } = csv;
    const columnOf = (name: string) => ({ name, index: names.indexOf(name) });
    this.keys = new CsvKeys(mapping.key.map(columnOf));
    this.#orderColumns = mapping.orderColumns.map(columnOf);
    this.#skip = conditionsIn(names, mapping.skip);
    this.#itemRows = conditionsIn(names, mapping.itemRows);
    const of = (record: RecordMapping) => readersOf(record, names, mapping);
    this.#order = of(mapping.order);
    this.#items = of(mapping.items);
    const itemColumns = Object.values(mapping.items).flatMap(({ column, sum = [] }) => column ?? sum.slice(0, 1));
    this.#itemColumns = itemColumns.map((name) => names.indexOf(name));
    this.#extraItems = mapping.extraItems.map(of);
    this.#taxes = mapping.taxes.map(of);
    this.#discounts = mapping.discounts.map(of);
    this.#expected = of(mapping.expect);
  }

  /** Returns true for a row that skips its order, such as one with the totals of the file. */
  skips(row: CsvRow): boolean {
    return this.#skipping([row]) === true;
  }

  /** @param isUnclear The next row has no key, so it may be one of these. */
  order(rows: Rows, key: string, isUnclear = false): SourceOrder {
    const { idSource } = this.#mapping;
    const [first] = rows;
    const order = this.#valuesOf(rows);
    const json = this.#json(order, key);
    const skipping = this.#skipping(rows);
    const issues = this.#issuesOf(rows, order, key, skipping);
    if (isUnclear) this.keys.addUnclear(issues, rows[0]);
    // If earlier rows of the order are not skipped, the order is not whole.
    const isSkipped = skipping === true && !issues.some(([code]) => code === 'csv_rows_apart');
    const unknownAmounts = isSkipped || this.#expected.length === 0 ? 0 : this.#addDifferences(order, json, issues);
    const spanOf = (cell: Cell) => this.#csv.spanOf(cell);
    return {
      file: this.#file,
      json,
      key: key === '' ? null : key,
      idSource,
      start: { line: first.line, column: 1 },
      isSkipped,
      fileIssues: issues.map(([code, cell, message, hint]) =>
        fileIssue(code, message, spanOf(cell), this.#options, hint),
      ),
      unknownAmounts,
      spanOf: (path) => spanOf(this.#cellAt(order, path)),
      spanInJson: () => spanOf({ row: first, index: undefined }),
      // A number is not written as in JSON.
      hintOf: ({ code, path }) => {
        const reading = readingAt(order, path);
        if (code !== 'not_a_decimal' || reading?.index === undefined) return undefined;
        if (reading.index === reading.member.divisor) return DIVISOR;
        return decimalHint(reading.row.cells[reading.index] ?? '', this.#mapping);
      },
      isReported: ({ code, path }) => code === 'missing' && isNotFound(readingAt(order, path)),
    };
  }

  /** Reads the members of an order, without the records that are left out. */
  #valuesOf(rows: Rows): OrderValues {
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
    const read = (readers: readonly Reader[], rows: OrderRows) => readers.map((each) => each(rows));
    const present = (records: readonly Reader[][]) => records.map((each) => read(each, all)).filter(isPresent);
    const ofRow = (row: CsvRow) => {
      const alone = [row] as const;
      return read(this.#items, { order: alone, items: alone });
    };
    return {
      rows: all,
      members: read(this.#order, all),
      items: [...items.map(ofRow), ...present(this.#extraItems)],
      taxes: present(this.#taxes),
      discounts: present(this.#discounts),
    };
  }

  /** Returns the JSON of an order. */
  #json({ members, items, taxes, discounts }: OrderValues, key: string): string {
    const id = this.#idOf(key);
    const record = (values: Values) => `{${jsonOf(values)}}`;
    const parts = [
      id && `"Id":"${id}"`,
      jsonOf(members),
      `"Items":[${items.map(record)}]`,
      taxes.length > 0 && `"Taxes":[${taxes.map(record)}]`,
      discounts.length > 0 && `"Discount":{"InvoiceLevel":[${discounts.map(record)}]}`,
    ];
    return `{${parts.filter(Boolean)}}`;
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

  /**
   * Returns true if an order is skipped, the cell that contradicts the others if that is unclear, and undefined if it is not
   * skipped. A row with another number of cells says nothing: its cells may be in other columns.
   */
  #skipping(rows: Rows): true | (Cell & Column) | undefined {
    const width = this.#csv.names.length;
    if (this.#skip.length === 0 || rows.some(({ cells }) => cells.length !== width)) return undefined;
    let unclear: (Cell & Column) | undefined;
    for (const condition of this.#skip) {
      const { index } = condition;
      const [first = rows[0], ...others] = rows.filter(({ cells }) => cells[index]);
      const isSkipped = isMet(condition, first);
      const row = others.find((each) => isMet(condition, each) !== isSkipped);
      if (row) unclear ??= { ...condition, row };
      else if (isSkipped) return true;
    }
    return unclear;
  }

  /** Finds the cell of a value of an order; that of the key, or the row, if the value has none. */
  #cellAt(order: OrderValues, path: readonly (string | number)[]): Cell {
    const [row] = order.rows.order;
    if (path[0] === 'Id' && this.#mapping.namespace !== undefined) return { row, index: this.keys.index };
    const ofItem = path[0] === 'Items' ? order.rows.items[Number(path[1])] : undefined;
    return readingAt(order, path) ?? { row: ofItem ?? row, index: undefined };
  }

  #issuesOf(
    rows: Rows,
    { rows: all, members, items, taxes, discounts }: OrderValues,
    key: string,
    skipping: true | (Cell & Column) | undefined,
  ): CellIssue[] {
    const [row] = rows;
    const { order } = all;
    const width = this.#csv.names.length;
    const issues: CellIssue[] = [];
    let characters = 0;
    for (const { raw } of rows) characters += raw.length;
    if (characters > CORE_LIMIT) {
      const message = `The rows of this order have more than ${CORE_LIMIT} characters`;
      issues.push(['csv_order_long', { row, index: undefined }, message, 'split it into several orders']);
    }
    for (const row of rows) {
      const { length } = row.cells;
      if (length === width) continue;
      const message = `The row has ${length} cells, but there are ${width} columns`;
      issues.push(['csv_cells', { row, index: undefined }, message, 'put a cell that has the delimiter into quotes']);
    }
    for (const values of this.#mapping.saysDecimals ? [] : items) {
      const quantity = unclearQuantity(values);
      if (quantity)
        issues.push(['csv_decimal_unclear', quantity, 'The quantity is read with a decimal point', SAY_DECIMAL]);
    }
    this.keys.addIssues(issues, key, row, skipping === true);
    if (key === '') return issues;
    if (this.#mapping.lookups.length > 0) {
      const expected = this.#expected.map((read) => read(all));
      for (const reading of [members, ...items, ...taxes, ...discounts, expected].flat()) {
        const { file, from } = reading.member.lookup ?? {};
        if (!isNotFound(reading)) continue;
        const message = `${JSON.stringify(reading.text)} is not in ${file}${from === undefined ? '' : `, column ${from}`}`;
        issues.push(['csv_lookup_missing', reading, message, `add it to ${file}, or correct it`]);
      }
    }
    if (typeof skipping === 'object') {
      const message = `${skipping.name} differs from other rows of the same order, some of which skip the order`;
      issues.push(['csv_row_differs', skipping, message]);
    }
    if (order.length === 1) return issues;
    // A cell contradicts the value of a column of the order.
    const valid = this.#orderColumns.map(({ index }) => rowWith(order, index));
    for (const row of order) {
      for (const [n, { name, index }] of this.#orderColumns.entries()) {
        const text = row.cells[index] ?? '';
        const { cells, line } = valid[n] ?? row;
        if (text === '' || text === cells[index]) continue;
        issues.push([
          'csv_row_differs',
          { row, index },
          `${name} differs from line ${line}, which is a row of the same order`,
        ]);
      }
    }
    return issues;
  }

  /** Adds the amounts of the other system that differ from those of the order. Returns how many are unknown in the order. */
  #addDifferences(order: OrderValues, json: string, issues: CellIssue[]): number {
    let unknown = 0;
    const { subtotal, discount, tax, total } = previewOrder(json, this.#options);
    const amounts: { [name: string]: DecimalString | null } = {
      ...{ subtotal, total },
      ...{ discount: discount.total, tax: tax.total },
    };
    for (const read of this.#expected) {
      const reading = read(order.rows);
      const { name } = reading.member;
      const amount = amounts[name] ?? null;
      if (reading.json === undefined) continue;
      if (amount === null) {
        unknown++;
        continue;
      }
      const expected = decimalIn(reading.json);
      if (expected !== null && compareAmounts(expected, amount) === 0) continue;
      const other = expected ?? JSON.stringify(reading.text);
      issues.push(['csv_amount_differs', reading, `The ${name} of the order is ${amount}, but the file has ${other}`]);
    }
    return unknown;
  }
}

/** Returns false if the amount of a tax, a discount or an extra item is an empty cell or zero. */
function isPresent(values: Values): boolean {
  return values.every(
    ({ member: { index, name }, json }) =>
      index === undefined || !AMOUNTS.includes(name) || (json !== undefined && !isZero(json)),
  );
}

/** Returns whether a member is missing because its value was not found, which is an issue of its own. */
function isNotFound(reading: Reading | undefined): boolean {
  return reading?.member.lookup !== undefined && reading.text !== '' && reading.json === undefined;
}

/**
 * Returns a quantity such as 1.000, if the mapping says nothing about decimals: it may be a thousand. The price, such as 12.50,
 * shows that 1.250 is none.
 */
function unclearQuantity(values: Values): Reading | undefined {
  const quantity = named(values, 'Quantity');
  const { text = '' } = quantity ?? {};
  if (!/^[+-]?[1-9]\d{0,2}\.\d{3}$/.test(text)) return undefined;
  const isClear = /\.(?!\d{3}$)/.test(named(values, 'SellAtPricePerUnit')?.text ?? '');
  return isClear && !text.endsWith('.000') ? undefined : quantity;
}

function named(values: Values | undefined, name: unknown): Reading | undefined {
  return values?.find(({ member }) => member.name === name);
}

function readingAt(
  { members, items, taxes, discounts }: OrderValues,
  path: readonly (string | number)[],
): Reading | undefined {
  const [top, second, third, fourth] = path;
  if (top === 'Items') return named(items[Number(second)], third);
  if (top === 'Taxes') return named(taxes[Number(second)], third);
  return second === 'InvoiceLevel' ? named(discounts[Number(third)], fourth) : named(members, top);
}

/** Returns the members of a record that have a value, without braces. */
function jsonOf(values: Values): string {
  let json = '';
  for (const { member, json: value } of values) {
    if (value === undefined) continue;
    if (json !== '') json += ',';
    json += member.start + value;
  }
  return json;
}
