// Type '`${number}` | null' is not assignable to type 'string'.
import { sumAmounts, type Totals } from 'sales-order-intake';

export const turnover = (totals: Totals[]): string => sumAmounts(totals.map(({ total }) => total));
