// Property 'toFixed' does not exist on type
import { previewOrder, type SalesOrderInput } from 'sales-order-intake';

export function shown(order: SalesOrderInput): string {
  const { total } = previewOrder(order);
  return total === null ? 'unknown' : total.toFixed(2);
}
