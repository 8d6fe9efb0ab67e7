/** How the numbers of a CSV file are written. */
export interface DecimalNotation {
  decimal: '.' | ',';
  /** Separates groups of three digits; undefined if nothing does. */
  thousands: string | undefined;
}

const SIGN_AND_GROUPS = /^[+-]?\d{1,3}(?:_\d{3})+$/;

/**
 * Returns a number as the core reads it. What is not a number in the notation of the file must not become one in that of the
 * core: 1.000 is one, or a thousand. Such a cell gets a mark, so that the core reports it.
 */
export function decimalOf(cell: string, notation: DecimalNotation): string {
  const { decimal, thousands } = notation;
  const [whole = '', ...fractions] = cell.split(decimal);
  const fraction = fractions.join(decimal);
  const digits = thousands === undefined ? whole : withoutGroups(whole, thousands);
  const isWrong = digits === undefined || [whole, fraction].some((part) => hasForeign(part, notation));
  if (isWrong || fraction.includes(decimal)) return `not a number: ${cell}`;
  return fractions.length === 0 ? digits : `${digits}.${fraction}`;
}

/** Undefined if a separator is at a wrong position. */
function withoutGroups(whole: string, thousands: string): string | undefined {
  if (!whole.includes(thousands)) return whole;
  const groups = whole.replaceAll('_', '?').replaceAll(thousands, '_');
  return SIGN_AND_GROUPS.test(groups) ? groups.replaceAll('_', '') : undefined;
}

/** True if a part of a number has a decimal sign of the other notation. */
function hasForeign(part: string, { decimal, thousands }: DecimalNotation): boolean {
  const other = decimal === '.' ? ',' : '.';
  return part.includes(other) && other !== thousands;
}

/** Says how a number has to be written, in the notation of the file. */
export function decimalHint(cell: string, { decimal, thousands }: DecimalNotation): string {
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
