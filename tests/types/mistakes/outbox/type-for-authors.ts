// Module '"sales-order-intake/outbox"' has no exported member 'TakenEntry'.
export type { TakenEntry } from 'sales-order-intake/outbox';
