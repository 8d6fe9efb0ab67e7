/** How the text of a cell is written as a value in JSON. */
import { readDecimal } from 'sales-order-intake';
import { type CsvMapping, EXPECTED, type Lookup } from './csv-mapping.js';
import { BOOLEANS, DECIMALS, INTEGERS } from './member-types.js';

const ALL_DECIMALS = new Set([...DECIMALS, ...EXPECTED]);

type Notation = Pick<CsvMapping, 'decimal' | 'thousands' | 'currency'>;

/** Returns a function that writes the text of a cell as the value of a member. A value of another type stays a string: the core reports it. */
export function valueWriter(name: string, mapping: Notation): (text: string) => string {
  if (INTEGERS.includes(name)) return (text) => (/^[1-9]\d{0,14}$/.test(text) ? text : JSON.stringify(text));
  if (BOOLEANS.includes(name)) return (text) => `${booleanOf(text) ?? JSON.stringify(text)}`;
  if (!ALL_DECIMALS.has(name)) return JSON.stringify;
  return decimalWriter(name === 'Quantity' ? { ...mapping, currency: undefined } : mapping);
}

/** Returns a function that writes what a table has for a text; undefined if it has nothing. */
export function lookupWriter(name: string, mapping: Notation, table: Lookup['table']) {
  const write = valueWriter(name, mapping);
  return (text: string) => {
    const found = table.get(text);
    // A number of JSON is not in the notation of the file.
    if (typeof found === 'number' && ALL_DECIMALS.has(name)) return `${found}`;
    return found === undefined ? undefined : write(`${found}`);
  };
}

/** The prefix of what is not a number. */
const NOT_A_NUMBER = 'not a number: ';

export function notANumber(text: string): string {
  return JSON.stringify(NOT_A_NUMBER + text);
}

/** Returns a function that writes a decimal, or a string that no decimal begins with. */
export function decimalWriter({ decimal, thousands, currency }: Notation): (text: string) => string {
  // Most decimals are numbers in JSON, too, and keep their digits there.
  const plain = decimal === '.' ? /^(?:0|[1-9]\d{0,11})(?:\.\d{1,9})?$/ : /^(?:0|[1-9]\d{0,11})(?:,\d{1,9})?$/;
  const write = (text: string) => {
    if (plain.test(text)) return decimal === '.' ? text : text.replace(',', '.');
    // A cell that is not a number in the notation of the file must not become one in that of the core: 1.000 may be one or a
    // thousand. Such a cell gets a prefix, so that the core reports it.
    const read = readDecimal(text, { decimal, thousands });
    return read === null ? notANumber(text) : JSON.stringify(read);
  };
  if (currency === undefined) return write;
  const sign = currency.replace(/[\^$\\.*+?()[\]{}|/]/g, '\\$&');
  const atStart = new RegExp(`^([+-]?)\\s*${sign}\\s*`, 'u');
  return (text) => {
    if (atStart.test(text)) return write(text.replace(atStart, '$1'));
    return write(text.endsWith(currency) ? text.slice(0, -currency.length).trimEnd() : text);
  };
}

/** Reads a decimal that was written; null if it is none. */
export function decimalIn(json: string): string | null {
  const text = json.startsWith('"') ? (JSON.parse(json) as string) : json;
  return text.startsWith(NOT_A_NUMBER) ? null : text;
}

/** Writes a decimal without its minus: some systems write what a discount subtracts as a negative amount. */
export function withoutSign(json: string): string {
  return json.replace(/^("?)-/, '$1');
}

/** Returns whether a decimal that was written is zero. */
export function isZero(json: string): boolean {
  return /^"?-?0+(?:\.0*)?"?$/.test(json);
}

/** Fraction digits of a price that is divided: the price of 100,000 pieces has the right cents. */
const MOST_DIGITS = 8;

/** Divides an amount by a quantity that is not zero, both decimals. The result is rounded if it has more than 8 fraction digits. */
export function dividedBy(amount: string, quantity: string): string {
  const [[digits, scale], [count, places]] = [scaled(amount), scaled(quantity)];
  const [over, under] = [digits * 10n ** BigInt(places + MOST_DIGITS), count * 10n ** BigInt(scale)];
  const isNegative = over < 0n !== under < 0n;
  const [top, bottom] = [over < 0n ? -over : over, under < 0n ? -under : under];
  const text = `${(2n * top + bottom) / (2n * bottom)}`.padStart(MOST_DIGITS + 1, '0');
  const fraction = text.slice(-MOST_DIGITS).replace(/0+$/, '');
  return `${isNegative ? '-' : ''}${text.slice(0, -MOST_DIGITS)}${fraction && `.${fraction}`}`;
}

/** Returns the digits of a decimal as an integer, and how many of them are a fraction. */
function scaled(decimal: string): [bigint, number] {
  const [whole = '', fraction = ''] = decimal.split('.');
  return [BigInt(whole + fraction), fraction.length];
}

function booleanOf(text: string): boolean | undefined {
  const lower = text.toLowerCase();
  if (['true', 'yes', '1'].includes(lower)) return true;
  return ['false', 'no', '0'].includes(lower) ? false : undefined;
}

/** Returns a hint that says how to write a number in the notation of the file. */
export function decimalHint(cell: string, { decimal, thousands, currency }: Notation): string {
  const name = decimal === '.' ? 'point' : 'comma';
  const [sign] = (currency === undefined && /\p{Sc}|^[A-Z]{3}\b|\b[A-Z]{3}$/u.exec(cell)) || [];
  if (sign !== undefined)
    return `set "currency": ${JSON.stringify(sign)} in the mapping, which removes it from amounts`;
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
