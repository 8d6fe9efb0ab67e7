// Property 'authorize' is missing in type '{ outbox: Outbox<never>; }' but required in type 'OutboxPageOptions'.
import type { Outbox } from 'sales-order-intake/outbox';
import { outboxPage } from 'sales-order-intake/outbox/page';

export const pageOf = (outbox: Outbox) => outboxPage({ outbox });
