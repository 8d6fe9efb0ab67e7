/** The members of records in a file: where their values are, and how they are written. */
import { sumAmounts } from 'sales-order-intake';
import type { CsvMapping, Lookup, RecordMapping } from './csv-mapping.js';
import type { Cell, CsvRow } from './csv-rows.js';
import {
  decimalIn,
  decimalWriter,
  dividedBy,
  isZero,
  lookupWriter,
  notANumber,
  valueWriter,
  withoutSign,
} from './csv-values.js';

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
  /** That of the column. */
  lookup: Lookup | undefined;
  /** The column of the quantity that the amount is divided by. */
  divisor: number | undefined;
}

/** What the rows of an order have for a member. The cell is that of the value, or of what is wrong with it. */
export interface Reading extends Cell {
  member: Member;
  /** The text of the cell, before it is looked up; empty if there is none. */
  text: string;
  /** The value; undefined if its cells are empty, or the look-up has no such value. */
  json: string | undefined;
}

/** Reads a member. */
export type Reader = (rows: OrderRows) => Reading;

type Write = (text: string) => string;

/** Returns the readers of a record in a file with these columns. */
export function readersOf(record: RecordMapping, names: readonly string[], mapping: CsvMapping): Reader[] {
  return Object.entries(record).map(([name, { column, sum, value, per, lookup }]) => {
    const start = `${JSON.stringify(name)}:`;
    const write = lookup ? lookupWriter(name, mapping, lookup.table) : valueWriter(name, mapping);
    const divisor = per === undefined ? undefined : names.indexOf(per);
    const indexes = (sum ?? [column]).flatMap((each) => (each === undefined ? [] : names.indexOf(each)));
    const [index] = indexes;
    const member = { name, start, index, lookup: index === undefined ? undefined : lookup, divisor };
    let read: Reader;
    if (index === undefined) {
      const json = lookup ? write(`${value}`) : JSON.stringify(value);
      read = ({ order: [row] }) => ({ member, row, index, text: '', json });
    } else read = sum ? sumReader(member, indexes, decimalWriter(mapping)) : cellReader(member, index, write);
    if (divisor !== undefined) read = quotientReader(read, divisor, mapping);
    // Some systems write what a discount subtracts as a negative amount.
    return name === 'Value' || name === 'discount' ? unsigned(read) : read;
  });
}

function cellReader(member: Member, index: number, write: (text: string) => string | undefined): Reader {
  return ({ order }) => {
    const row = rowWith(order, index);
    const text = row.cells[index] ?? '';
    return { member, row, index, text, json: text === '' ? undefined : write(text) };
  };
}

/** Adds up amounts over the items of an order. The cell is one that is not a number, or the first one. */
function sumReader(member: Member, indexes: readonly number[], write: Write): Reader {
  return ({ order: [row], items }) => {
    const cells = items.flatMap((row) =>
      indexes.map((index) => ({ row, index, text: row.cells[index] ?? '' })).filter(({ text }) => text !== ''),
    );
    const [first = { row, index: member.index, text: '' }] = cells;
    const values = cells.map(({ text }) => decimalIn(write(text)));
    const wrong = cells[values.indexOf(null)];
    if (wrong) return { member, ...wrong, json: write(wrong.text) };
    return { member, ...first, json: values.length === 0 ? undefined : `${sumAmounts(values)}` };
  };
}

/** Divides the amount of an item by a quantity. An amount that can't be divided is no price: the core reports the quantity. */
function quotientReader(read: Reader, index: number, mapping: CsvMapping): Reader {
  const write = decimalWriter({ ...mapping, currency: undefined });
  return (rows) => {
    const reading = read(rows);
    const { member, json } = reading;
    const amount = json === undefined || isZero(json) ? null : decimalIn(json);
    if (amount === null) return reading;
    const [row] = rows.order;
    const text = row.cells[index] ?? '';
    const count = decimalIn(write(text));
    if (count === null || isZero(count)) return { member, row, index, text, json: notANumber(text) };
    return { ...reading, json: dividedBy(amount, count) };
  };
}

function unsigned(read: Reader): Reader {
  return (rows) => {
    const reading = read(rows);
    return { ...reading, json: reading.json && withoutSign(reading.json) };
  };
}

/** Returns the first row in which a cell is not empty; the first one if it is empty in all of them. */
export function rowWith(rows: Rows, index: number): CsvRow {
  const [first] = rows;
  return first.cells[index] || rows.length === 1 ? first : (rows.find(({ cells }) => cells[index]) ?? first);
}
