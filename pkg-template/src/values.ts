/** The values of an order: GUIDs and decimals. */

/** A GUID in the .NET "D" form: lower case, hyphens, never all zero (D1). */
export type Guid = string;

/**
 * A decimal as the caller has it: a number, a string of digits, a bigint, or an object with `toFixed()` (decimal.js, big.js,
 * bignumber.js).
 *
 * A number counts by its shortest notation, never by its bits: `19.99` is exactly 19.99. NaN, infinities and numbers that do not fit
 * a 96-bit decimal with 0 to 28 fraction digits are errors (D8).
 */
export type DecimalInput =
  | number
  | string
  | bigint
  | {
      /** Returns all digits in plain notation. */
      toFixed(): string;
    };

/**
 * A decimal as the package returns it: plain notation, exact digits (D8).
 *
 * `Intl.NumberFormat.format` takes it as it is, and rounds it only to the digits of its own options. TypeScript 5.5 and later know
 * that with `"lib": ["es2023"]` or a later one; without it, `format(amount as unknown as number)` does the same. `Number(amount)` is
 * exact up to 15 digits.
 */
export type DecimalString = `${number}`;
