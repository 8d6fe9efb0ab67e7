// Type '"half-evn"' is not assignable to type 'Rounding | undefined'.
import { evaluateOrder, type SalesOrderInput } from 'sales-order-intake';

export const evaluation = (order: SalesOrderInput) => evaluateOrder(order, { rounding: 'half-evn' });
