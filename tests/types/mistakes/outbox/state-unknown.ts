// Type '"lost"' is not assignable to type 'EntryState | undefined'.
import type { ListFilter } from 'sales-order-intake/outbox';

export const filter: ListFilter = { state: 'lost' };
