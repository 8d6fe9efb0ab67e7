/** Stack D: TypeBox, compiled, integer cents, JSON.stringify. */
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { totals } from './cents.mjs';

const guid = Type.String({ pattern: '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$' });
const id = Type.Integer({ minimum: 1, maximum: 2_147_483_647 });
const text = Type.Optional(Type.String());
export const amount = Type.Number({ minimum: 0 });
/** @param {any} schema */
const nullish = (schema) => Type.Optional(Type.Union([schema, Type.Null()]));

const item = Type.Object({
  Name: text,
  CatalogItemId: guid,
  Quantity: Type.Number({ exclusiveMinimum: 0 }),
  SellAtPricePerUnit: amount,
  PackageId: text,
  Batch: text,
});

export const order = {
  Id: guid,
  CompanyId: id,
  EntityId: id,
  IntegratorId: guid,
  Items: Type.Array(item, { minItems: 1 }),
  FirstName: nullish(Type.String()),
  LastName: nullish(Type.String()),
  CustomerId: nullish(guid),
  IsDelivery: Type.Optional(Type.Boolean()),
  Taxes: nullish(Type.Array(Type.Object({ TaxId: guid, TaxAmount: amount }))),
  Notes: text,
  TimeSlotDisplayString: text,
};

const Order = Compile(Type.Object(order));

/** Returns verdict, totals and body of an order. */
export function prepare(order) {
  if (!Order.Check(order)) return { issues: Order.Errors(order) };
  const { discount: _, ...amounts } = totals(order);
  return { issues: [], ...amounts, body: JSON.stringify(order) };
}
