/** Exact arithmetic with amounts, which are strings so that no caller uses floats (D58). The core computes. */
import { encodeOptions, limited, OPTION_DECIMALS, type Writing, jsonOf } from './json.js';
import { OptionError } from './errors.js';
import { call } from './loader.js';
import { resolve } from './resolve.js';
import type { DecimalInput, DecimalString } from './values.js';

/**
 * Compares two amounts exactly: returns −1 if `a` is less than `b`, 0 if they are equal, and 1 if it is greater. As strings,
 * `'9.00'` would be greater than `'100.00'`.
 *
 * What a person or a browser has sent may be anything: read it with {@link readDecimal} first.
 *
 * @throws OptionError if one is not a decimal (D8), such as `'63,54'`, and also if it is null: an unknown amount is neither less nor
 * greater. `option` is `/0` or `/1`. CoreInitError, InternalError.
 *
 * @example
 * ```js
 * import { compareAmounts } from 'sales-order-intake';
 *
 * console.log(compareAmounts('9.00', '100.00')); // -1
 * console.log(compareAmounts('5', 5.0)); // 0
 * console.log(['12.50', '9.00', '100.00'].sort(compareAmounts)); // [ '9.00', '12.50', '100.00' ]
 * ```
 */
export function compareAmounts(a: DecimalInput, b: DecimalInput): -1 | 0 | 1 {
  return JSON.parse(call('compareAmounts', amountsJson([a, b]))) as -1 | 0 | 1;
}

/**
 * Adds amounts exactly. Returns the sum with as many fraction digits as the amount that has the most, `'0'` if there are none. Returns
 * null if one is null: with an unknown amount the sum is unknown, not less.
 *
 * @throws OptionError if one is neither a decimal (D8) nor null; `option` is its pointer, such as `/2`. Also for a string, which would be
 * a list of digits. CoreInitError, InternalError.
 *
 * @example
 * ```js
 * import { sumAmounts } from 'sales-order-intake';
 *
 * console.log(sumAmounts(['39.98', '2.00', '-0.5'])); // 41.48
 * console.log(sumAmounts(['39.98', null])); // null
 * console.log(sumAmounts([])); // 0
 * ```
 */
export function sumAmounts(amounts: Iterable<DecimalInput | null>): DecimalString | null {
  if (typeof amounts !== 'object' || !amounts?.[Symbol.iterator]) throw new OptionError('amounts must be a list', '');
  return JSON.parse(call('sumAmounts', amountsJson(amounts))) as DecimalString | null;
}

/** How the decimals of a language are written. */
export interface DecimalNotation {
  /**
   * The decimal sign.
   * @default '.'
   */
  decimal?: '.' | ',' | undefined;
  /** The character between groups of three digits. If absent, digits are not grouped. */
  thousands?: '.' | ',' | ' ' | "'" | undefined;
}

/**
 * Parses a decimal that a person typed, and returns it in the notation of the package. Returns null if the text is not a decimal in the
 * given notation, has an exponent (`'1e3'`), or has more digits than a decimal can hold. Never guesses: if `decimal` is a comma and `thousands` is absent, `'1.299'` is not a number, because it may be 1.299
 * or 1299 (D55).
 *
 * Spaces around the number are ignored. A space between thousands may be a no-break space, and an apostrophe a typographic one, as
 * `Intl.NumberFormat` writes them.
 *
 * @throws OptionError for a wrong option. CoreInitError, InternalError.
 *
 * @example
 * ```js
 * import { readDecimal } from 'sales-order-intake';
 *
 * console.log(readDecimal('1.299,50', { decimal: ',', thousands: '.' })); // 1299.50
 * console.log(readDecimal('1,5', { decimal: ',' })); // 1.5
 * console.log(readDecimal('1,5')); // null
 * ```
 */
export function readDecimal(text: string, options?: DecimalNotation): DecimalString | null {
  const response = call('readDecimal', typeof text === 'string' ? text : '', encodeOptions(options));
  return JSON.parse(response) as DecimalString | null;
}

/** Returns the JSON of a list of amounts. The list has no limit; each amount has the limit of all JSON. */
function amountsJson(amounts: Iterable<DecimalInput | null>): string {
  let json = '[';
  let index = 0;
  for (const amount of amounts) {
    const writing: Writing = { decimals: OPTION_DECIMALS, ancestors: [], spent: 0 };
    json += (index > 0 ? ',' : '') + limited(jsonOf(writing, resolve(amount, index, true)), writing);
    index++;
  }
  return `${json}]`;
}
