// 'verison' does not exist in type 'AddOptions<never>'. Did you mean to write 'version'?
import type { IdentifiedOrder } from 'sales-order-intake';
import type { Outbox } from 'sales-order-intake/outbox';

export const accept = (outbox: Outbox, order: IdentifiedOrder) => outbox.add(order, { verison: 'v2' });
