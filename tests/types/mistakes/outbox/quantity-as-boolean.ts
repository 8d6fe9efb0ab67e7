// Type 'boolean' is not assignable to type 'DecimalInput'.
import type { Outbox } from 'sales-order-intake/outbox';

export const accept = (outbox: Outbox) =>
  outbox.add({
    Id: 'x',
    CompanyId: 1000,
    EntityId: 2000,
    IntegratorId: 'x',
    Items: [{ CatalogItemId: 'x', Quantity: true, SellAtPricePerUnit: 1 }],
  });
