/** The members of records in a file: where their values are, and how they are written. */
import { sumAmounts } from 'sales-order-intake';
import type { CsvMapping, Lookup, Origin, RecordMapping } from './csv-mapping.js';
import type { CsvRow } from './csv-rows.js';
import { decimalIn, decimalWriter, dividedBy, isZero, notANumber, valueWriter } from './csv-values.js';

export type Rows = readonly [CsvRow, ...CsvRow[]];

/** The rows of an order. */
export interface OrderRows {
  /** Those with the members of the order. */
  order: Rows;
  /** Those with an item. */
  items: readonly CsvRow[];
}

export interface Member {
  name: string;
  /** The name as JSON, and a colon. */
  start: string;
  /** The column: of a sum the first one; undefined if the mapping has the value. */
  index: number | undefined;
  lookup: Lookup | undefined;
  /** Returns the value as JSON; undefined if its cells are empty, or the look-up has no such value. */
  jsonOf(rows: OrderRows): string | undefined;
  /** Returns the text of the cell, before it is looked up; empty if there is none. */
  textOf(rows: OrderRows): string;
  /** The column of the quantity that the amount is divided by. */
  divisor?: number;
  /** Finds the cell of the value; that of the quantity if the amount can't be divided by it. */
  cellOf(rows: OrderRows): { row: CsvRow; index: number | undefined };
}

/** Returns the members of a record in a file with these columns. */
export function membersOf(record: RecordMapping, names: readonly string[], mapping: CsvMapping): Member[] {
  return Object.entries(record).map(([name, origin]) => {
    const start = `${JSON.stringify(name)}:`;
    const { per } = origin;
    const member = { name, start, ...sourceOf(name, origin, names, mapping) };
    return per === undefined ? member : dividedMember(member, names.indexOf(per), mapping);
  });
}

type Source = Omit<Member, 'name' | 'start'>;

function sourceOf(name: string, origin: Origin, names: readonly string[], mapping: CsvMapping): Source {
  const { column, sum, value, lookup } = origin;
  if (sum) return summed(sum, names, mapping);
  const write = valueWriter(name, mapping);
  if (column === undefined) {
    const json = lookup ? write(`${lookup.table.get(`${value}`)}`) : JSON.stringify(value);
    const cellOf = ({ order: [row] }: OrderRows) => ({ row, index: undefined });
    return { index: undefined, lookup: undefined, jsonOf: () => json, textOf: () => '', cellOf };
  }
  const index = names.indexOf(column);
  const textOf = ({ order }: OrderRows) => rowWith(order, index).cells[index] ?? '';
  return {
    index,
    lookup,
    textOf,
    jsonOf(rows) {
      const text = textOf(rows);
      if (text === '') return undefined;
      if (!lookup) return write(text);
      const found = lookup.table.get(text);
      return found === undefined ? undefined : write(found);
    },
    cellOf: ({ order }) => ({ row: rowWith(order, index), index }),
  };
}

/** Adds up amounts over the items of an order. */
function summed(columns: readonly string[], names: readonly string[], mapping: CsvMapping): Source {
  const write = decimalWriter(mapping);
  const indexes = columns.map((column) => names.indexOf(column));
  const cellsOf = ({ items }: OrderRows) =>
    items.flatMap((row) =>
      indexes.flatMap((index) => (row.cells[index] ? { row, index, json: write(row.cells[index]) } : [])),
    );
  /** One that is not a number, or the first one. */
  const cellOf = (rows: OrderRows) => {
    const cells = cellsOf(rows);
    return cells.find(({ json }) => decimalIn(json) === null) ?? cells[0];
  };
  return {
    index: indexes[0],
    lookup: undefined,
    jsonOf(rows) {
      const written = cellsOf(rows).map(({ json }) => json);
      const wrong = written.find((json) => decimalIn(json) === null);
      return written.length === 0 ? undefined : (wrong ?? `${sumAmounts(written.map(decimalIn))}`);
    },
    textOf(rows) {
      const cell = cellOf(rows);
      return cell?.row.cells[cell.index] ?? '';
    },
    cellOf: (rows) => cellOf(rows) ?? { row: rows.order[0], index: indexes[0] },
  };
}

/** Divides the amount of an item by a quantity. An amount that can't be divided is no price: the core reports the quantity. */
function dividedMember(member: Member, quantity: number, mapping: CsvMapping): Member {
  const write = decimalWriter({ ...mapping, currency: undefined });
  const countOf = ({ order: [{ cells }] }: OrderRows) => {
    const count = decimalIn(write(cells[quantity] ?? ''));
    return count === null || isZero(count) ? null : count;
  };
  /** Null if the amount is not a number, or needs no quantity. */
  const amountOf = (rows: OrderRows) => {
    const json = member.jsonOf(rows);
    return json === undefined || isZero(json) ? null : decimalIn(json);
  };
  const isDivisible = (rows: OrderRows) => amountOf(rows) === null || countOf(rows) !== null;
  return {
    ...member,
    jsonOf(rows) {
      const [amount, count] = [amountOf(rows), countOf(rows)];
      if (amount === null) return member.jsonOf(rows);
      return count === null ? notANumber(rows.order[0].cells[quantity] ?? '') : dividedBy(amount, count);
    },
    cellOf: (rows) => (isDivisible(rows) ? member.cellOf(rows) : { row: rows.order[0], index: quantity }),
    divisor: quantity,
  };
}

/** Returns the first row in which a cell is not empty; the first one if it is empty in all of them. */
export function rowWith(rows: Rows, index: number): CsvRow {
  const [first] = rows;
  return first.cells[index] || rows.length === 1 ? first : (rows.find(({ cells }) => cells[index]) ?? first);
}
