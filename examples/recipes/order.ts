import type { SalesOrderInput } from 'sales-order-intake';

/** The initial order of both recipes. A shop creates the Id once, with newOrderId, and stores it with the cart. */
export const order: SalesOrderInput = {
  Id: '2a8f5d33-eec9-4864-8b49-5636577b40d5',
  CompanyId: 1000,
  EntityId: 2000,
  IntegratorId: '7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50',
  Items: [
    {
      Name: 'Green tea',
      CatalogItemId: '0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff',
      Quantity: '2',
      SellAtPricePerUnit: '19.99',
    },
    {
      Name: 'House blend',
      CatalogItemId: '8c1f2b3a-4d5e-4f60-9a7b-8c9d0e1f2a3b',
      Quantity: '1',
      SellAtPricePerUnit: '12.50',
    },
    {
      Name: 'Honey',
      CatalogItemId: '3e2d1c0b-9a8f-4e7d-8c6b-5a4f3e2d1c0b',
      Quantity: '0.5',
      SellAtPricePerUnit: '8.00',
    },
  ],
};
