/** Stack E: valibot, big.js, JSON.stringify. */
import * as v from 'valibot';
import { totals } from './big-totals.mjs';

const guid = v.pipe(v.string(), v.uuid());
const id = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(2_147_483_647));
export const amount = v.pipe(v.number(), v.minValue(0));
export const text = v.optional(v.string());

export const item = {
  Name: text,
  CatalogItemId: guid,
  Quantity: v.pipe(v.number(), v.gtValue(0)),
  SellAtPricePerUnit: amount,
  PackageId: text,
  Batch: text,
};

export const tax = { TaxId: guid, TaxAmount: amount };

export const order = {
  Id: guid,
  CompanyId: id,
  EntityId: id,
  IntegratorId: guid,
  Items: v.pipe(v.array(v.object(item)), v.minLength(1)),
  FirstName: v.nullish(v.string()),
  LastName: v.nullish(v.string()),
  CustomerId: v.nullish(guid),
  IsDelivery: v.optional(v.boolean()),
  Taxes: v.nullish(v.array(v.object(tax))),
  Notes: text,
  TimeSlotDisplayString: text,
};

const Order = v.object(order);

/** Returns verdict, totals and body of an order. */
export function prepare(order) {
  const { success, output, issues } = v.safeParse(Order, order);
  if (!success) return { issues };
  return { issues: [], ...totals(output), body: JSON.stringify(output) };
}
