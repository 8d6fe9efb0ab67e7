// Property 'outcome' does not exist on type 'SendError'.
// Property 'outcome' does not exist on type 'OrderValidationError'.
import type { BatchResult } from 'sales-order-intake/client';

export const outcomeOf = (result: BatchResult) => (result.ok ? 'created' : result.error.outcome);
