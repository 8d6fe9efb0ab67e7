// Property 'created' does not exist on type
// { ok: false; error: SendError; }
import type { BatchSummary } from 'sales-order-intake/client';

export const first = ({ failed }: BatchSummary) => failed[0]?.created;
