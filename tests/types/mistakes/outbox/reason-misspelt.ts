// Type '"RejectedEror"' is not assignable to type 'EntryReason | undefined'. Did you mean '"RejectedError"'?
import type { ListFilter } from 'sales-order-intake/outbox';

export const filter: ListFilter = { reason: 'RejectedEror' };
