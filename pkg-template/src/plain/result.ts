/** Builds the results of a plain order from the amounts of the core and from the body itself. */
import type { DecimalString, Guid, PreparedRequest, PreviewLine, SalesOrder, Totals } from '../types.js';
import { HAS_TAXES, IS_UNPRICED, type Judgement } from './exchange.js';
import type { Setting } from './setting.js';

/** Indexes of the amounts (wasm/src/exchange.rs). */
const SUBTOTAL = 0;
const TOTAL = 1;
const MIN = 2;
const MAX = 3;
const TAX = 4;
const FIRST_LINE = 5;
const SUMS = 6;
const TAXES = 10;

/** Returns the totals; `taxIds` are those of the body. */
export function totalsOf({ flags, numbers }: Judgement, taxIds: readonly string[], setting: Setting): Totals {
  const { version, scale, rounding } = setting;
  const amount = (index: number) => amountOf(numbers[index] as number, scale);
  const totals: Totals = {
    version,
    scale,
    rounding,
    subtotal: flags & IS_UNPRICED ? null : amount(SUBTOTAL),
    discount: { total: amountOf(0, scale), entries: [] },
    tax: { source: 'point-of-sale', total: null, entries: [] },
    total: null,
    roundingRange: null,
  };
  if (flags & HAS_TAXES) {
    const entries = taxIds.map((taxId, index) => ({ taxId, name: null, amount: amount(TAXES + index) }));
    totals.tax = { source: 'supplied', total: amount(TAX), entries };
    if (!(flags & IS_UNPRICED)) {
      totals.total = amount(TOTAL);
      totals.roundingRange = { min: amount(MIN), max: amount(MAX) };
    }
  }
  return totals;
}

/** Returns the running totals of all items, as wasm/src/incremental.rs has them. */
export function runningTotalsOf({ numbers }: Judgement): string {
  return `${numbers[SUMS]} ${numbers[SUMS + 1]} ${numbers[SUMS + 2]} ${numbers[SUMS + 3]} 0 0`;
}

/** Returns units of the last digit in plain notation. */
function amountOf(units: number, scale: number): DecimalString {
  const digits = `${units}`;
  if (scale === 0) return digits as DecimalString;
  const padded = digits.length > scale ? digits : digits.padStart(scale + 1, '0');
  const point = padded.length - scale;
  return `${padded.slice(0, point)}.${padded.slice(point)}` as DecimalString;
}

export function requestOf(orderId: Guid, body: string, { version }: Setting): PreparedRequest {
  const path = `${version}/ServiceOrder(${orderId})`;
  const headers = { Accept: 'application/json', 'Content-Type': 'application/json' } as const;
  return { method: 'PUT', version, orderId, path, headers, body, issues: [] };
}

const DECIMALS = /("(?:Quantity|SellAtPricePerUnit|TaxAmount)":)([\d.]+)/g;

/** Returns the order with its decimals as strings. No string of a plain order has a quote, so only members match. */
export function orderOf<Order = SalesOrder>(body: string): Order {
  return JSON.parse(body.replace(DECIMALS, '$1"$2"')) as Order;
}

/** Returns the lines from their extended prices. */
export function linesOf(
  { Items }: SalesOrder,
  prices: readonly number[],
  { numbers }: Judgement,
  { scale, tax }: Totals,
): PreviewLine[] {
  const zero = amountOf(0, scale);
  return Items.map(({ Name = null, Quantity, SellAtPricePerUnit }, index) => {
    const extended = amountOf(prices[index] as number, scale);
    const line: PreviewLine = {
      index,
      name: Name,
      quantity: Quantity,
      unitPrice: SellAtPricePerUnit,
      extended,
      discount: zero,
      tax: null,
      taxes: [],
      total: null,
    };
    if (tax.total !== null) {
      line.tax = index === 0 ? tax.total : zero;
      line.total = index === 0 ? amountOf(numbers[FIRST_LINE] as number, scale) : extended;
    }
    if (index === 0) line.taxes = tax.entries.map(({ taxId, amount }) => ({ taxId, amount }));
    return line;
  });
}
