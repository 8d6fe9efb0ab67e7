// Object is possibly 'null'.
import { evaluateOrder, type SalesOrderInput } from 'sales-order-intake';

export function idOf(cart: SalesOrderInput) {
  const evaluation = evaluateOrder(cart, { id: 'optional' });
  return evaluation.ok ? evaluation.order().Id : null;
}
