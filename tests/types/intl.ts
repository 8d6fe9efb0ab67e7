// Formats amounts, on platforms whose types accept decimal strings (tests/types/compile.test.mjs).
import { previewOrder, type DecimalString, type IdentifiedOrder } from 'sales-order-intake';

export function formatted(order: IdentifiedOrder): string {
  const { total } = previewOrder(order);
  const format = new Intl.NumberFormat('en-CA', { style: 'currency', currency: 'CAD' });
  if (total === null) return 'unknown';
  const amount: DecimalString = total;
  return format.format(amount) + format.format(total);
}
