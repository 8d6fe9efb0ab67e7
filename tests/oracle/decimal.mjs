// Exact decimals on BigInt: `digits` × 10^−`scale`. Uses no library, because the oracle must share no code with the core.

/** The largest coefficient of a decimal in the core (D8). */
const LARGEST = 2n ** 96n - 1n;
/** The largest integer of 38 digits, which a product has at most (D18). */
const LARGEST_PRODUCT = 10n ** 38n - 1n;
const GRAMMAR = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

export const ZERO = { digits: 0n, scale: 0 };

/** Parses a number or a string as an exact decimal; returns null if it is neither or does not fit (D8). */
export function parse(value) {
  const match = GRAMMAR.exec(String(value));
  if (match === null) return null;
  const [, sign, whole, fraction = '', exponent = '0'] = match;
  let scale = fraction.length - Number(exponent);
  if (Math.abs(scale) > 60) return null;
  let digits = BigInt(whole + fraction);
  if (scale < 0) {
    digits *= power(-scale);
    scale = 0;
  }
  const decimal = { digits: sign === '-' ? -digits : digits, scale };
  return fits(decimal) ? decimal : null;
}

export function print({ digits, scale }) {
  const text = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, '0');
  const whole = text.slice(0, text.length - scale);
  const fraction = text.slice(text.length - scale);
  return `${digits < 0n ? '-' : ''}${whole}${scale > 0 ? `.${fraction}` : ''}`;
}

export function fits({ digits, scale }) {
  return scale <= 28 && digits <= LARGEST && digits >= -LARGEST;
}

export function add(a, b) {
  const scale = Math.max(a.scale, b.scale);
  return { digits: pad(a, scale).digits + pad(b, scale).digits, scale };
}

export function subtract(a, b) {
  return add(a, { digits: -b.digits, scale: b.scale });
}

/**
 * Returns the product, or null if it has more than 38 digits (D18). Trailing zeros do not count: a product that 64 bits
 * do not hold has none.
 */
export function multiply(a, b) {
  const product = { digits: a.digits * b.digits, scale: a.scale + b.scale };
  if (product.digits < 2n ** 64n) return product;
  const [short, other] = [trim(a, 0), trim(b, 0)];
  const trimmed = exact({ digits: short.digits * other.digits, scale: short.scale + other.scale });
  return trimmed && trim(trimmed, 0);
}

/** Returns a sum of products, or null if it has more than 38 digits, or if one of the products has. */
export function sumOfProducts(products, start = ZERO) {
  return products.includes(null) ? null : exact(sum(products, start));
}

function exact(decimal) {
  return decimal.digits <= LARGEST_PRODUCT ? decimal : null;
}

export function compare(a, b) {
  const { digits } = subtract(a, b);
  return digits < 0n ? -1 : digits > 0n ? 1 : 0;
}

export function sum(decimals, start = ZERO) {
  return decimals.reduce(add, start);
}

/**
 * Sums amounts, one after the other. If a sum fits only without the trailing zeros of both, they have none beyond
 * `scale`. Null if none fits (D8).
 */
export function sumWithin(amounts, scale) {
  let sum = { digits: 0n, scale };
  for (const amount of amounts) {
    if (amount === null) return null;
    const next = add(sum, amount);
    sum = fits(next) ? next : add(trim(sum, scale), trim(amount, scale));
    if (!fits(sum)) return null;
  }
  return sum;
}

/** Returns the decimal without the trailing zeros that it has beyond `scale`. */
function trim({ digits, scale }, atLeast) {
  if (scale <= atLeast || digits % 10n !== 0n) return { digits, scale };
  return trim({ digits: digits / 10n, scale: scale - 1 }, atLeast);
}

/** Returns the decimal with at least `scale` fraction digits. */
export function pad(decimal, scale) {
  if (decimal.scale >= scale) return decimal;
  return { digits: decimal.digits * power(scale - decimal.scale), scale };
}

/** Rounds to exactly `scale` fraction digits. Amounts are never negative, so away from zero is up (D18). */
export function round(decimal, scale, rounding) {
  if (decimal.scale <= scale) return pad(decimal, scale);
  const unit = power(decimal.scale - scale);
  const floor = decimal.digits / unit;
  const twice = 2n * (decimal.digits % unit);
  const tie = { 'half-up': true, 'half-down': false, 'half-even': floor % 2n === 1n }[rounding];
  return { digits: twice > unit || (twice === unit && tie) ? floor + 1n : floor, scale };
}

/**
 * Divides `whole` in proportion to `weights`, in units of its last digit: the floor of every share, then one unit each to
 * the largest remainders; ties go to the earlier share (D17). Returns null if `whole` × the sum of the weights has more
 * than 38 digits (D18).
 *
 * @typedef {{ digits: bigint, scale: number }} Decimal
 * @param {Decimal} whole
 * @param {Decimal[]} weights
 * @returns {Decimal[] | null}
 */
export function apportion(whole, weights) {
  const scale = Math.max(...weights.map((weight) => weight.scale));
  const parts = weights.map((weight) => pad(weight, scale).digits);
  const all = parts.reduce((a, b) => a + b, 0n);
  if (all === 0n) return weights.map(() => ({ digits: 0n, scale: whole.scale }));
  if (whole.digits * all > LARGEST_PRODUCT) return null;
  const shares = parts.map((part, index) => {
    const product = whole.digits * part;
    return { index, floor: product / all, remainder: product % all };
  });
  let left = whole.digits - shares.reduce((total, share) => total + share.floor, 0n);
  const byRemainder = [...shares].sort((a, b) =>
    a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1,
  );
  for (const share of byRemainder) {
    if (left === 0n) break;
    share.floor += 1n;
    left -= 1n;
  }
  return shares.map((share) => ({ digits: share.floor, scale: whole.scale }));
}

function power(exponent) {
  return 10n ** BigInt(exponent);
}
