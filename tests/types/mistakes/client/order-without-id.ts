// Property 'Id' is missing in type '{ CompanyId: number; EntityId: number; IntegratorId: string; Items: never[]; }' but required in type 'IdentifiedOrder'.
import type { Client } from 'sales-order-intake/client';

export const send = (client: Client) =>
  client.createOrder({ CompanyId: 1000, EntityId: 2000, IntegratorId: 'x', Items: [] });
