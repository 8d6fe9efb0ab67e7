// Did you mean to write 'SellAtPricePerUnit'?
import { buildOrder } from 'sales-order-intake';

buildOrder({
  CompanyId: 1000,
  EntityId: 2000,
  IntegratorId: 'x',
  Items: [{ CatalogItemId: 'x', Quantity: 1, SellAtPricePerUnits: 1 }],
});
