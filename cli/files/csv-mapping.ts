import { dirname, isAbsolute, join } from 'node:path';
import { type DecimalNotation, parseGuid } from 'sales-order-intake';
import { usageProblem } from '../problem.js';
import { CALLED } from '../arguments/program.js';
import { parsedJson, positionIn } from './json-location.js';
import { faultIn, type Path } from './mapping-fault.js';
import schema from './mapping-schema.json';

/** Where the value of a member comes from: one of `column`, `sum` and `value`. */
export interface Origin {
  column: string | undefined;
  /** Columns whose amounts are added up, over all items of the order. */
  sum: readonly string[] | undefined;
  value: unknown;
  /** The column of the quantity by which an amount is divided. */
  per: string | undefined;
  /** What the value is replaced with. */
  lookup: Lookup | undefined;
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
  /** Empty until the file is read. Numbers are those of JSON. */
  table: ReadonlyMap<string, string | number>;
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

/** The JSON of a mapping, as its schema has it. */
interface MappingJson
  extends Partial<Pick<CsvMapping, 'namespace' | 'delimiter' | 'quote' | 'encoding' | 'decimal' | 'thousands'>>,
    Partial<Pick<CsvMapping, 'currency' | 'skip' | 'itemRows'>>,
    Partial<Record<'extraItems' | 'taxes' | 'discounts', readonly RecordJson[]>> {
  key: string | readonly string[];
  order: RecordJson;
  items: RecordJson;
  expect?: RecordJson;
}
type RecordJson = Readonly<Record<string, string | OriginJson>>;
interface OriginJson extends Partial<Record<'column' | 'per' | 'lookup' | 'from' | 'to' | 'encoding', string>> {
  sum?: string | readonly string[];
  value?: unknown;
}

/** The amounts that a mapping compares. */
export const EXPECTED: readonly string[] = Object.keys(schema.properties.expect.properties);

/** @throws Problem that names the position in the mapping. */
export function parseMapping(file: string, text: string): CsvMapping {
  const reader = new MappingReader(file, text);
  const { delimiter, decimal = '.', thousands, currency, quote = '"', skip = {}, itemRows = {} } = reader.json;
  const key = [reader.json.key].flat();
  const { quote: aboutQuote, thousands: aboutThousands } = schema.properties;
  reader.reject(quote === (delimiter ?? ','), ['quote'], `quote ${aboutQuote.errorMessage}`);
  reader.reject(thousands === decimal, ['thousands'], `thousands ${aboutThousands.errorMessage}`);
  const encoding = reader.encoding(reader.json.encoding, ['encoding']);
  const order = reader.record('order');
  const items = reader.record('items');
  const expect = reader.record('expect');
  const [extraItems, taxes, discounts] = [
    reader.records('extraItems'),
    reader.records('taxes'),
    reader.records('discounts'),
  ];
  const others = { Items: ['items', [items]], Taxes: ['taxes', taxes], Discount: ['discounts', discounts] } as const;
  for (const [member, [name, records]] of Object.entries(others)) {
    const problem = `${member} is either mapped in "${name}" or in "order", not both`;
    reader.reject(member in order && records.length > 0, ['order', member], problem);
  }
  for (const [name, { value }] of Object.entries(expect))
    reader.reject(value !== undefined, ['expect', name], `${name} must be a column, not a value`);
  const ofOrder = [order, ...taxes, ...discounts, ...extraItems, expect].flatMap(Object.values<Origin>);
  const origins = [...Object.values(items), ...ofOrder];
  const named = origins.flatMap(({ column = [], sum = [], per = [] }) => [column, sum, per].flat());
  return {
    ...{ key, delimiter, quote, encoding, decimal, thousands, skip, itemRows },
    ...{ order, items, extraItems, taxes, discounts, expect },
    namespace: reader.json.namespace,
    saysDecimals: reader.json.decimal !== undefined || thousands !== undefined,
    currency: currency?.trim(),
    columns: [...new Set([...key, ...named, ...Object.keys({ ...skip, ...itemRows })])],
    orderColumns: [...new Set(ofOrder.flatMap(({ column = [] }) => column))],
    lookups: reader.lookups,
    idSource: idSourceOf(reader, key, order.Id),
  };
}

function idSourceOf(reader: MappingReader, columns: readonly string[], id: Origin | undefined): IdSource {
  const { namespace } = reader.json;
  if (namespace === undefined) {
    if (id) return { namespace: null, columns: [id.column ?? []].flat() };
    const hint = `Add "namespace", a GUID of your own (${CALLED} id prints one), or map Id in "order" to a column.`;
    return reader.fail([], 'the mapping does not say where the Id of an order comes from', hint);
  }
  const problem = 'the Id of an order is either derived in a namespace or mapped in "order", not both';
  reader.reject(id !== undefined, ['namespace'], problem);
  const hint = `${CALLED} id prints one. Never change it later.`;
  return { namespace: parseGuid(namespace) ?? reader.fail(['namespace'], 'namespace must be a GUID', hint), columns };
}

class MappingReader {
  readonly json: MappingJson;
  /** Those that the records name. */
  readonly lookups: Lookup[] = [];
  readonly #file: string;
  readonly #text: string;

  constructor(file: string, text: string) {
    this.#file = file;
    this.#text = text;
    // Comments can be in every object.
    const json = parsedJson(file, text, usageProblem, (name, value: unknown) => (name === '//' ? undefined : value));
    const fault = faultIn(json);
    if (fault) this.fail(fault.path, `${fault.problem}`, fault.hint);
    this.json = json as MappingJson;
  }

  fail(path: Path, problem: string, hint?: string): never {
    throw usageProblem(`${positionIn(this.#file, this.#text, path, 'name')}: ${problem}`, hint);
  }

  /** Fails if something is wrong that the schema does not say. */
  reject(isWrong: boolean, path: Path, problem: string, hint?: string): void {
    if (isWrong) this.fail(path, problem, hint);
  }

  record(name: 'order' | 'items' | 'expect'): RecordMapping {
    return this.#record(this.json[name] ?? {}, [name]);
  }

  /** Empty if the mapping lacks the member. */
  records(name: 'taxes' | 'discounts' | 'extraItems'): RecordMapping[] {
    return (this.json[name] ?? []).map((each, index) => this.#record(each, [name, index]));
  }

  encoding(label: string | undefined, path: Path): string | undefined {
    if (label === undefined) return undefined;
    try {
      return new TextDecoder(label).encoding;
    } catch {
      const hint = 'Use a label of the Encoding Standard, such as "windows-1252" or "utf-16le".';
      return this.fail(path, `encoding ${JSON.stringify(label)} is not known`, hint);
    }
  }

  #record(given: RecordJson, path: Path): RecordMapping {
    const members = Object.entries(given);
    return Object.fromEntries(members.map(([name, each]) => [name, this.#origin(each, [...path, name])]));
  }

  #origin(given: string | OriginJson, path: Path): Origin {
    const origin = typeof given === 'string' ? { column: given } : given;
    const { column, sum, value, per } = origin;
    const sources = [column, sum, value].filter((each) => each !== undefined);
    this.reject(sources.length !== 1, path, `${path.at(-1)} ${schema.$defs.Origin.errorMessage}`);
    const isDivisible = path[0] === 'items' && value === undefined;
    this.reject(
      per !== undefined && !isDivisible,
      [...path, 'per'],
      'per is only for amounts of items, not for constants',
    );
    return { column, sum: sum === undefined ? sum : [sum].flat(), value, per, lookup: this.#lookup(origin, path) };
  }

  #lookup({ value, sum, per, lookup: name, from, to, encoding }: OriginJson, path: Path): Lookup | undefined {
    if (name === undefined) {
      const [stray] = Object.entries({ from, to, encoding }).find(([, each]) => each !== undefined) ?? [];
      if (stray !== undefined) this.fail([...path, stray], `${stray} needs "lookup", the file that it is about`);
      return undefined;
    }
    const at = [...path, 'lookup'];
    this.reject(sum !== undefined || per !== undefined, at, 'an amount is not looked up');
    const needsColumns = from === undefined ? to !== undefined || !/\.json$/i.test(name) : to === undefined;
    this.reject(needsColumns, at, `lookup needs "from" and "to", the columns of ${name}`);
    const ofMapping = this.encoding(this.json.encoding, ['encoding']);
    const lookup: Lookup = {
      file: isAbsolute(name) ? name : join(dirname(this.#file), name),
      ...{ from, to },
      constant: value === undefined ? undefined : `${value}`,
      encodings:
        encoding === undefined
          ? [...new Set([undefined, ofMapping])]
          : [this.encoding(encoding, [...path, 'encoding'])],
      position: positionIn(this.#file, this.#text, at, 'value'),
      table: new Map(),
    };
    this.lookups.push(lookup);
    return lookup;
  }
}
