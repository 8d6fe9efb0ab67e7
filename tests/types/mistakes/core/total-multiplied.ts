// The left-hand side of an arithmetic operation must be of type 'any', 'number', 'bigint' or an enum type.
import { evaluateOrder, type SalesOrderInput } from 'sales-order-intake';

export function inCents(order: SalesOrderInput): number {
  const { total } = evaluateOrder(order).totals;
  return total === null ? 0 : total * 100;
}
