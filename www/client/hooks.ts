import type { Guid, Version } from 'sales-order-intake';

/** An attempt starts. Like all events, it has no token and nothing of the order but its Id (D45). */
export interface RequestEvent {
  method: 'PUT';
  /** Relative to the base URL. */
  path: string;
  orderId: Guid;
  version: Version;
  /** Counts from 1. */
  attempt: number;
}

/** An attempt got a response, of any status, and its body has been read. */
export interface ResponseEvent extends RequestEvent {
  status: number;
  durationMs: number;
  /** The service's id for the request, if its response has one: quote it to the service's support. */
  requestId?: string;
}

/** An attempt got no complete response. */
export interface RequestErrorEvent extends RequestEvent {
  durationMs: number;
  /** Name of the error: `ConnectionError`, `TimeoutError` or `AbortedError`. */
  reason: string;
}

/** An attempt failed, and there will be another. */
export interface RetryEvent extends RequestEvent {
  /** Milliseconds until the next attempt. */
  waitMs: number;
  /** Name of the error that the attempt would have ended with. */
  reason: string;
  /** Status of the response, if there was one. */
  status?: number;
}
