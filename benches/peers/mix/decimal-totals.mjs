/** Calculates the totals of the mix with decimal.js. */
import { OPTIONS } from '../../mix.mjs';
import { Exact } from '../exact.mjs';

const SCALE = 2;
const { percent } = OPTIONS.discountValueTypes;
const RATE = new Exact(OPTIONS.taxRates[0].rate);
const HUNDREDTH = new Exact('0.01');

/** @param {{ Items: any, Discount?: any, Taxes?: any }} order */
export function totals({ Items, Discount, Taxes }) {
  const extended = Items.map(({ Quantity, SellAtPricePerUnit }) =>
    new Exact(Quantity).times(SellAtPricePerUnit).toDecimalPlaces(SCALE),
  );
  const subtotal = sumOf(extended);
  const net = netOf(subtotal, Discount?.InvoiceLevel ?? []);
  const amounts = { subtotal: subtotal.toFixed(SCALE), discount: subtotal.minus(net).toFixed(SCALE) };
  // The tax of a discounted line depends on its share of the discount, which no stack calculates.
  if (!Taxes && Discount) return { ...amounts, tax: null, total: null };
  const taxes = Taxes
    ? Taxes.map(({ TaxAmount }) => TaxAmount)
    : extended.map((amount) => amount.times(RATE).toDecimalPlaces(SCALE));
  const tax = sumOf(taxes);
  return { ...amounts, tax: tax.toFixed(SCALE), total: net.plus(tax).toFixed(SCALE) };
}

/** Returns what is left after the discounts, in their order; none takes more than is left. */
function netOf(subtotal, entries) {
  let rest = subtotal;
  for (const { Value, ValueType } of entries) {
    const exact = ValueType === percent ? rest.times(Value).times(HUNDREDTH) : new Exact(Value);
    const amount = exact.toDecimalPlaces(SCALE);
    rest = amount.gt(rest) ? new Exact(0) : rest.minus(amount);
  }
  return rest;
}

function sumOf(amounts) {
  return amounts.reduce((sum, amount) => sum.plus(amount), new Exact(0));
}
