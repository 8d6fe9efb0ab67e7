// Type 'string' is not assignable to type 'number'.
import { createEvaluator } from 'sales-order-intake';

export const evaluate = createEvaluator({ scale: '2' });
