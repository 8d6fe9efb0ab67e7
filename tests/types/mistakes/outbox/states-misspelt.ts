// Type '"stall"' is not assignable to type 'EntryState'. Did you mean '"stalled"'?
import type { ListFilter } from 'sales-order-intake/outbox';

export const filter: ListFilter = { states: ['stalled', 'stall'] };
