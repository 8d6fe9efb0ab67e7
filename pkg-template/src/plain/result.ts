/** The results of a plain order, from the amounts of the core and the body itself. */
import type { Issue, PreparedRequest, Preview, PreviewLine, SalesOrderV2V3Put } from '../types.js';
import { MAX, MIN, SUBTOTAL, TAX, TAXES, TOTAL } from './exchange.js';
import type { Setting } from './setting.js';

export type Totals = Omit<Preview, 'lines' | 'issues' | 'steps'>;

/** The totals of a preview. `numbers` are the amounts of the core; `taxIds` is null if the order supplies no taxes. */
export function totalsOf(numbers: Float64Array, taxIds: readonly string[] | null, setting: Setting): Totals {
  const { version, scale, rounding } = setting;
  const amount = (index: number) => amountOf(numbers[index] as number, scale);
  const entries = [];
  let [source, tax, total, roundingRange]: [string, string | null, string | null, object | null] = [
    'point-of-sale',
    null,
    null,
    null,
  ];
  if (taxIds !== null) {
    for (let i = 0; i < taxIds.length; i++) {
      entries.push({ taxId: taxIds[i], name: null, amount: amount(TAXES + i) });
    }
    [source, tax, total] = ['supplied', amount(TAX), amount(TOTAL)];
    roundingRange = { min: amount(MIN), max: amount(MAX) };
  }
  return {
    version,
    scale,
    rounding,
    subtotal: amount(SUBTOTAL),
    discount: { total: amountOf(0, scale), entries: [] },
    tax: { source, total: tax, entries },
    total,
    roundingRange,
  } as unknown as Totals;
}

/** Returns units of the last digit in plain notation. */
export function amountOf(units: number, scale: number): string {
  const digits = `${units}`;
  if (scale === 0) return digits;
  const padded = digits.length > scale ? digits : digits.padStart(scale + 1, '0');
  const point = padded.length - scale;
  return `${padded.slice(0, point)}.${padded.slice(point)}`;
}

/** The Id of a body that begins with it. */
export function idOf(body: string): string {
  return body.slice(7, 43);
}

export function requestOf(body: string, version: 'v2' | 'v3', issues: Issue[]): PreparedRequest {
  const orderId = idOf(body);
  const path = `${version}/ServiceOrder(${orderId})`;
  const headers = { Accept: 'application/json', 'Content-Type': 'application/json' } as const;
  return { method: 'PUT', version, orderId, path, headers, body, issues };
}

const DECIMALS = /("(?:Quantity|SellAtPricePerUnit|TaxAmount)":)([\d.]+)/g;

/** The order with its decimals as strings. No string value of a plain order has a quote, so only members match. */
export function orderOf(body: string): SalesOrderV2V3Put {
  return JSON.parse(body.replace(DECIMALS, '$1"$2"')) as SalesOrderV2V3Put;
}

/** The lines of a preview, from their extended prices. */
export function linesOf(
  { Items }: SalesOrderV2V3Put,
  prices: readonly number[],
  numbers: Float64Array,
  { tax }: Totals,
  scale: number,
): PreviewLine[] {
  const items = Items as { Name: string; Quantity: string; SellAtPricePerUnit: string }[];
  return items.map(({ Name, Quantity, SellAtPricePerUnit }, index) => {
    const extended = amountOf(prices[index] as number, scale);
    const isFirst = index === 0;
    const zero = amountOf(0, scale);
    const isKnown = tax.total !== null;
    return {
      index,
      name: Name,
      quantity: Quantity,
      unitPrice: SellAtPricePerUnit,
      extended,
      discount: zero,
      tax: isKnown ? (isFirst ? tax.total : zero) : null,
      taxes: isFirst ? tax.entries.map(({ taxId, amount }) => ({ taxId, amount })) : [],
      total: isKnown ? (isFirst ? amountOf((prices[0] as number) + (numbers[TAX] as number), scale) : extended) : null,
    } as unknown as PreviewLine;
  });
}
