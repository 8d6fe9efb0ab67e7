import { type DecimalNotation, parseGuid } from 'sales-order-intake';
import { usageProblem } from '../problem.js';
import { CALLED } from '../arguments/program.js';
import { parsedJson, positionIn } from './json-location.js';

/** Where the value of a member comes from. */
export interface Origin {
  /** Undefined if the mapping itself has the value. */
  column?: string;
  value?: unknown;
}
export type RecordMapping = Readonly<Record<string, Origin>>;

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
  /** Undefined if it is the default, or named by the file itself. */
  delimiter: string | undefined;
  order: RecordMapping;
  items: RecordMapping;
  taxes: readonly RecordMapping[];
  discounts: readonly RecordMapping[];
  /** Every column that the mapping names. */
  columns: readonly string[];
  /** Those of the order itself, which its rows may not contradict. */
  orderColumns: readonly string[];
  idSource: IdSource;
}

/** Where a mapping takes the Ids of orders from. With another source, the same rows have other Ids. */
export interface IdSource {
  /** Ids are derived in it; null if a column has them. */
  namespace: string | null;
  /** The columns of the key, or the one that has the Ids; empty if the mapping has a constant. */
  columns: readonly string[];
}

const MEMBERS = ['key', 'namespace', 'delimiter', 'decimal', 'thousands', 'order', 'items', 'taxes', 'discounts'];

/** @throws Problem that names the position in the mapping. */
export function parseMapping(file: string, json: string): CsvMapping {
  const reader = new MappingReader(file, json);
  const { key, namespace, delimiter, decimal = '.', thousands } = reader.value;
  const unknown = Object.keys(reader.value).find((name) => !MEMBERS.includes(name));
  if (unknown !== undefined)
    reader.fail([unknown], `${unknown} is not a member of a mapping`, `They are ${MEMBERS.join(', ')}.`);
  const keys = typeof key === 'string' ? [key] : key;
  const areColumns = Array.isArray(keys) && keys.length > 0 && keys.every((name) => typeof name === 'string');
  if (!areColumns) reader.fail(['key'], 'key must name the column, or the columns, whose value identifies an order');
  if (delimiter !== undefined && (typeof delimiter !== 'string' || delimiter.length !== 1))
    reader.fail(['delimiter'], 'delimiter must be one character');
  if (decimal !== '.' && decimal !== ',') reader.fail(['decimal'], 'decimal must be "." or ","');
  if (thousands !== undefined && !isSeparator(thousands, decimal))
    reader.fail(['thousands'], 'thousands must be one character, and neither a digit nor the decimal sign');
  const order = reader.record(reader.value.order, ['order']);
  const items = reader.record(reader.value.items, ['items']);
  const taxes = reader.records('taxes');
  const discounts = reader.records('discounts');
  const others = { Items: ['items', [items]], Taxes: ['taxes', taxes], Discount: ['discounts', discounts] } as const;
  for (const [member, [name, records]] of Object.entries(others))
    if (member in order && records.length > 0)
      reader.fail(['order', member], `${member} is either mapped in "${name}" or in "order", not both`);
  return {
    key: keys as string[],
    namespace: namespace as string | undefined,
    delimiter: delimiter as string | undefined,
    decimal: decimal as '.' | ',',
    saysDecimals: reader.value.decimal !== undefined || thousands !== undefined,
    thousands: thousands as CsvMapping['thousands'],
    order,
    items,
    taxes,
    discounts,
    columns: [...new Set([...(keys as string[]), ...columnsOf(order, items, ...taxes, ...discounts)])],
    orderColumns: columnsOf(order, ...taxes, ...discounts),
    idSource: idSourceOf(reader, namespace, keys as string[], order.Id),
  };
}

function columnsOf(...records: readonly RecordMapping[]): string[] {
  const origins = records.flatMap((record) => Object.values(record));
  return [...new Set(origins.flatMap(({ column }) => column ?? []))];
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

class MappingReader {
  readonly value: Record<string, unknown>;
  readonly #file: string;
  readonly #json: string;

  constructor(file: string, json: string) {
    this.#file = file;
    this.#json = json;
    this.value = parsedJson(file, json) as Record<string, unknown>;
    if (!isRecord(this.value)) this.fail([], 'the mapping must be an object');
  }

  record(value: unknown, path: (string | number)[]): RecordMapping {
    if (!isRecord(value))
      this.fail(path, `${path.join('.')} must be an object: members and the columns they come from`);
    const origins = Object.entries(value as object).map(([member, given]) => {
      const origin = originOf(given);
      return [member, origin ?? this.fail([...path, member], `${member} must be a column or { "value": … }`)] as const;
    });
    return Object.fromEntries(origins) as RecordMapping;
  }

  /** Empty if the mapping lacks the member. */
  records(name: 'taxes' | 'discounts'): RecordMapping[] {
    const { [name]: value = [] } = this.value;
    if (!Array.isArray(value)) this.fail([name], `${name} must be an array of records`);
    return (value as unknown[]).map((each, index) => this.record(each, [name, index]));
  }

  fail(path: (string | number)[], problem: string, hint?: string): never {
    throw usageProblem(`${positionIn(this.#file, this.#json, path, 'name')}: ${problem}`, hint);
  }
}

function originOf(given: unknown): Origin | undefined {
  if (typeof given === 'string') return { column: given };
  if (!isRecord(given) || Object.keys(given).length !== 1) return undefined;
  if (typeof given.column === 'string') return { column: given.column };
  return 'value' in given ? { value: given.value } : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
