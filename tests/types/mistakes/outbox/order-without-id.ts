// Property 'Id' is missing in type '{ CompanyId: number; EntityId: number; IntegratorId: string; Items: never[]; }' but required in type 'IdentifiedOrder'.
import type { Outbox } from 'sales-order-intake/outbox';

export const accept = (outbox: Outbox) => outbox.add({ CompanyId: 1000, EntityId: 2000, IntegratorId: 'x', Items: [] });
