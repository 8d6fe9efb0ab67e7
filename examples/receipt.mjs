// Prints a preview as a table that a person can check by hand: each row and each column adds up.

const UNKNOWN = 'unknown';
const GAP = '  ';
const COLUMNS = ['Item', 'Quantity', 'Price', 'Extended', 'Discount', 'Tax', 'Total'];
const TAX_SOURCES = {
  supplied: 'supplied with the order, all on the first line',
  estimated: 'estimated from rates',
  'point-of-sale': 'calculated by the point of sale',
};

/** Returns the table as a string, without a line break at the end. */
export function receipt({ lines, subtotal, discount, tax, total }) {
  const rows = lines.map((line) => [
    line.name ?? `item ${line.index + 1}`,
    ...[line.quantity, line.unitPrice, line.extended, negative(line.discount), line.tax, line.total].map(shown),
  ]);
  const sums = ['Sum', '', '', ...[subtotal, negative(discount.total), tax.total, total].map(shown)];
  return [
    ...table(COLUMNS, rows, sums),
    '',
    ...entries('Discounts', discount, (entry) => entry.name ?? 'no name'),
    ...entries(`Taxes (${TAX_SOURCES[tax.source]})`, tax, (entry) => entry.name ?? entry.taxId),
  ].join('\n');
}

function table(heads, rows, sums) {
  const columns = heads.map((head, column) => {
    const cells = [...rows, sums].map((row) => row[column]);
    return column === 0 ? leftAligned(head, cells) : pointAligned(head, cells);
  });
  const printed = columns[0].map((_, row) =>
    columns
      .map((column) => column[row])
      .join(GAP)
      .trimEnd(),
  );
  const rule = '-'.repeat(columns.map(([head]) => head).join(GAP).length);
  const [head, ...body] = printed;
  return [head, rule, ...body.slice(0, -1), rule, ...body.slice(-1)];
}

function entries(title, { total, entries: list }, nameOf) {
  if (list.length === 0) return [`${title}: ${total === null ? UNKNOWN : 'none'}`];
  const names = leftAligned('', list.map(nameOf));
  const amounts = pointAligned(
    '',
    list.map((entry) => shown(entry.amount)),
  );
  return [`${title}:`, ...list.map((_, row) => `${GAP}${names[row + 1]}${GAP}${amounts[row + 1]}`.trimEnd())];
}

/** Aligns cells at their decimal points, whatever the number of fraction digits. */
function pointAligned(head, cells) {
  const fraction = Math.max(...cells.map((cell) => fractionLength(cell)));
  const padded = cells.map((cell) => (/\d/.test(cell) ? cell + ' '.repeat(fraction - fractionLength(cell)) : cell));
  const width = Math.max(head.length, ...padded.map((cell) => cell.length));
  return [head, ...padded].map((cell) => cell.padStart(width));
}

/** Returns the number of fraction digits plus one for the point, or 0. */
function fractionLength(cell) {
  return /\.\d+$/.exec(cell)?.[0].length ?? 0;
}

function leftAligned(head, cells) {
  const width = Math.max(head.length, ...cells.map((cell) => cell.length));
  return [head, ...cells].map((cell) => cell.padEnd(width));
}

function shown(amount) {
  return amount ?? UNKNOWN;
}

/** Returns a discount with a minus sign, but 0 without one. */
function negative(amount) {
  return amount !== null && /[1-9]/.test(amount) ? `-${amount}` : amount;
}
