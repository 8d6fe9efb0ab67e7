import { dirname, isAbsolute, join } from 'node:path';
import { type DecimalNotation, parseGuid } from 'sales-order-intake';
import { usageProblem } from '../problem.js';
import { CALLED } from '../arguments/program.js';
import { parsedJson, positionIn } from './json-location.js';
import schema from './mapping-schema.json';

/** Where the value of a member comes from: one of `column`, `sum` and `value`. */
export interface Origin {
  column?: string;
  /** Columns whose amounts are added up, over all items of the order. */
  sum?: readonly string[];
  value?: unknown;
  /** The column of the quantity by which an amount is divided. */
  per?: string;
  /** What the value is replaced with. */
  lookup?: Lookup;
}
export type RecordMapping = Readonly<Record<string, Origin>>;

/** A second file, which has a value for each value of a column. */
export interface Lookup {
  /** Beside the mapping, unless its path is absolute. */
  file: string;
  /** Its columns, or members of its objects; undefined if it is one object. */
  from: string | undefined;
  to: string | undefined;
  /** What is looked up, if it is not the text of a column. */
  constant: string | undefined;
  /** Those to try, in this order. */
  encodings: readonly (string | undefined)[];
  /** The position in the mapping. */
  position: string;
  /** Empty until the file is read. */
  table: ReadonlyMap<string, string>;
}

/** For each column, the values that are meant; true for any value. */
export type Conditions = Readonly<Record<string, true | readonly string[]>>;

/** The meaning of the columns of a CSV file. */
export interface CsvMapping {
  /** Columns that identify an order. */
  key: readonly string[];
  /** Ids are derived in it; undefined if a column has them. */
  namespace: string | undefined;
  decimal: '.' | ',';
  /** Any character between groups of three digits; undefined if there is none. The type names those that languages use. */
  thousands: DecimalNotation['thousands'];
  /** Whether the mapping says how decimals are written. If not, a point before three digits may mean a thousand. */
  saysDecimals: boolean;
  /** Removed from amounts. */
  currency: string | undefined;
  /** Undefined if it is the default, or named by the file itself. */
  delimiter: string | undefined;
  /** False if a quote is a character as any other. */
  quote: string | false;
  /** Undefined for UTF-8, or what the mark of the file says. */
  encoding: string | undefined;
  skip: Conditions;
  /** The rows that have an item. The members of the order come from the others, if there are any. */
  itemRows: Conditions;
  order: RecordMapping;
  items: RecordMapping;
  extraItems: readonly RecordMapping[];
  taxes: readonly RecordMapping[];
  discounts: readonly RecordMapping[];
  /** The amounts of the system that wrote the file. */
  expect: RecordMapping;
  /** Every column that the mapping names. */
  columns: readonly string[];
  /** Those of the order itself, which its rows may not contradict. */
  orderColumns: readonly string[];
  lookups: readonly Lookup[];
  idSource: IdSource;
}

/** Where a mapping takes the Ids of orders from. With another source, the same rows have other Ids. */
export interface IdSource {
  /** Ids are derived in it; null if a column has them. */
  namespace: string | null;
  /** The columns of the key, or the one that has the Ids; empty if the mapping has a constant. */
  columns: readonly string[];
}

/** Anywhere in a mapping. */
const COMMENT = '//';
const namesIn = (properties: object) => Object.keys(properties).filter((name) => name !== COMMENT);
const MEMBERS = namesIn(schema.properties);
const ORIGIN = namesIn(schema.$defs.Origin.anyOf[1]?.properties ?? {});
/** The amounts that a mapping compares. */
export const EXPECTED: readonly string[] = namesIn(schema.properties.expect.properties);

/** @throws Problem that names the position in the mapping. */
export function parseMapping(file: string, json: string): CsvMapping {
  const reader = new MappingReader(file, json);
  const { key, namespace, delimiter, decimal = '.', thousands, currency, quote = '"', encoding } = reader.value;
  reader.known(reader.value, [], MEMBERS, 'a mapping');
  const keys = typeof key === 'string' ? [key] : key;
  if (!isList(keys)) reader.fail(['key'], 'key must name the column, or the columns, whose value identifies an order');
  if (delimiter !== undefined && (typeof delimiter !== 'string' || delimiter.length !== 1))
    reader.fail(['delimiter'], 'delimiter must be one character');
  if (quote !== false && (typeof quote !== 'string' || quote.length !== 1 || quote === (delimiter ?? ',')))
    reader.fail(['quote'], 'quote must be one character other than the delimiter, or false');
  if (decimal !== '.' && decimal !== ',') reader.fail(['decimal'], 'decimal must be "." or ","');
  if (thousands !== undefined && !isSeparator(thousands, decimal))
    reader.fail(['thousands'], 'thousands must be one character, and neither a digit nor the decimal sign');
  if (currency !== undefined && !(typeof currency === 'string' && /^[^\d.,+-]+$/.test(currency.trim())))
    reader.fail(['currency'], 'currency must be a sign or a code without digits, such as "$" or "EUR"');
  const order = reader.record(reader.value.order, ['order']);
  const items = reader.record(reader.value.items, ['items']);
  const [taxes, discounts, extraItems] = [
    reader.records('taxes'),
    reader.records('discounts'),
    reader.records('extraItems'),
  ];
  const others = { Items: ['items', [items]], Taxes: ['taxes', taxes], Discount: ['discounts', discounts] } as const;
  for (const [member, [name, records]] of Object.entries(others))
    if (member in order && records.length > 0)
      reader.fail(['order', member], `${member} is either mapped in "${name}" or in "order", not both`);
  const expect = reader.expected();
  const [skip, itemRows] = [reader.conditions('skip'), reader.conditions('itemRows')];
  const ofOrder = [order, ...taxes, ...discounts, ...extraItems, expect];
  return {
    key: keys as string[],
    namespace: namespace as string | undefined,
    delimiter: delimiter as string | undefined,
    quote: quote as string | false,
    encoding: reader.encoding(encoding, ['encoding']),
    decimal: decimal as '.' | ',',
    saysDecimals: reader.value.decimal !== undefined || thousands !== undefined,
    thousands: thousands as CsvMapping['thousands'],
    currency: (currency as string | undefined)?.trim(),
    skip,
    itemRows,
    order,
    items,
    extraItems,
    taxes,
    discounts,
    expect,
    columns: [
      ...new Set([
        ...(keys as string[]),
        ...[items, ...ofOrder].flatMap(columnsOf),
        ...Object.keys({ ...skip, ...itemRows }),
      ]),
    ],
    orderColumns: [
      ...new Set(ofOrder.flatMap((record) => Object.values(record).flatMap(({ column }) => column ?? []))),
    ],
    lookups: reader.lookups,
    idSource: idSourceOf(reader, namespace, keys as string[], order.Id),
  };
}

function columnsOf(record: RecordMapping): string[] {
  return Object.values(record).flatMap(({ column, sum = [], per }) => [column ?? [], ...sum, per ?? []].flat());
}

function isSeparator(thousands: unknown, decimal: unknown): boolean {
  return typeof thousands === 'string' && /^[^\d+\-eE"]$/.test(thousands) && thousands !== decimal;
}

function idSourceOf(reader: MappingReader, namespace: unknown, key: readonly string[], id?: Origin): IdSource {
  if (namespace === undefined) {
    if (id) return { namespace: null, columns: id.column === undefined ? [] : [id.column] };
    const hint = `Add "namespace", a GUID of your own (${CALLED} id prints one), or map Id in "order" to a column.`;
    reader.fail([], 'the mapping does not say where the Id of an order comes from', hint);
  }
  if (id)
    reader.fail(['namespace'], 'the Id of an order is either derived in a namespace or mapped in "order", not both');
  const guid = typeof namespace === 'string' ? parseGuid(namespace) : null;
  const hint = `${CALLED} id prints one. Never change it later.`;
  return guid ? { namespace: guid, columns: key } : reader.fail(['namespace'], 'namespace must be a GUID', hint);
}

type Path = readonly (string | number)[];

class MappingReader {
  readonly value: Record<string, unknown>;
  /** Those that the records name. */
  readonly lookups: Lookup[] = [];
  readonly #file: string;
  readonly #json: string;

  constructor(file: string, json: string) {
    this.#file = file;
    this.#json = json;
    this.value = parsedJson(file, json) as Record<string, unknown>;
    if (!isRecord(this.value)) this.fail([], 'the mapping must be an object');
  }

  /** Makes sure that an object has only these members, and comments. */
  known(value: object, path: Path, names: readonly string[], what: string): void {
    const unknown = Object.keys(value).find((name) => name !== COMMENT && !names.includes(name));
    if (unknown !== undefined)
      this.fail([...path, unknown], `${unknown} is not a member of ${what}`, `They are ${names.join(', ')}.`);
  }

  record(value: unknown, path: Path): RecordMapping {
    if (!isRecord(value))
      this.fail(path, `${path.join('.')} must be an object: members and the columns they come from`);
    const members = Object.entries(value as object).filter(([member]) => member !== COMMENT);
    return Object.fromEntries(
      members.map(([member, given]) => [member, this.#origin(member, given, [...path, member])]),
    );
  }

  /** Empty if the mapping lacks the member. */
  records(name: 'taxes' | 'discounts' | 'extraItems'): RecordMapping[] {
    const { [name]: value = [] } = this.value;
    if (!Array.isArray(value)) this.fail([name], `${name} must be an array of records`);
    return (value as unknown[]).map((each, index) => this.record(each, [name, index]));
  }

  expected(): RecordMapping {
    const { expect = {} } = this.value;
    const record = this.record(expect, ['expect']);
    this.known(record, ['expect'], EXPECTED, 'expect');
    for (const [name, { value }] of Object.entries(record))
      if (value !== undefined) this.fail(['expect', name], `${name} must be a column, not a value`);
    return record;
  }

  conditions(name: 'skip' | 'itemRows'): Conditions {
    const { [name]: value = {} } = this.value;
    if (!isRecord(value)) this.fail([name], `${name} must be an object: columns and their values`);
    const all = Object.entries(value as object).filter(([column]) => column !== COMMENT);
    for (const [column, values] of all)
      if (values !== true && !isList(values))
        this.fail(
          [name, column],
          `${name} must have an array of values for ${column}, as strings, or true for any value`,
        );
    return Object.fromEntries(all) as Conditions;
  }

  encoding(label: unknown, path: Path): string | undefined {
    if (label === undefined) return undefined;
    try {
      return new TextDecoder(label as string).encoding;
    } catch {
      const hint = 'Use a label of the Encoding Standard, such as "windows-1252" or "utf-16le".';
      return this.fail(path, `encoding ${JSON.stringify(label)} is not known`, hint);
    }
  }

  #origin(member: string, given: unknown, path: Path): Origin {
    if (typeof given === 'string') return { column: given };
    const sources = isRecord(given) ? ['column', 'sum', 'value'].filter((name) => name in given) : [];
    if (!isRecord(given) || sources.length !== 1)
      return this.fail(
        path,
        `${member} must be a column or { "value": … }`,
        'Or { "sum": … }, columns to be added up.',
      );
    this.known(given, path, ORIGIN, 'a column');
    const { column, value, sum, per } = given;
    const columns = typeof sum === 'string' ? [sum] : sum;
    if (column !== undefined && typeof column !== 'string') this.fail([...path, 'column'], 'column must be a name');
    if (sum !== undefined && !isList(columns)) this.fail([...path, 'sum'], 'sum must name one or more columns');
    if (per !== undefined && (typeof per !== 'string' || 'value' in given || path[0] !== 'items'))
      this.fail([...path, 'per'], 'per must name the column of the quantity, and is only for amounts of items');
    const origin = {
      ...(column === undefined ? {} : { column: column as string }),
      ...(sum === undefined ? {} : { sum: columns as string[] }),
      ...('value' in given && { value }),
      ...(per === undefined ? {} : { per: per as string }),
    };
    const lookup = this.#lookup(given, path);
    return lookup ? { ...origin, lookup } : origin;
  }

  #lookup(given: Record<string, unknown>, path: Path): Lookup | undefined {
    const { lookup: file, from, to, encoding } = given;
    if (file === undefined) {
      const stray = ['from', 'to', 'encoding'].find((name) => name in given);
      return stray === undefined
        ? undefined
        : this.fail([...path, stray], `${stray} needs "lookup", the file that it is about`);
    }
    if (typeof file !== 'string' || file === '') return this.fail([...path, 'lookup'], 'lookup must name a file');
    if ('sum' in given || 'per' in given) this.fail([...path, 'lookup'], 'an amount is not looked up');
    for (const [name, column] of Object.entries({ from, to }))
      if (column !== undefined && typeof column !== 'string') this.fail([...path, name], `${name} must name a column`);
    if ((from === undefined) !== (to === undefined) || (from === undefined && !/\.json$/i.test(file)))
      this.fail([...path, 'lookup'], `lookup needs "from" and "to", the columns of ${file}`);
    const lookup: Lookup = {
      file: isAbsolute(file) ? file : join(dirname(this.#file), file),
      from: from as string | undefined,
      to: to as string | undefined,
      constant: 'value' in given ? `${given.value}` : undefined,
      encodings:
        encoding === undefined
          ? [...new Set([undefined, this.encoding(this.value.encoding, ['encoding'])])]
          : [this.encoding(encoding, [...path, 'encoding'])],
      position: positionIn(this.#file, this.#json, [...path, 'lookup'], 'value'),
      table: new Map(),
    };
    this.lookups.push(lookup);
    return lookup;
  }

  fail(path: Path, problem: string, hint?: string): never {
    throw usageProblem(`${positionIn(this.#file, this.#json, path, 'name')}: ${problem}`, hint);
  }
}

function isList(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
