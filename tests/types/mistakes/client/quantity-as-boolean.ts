// Type 'boolean' is not assignable to type 'DecimalInput'.
import type { Client } from 'sales-order-intake/client';

export const send = (client: Client) =>
  client.createOrder({
    Id: 'x',
    CompanyId: 1000,
    EntityId: 2000,
    IntegratorId: 'x',
    Items: [{ CatalogItemId: 'x', Quantity: true, SellAtPricePerUnit: 1 }],
  });
