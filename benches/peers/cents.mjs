/**
 * Calculates totals in integers, as a careful team does: prices in cents, quantities in thousandths. Their products are exact
 * below 2^53, which nothing here checks.
 */

/**
 * @param {{ Items?: any, Discount?: any, Taxes?: any }} order
 * @param {typeof import('../mix.mjs').OPTIONS} [options]
 */
export function totals({ Items, Discount, Taxes }, options) {
  let subtotal = 0;
  let tax = 0;
  const rate = options ? Math.round(options.taxRates[0].rate * 100) : 0;
  for (const { Quantity, SellAtPricePerUnit } of Items) {
    const line = divided(Math.round(Quantity * 1000) * cents(SellAtPricePerUnit), 1000);
    subtotal += line;
    if (!Taxes && options) tax += divided(line * rate, 100);
  }
  let net = subtotal;
  for (const { Value, ValueType } of Discount?.InvoiceLevel ?? []) {
    const isPercent = ValueType === options?.discountValueTypes.percent;
    net -= Math.min(net, isPercent ? divided(net * cents(Value), 10_000) : cents(Value));
  }
  const amounts = { subtotal: text(subtotal), discount: text(subtotal - net) };
  // The tax of a discounted line depends on its share of the discount, which no stack calculates.
  if (!Taxes && (Discount || !options)) return { ...amounts, tax: null, total: null };
  for (const { TaxAmount } of Taxes ?? []) tax += cents(TaxAmount);
  return { ...amounts, tax: text(tax), total: text(net + tax) };
}

function cents(amount) {
  return Math.round(amount * 100);
}

/** Divides integers and rounds half up. */
function divided(units, divisor) {
  const sum = units + divisor / 2;
  return (sum - (sum % divisor)) / divisor;
}

function text(units) {
  return `${Math.floor(units / 100)}.${String(units % 100).padStart(2, '0')}`;
}
