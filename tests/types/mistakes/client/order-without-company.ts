// Property 'CompanyId' is missing in type '{ Id: string; EntityId: number; IntegratorId: string; Items: never[]; }' but required in type
import type { Client } from 'sales-order-intake/client';

export const send = (client: Client) => client.createOrder({ Id: 'x', EntityId: 2000, IntegratorId: 'x', Items: [] });
