// 'verdict.order' is possibly 'null'.
import { validateOrder, type SalesOrderInput } from 'sales-order-intake';

export function idOf(order: SalesOrderInput): string {
  const verdict = validateOrder(order);
  return verdict.order.Id;
}
