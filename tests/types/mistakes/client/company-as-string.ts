// Type 'string' is not assignable to type 'number'.
import type { Client } from 'sales-order-intake/client';

export const send = (client: Client) =>
  client.createOrder({ Id: 'x', CompanyId: '1000', EntityId: 2000, IntegratorId: 'x', Items: [] });
