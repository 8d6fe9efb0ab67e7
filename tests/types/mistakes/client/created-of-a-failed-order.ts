// Property 'created' does not exist on type
// { ok: false; error: SendError; }
import type { BatchResult } from 'sales-order-intake/client';

export const statusOf = (result: BatchResult) => (result.ok ? 0 : result.created.status);
