/** Stack B: ajv with ajv-formats, big.js, JSON.stringify. */
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { totals } from './big-totals.mjs';

const guid = { type: 'string', format: 'uuid' };
const id = { type: 'integer', minimum: 1, maximum: 2_147_483_647 };
export const text = { type: 'string' };
export const amount = { type: 'number', minimum: 0 };

const item = {
  type: 'object',
  required: ['CatalogItemId', 'Quantity', 'SellAtPricePerUnit'],
  properties: {
    Name: text,
    CatalogItemId: guid,
    Quantity: { type: 'number', exclusiveMinimum: 0 },
    SellAtPricePerUnit: amount,
    PackageId: text,
    Batch: text,
  },
};

export const order = {
  type: 'object',
  required: ['Id', 'CompanyId', 'EntityId', 'IntegratorId', 'Items'],
  properties: {
    Id: guid,
    CompanyId: id,
    EntityId: id,
    IntegratorId: guid,
    Items: { type: 'array', minItems: 1, items: item },
    FirstName: { ...text, nullable: true },
    LastName: { ...text, nullable: true },
    CustomerId: { ...guid, nullable: true },
    IsDelivery: { type: 'boolean' },
    Taxes: {
      type: 'array',
      nullable: true,
      items: { type: 'object', required: ['TaxId', 'TaxAmount'], properties: { TaxId: guid, TaxAmount: amount } },
    },
    Notes: text,
    TimeSlotDisplayString: text,
  },
};

export const ajv = new Ajv({ allErrors: true });
// Node and bundlers differ in the default export of a CommonJS package.
(addFormats.default ?? addFormats)(ajv, ['uuid']);
const validate = ajv.compile(order);

/** Returns verdict, totals and body of an order. */
export function prepare(order) {
  if (!validate(order)) return { issues: validate.errors };
  return { issues: [], ...totals(order), body: JSON.stringify(order) };
}
