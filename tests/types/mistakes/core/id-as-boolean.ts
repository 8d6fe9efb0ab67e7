// Type 'false' is not assignable to type
import { createEvaluator } from 'sales-order-intake';

export const evaluate = createEvaluator({ id: false });
