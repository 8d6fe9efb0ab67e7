import { type DecimalString, type Preview, sumAmounts } from 'sales-order-intake';
import { counted, number, ordersText, textTable, notComparedText } from './printable-text.js';
import type { Output } from './terminal.js';

const AMOUNTS = ['subtotal', 'discount', 'tax', 'total'] as const;
const LABELS = { subtotal: 'Subtotal', discount: 'Discount', tax: 'Tax', total: 'Total' };
/** The most amounts that wait to be added up: more would take memory, fewer would take time. */
const MOST_AMOUNTS = 1_000;

/** Adds up the amounts of the valid orders of a file, to compare them with those of the system that wrote it. */
export class ControlTotal {
  orders = 0;
  valid = 0;
  /** Orders of the file that the mapping leaves out. */
  skipped = 0;
  /** Orders with an amount that differs from that of the system that wrote the file. */
  differing = 0;
  /** Amounts of that system that were not compared, because they are unknown in the order. */
  notCompared = 0;
  /** Valid orders whose tax is estimated with `taxRates`. */
  estimated = 0;
  readonly #sums = new Map(AMOUNTS.map((name) => [name, { amounts: [] as DecimalString[], known: 0 }]));

  /** @param preview Null if the amounts of a valid order are unknown. */
  add(preview: Preview | null, isValid: boolean): void {
    this.orders++;
    if (!isValid) return;
    this.valid++;
    if (!preview) return;
    const { subtotal, discount, tax, total } = preview;
    if (tax.source === 'estimated') this.estimated++;
    const amounts = { subtotal, discount: discount.total, tax: tax.total, total };
    for (const [name, sum] of this.#sums) {
      const amount = amounts[name];
      if (amount === null) continue;
      if (sum.amounts.length === MOST_AMOUNTS) sum.amounts = [sumAmounts(sum.amounts) as DecimalString];
      sum.amounts.push(amount);
      sum.known++;
    }
  }

  toJSON(): object {
    const { orders, valid, skipped, differing, notCompared, estimated } = this;
    const counts = { orders, valid, invalid: orders - valid, estimated };
    return {
      ...counts,
      ...(skipped > 0 && { skipped }),
      ...(differing > 0 && { differing }),
      ...(notCompared > 0 && { notCompared }),
      ...Object.fromEntries(this.#totals),
    };
  }

  text(out: Output): string {
    const { orders, valid, skipped, differing, notCompared, estimated } = this;
    const rows = this.#totals.map(([name, { amount, known, unknown }]) => [
      LABELS[name],
      amount ?? 'unknown',
      number(known),
      number(unknown),
    ]);
    const right = { align: 'right' } as const;
    const [head = '', ...body] = textTable(
      [['All valid orders', 'Amount', 'Known', 'Unknown'], ...rows],
      [{}, right, right, right],
    );
    const counts = `${ordersText(orders, skipped)}: ${number(valid)} valid, ${number(orders - valid)} invalid.`;
    const notes = [
      differing > 0 && `${counted(differing, 'order')} with amounts that differ from those in the file.`,
      notCompared > 0 && notComparedText(notCompared),
      rows.some(([, , , unknown]) => unknown !== '0') && 'An amount is the sum of those that are known.',
      estimated > 0 && `Tax and total of ${counted(estimated, 'order')} are estimated.`,
    ].filter(Boolean);
    const title = out.style('bold', counts);
    return orders === 0 ? title : ['', title, out.style('dim', head), ...body, ...notes].join('\n');
  }

  /** The amounts in a sentence; null if there is no order. */
  get sentence(): string | null {
    if (this.orders === 0) return null;
    const parts = this.#totals.map(([name, { amount, known, unknown }]) => {
      const rest = unknown > 0 && known > 0 ? ` (of ${number(known)}; ${number(unknown)} unknown)` : '';
      return `${name} ${amount ?? 'unknown'}${rest}`;
    });
    return `Sum of what is created: ${parts.join(', ')}.`;
  }

  /** Each amount: its sum, null if it is known for no valid order; for how many valid orders it is known, and for how many not. */
  get #totals() {
    return [...this.#sums].map(([name, { amounts, known }]) => {
      const amount = known === 0 ? null : sumAmounts(amounts);
      return [name, { amount, known, unknown: this.valid - known }] as const;
    });
  }
}
