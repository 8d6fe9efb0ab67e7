// Type 'DecimalInput' is not assignable to type 'string | number | readonly string[] | undefined'.
// Type 'bigint' is not assignable to type
import type { SalesOrderItemInput } from 'sales-order-intake';

/** The attribute, as React declares it. */
type Field = { value?: string | number | readonly string[] | undefined };
export const fieldOf = (item: SalesOrderItemInput): Field => ({ value: item.Quantity });
