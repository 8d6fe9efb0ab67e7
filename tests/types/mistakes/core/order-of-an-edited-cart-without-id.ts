// Object is possibly 'null'.
import { createEvaluator, type SalesOrderInput } from 'sales-order-intake';

const evaluate = createEvaluator({ id: 'optional' });
export const idOf = (cart: SalesOrderInput) => evaluate(cart).order().Id;
