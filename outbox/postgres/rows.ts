import type { Bind, Value } from '../columns.js';
import type { NewEntry, Settlement } from '../store/index.js';

export type Row = Record<string, unknown>;

/** Binds values to `$1` and so on. The columns of numbers are integers; an option may have a fraction of a millisecond. */
export function binder(values: Value[]): Bind {
  return (value) => {
    values.push(typeof value === 'number' ? Math.round(value) : value);
    return `$${values.length}`;
  };
}

/** A row as JSON. PostgreSQL has no text with a NUL; a service's words may have one. */
export function rowOf(entry: Partial<NewEntry & Settlement> & { jobId: string }): Row {
  const clean = (value: string | null | undefined) => value?.replaceAll('\0', '\uFFFD');
  const rounded = (ms: number | null | undefined) => (typeof ms === 'number' ? Math.round(ms) : ms);
  return {
    order_id: entry.orderId,
    version: entry.version,
    location: entry.location,
    state: entry.state ?? 'waiting',
    outcome: entry.outcome ?? 'not-created',
    attempts: entry.attempts ?? 0,
    added_at: rounded(entry.addedAt),
    due_at: rounded(entry.dueAt),
    deadline_at: rounded(entry.deadlineAt),
    trace_context: clean(entry.traceContext),
    settled_at: rounded(entry.settledAt),
    notice_at: rounded(entry.noticeAt),
    reason: entry.reason,
    status: entry.status,
    request_id: clean(entry.requestId),
    detail: clean(entry.detail),
    issues: entry.issues,
    received: entry.received,
    already_there: Number(entry.alreadyThere ?? false),
    body: entry.body,
    job_id: entry.jobId,
  };
}
