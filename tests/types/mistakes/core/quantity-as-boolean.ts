// Type 'boolean' is not assignable to type 'DecimalInput'.
import { validateOrder } from 'sales-order-intake';

validateOrder({
  CompanyId: 1000,
  EntityId: 2000,
  IntegratorId: 'x',
  Items: [{ CatalogItemId: 'x', Quantity: true, SellAtPricePerUnit: 1 }],
});
