// 'scale' does not exist in type 'RuleOptions'.
import { validateOrder, type SalesOrderInput } from 'sales-order-intake';

export const verdict = (order: SalesOrderInput) => validateOrder(order, { scale: 2 });
