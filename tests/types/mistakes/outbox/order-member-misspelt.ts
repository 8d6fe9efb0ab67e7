// 'EntityID' does not exist in type 'IdentifiedOrder'. Did you mean to write 'EntityId'?
import type { Outbox } from 'sales-order-intake/outbox';

export const accept = (outbox: Outbox) =>
  outbox.add({ Id: 'x', CompanyId: 1000, EntityID: 2000, IntegratorId: 'x', Items: [] });
