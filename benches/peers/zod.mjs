/** Stack A: zod 4, decimal.js, JSON.stringify. */
import { Decimal } from 'decimal.js';
import * as z from 'zod';

const MOST = 2_147_483_647;
const Amount = z.number().nonnegative();

const Item = z.object({
  Name: z.string().optional(),
  CatalogItemId: z.guid(),
  Quantity: z.number().positive(),
  SellAtPricePerUnit: Amount,
  PackageId: z.string().optional(),
  Batch: z.string().optional(),
});

const Order = z.object({
  Id: z.guid(),
  CompanyId: z.int().min(1).max(MOST),
  EntityId: z.int().min(1).max(MOST),
  IntegratorId: z.guid(),
  Items: z.array(Item).min(1),
  FirstName: z.string().nullish(),
  LastName: z.string().nullish(),
  CustomerId: z.guid().nullish(),
  IsDelivery: z.boolean().optional(),
  Taxes: z.array(z.object({ TaxId: z.guid(), TaxAmount: Amount })).nullish(),
  Notes: z.string().optional(),
  TimeSlotDisplayString: z.string().optional(),
});

// Enough digits for any product; the default of 20 would round twice.
const Exact = Decimal.clone({ precision: 60, rounding: Decimal.ROUND_HALF_UP });

/** Returns verdict, totals and body of an order. */
export function prepare(order) {
  const { success, data, error } = Order.safeParse(order);
  if (!success) return { issues: error.issues };
  return { issues: [], ...totals(data), body: JSON.stringify(data) };
}

/** @param {{ Items: any, Taxes?: any }} order */
function totals({ Items, Taxes }) {
  const extended = Items.map(({ Quantity, SellAtPricePerUnit }) =>
    new Exact(Quantity).times(SellAtPricePerUnit).toDecimalPlaces(2),
  );
  const subtotal = extended.reduce((sum, amount) => sum.plus(amount), new Exact(0));
  if (!Taxes) return { subtotal: subtotal.toFixed(2), tax: null, total: null };
  const tax = Taxes.reduce((sum, { TaxAmount }) => sum.plus(TaxAmount), new Exact(0));
  return { subtotal: subtotal.toFixed(2), tax: tax.toFixed(2), total: subtotal.plus(tax).toFixed(2) };
}
