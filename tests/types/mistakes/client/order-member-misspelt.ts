// 'EntityID' does not exist in type 'IdentifiedOrder'. Did you mean to write 'EntityId'?
import type { Client } from 'sales-order-intake/client';

export const send = (client: Client) =>
  client.createOrder({ Id: 'x', CompanyId: 1000, EntityID: 2000, IntegratorId: 'x', Items: [] });
