// A second implementation of the preview, written from the decisions and with other means than the core: returns what
// `previewOrder` must return, except `issues` and `steps`. It is slow, and does not check what the random orders never
// contain.

import {
  add,
  apportion,
  compare,
  fits,
  multiply,
  pad,
  parse,
  print,
  round,
  subtract,
  sum,
  sumOfProducts,
  sumWithin,
  ZERO,
} from './decimal.mjs';

const ROUNDINGS = ['half-up', 'half-even', 'half-down'];
const LEVELS = ['line', 'tax'];
const HUNDRED = { digits: 100n, scale: 0 };

/** Returns the expected preview of an order: an object with the members of §2.1, decimals as numbers or strings. */
export function expectedPreview(order, options = {}) {
  const { version = 'v3', scale = 2, rounding = 'half-up', roundTaxPer = 'line' } = options;
  const chosen = totals(order, options, { scale, rounding, level: roundTaxPer });
  return {
    version,
    scale,
    rounding,
    lines: chosen.lines.map(printedLine),
    subtotal: text(chosen.subtotal),
    discount: { total: text(chosen.discount.total), entries: chosen.discount.entries.map(printed) },
    tax: { source: chosen.tax.source, total: text(chosen.tax.total), entries: chosen.tax.entries.map(printed) },
    total: text(chosen.total),
    roundingRange: chosen.total === null ? null : roundingRange(order, options, scale),
  };
}

/** Calculates everything again for each rounding and level (D19). */
function roundingRange(order, options, scale) {
  const all = ROUNDINGS.flatMap((rounding) =>
    LEVELS.map((level) => totals(order, options, { scale, rounding, level }).total),
  )
    .filter((total) => total !== null)
    .sort(compare);
  return { min: print(all[0]), max: print(all[all.length - 1]) };
}

function totals(order, options, money) {
  const items = Array.isArray(order.Items) ? order.Items : [];
  const lines = items.map((item, index) => pricedLine(item, index, money));
  const subtotal =
    lines.length > 0 && lines.every((line) => line.extended !== null)
      ? within(sum(lines.map((line) => line.extended)))
      : null;
  const discount = discountOf(order, options, subtotal, money);
  const shares = sharesOf(discount.total, subtotal, lines, money);
  lines.forEach((line, index) => {
    line.discount = shares[index];
  });
  const tax = taxOf(order, options, lines, money);
  for (const line of lines) line.total = combine(line.extended, line.discount, line.tax);
  return { lines, subtotal, discount, tax, total: combine(subtotal, discount.total, tax.total) };
}

/** Returns quantity × price, rounded once; null if one of them breaks a rule, or if it has too many digits (D6, D7, D18). */
function pricedLine(item, index, { scale, rounding }) {
  const quantity = parse(item.Quantity);
  const unitPrice = parse(item.SellAtPricePerUnit);
  const sound = quantity !== null && quantity.digits > 0n && unitPrice !== null && unitPrice.digits >= 0n;
  const exact = sound ? multiply(quantity, unitPrice) : null;
  const extended = exact === null ? null : within(round(exact, scale, rounding));
  return { index, item, name: item.Name ?? null, quantity, unitPrice, extended, discount: null, tax: null, taxes: [] };
}

/** Applies the entries in order, each to the subtotal that remains (D13 to D15). */
function discountOf(order, { discountValueTypes }, subtotal, { scale, rounding }) {
  const { InvoiceLevel: records, ...others } = order.Discount ?? {};
  if (!records) return { total: Object.keys(others).length > 0 ? null : zero(scale), entries: [] };
  let running = subtotal;
  const entries = records.map((record) => {
    const amount = running === null ? null : entryAmount(record, discountValueTypes, running, scale, rounding);
    running = amount === null ? null : subtract(running, amount);
    return { name: record.Name ?? null, amount };
  });
  if (entries.some((entry) => entry.amount === null)) return { total: null, entries };
  return {
    total: sum(
      entries.map((entry) => entry.amount),
      zero(scale),
    ),
    entries,
  };
}

function entryAmount(record, types, running, scale, rounding) {
  const value = parse(record.Value);
  if (value === null || value.digits < 0n) return null;
  if (means(record.ValueType, types?.amount)) {
    const amount = round(value, scale, rounding);
    return compare(amount, running) > 0 ? running : amount;
  }
  if (means(record.ValueType, types?.percent)) {
    if (compare(value, HUNDRED) > 0) return null;
    const exact = multiply(running, value);
    return exact === null ? null : round({ digits: exact.digits, scale: exact.scale + 2 }, scale, rounding);
  }
  return null;
}

/** Compares value types: numbers by value, strings exactly; a number never equals a string (D14). */
function means(valueType, meaning) {
  return meaning !== undefined && valueType === meaning;
}

/** Allocates the discount to the lines (D17); null for each line if that takes too many digits (D18). */
function sharesOf(total, subtotal, lines, { scale }) {
  if (total === null) return lines.map(() => null);
  if (subtotal === null || lines.length === 0) return lines.map(() => zero(scale));
  const shares = apportion(
    total,
    lines.map((line) => line.extended),
  );
  return shares ?? lines.map(() => null);
}

/** Returns the taxes, supplied, estimated from rates, or unknown, and sets those of the lines (§2.1, D11, D12). */
function taxOf(order, { taxRates }, lines, money) {
  if (Array.isArray(order.Taxes)) return suppliedTax(order.Taxes, lines, money);
  if (taxRates === undefined) return { source: 'point-of-sale', total: null, entries: [] };
  const rates = taxRates.map(readRate);
  return money.level === 'line' ? taxPerLine(rates, lines, money) : taxPerTax(rates, lines, money);
}

/** Sums supplied taxes as given, all on the first line (D11). */
function suppliedTax(records, lines, { scale }) {
  const entries = records.map((record) => ({
    taxId: guid(record.TaxId),
    name: null,
    amount: pad(parse(record.TaxAmount), scale),
  }));
  const total = sumWithin(
    entries.map((entry) => entry.amount),
    scale,
  );
  lines.forEach((line, index) => {
    line.tax = index === 0 ? total : zero(scale);
    line.taxes = index === 0 ? entries.map(({ taxId, amount }) => ({ taxId, amount })) : [];
  });
  return { source: 'supplied', total, entries };
}

function readRate({ id, name, rate, type, layer, catalogItemIds }) {
  const items = catalogItemIds?.map(guid);
  return {
    taxId: id,
    name: name ?? null,
    rate: parse(rate),
    flat: type === 'FlatRate',
    layer: layer ?? 0,
    appliesTo: (line) => items === undefined || items.includes(guid(line.item.CatalogItemId)),
  };
}

/**
 * Returns the unrounded tax of each rate that applies to a line; null if its taxable amount is unknown, or if a tax has more
 * than 38 digits (D12, D16, D18).
 */
function exactTaxes(rates, line) {
  if (line.extended === null || line.discount === null) return null;
  const taxable = subtract(line.extended, line.discount);
  const applying = rates.filter((rate) => rate.appliesTo(line));
  const amount = (rate, base) => multiply(rate.rate, rate.flat ? line.quantity : base);
  const first = applying.filter((rate) => rate.layer === 0).map((rate) => amount(rate, taxable));
  const isCompounded = rates.some((rate) => rate.layer === 1);
  const compounded = isCompounded ? sumOfProducts(first, taxable) : taxable;
  if (compounded === null) return null;
  const taxes = applying.map((rate) => [rate, amount(rate, rate.layer === 0 ? taxable : compounded)]);
  return taxes.some(([, tax]) => tax === null) ? null : new Map(taxes);
}

/** Rounds each tax on each line. */
function taxPerLine(rates, lines, { scale, rounding }) {
  const entries = rates.map(({ taxId, name }) => ({ taxId, name, amount: zero(scale) }));
  for (const line of lines) {
    const exact = exactTaxes(rates, line);
    if (exact === null) continue;
    const rounded = [...exact].map(([rate, amount]) => [rate, round(amount, scale, rounding)]);
    if (!rounded.every(([, amount]) => fits(amount))) continue;
    line.tax = sumWithin(
      rounded.map(([, amount]) => amount),
      scale,
    );
    line.taxes = rounded.map(([rate, amount]) => ({ taxId: rate.taxId, amount }));
    for (const [rate, amount] of rounded) {
      const entry = entries[rates.indexOf(rate)];
      entry.amount = add(entry.amount, amount);
    }
  }
  return estimate(entries, lines, scale);
}

/** Rounds each tax once, then allocates it to the lines in proportion to their exact taxes. */
function taxPerTax(rates, lines, { scale, rounding }) {
  const exact = lines.map((line) => exactTaxes(rates, line));
  if (exact.includes(null)) return estimate([], lines, scale);
  const entries = rates.map((rate) => {
    const weights = exact.map((taxes) => taxes.get(rate) ?? ZERO);
    const exactAmount = sumOfProducts(weights);
    if (exactAmount === null) return null;
    const amount = round(exactAmount, scale, rounding);
    const shares = weights.length > 0 ? apportion(amount, weights) : [];
    return shares === null || !fits(amount) ? null : { rate, amount, shares };
  });
  if (entries.includes(null)) return estimate([], lines, scale);
  lines.forEach((line, index) => {
    const shown = entries.filter(({ rate }) => exact[index].has(rate));
    line.tax = sumWithin(
      shown.map((entry) => entry.shares[index]),
      scale,
    );
    line.taxes = shown.map((entry) => ({ taxId: entry.rate.taxId, amount: entry.shares[index] }));
  });
  return estimate(
    entries.map(({ rate: { taxId, name }, amount }) => ({ taxId, name, amount })),
    lines,
    scale,
  );
}

function estimate(entries, lines, scale) {
  const known = lines.length > 0 && lines.every((line) => line.tax !== null);
  const total = known
    ? sumWithin(
        entries.map((entry) => entry.amount),
        scale,
      )
    : null;
  return { source: 'estimated', total, entries: total === null ? [] : entries };
}

function combine(price, discount, tax) {
  if (price === null || discount === null || tax === null) return null;
  return sumWithin([subtract(price, discount), tax], price.scale);
}

/** Returns the amount, or null if it does not fit a decimal (D8). */
function within(amount) {
  return fits(amount) ? amount : null;
}

function zero(scale) {
  return { digits: 0n, scale };
}

/** Returns the D form of a GUID in any form (D1). */
function guid(value) {
  const hex = value.replace(/[-{}()]/g, '').toLowerCase();
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function text(decimal) {
  return decimal === null ? null : print(decimal);
}

function printed({ amount, ...entry }) {
  return { ...entry, amount: text(amount) };
}

function printedLine({ index, name, quantity, unitPrice, extended, discount, tax, taxes, total }) {
  return {
    index,
    name,
    quantity: text(quantity),
    unitPrice: text(unitPrice),
    extended: text(extended),
    discount: text(discount),
    tax: text(tax),
    taxes: taxes.map(printed),
    total: text(total),
  };
}
