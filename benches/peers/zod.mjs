/** Stack A: zod 4, decimal.js, JSON.stringify. */
import * as z from 'zod';
import { Exact } from './exact.mjs';

const MOST = 2_147_483_647;
export const Amount = z.number().nonnegative();

export const item = {
  Name: z.string().optional(),
  CatalogItemId: z.guid(),
  Quantity: z.number().positive(),
  SellAtPricePerUnit: Amount,
  PackageId: z.string().optional(),
  Batch: z.string().optional(),
};

export const tax = { TaxId: z.guid(), TaxAmount: Amount };

export const order = {
  Id: z.guid(),
  CompanyId: z.int().min(1).max(MOST),
  EntityId: z.int().min(1).max(MOST),
  IntegratorId: z.guid(),
  Items: z.array(z.object(item)).min(1),
  FirstName: z.string().nullish(),
  LastName: z.string().nullish(),
  CustomerId: z.guid().nullish(),
  IsDelivery: z.boolean().optional(),
  Taxes: z.array(z.object(tax)).nullish(),
  Notes: z.string().optional(),
  TimeSlotDisplayString: z.string().optional(),
};

export const Order = z.object(order);

/** Returns verdict, totals and body of an order. */
export function prepare(order) {
  const { success, data, error } = Order.safeParse(order);
  if (!success) return { issues: error.issues };
  return { issues: [], ...totals(data), body: JSON.stringify(data) };
}

/** @param {{ Items: any, Taxes?: any }} order */
export function totals({ Items, Taxes }) {
  const extended = Items.map(({ Quantity, SellAtPricePerUnit }) =>
    new Exact(Quantity).times(SellAtPricePerUnit).toDecimalPlaces(2),
  );
  const subtotal = extended.reduce((sum, amount) => sum.plus(amount), new Exact(0));
  if (!Taxes) return { subtotal: subtotal.toFixed(2), tax: null, total: null };
  const tax = Taxes.reduce((sum, { TaxAmount }) => sum.plus(TaxAmount), new Exact(0));
  return { subtotal: subtotal.toFixed(2), tax: tax.toFixed(2), total: subtotal.plus(tax).toFixed(2) };
}
