/**
 * Creates the smallest order without issues; a test may change it.
 *
 * @returns {any}
 */
export function minimalOrder(changes = {}) {
  return {
    Id: '2a8f5d33-eec9-4864-8b49-5636577b40d5',
    CompanyId: 1000,
    EntityId: 2000,
    IntegratorId: '7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50',
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
    CatalogItemId: '0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff',
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
