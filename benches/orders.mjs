/** The orders for all stacks. Decimals are numbers, which JSON.stringify prints in the form that the service accepts. */

export const SIZES = [1, 3, 10, 100, 1_000, 10_000];

const NAMES = ['Green tea, loose', 'House blend', 'Ceremonial matcha, tin', 'Pu-erh cake, 2019', 'Filter papers'];
const QUANTITIES = [1, 2, 3.5, 0.25, 12, 2.345, 7];
const PRICES = [19.99, 12.5, 4.2, 0.99, 249, 7.35, 31.8, 5.05];

/**
 * Returns an order with this many lines, and with taxes, so that its total is known. Each number gives a different
 * order.
 */
export function orderOf(lines, number = 0) {
  const hex = number.toString(16).padStart(4, '0');
  return {
    Id: `2a8f5d33-${hex}-4864-8b49-5636577b40d5`,
    CompanyId: 293892 + number,
    EntityId: 293894,
    IntegratorId: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
    FirstName: 'Ada',
    LastName: 'Okafor',
    Items: Array.from({ length: lines }, (_, index) => ({
      Name: `${NAMES[(index + number) % NAMES.length]} ${number}`,
      CatalogItemId: `c3a1f0de-${hex}-4d18-9e47-${String(index).padStart(12, '0')}`,
      Quantity: QUANTITIES[(index + number) % QUANTITIES.length],
      SellAtPricePerUnit: PRICES[(index + 2 * number) % PRICES.length],
    })),
    IsDelivery: false,
    Taxes: [
      { TaxId: '0b9f7c1e-2d3a-4b5c-8d6e-7f8091a2b3c4', TaxAmount: 3.5 },
      { TaxId: '1c0a8d2f-3e4b-4c6d-9e7f-8091a2b3c4d5', TaxAmount: 1.75 },
    ],
    Notes: `Please ring twice, ${number}`,
  };
}

/** The paths of the five wrong values in an order of ten lines. */
export const WRONG_PLACES = [
  'CompanyId',
  'IntegratorId',
  'Items.2.Quantity',
  'Items.5.CatalogItemId',
  'Items.8.SellAtPricePerUnit',
];

export function orderWithFiveIssues(lines = 10, number = 0) {
  /** @type {any} */
  const order = orderOf(lines, number);
  order.CompanyId = 0;
  order.IntegratorId = 'the integrator';
  order.Items[2].Quantity = -1;
  delete order.Items[5].CatalogItemId;
  order.Items[8].SellAtPricePerUnit = 'free';
  return order;
}
