// Did you mean to write 'CompanyId'?
import { evaluateOrder } from 'sales-order-intake';

evaluateOrder({ companyId: 1000, EntityId: 2000, IntegratorId: 'x', Items: [] });
