// Did you mean to write 'EntityId'?
import { validateOrder } from 'sales-order-intake';

validateOrder({ CompanyId: 1000, EntityID: 2000, IntegratorId: 'x', Items: [] });
