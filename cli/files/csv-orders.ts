import { type DecimalNotation as KnownNotation, deriveOrderId, type Issue, readDecimal } from 'sales-order-intake';
import { fileProblem, usageProblem } from '../problem.js';
import {
  columnsOf,
  type CsvMapping,
  type IdSource,
  idSourceOf,
  type Origin,
  type RecordMapping,
} from './csv-mapping.js';
import { type CsvRow, missingColumns, openCsv, spanOfCell } from './csv-rows.js';
import { FirstPositions } from './order-ids.js';
import { BOOLEANS, DECIMALS, INTEGERS } from './member-types.js';
import type { Part, Span } from './position.js';
import { CORE_LIMIT } from './text-chunks.js';
import type { FileIssue, SourceOrder } from './order-source.js';

/** A tax or discount without it is left out. */
const AMOUNTS = ['TaxAmount', 'Value'];

/** Makes orders of the rows of a CSV file. Rows of one order follow each other. */
export async function* csvOrders(
  file: string,
  chunks: AsyncGenerator<string, void, void>,
  mapping: CsvMapping,
): AsyncGenerator<SourceOrder, void, void> {
  let table: Table | undefined;
  let rows: CsvRow[] = [];
  let characters = 0;
  let key: string | undefined;
  const csv = await openCsv(file, chunks, mapping);
  for await (const row of csv.rows) {
    if (!table) {
      table = new Table(file, row, { ...mapping, delimiter: csv.delimiter });
      continue;
    }
    const next = table.keyOf(row);
    if (rows.length > 0 && next !== key) {
      yield table.order(rows);
      rows = [];
      characters = 0;
    }
    key = next;
    // With the first row that is too much the order is reported as too large; those after it are left out.
    if (characters <= CORE_LIMIT && rows.length <= MOST_ITEMS) rows.push(row);
    characters += row.raw.length;
  }
  if (!table) throw fileProblem(`${file} is empty; the first row must name the columns`);
  if (rows.length > 0) yield table.order(rows);
}

/** The core takes no more, and reports one more. */
const MOST_ITEMS = 100_000;

type Path = readonly (string | number)[];

type TableMapping = CsvMapping & { delimiter: string };

/** The mappings of the records that an order has. */
interface MappedRecords {
  taxes: readonly RecordMapping[];
  discounts: readonly RecordMapping[];
}

/** A file with its columns. */
class Table {
  readonly #idSource: IdSource;
  readonly #file: string;
  readonly #mapping: TableMapping;
  readonly #columns: Map<string, number>;
  readonly #seen = new FirstPositions();

  constructor(file: string, header: CsvRow, mapping: TableMapping) {
    this.#file = file;
    this.#mapping = mapping;
    this.#idSource = idSourceOf(mapping);
    this.#columns = new Map(header.cells.map((name, index) => [name.trim(), index]));
    const missing = columnsOf(mapping).filter((column) => !this.#columns.has(column));
    if (missing.length === 0) return;
    const names = [...this.#columns.keys()].map((name) => `"${name}"`);
    throw missingColumns(file, missing, `The columns are ${names.join(', ')}.`);
  }

  /** Undefined if a cell of the key is empty. */
  keyOf(row: CsvRow): string | undefined {
    const cells = this.#mapping.key.map((column) => this.#cell(row, column));
    if (cells.includes('')) return undefined;
    return cells.length === 1 ? cells[0] : JSON.stringify(cells);
  }

  order(rows: readonly CsvRow[]): SourceOrder {
    const [first] = rows as [CsvRow, ...CsvRow[]];
    const { order, items, taxes, discounts, namespace } = this.#mapping;
    const key = this.keyOf(first);
    const taxRecords = this.#records(taxes, first);
    const discountRecords = this.#records(discounts, first);
    const isIdDerived = namespace !== undefined && key !== undefined;
    const json = JSON.stringify({
      ...(isIdDerived ? { Id: this.#idOf(namespace, key) } : {}),
      ...this.#record(order, first),
      Items: rows.map((row) => this.#record(items, row)),
      ...(taxRecords.length > 0 ? { Taxes: taxRecords.map(({ value }) => value) } : {}),
      ...(discountRecords.length > 0 ? { Discount: { InvoiceLevel: discountRecords.map(({ value }) => value) } } : {}),
    });
    const mapped = { taxes: taxRecords.map(({ from }) => from), discounts: discountRecords.map(({ from }) => from) };
    return {
      file: this.#file,
      json,
      key: key ?? null,
      idSource: this.#idSource,
      start: { line: first.line, column: 1 },
      fileIssues: this.#issuesOf(rows, key),
      spanOf: (path, _part: Part) => this.#spanOf(rows, path, mapped),
      spanInJson: () => this.#span(first),
      hintOf: (issue) => this.#hintOf(rows, issue, mapped),
    };
  }

  /** A number is not written as in JSON. */
  #hintOf(rows: readonly CsvRow[], { code, path }: Issue, mapped: MappedRecords): string | undefined {
    if (code !== 'not_a_decimal') return undefined;
    const { row, column } = this.#cellAt(rows, path, mapped);
    return column === undefined ? undefined : decimalHint(this.#cell(row, column), this.#mapping);
  }

  #idOf(namespace: string, key: string): string {
    try {
      return deriveOrderId(namespace, key);
    } catch (error) {
      // A namespace that RFC 9562 publishes.
      throw usageProblem((error as Error).message.replace('deriveOrderId: ', 'namespace of the mapping: '));
    }
  }

  #record(mapping: RecordMapping, row: CsvRow): Record<string, unknown> {
    const members = Object.entries(mapping).map(([member, origin]) => [member, this.#valueOf(member, origin, row)]);
    return Object.fromEntries(members.filter(([, value]) => value !== undefined));
  }

  /** Records that have an amount, with the mapping that each comes from. */
  #records(mappings: readonly RecordMapping[], row: CsvRow): { value: object; from: RecordMapping }[] {
    return mappings
      .filter((mapping) =>
        AMOUNTS.every((name) => !mapping[name] || this.#valueOf(name, mapping[name] as Origin, row) !== undefined),
      )
      .map((from) => ({ value: this.#record(from, row), from }));
  }

  /**
   * Undefined if the cell is empty. Decimals stay strings, so that they keep their digits. What can't be converted stays as
   * it is: the core reports it.
   */
  #valueOf(member: string, origin: Origin, row: CsvRow): unknown {
    if ('value' in origin) return origin.value;
    const cell = this.#cell(row, origin.column);
    if (cell === '') return undefined;
    if (INTEGERS.includes(member)) return /^[1-9]\d{0,14}$/.test(cell) ? Number(cell) : cell;
    if (BOOLEANS.includes(member)) return booleanOf(cell) ?? cell;
    return DECIMALS.includes(member) ? decimalOf(cell, this.#mapping) : cell;
  }

  #cell(row: CsvRow, column: string): string {
    return row.cells[this.#columns.get(column) ?? -1]?.trim() ?? '';
  }

  #issuesOf(rows: readonly CsvRow[], key: string | undefined): FileIssue[] {
    const [first] = rows as [CsvRow, ...CsvRow[]];
    const error = (code: FileIssue['code'], message: string, span: Span, hint?: string): FileIssue => ({
      code,
      message,
      span,
      ...(hint === undefined ? {} : { hint }),
    });
    const issues: FileIssue[] = [];
    if (rows.reduce((sum, { raw }) => sum + raw.length, 0) > CORE_LIMIT) {
      const message = `The rows of this order have more than ${CORE_LIMIT} characters`;
      issues.push(error('csv_order_long', message, this.#span(first), 'split it into several orders'));
    }
    for (const row of rows) {
      if (row.cells.length !== this.#columns.size) {
        const message = `The row has ${row.cells.length} cells, but there are ${this.#columns.size} columns`;
        issues.push(error('csv_cells', message, this.#span(row), 'put a cell that has the delimiter into quotes'));
      }
    }
    const [keyColumn = ''] = this.#mapping.key;
    if (key === undefined) {
      issues.push(
        error('csv_key_empty', `The row has no ${keyColumn}, which identifies its order`, this.#span(first, keyColumn)),
      );
      return issues;
    }
    const earlier = this.#seen.earlier(key, { file: 0, line: first.line, column: 1 });
    if (earlier !== undefined) {
      const message = `Rows of this order are also at line ${earlier.line}: rows of one order must follow each other`;
      issues.push(error('csv_rows_apart', message, this.#span(first, keyColumn), `sort the file by ${keyColumn}`));
    }
    return [...issues, ...this.#differences(rows).map(([message, span]) => error('csv_row_differs', message, span))];
  }

  /** An order has one location and one customer: what its rows have of the order must be the same in each. */
  #differences([first, ...others]: readonly CsvRow[]): [string, Span][] {
    const { order, taxes, discounts } = this.#mapping;
    const origins = [order, ...taxes, ...discounts].flatMap((record) => Object.values(record));
    const columns = new Set(origins.flatMap((origin) => ('column' in origin ? [origin.column] : [])));
    return others.flatMap((row) =>
      [...columns]
        .filter((column) => first && this.#cell(row, column) !== this.#cell(first, column))
        .map((column): [string, Span] => [
          `${column} differs from line ${first?.line}, which is a row of the same order`,
          this.#span(row, column),
        ]),
    );
  }

  #spanOf(rows: readonly CsvRow[], path: Path, mapped: MappedRecords): Span {
    const { row, column } = this.#cellAt(rows, path, mapped);
    return this.#span(row, column);
  }

  /** Finds the row, and the column if there is one, that the value at a path comes from. */
  #cellAt(rows: readonly CsvRow[], path: Path, mapped: MappedRecords): { row: CsvRow; column: string | undefined } {
    const [first] = rows as [CsvRow, ...CsvRow[]];
    const { order, items } = this.#mapping;
    const [member = '', second, third, fourth] = path;
    const columnIn = (mapping: RecordMapping | undefined, name: unknown) => {
      const origin = mapping?.[String(name)];
      return origin && 'column' in origin ? origin.column : undefined;
    };
    if (member === 'Items' && typeof second === 'number') {
      return { row: rows[second] ?? first, column: columnIn(items, third) };
    }
    const isDerived = member === 'Id' && this.#mapping.namespace !== undefined;
    return { row: first, column: isDerived ? this.#mapping.key[0] : columnOf() };

    function columnOf(): string | undefined {
      if (member === 'Taxes') return columnIn(mapped.taxes[Number(second)], third);
      if (member === 'Discount') return columnIn(mapped.discounts[Number(third)], fourth);
      return columnIn(order, member);
    }
  }

  #span(row: CsvRow, column?: string): Span {
    const index = column === undefined ? undefined : this.#columns.get(column);
    return spanOfCell(row, index, this.#mapping.delimiter);
  }
}

function booleanOf(cell: string): boolean | undefined {
  const lower = cell.toLowerCase();
  if (['true', 'yes', '1'].includes(lower)) return true;
  return ['false', 'no', '0'].includes(lower) ? false : undefined;
}

/** How the numbers of a CSV file are written. */
export interface DecimalNotation {
  decimal: '.' | ',';
  /** Any character that separates groups of three digits; undefined if nothing does. */
  thousands: string | undefined;
}

/**
 * Returns a number as the core reads it. What is not a number in the notation of the file must not become one in that of the
 * core: 1.000 is one, or a thousand. Such a cell gets a mark, so that the core reports it.
 */
function decimalOf(cell: string, { decimal, thousands }: DecimalNotation): string {
  // The types name the characters that languages use.
  return readDecimal(cell, { decimal, thousands } as KnownNotation) ?? `not a number: ${cell}`;
}

/** Says how a number has to be written, in the notation of the file. */
function decimalHint(cell: string, { decimal, thousands }: DecimalNotation): string {
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
