import type { Preview, Step } from 'sales-order-intake';
import { type Column, columnsOf, fitted, printable, printableName, textTable, wrapped } from './printable-text.js';
import type { Output } from './terminal.js';

const RIGHT: Column = { align: 'right' };
const TAX_SOURCES = { supplied: 'supplied', estimated: 'estimated', 'point-of-sale': 'by the point of sale' };

/** Shows lines and totals. An unknown amount is shown as such, with the reason below. */
export function receipt(preview: Preview, out: Output): string {
  const { lines, subtotal, discount, tax, total } = preview;
  const nameWidth = Math.max(8, out.tableWidth - 34);
  const rule = ['', '', '', ''];
  const rows = [
    ['Item', 'Quantity', 'Price', 'Amount'],
    ...lines.map(({ index, name, quantity, unitPrice, extended }) => [
      printable(name ?? `Item ${index + 1}`).replace(/\s/g, ' '),
      ...[quantity, unitPrice, extended].map(shown),
    ]),
    rule,
    ['Subtotal', '', '', shown(subtotal)],
    ...discount.entries.map(({ name, amount }) => [discountLabel(name), '', '', negative(amount)]),
    ...tax.entries.map(({ name, taxId, amount }) => [`Tax: ${printableName(name ?? taxId)}`, '', '', amount]),
    [`Tax, ${TAX_SOURCES[tax.source]}`, '', '', shown(tax.total)],
    [`Total${tax.source === 'estimated' ? ', estimated' : ''}`, '', '', shown(total)],
  ];
  const table = textTable(rows, [{ most: nameWidth }, RIGHT, RIGHT, RIGHT]);
  const [head = '', ...body] = table;
  const last = body.pop() ?? '';
  const width = Math.max(...table.map(({ length }) => length));
  return [
    out.style('dim', head),
    ...body.map((line) => line || out.style('dim', '-'.repeat(width))),
    out.style('bold', last),
    ...notes(preview).map((note) => wrapped(note, out.width)),
  ].join('\n');
}

/** Returns sentences about the amounts. */
function notes({ total, roundingRange: range, issues }: Preview): string[] {
  const reasons = issues
    .filter(({ severity }) => severity === 'notice')
    .map(({ message, hint }) => `${message}${hint ? `; ${hint}` : ''}.`);
  const hasErrors = issues.some(({ severity }) => severity === 'error');
  if (total === null && hasErrors) reasons.push('Amounts that need a value with an error are unknown.');
  if (range && range.min !== range.max)
    reasons.push(`Depending on rounding, the total is ${range.min} to ${range.max}.`);
  return reasons.length > 0 ? ['', ...new Set(reasons)] : [];
}

function shown(amount: string | null): string {
  return amount ?? 'unknown';
}

function discountLabel(name: string | null | undefined): string {
  return `Discount: ${printableName(name ?? 'no name')}`;
}

/** Adds a minus sign, except to zero. */
function negative(amount: string | null): string {
  return amount !== null && /[1-9]/.test(amount) ? `-${amount}` : shown(amount);
}

/** Exact values may have 28 fraction digits. */
const EXACT_WIDTH = 16;

/** Shows how each amount is calculated: its name, the calculation, and the rounded result. */
export function stepTable(preview: Preview, out: Output): string {
  const { steps = [] } = preview;
  if (steps.length === 0) return 'There is nothing to calculate.';
  const room = Math.max(30, out.tableWidth - 30);
  const label = Math.floor(room * 0.4);
  const rows = [
    ['Amount', 'Calculation', 'Result', 'Source'],
    ...steps.map((step) => [labelOf(step.of, preview, label), calculation(step), step.result ?? '', step.rule]),
  ];
  const [head = '', ...body] = textTable(rows, [{ most: label }, { most: room - label }, { align: 'right' }, {}]);
  return [out.style('dim', head), ...body].join('\n');
}

function calculation({ expression, exact, result }: Step): string {
  const isExact = [result, expression].some((other) => plainest(other ?? '') === plainest(exact));
  const shown = exact.length > EXACT_WIDTH ? `${exact.slice(0, EXACT_WIDTH)}…` : exact;
  return isExact ? expression : `${expression} = ${shown}`;
}

/** Removes zeros at the end: 3.50 becomes 3.5. */
function plainest(decimal: string): string {
  return decimal.replace(/\.0+$|(\.\d*[1-9])0+$/, '$1');
}

/** Names an amount as the receipt does, in place of its JSON Pointer. */
function labelOf(of: string, { lines, tax, discount }: Preview, most: number): string {
  const [, group = '', second = '', third = '', fourth = ''] = of.split('/');
  if (group === 'lines') {
    const line = lines[Number(second)];
    const name = printableName(line?.name ?? `Item ${Number(second) + 1}`);
    const taxId = third === 'taxes' ? line?.taxes[Number(fourth)]?.taxId : undefined;
    const taxName = tax.entries.find((entry) => entry.taxId === taxId)?.name ?? taxId;
    const part = third === 'taxes' ? printableName(taxName ?? 'tax') : third === 'extended' ? 'amount' : third;
    // The end says which amount it is.
    return `${fitted(name, Math.max(8, most - columnsOf(part) - 2))}: ${part}`;
  }
  if (group === 'subtotal') return 'Subtotal';
  if (group === 'total') return 'Total';
  if (group === 'roundingRange') return second === 'min' ? 'Lowest total' : 'Highest total';
  if (second === 'total') return group === 'tax' ? 'Tax' : 'Discount';
  if (group === 'discount') return discountLabel(discount.entries[Number(third)]?.name);
  const entry = tax.entries[Number(third)];
  return `Tax: ${printableName(entry?.name ?? entry?.taxId ?? 'no name')}`;
}
