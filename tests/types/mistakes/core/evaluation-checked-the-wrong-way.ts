// Property 'body' does not exist on type 'never'.
import { evaluateOrder, type SalesOrderInput } from 'sales-order-intake';

export function bodyOf(order: SalesOrderInput): string {
  const evaluation = evaluateOrder(order);
  return evaluation.ok ? '' : evaluation.request().body;
}
