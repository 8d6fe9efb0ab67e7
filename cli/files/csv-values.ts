/** How the text of a cell is written as a value in JSON. */
import { readDecimal } from 'sales-order-intake';
import type { CsvMapping } from './csv-mapping.js';
import { BOOLEANS, DECIMALS, INTEGERS } from './member-types.js';

/** Returns a function that writes a member with the text of its cell, or with the JSON that the mapping has. */
export function memberWriter(name: string, json: string | undefined, mapping: CsvMapping): (text: string) => string {
  const start = `${JSON.stringify(name)}:`;
  if (json !== undefined) return () => start + json;
  const write = valueWriter(name, mapping);
  return (text) => start + write(text);
}

/** Returns a function that writes the text of a cell as the value of a member. A value of another type stays a string: the core reports it. */
function valueWriter(name: string, { decimal, thousands }: CsvMapping): (text: string) => string {
  if (INTEGERS.includes(name)) return (text) => (/^[1-9]\d{0,14}$/.test(text) ? text : JSON.stringify(text));
  if (BOOLEANS.includes(name)) return (text) => `${booleanOf(text) ?? JSON.stringify(text)}`;
  if (!DECIMALS.includes(name)) return JSON.stringify;
  // Most decimals are numbers in JSON, too, and keep their digits there.
  const plain = decimal === '.' ? /^(?:0|[1-9]\d{0,11})(?:\.\d{1,9})?$/ : /^(?:0|[1-9]\d{0,11})(?:,\d{1,9})?$/;
  return (text) => {
    if (plain.test(text)) return decimal === '.' ? text : text.replace(',', '.');
    // A cell that is not a number in the notation of the file must not become one in that of the core: 1.000 may be one or a
    // thousand. Such a cell gets a prefix, so that the core reports it.
    return JSON.stringify(readDecimal(text, { decimal, thousands }) ?? `not a number: ${text}`);
  };
}

function booleanOf(text: string): boolean | undefined {
  const lower = text.toLowerCase();
  if (['true', 'yes', '1'].includes(lower)) return true;
  return ['false', 'no', '0'].includes(lower) ? false : undefined;
}

/** Returns a hint that says how to write a number in the notation of the file. */
export function decimalHint(cell: string, { decimal, thousands }: CsvMapping): string {
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
