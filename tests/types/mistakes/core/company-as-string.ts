// Type 'string' is not assignable to type 'number'.
import { validateOrder } from 'sales-order-intake';

validateOrder({ CompanyId: '1000', EntityId: 2000, IntegratorId: 'x', Items: [] });
