// 'Note' does not exist in type 'IdentifiedOrder'. Did you mean to write 'Notes'?
import type { Outbox } from 'sales-order-intake/outbox';

export const accept = (outbox: Outbox) =>
  outbox.replace({ Id: 'x', CompanyId: 1000, EntityId: 2000, IntegratorId: 'x', Items: [], Note: 'x' });
