import type { Guid, Version } from 'sales-order-intake';

/** An attempt is about to be sent. Like the events below it holds no token, no name and no note (D45). */
export interface RequestEvent {
  method: 'PUT';
  /** Relative to the base URL. */
  path: string;
  orderId: Guid;
  version: Version;
  /** Counts from 1. */
  attempt: number;
}

/** An attempt was answered, whatever the answer; the body has been read. */
export interface ResponseEvent extends RequestEvent {
  status: number;
  durationMs: number;
  /** What the service calls this request, where it says so: for its support. */
  requestId?: string;
}

/** An attempt failed and there will be another. */
export interface RetryEvent extends RequestEvent {
  /** Until the next attempt. */
  waitMs: number;
  /** Name of the error that this attempt alone would have been. */
  reason: string;
  /** Where there was an answer. */
  status?: number;
}

/** Calls a hook. What it throws is dropped: an order that was created must not be reported as a failure for it. */
export function tell(hook: () => unknown): void {
  try {
    const told = hook();
    // An async function fits where one without a result is asked for.
    if (told !== undefined) Promise.resolve(told).catch(() => {});
  } catch {
    // As said.
  }
}
