import type { Issue, Preview } from 'sales-order-intake';
import { printable, wrapped } from './printable-text.js';
import type { Output } from './terminal.js';
import { textTable, type Column } from './text-table.js';

const UNKNOWN = 'unknown';
const COLUMNS: Column[] = [{}, { align: 'right' }, { align: 'right' }, { align: 'right' }];
const TAX_SOURCES = { supplied: 'supplied', estimated: 'estimated', 'point-of-sale': 'by the point of sale' };

/** Shows lines and totals. An amount that is not known is shown as unknown, and below is why. */
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
    ...discount.entries.map(({ name, amount }) => [
      `Discount: ${printable(name ?? 'no name')}`,
      '',
      '',
      negative(amount),
    ]),
    ...tax.entries.map(({ name, taxId, amount }) => [`Tax: ${printable(name ?? taxId)}`, '', '', amount]),
    [`Tax, ${TAX_SOURCES[tax.source]}`, '', '', shown(tax.total)],
    [`Total${tax.source === 'estimated' ? ', estimated' : ''}`, '', '', shown(total)],
  ];
  const table = textTable(rows, [{ most: nameWidth }, ...COLUMNS.slice(1)]);
  const [head = '', ...body] = table;
  const last = body.pop() ?? '';
  return [
    out.style('dim', head),
    ...body.map((line) =>
      line === '' ? out.style('dim', '-'.repeat(Math.max(...table.map(({ length }) => length)))) : line,
    ),
    out.style('bold', last),
    ...notes(preview).map((note) => wrapped(note, out.width)),
  ].join('\n');
}

/** What a person needs to know about the amounts. */
function notes({ total, roundingRange: range, issues }: Preview): string[] {
  const reasons = issues.filter(isReason).map(({ message, hint }) => `${message}${hint ? `; ${hint}` : ''}.`);
  const hasErrors = issues.some(({ severity }) => severity === 'error');
  if (total === null && hasErrors) reasons.push('Amounts that need a value with an error are unknown.');
  if (range && range.min !== range.max)
    reasons.push(`Depending on rounding, the total is ${range.min} to ${range.max}.`);
  return reasons.length > 0 ? ['', ...new Set(reasons)] : [];
}

function isReason({ severity }: Issue): boolean {
  return severity === 'notice';
}

function shown(amount: string | null): string {
  return amount ?? UNKNOWN;
}

/** A discount is taken away; zero has no sign. */
function negative(amount: string | null): string {
  return amount !== null && /[1-9]/.test(amount) ? `-${amount}` : shown(amount);
}
