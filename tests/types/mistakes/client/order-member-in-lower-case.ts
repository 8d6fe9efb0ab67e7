// 'companyId' does not exist in type 'IdentifiedOrder'. Did you mean to write 'CompanyId'?
import type { Client } from 'sales-order-intake/client';

export const send = (client: Client) =>
  client.createOrder({ Id: 'x', companyId: 1000, EntityId: 2000, IntegratorId: 'x', Items: [] });
