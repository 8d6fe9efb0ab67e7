// This expression is not callable.
import { validateOrder, type SalesOrderInput } from 'sales-order-intake';

export function idOf(order: SalesOrderInput): string {
  const verdict = validateOrder(order);
  return verdict.ok ? verdict.order().Id : '';
}
