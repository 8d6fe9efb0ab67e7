// Did you mean to write 'rounding'?
import { previewOrder, type SalesOrderInput } from 'sales-order-intake';

export const preview = (order: SalesOrderInput) => previewOrder(order, { roundng: 'half-even' });
