// is not assignable to parameter of type 'string | IdentifiedOrder'.
// Property 'Id' is missing in type '{ CompanyId: number; EntityId: number; IntegratorId: string; Items: never[]; }' but required in type 'IdentifiedOrder'.
import { prepareRequest } from 'sales-order-intake';

prepareRequest({ CompanyId: 1000, EntityId: 2000, IntegratorId: 'x', Items: [] });
