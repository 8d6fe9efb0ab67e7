// is not assignable to parameter of type 'string | IdentifiedOrder'.
import { prepareRequest } from 'sales-order-intake';

prepareRequest({ CompanyId: 1000, EntityId: 2000, IntegratorId: 'x', Items: [] });
