export const ID = '2a8f5d33-eec9-4864-8b49-5636577b40d5';
export const INTEGRATOR = '7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50';
export const CATALOG_ITEM = '0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff';
export const TAX = '9c1d6f2e-7a34-4b58-8c0d-5e6f7a8b9c0d';
/** A GUID that is not in the orders below. */
export const OTHER = '51f3a7c2-0d4e-4b6f-9a18-7c2d3e4f5a6b';

/**
 * Creates the smallest order without issues; a test may change it.
 *
 * @returns {any}
 */
export function minimalOrder(changes = {}) {
  return {
    Id: ID,
    CompanyId: 1000,
    EntityId: 2000,
    IntegratorId: INTEGRATOR,
    Items: [item()],
    ...changes,
  };
}

/**
 * Creates an item without issues.
 *
 * @returns {any}
 */
export function item(changes = {}) {
  return {
    Name: 'Green tea',
    CatalogItemId: CATALOG_ITEM,
    Quantity: 2,
    SellAtPricePerUnit: 19.99,
    ...changes,
  };
}

/** Creates an order with one item that has these members. */
export function orderWith(itemChanges) {
  return minimalOrder({ Items: [item(itemChanges)] });
}

/** Returns each issue as severity, code and pointer: `error not_finite /Items/0/Quantity`. */
export function inShort(issues) {
  return issues.map(({ severity, code, pointer }) => `${severity} ${code} ${pointer}`);
}

/** Creates the smallest order without its Id, like a cart. */
export function cart(changes = {}) {
  const { Id, ...rest } = minimalOrder(changes);
  return rest;
}

/** Creates an order without errors that has every writable member of §2.1. */
export function fullOrder() {
  return minimalOrder({
    FirstName: 'Ada',
    LastName: 'Lovelace',
    CustomerId: 'b5f0c9f2-6d0e-4b3c-9a4d-2f1e0d9c8b7a',
    OrderNumber: '7',
    ExternalOrderId: 'x-7',
    IsDelivery: true,
    Notes: 'Ring twice',
    TimeSlotDisplayString: '10 to 11',
    Items: [
      item({ Quantity: '2.345', SellAtPricePerUnit: '12.50', PackageId: 'P-1', Batch: 'B-1' }),
      item({ Quantity: 1, SellAtPricePerUnit: '3.00' }),
    ],
    Discount: { InvoiceLevel: [{ Name: 'Members', Value: '10', ValueType: 2 }] },
    Taxes: [{ TaxId: TAX, TaxAmount: '0.30' }],
  });
}

/** Freezes a value and everything in it. */
export function deepFreeze(value) {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
}

/** Returns the errors of a list of issues as code and pointer: `missing /Id`. */
export function errorsOf(issues) {
  return issues.filter(({ severity }) => severity === 'error').map(({ code, pointer }) => `${code} ${pointer}`);
}

/** Returns a copy of the order with another item at an index; all other items are the same objects. */
export function withItem(order, index, changed) {
  return { ...order, Items: order.Items.map((item, i) => (i === index ? changed : item)) };
}
