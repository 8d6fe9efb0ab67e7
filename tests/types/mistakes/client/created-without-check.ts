// Property 'created' does not exist on type 'BatchResult'.
// { ok: false; error: SendError; }
import type { BatchResult } from 'sales-order-intake/client';

export const statusOf = (result: BatchResult) => result.created.status;
