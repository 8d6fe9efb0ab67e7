/** Calculates the totals of the mix with big.js, for the stacks that use it. */
import Big from 'big.js';
import { OPTIONS } from '../../mix.mjs';

const SCALE = 2;
const { percent } = OPTIONS.discountValueTypes;
const RATE = new Big(OPTIONS.taxRates[0].rate);
const HUNDREDTH = new Big('0.01');

/** @param {{ Items?: any, Discount?: any, Taxes?: any }} order */
export function totals({ Items, Discount, Taxes }) {
  const extended = Items.map(({ Quantity, SellAtPricePerUnit }) =>
    rounded(new Big(Quantity).times(SellAtPricePerUnit)),
  );
  const subtotal = sumOf(extended);
  const net = netOf(subtotal, Discount?.InvoiceLevel ?? []);
  const amounts = { subtotal: subtotal.toFixed(SCALE), discount: subtotal.minus(net).toFixed(SCALE) };
  // The tax of a discounted line depends on its share of the discount, which no stack calculates.
  if (!Taxes && Discount) return { ...amounts, tax: null, total: null };
  const taxes = Taxes ? Taxes.map(({ TaxAmount }) => TaxAmount) : extended.map((amount) => rounded(amount.times(RATE)));
  const tax = sumOf(taxes);
  return { ...amounts, tax: tax.toFixed(SCALE), total: net.plus(tax).toFixed(SCALE) };
}

/** Returns what is left after the discounts, in their order; none takes more than is left. */
function netOf(subtotal, entries) {
  let rest = subtotal;
  for (const { Value, ValueType } of entries) {
    const amount = rounded(ValueType === percent ? rest.times(Value).times(HUNDREDTH) : new Big(Value));
    rest = amount.gt(rest) ? new Big(0) : rest.minus(amount);
  }
  return rest;
}

function sumOf(amounts) {
  let sum = new Big(0);
  for (const amount of amounts) sum = sum.plus(amount);
  return sum;
}

function rounded(amount) {
  return amount.round(SCALE, Big.roundHalfUp);
}
