import { deriveOrderId, readDecimal } from 'sales-order-intake';
import { fileProblem, usageProblem } from '../problem.js';
import type { CsvMapping, Origin, RecordMapping } from './csv-mapping.js';
import { type CsvRow, missingColumns, openCsv, spanOfCell } from './csv-rows.js';
import { BOOLEANS, DECIMALS, INTEGERS } from './member-types.js';
import type { Part, Span } from './position.js';
import { CORE_LIMIT, type Stream } from './text-chunks.js';
import type { FileIssue, SourceOrder } from './order-source.js';

/** Makes orders of the rows of a CSV file. Rows of one order follow each other. */
export async function* csvOrders(file: string, chunks: Stream<string>, mapping: CsvMapping): Stream<SourceOrder> {
  const csv = await openCsv(file, chunks, mapping);
  const { value: header } = await csv.rows.next();
  if (!header) throw fileProblem(`${file} is empty; the first row must name the columns`);
  const table = new Table(file, header, { ...mapping, delimiter: csv.delimiter });
  let rows: Rows | undefined;
  let characters = 0;
  let key: string | undefined;
  for await (const row of csv.rows) {
    const next = table.keyOf(row);
    if (rows && next !== key) {
      yield table.order(rows);
      rows = undefined;
      characters = 0;
    }
    key = next;
    // The first row beyond the limit is kept, so that the order is reported as too large; later ones are left out.
    if (!rows) rows = [row];
    else if (characters <= CORE_LIMIT && rows.length <= MOST_ITEMS) rows.push(row);
    characters += row.raw.length;
  }
  if (rows) yield table.order(rows);
}

const SAY_DECIMAL =
  'set "decimal": "." in the mapping; or "decimal": "," and "thousands": "." if the point separates thousands';
/** As spreadsheets write a number with more digits than they keep: 1.00025E+17. */
const SCIENTIFIC = /^[+-]?\d+(?:[.,]\d*e[+-]?\d+|e[+-]\d+)$/i;
/** The limit of the core, which reports an order with one more item. */
const MOST_ITEMS = 100_000;

/** Where a value comes from; without a column it is not from a cell of its own. */
class Cell {
  readonly row: CsvRow;
  readonly column: string | undefined;

  constructor(row: CsvRow, column?: string) {
    this.row = row;
    this.column = column;
  }
}

type Rows = [CsvRow, ...CsvRow[]];

/** A file with its columns. */
class Table {
  readonly #file: string;
  readonly #mapping: CsvMapping & { delimiter: string };
  /** The number of columns: some may have no name, or the same one. */
  readonly #width: number;
  readonly #columns: Map<string, number>;
  /** The first line of each key. */
  readonly #seen = new Map<string, number>();

  constructor(file: string, header: CsvRow, mapping: CsvMapping & { delimiter: string }) {
    this.#file = file;
    this.#mapping = mapping;
    this.#width = header.cells.length;
    const names = header.cells.map((name) => name.trim());
    this.#columns = new Map(names.map((name, index) => [name, index]));
    const missing = mapping.columns.filter((column) => !this.#columns.has(column));
    if (missing.length > 0) {
      const known = [...this.#columns.keys()].filter((name) => name !== '').map((name) => `"${name}"`);
      throw missingColumns(file, missing, `The columns are ${known.join(', ')}.`);
    }
    const twice = mapping.columns.find((column) => names.indexOf(column) !== names.lastIndexOf(column));
    if (twice === undefined) return;
    const [first, last] = [names.indexOf(twice), names.lastIndexOf(twice)];
    const { line, column } = spanOfCell(header, last, mapping.delimiter);
    const problem = `${file}:${line}:${column}: columns ${first + 1} and ${last + 1} are both named "${twice}", which the mapping names`;
    throw usageProblem(problem, 'Rename one of them in the file, or delete it.');
  }

  /** Undefined if a cell of the key is empty. */
  keyOf(row: CsvRow): string | undefined {
    const cells = this.#mapping.key.map((column) => this.#text(row, column));
    if (cells.includes('')) return undefined;
    return cells.length === 1 ? cells[0] : JSON.stringify(cells);
  }

  order(rows: Rows): SourceOrder {
    const [first] = rows;
    const key = this.keyOf(first);
    const json = JSON.stringify(this.#assembled(rows, this.#idOf(key), this.#valueOf));
    // Most orders have no issue.
    let cells: object | undefined;
    const cellAt = (path: readonly (string | number)[]): Cell => {
      const [column = ''] = this.#mapping.key;
      cells ??= this.#assembled(rows, new Cell(first, column), (_, origin, row) => new Cell(row, origin.column));
      const found = path.reduce<unknown>(
        (at, segment) => (at as Record<string, unknown> | undefined)?.[segment],
        cells,
      );
      return found instanceof Cell ? found : new Cell((path[0] === 'Items' && rows[Number(path[1])]) || first);
    };
    return {
      file: this.#file,
      json,
      key: key ?? null,
      idSource: this.#mapping.idSource,
      start: { line: first.line, column: 1 },
      fileIssues: this.#issuesOf(rows, key),
      spanOf: (path, _part: Part) => this.#span(cellAt(path)),
      spanInJson: () => this.#span(new Cell(first)),
      // A number is not written as in JSON.
      hintOf: ({ code, path }) => {
        const { row, column } = cellAt(path);
        return code === 'not_a_decimal' && column ? decimalHint(this.#text(row, column), this.#mapping) : undefined;
      },
    };
  }

  /** Returns an order whose values are what `make` returns; `id` is the derived Id. */
  #assembled(rows: Rows, id: unknown, make: (member: string, origin: Origin, row: CsvRow) => unknown): object {
    const { namespace, order, items, taxes, discounts } = this.#mapping;
    const record = (mapping: RecordMapping, rowOf: (origin: Origin) => CsvRow) =>
      Object.fromEntries(
        Object.entries(mapping).map(([member, origin]) => [member, make(member, origin, rowOf(origin))]),
      );
    const ofOrder = ({ column }: Origin) => this.#rowOf(rows, column);
    const [Taxes = [], InvoiceLevel = []] = [taxes, discounts].map((mappings) =>
      mappings.filter((mapping) => this.#hasAmount(mapping, ofOrder)).map((mapping) => record(mapping, ofOrder)),
    );
    return {
      ...(namespace !== undefined && { Id: id }),
      ...record(order, ofOrder),
      Items: rows.map((row) => record(items, () => row)),
      ...(Taxes.length > 0 && { Taxes }),
      ...(InvoiceLevel.length > 0 && { Discount: { InvoiceLevel } }),
    };
  }

  /** Returns the row that has the value of a column of the order: the first one in which the cell is not empty. */
  #rowOf(rows: Rows, column: string | undefined): CsvRow {
    const [first] = rows;
    return (column !== undefined && rows.find((row) => this.#text(row, column) !== '')) || first;
  }

  /** A tax or discount without its amount is left out. */
  #hasAmount(mapping: RecordMapping, rowOf: (origin: Origin) => CsvRow): boolean {
    const amounts = ['TaxAmount', 'Value'].flatMap((name) => mapping[name] ?? []);
    return amounts.every((origin) => origin.column === undefined || this.#text(rowOf(origin), origin.column) !== '');
  }

  #idOf(key: string | undefined): string | undefined {
    const { namespace } = this.#mapping;
    try {
      return namespace === undefined || key === undefined ? undefined : deriveOrderId(namespace, key);
    } catch (error) {
      // A namespace that RFC 9562 publishes.
      throw usageProblem((error as Error).message.replace('deriveOrderId: ', 'namespace of the mapping: '));
    }
  }

  /**
   * Returns undefined if the cell is empty. Decimals stay strings, so that they keep their digits. A value that can't be
   * converted is returned as it is: the core reports it.
   */
  readonly #valueOf = (member: string, origin: Origin, row: CsvRow): unknown => {
    const { column, value } = origin;
    if (column === undefined) return value;
    const cell = this.#text(row, column);
    if (cell === '') return undefined;
    if (INTEGERS.includes(member)) return /^[1-9]\d{0,14}$/.test(cell) ? Number(cell) : cell;
    if (BOOLEANS.includes(member)) return booleanOf(cell) ?? cell;
    if (!DECIMALS.includes(member)) return cell;
    // A cell that is not a number in the notation of the file must not become one in that of the core: 1.000 may be one or a
    // thousand. Such a cell gets a prefix, so that the core reports it.
    const { decimal, thousands } = this.#mapping;
    return readDecimal(cell, { decimal, thousands }) ?? `not a number: ${cell}`;
  };

  #text(row: CsvRow, column: string): string {
    return row.cells[this.#columns.get(column) ?? -1]?.trim() ?? '';
  }

  #issuesOf(rows: Rows, key: string | undefined): FileIssue[] {
    const [row] = rows;
    const issues: FileIssue[] = [];
    const add = (code: FileIssue['code'], cell: Cell, message: string, hint?: string) =>
      issues.push({ code, message, hint, span: this.#span(cell) });
    if (rows.reduce((sum, { raw }) => sum + raw.length, 0) > CORE_LIMIT) {
      const message = `The rows of this order have more than ${CORE_LIMIT} characters`;
      add('csv_order_long', new Cell(row), message, 'split it into several orders');
    }
    for (const row of rows) {
      if (row.cells.length !== this.#width) {
        const message = `The row has ${row.cells.length} cells, but there are ${this.#width} columns`;
        add('csv_cells', new Cell(row), message, 'put a cell that has the delimiter into quotes');
      }
      const unclear = this.#unclearQuantity(row);
      if (unclear) add('csv_decimal_unclear', unclear, 'The quantity is read with a decimal point', SAY_DECIMAL);
    }
    const [column = ''] = this.#mapping.key;
    if (key === undefined) {
      add('csv_key_empty', new Cell(row, column), `The row has no ${column}, which identifies its order`);
      return issues;
    }
    for (const name of this.#mapping.key) {
      const text = this.#text(row, name);
      if (!SCIENTIFIC.test(text)) continue;
      const message = `${name} is ${text}, which a spreadsheet has rounded: other orders may have the same`;
      add('csv_key_rounded', new Cell(row, name), message, 'format the column as text, and export the file again');
    }
    const earlier = this.#seen.get(key);
    if (earlier === undefined) this.#seen.set(key, row.line);
    else {
      const message = `Rows of this order are also at line ${earlier}: rows of one order must follow each other`;
      add('csv_rows_apart', new Cell(row, column), message, `sort the file by ${column}`);
    }
    for (const { cell, line } of this.#differences(rows)) {
      add('csv_row_differs', cell, `${cell.column} differs from line ${line}, which is a row of the same order`);
    }
    return issues;
  }

  /**
   * Returns the cell of a quantity such as 1.000 if the mapping says nothing about decimals: it may be a thousand. Another number
   * of the row, such as 12.50, shows that 1.250 is none.
   */
  #unclearQuantity(row: CsvRow): Cell | undefined {
    const { saysDecimals, items } = this.#mapping;
    const [quantity, price] = [items.Quantity?.column, items.SellAtPricePerUnit?.column];
    if (saysDecimals || quantity === undefined) return undefined;
    const text = this.#text(row, quantity);
    if (!/^[+-]?[1-9]\d{0,2}\.\d{3}$/.test(text)) return undefined;
    const isClear = price !== undefined && /\.(?!\d{3}$)/.test(this.#text(row, price));
    return isClear && !text.endsWith('.000') ? undefined : new Cell(row, quantity);
  }

  /** Returns the cells that contradict the value of a column of the order, each with the line that has it. */
  #differences(rows: Rows): { cell: Cell; line: number }[] {
    const [, ...others] = rows;
    if (others.length === 0) return [];
    const values = this.#mapping.orderColumns.map((column) => {
      const row = this.#rowOf(rows, column);
      return { column, value: this.#text(row, column), line: row.line };
    });
    return others.flatMap((row) =>
      values
        .filter(({ column, value }) => !['', value].includes(this.#text(row, column)))
        .map(({ column, line }) => ({ cell: new Cell(row, column), line })),
    );
  }

  #span({ row, column }: Cell): Span {
    const index = column === undefined ? undefined : this.#columns.get(column);
    return spanOfCell(row, index, this.#mapping.delimiter);
  }
}

function booleanOf(cell: string): boolean | undefined {
  const lower = cell.toLowerCase();
  if (['true', 'yes', '1'].includes(lower)) return true;
  return ['false', 'no', '0'].includes(lower) ? false : undefined;
}

/** Returns a hint that says how to write a number in the notation of the file. */
function decimalHint(cell: string, { decimal, thousands }: CsvMapping): string {
  const name = decimal === '.' ? 'point' : 'comma';
  if (thousands !== undefined && cell.includes(thousands)) {
    return `"thousands" separates groups of three digits before the decimal ${name}, such as 1${thousands}234${decimal}50`;
  }
  const usual = `use digits and a decimal ${name}, such as 12${decimal}50`;
  const other = decimal === '.' ? ',' : '.';
  if (!cell.includes(other)) return usual;
  // 1.299,00: each sign has the meaning of the other one.
  const swapped = decimal === '.' ? /^[+-]?\d{1,3}(?:\.\d{3})+,\d*$/ : /^[+-]?\d{1,3}(?:,\d{3})+\.\d*$/;
  if (swapped.test(cell)) return `${usual}; or set "decimal": "${other}" and "thousands": "${decimal}" in the mapping`;
  const members = [
    /^[+-]?\d*[.,]\d+$/.test(cell) && `"decimal": "${other}" if it is the decimal sign`,
    thousands === undefined && /\d[.,]\d{3}/.test(cell) && `"thousands": "${other}" if it separates thousands`,
  ].filter(Boolean);
  return members.length === 0 ? usual : `${usual}; or set ${members.join(', or ')}, in the mapping`;
}
