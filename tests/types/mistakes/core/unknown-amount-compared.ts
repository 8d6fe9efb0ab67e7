// Argument of type '`${number}` | null' is not assignable to parameter of type 'DecimalInput'.
import { compareAmounts, type Totals } from 'sales-order-intake';

export const isLarge = ({ total }: Totals) => compareAmounts(total, '100.00') > 0;
