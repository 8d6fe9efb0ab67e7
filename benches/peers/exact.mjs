import { Decimal } from 'decimal.js';

/** Has enough digits for any product; the default of 20 would round twice. */
export const Exact = Decimal.clone({ precision: 60, rounding: Decimal.ROUND_HALF_UP });
