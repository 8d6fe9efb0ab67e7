/** The orders of a run, and the bytes that the service must get. */
const INTEGRATOR = '7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50';

export const idOf = (n) => `00000000-0000-4000-8000-${String(n + 1).padStart(12, '0')}`;

/** Returns order number `n`. Its decimals have digits that would be lost if the body were written again. */
export function orderOf(n, location, quantity = 2) {
  const item = { Name: 'Tea', CatalogItemId: '0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff', Quantity: quantity };
  return {
    Id: idOf(n),
    CompanyId: 1000,
    EntityId: location,
    IntegratorId: INTEGRATOR,
    Items: [{ ...item, SellAtPricePerUnit: '19.90' }],
  };
}
