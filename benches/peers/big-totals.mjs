/** Calculates totals with big.js, for the stacks that use it. */
import Big from 'big.js';

/** @param {{ Items?: any, Taxes?: any }} order */
export function totals({ Items, Taxes }) {
  let subtotal = new Big(0);
  for (const { Quantity, SellAtPricePerUnit } of Items) {
    subtotal = subtotal.plus(new Big(Quantity).times(SellAtPricePerUnit).round(2, Big.roundHalfUp));
  }
  if (!Taxes) return { subtotal: subtotal.toFixed(2), tax: null, total: null };
  let tax = new Big(0);
  for (const { TaxAmount } of Taxes) tax = tax.plus(TaxAmount);
  return { subtotal: subtotal.toFixed(2), tax: tax.toFixed(2), total: subtotal.plus(tax).toFixed(2) };
}
