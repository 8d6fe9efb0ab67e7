// Object is possibly 'null'.
import { evaluateOrder, type SalesOrderInput } from 'sales-order-intake';

export function idOf(order: SalesOrderInput): string {
  const evaluation = evaluateOrder(order);
  return evaluation.order().Id;
}
