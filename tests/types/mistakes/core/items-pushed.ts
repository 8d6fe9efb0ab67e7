// Property 'push' does not exist on type 'readonly SalesOrderItemInput[]'.
import type { SalesOrderInput, SalesOrderItemInput } from 'sales-order-intake';

export function add(order: SalesOrderInput, item: SalesOrderItemInput): void {
  order.Items.push(item);
}
