/** Stack C: valibot, big.js, JSON.stringify. */
import * as v from 'valibot';
import { totals } from './big-totals.mjs';

const Guid = v.pipe(v.string(), v.regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i));
const Id = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(2_147_483_647));
export const Amount = v.pipe(v.number(), v.finite(), v.minValue(0));

export const item = {
  Name: v.optional(v.string()),
  CatalogItemId: Guid,
  Quantity: v.pipe(v.number(), v.finite(), v.gtValue(0)),
  SellAtPricePerUnit: Amount,
  PackageId: v.optional(v.string()),
  Batch: v.optional(v.string()),
};

export const tax = { TaxId: Guid, TaxAmount: Amount };

export const order = {
  Id: Guid,
  CompanyId: Id,
  EntityId: Id,
  IntegratorId: Guid,
  Items: v.pipe(v.array(v.object(item)), v.minLength(1)),
  FirstName: v.nullish(v.string()),
  LastName: v.nullish(v.string()),
  CustomerId: v.nullish(Guid),
  IsDelivery: v.optional(v.boolean()),
  Taxes: v.nullish(v.array(v.object(tax))),
  Notes: v.optional(v.string()),
  TimeSlotDisplayString: v.optional(v.string()),
};

const Order = v.object(order);

/** Returns verdict, totals and body of an order. */
export function prepare(order) {
  const { success, output, issues } = v.safeParse(Order, order);
  if (!success) return { issues };
  return { issues: [], ...totals(output), body: JSON.stringify(output) };
}
