// 'total' is possibly 'null'.
import { previewOrder, type SalesOrderInput } from 'sales-order-intake';

export function shown(order: SalesOrderInput): string {
  const { total } = previewOrder(order);
  return total.toUpperCase();
}
