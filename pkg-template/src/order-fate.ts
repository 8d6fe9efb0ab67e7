/** Asks the core what became of an order (D57), and whether two orders are equal (D28), for client and outbox. */
import { Fields } from './fields.js';
import { encodeText } from './json.js';
import { callFates } from './loader.js';
import type { Issue, ReceivedOrder } from './types.js';

export { startFates } from './loader.js';

/** A response whose body was read. */
export interface JudgedResponse {
  readonly status: number;
  readonly body: string;
  /**
   * The body is empty, and nothing but the closed connection marks its end, so it may have been cut off. False if the
   * platform can't know, so it is never true for a complete response (D26).
   */
  readonly endsAtClose: boolean;
  /** For its headers. */
  readonly response: Response;
}

/** What one attempt to send the order proves. */
export type AttemptFate =
  | { fate: 'created'; order: ReceivedOrder | null; issues: Issue[] }
  | { fate: 'accepted'; order: ReceivedOrder | null }
  | FailedAttempt;

/** Why an attempt did not prove that the order was created (`Failure` in src/fate.rs). */
export interface FailedAttempt {
  fate: 'not-created' | 'unknown';
  /** The name of the client's error. */
  error: string;
  problem: string;
  retryable: boolean;
  isSuspect: boolean;
  /** True if the failure covers all attempts, because a relay has made them itself. */
  holdsForAll: boolean;
  retryAfterMs: number | null;
  relayState: 'refused' | 'stalled' | 'cancelled' | 'invalid' | null;
  detail: string | null;
  issues: Issue[];
}

/**
 * Decides what a response proves.
 *
 * @param expected What the response must have, of the order that was sent ({@link OrderRequest.expected}).
 * @param location The absolute address in the header Location; empty if there is none.
 * @param receivedAt When it was received, in milliseconds since 1970.
 */
export function orderFate(
  expected: string,
  { status, body, endsAtClose, response }: JudgedResponse,
  location: string,
  receivedAt: number,
  options: { proof: 'order' | 'id'; acceptEmptyBody: boolean; earlierAttempts: 'none' | 'unknown' },
): AttemptFate {
  const header = (name: string) => oneLine(response.headers.get(name) ?? '');
  const facts = [
    status,
    options.proof,
    options.acceptEmptyBody ? 'empty' : '',
    options.earlierAttempts,
    endsAtClose ? 'closed' : '',
    header('content-type'),
    header('retry-after'),
    header('date'),
    oneLine(location),
    Math.max(0, Math.trunc(receivedAt)),
    encodeText(body),
  ];
  const fields = new Fields(callFates('orderFate', expected, facts.join('\n')));
  const fate = JSON.parse(fields.text()) as AttemptFate;
  if ('error' in fate) return fate;
  const order = fields.rest();
  fate.order = order === undefined ? null : (JSON.parse(order) as ReceivedOrder);
  return fate;
}

/** Decides what an attempt proves that got no response; `not-sent` if the request provably was not sent. */
export function fateWithoutResponse(reply: 'lost' | 'not-sent'): FailedAttempt {
  return JSON.parse(new Fields(callFates('orderFate', '', reply)).text()) as FailedAttempt;
}

/** Headers have no line breaks, but those of a `fetch` that a program passes may. Node leaves spaces at their end. */
function oneLine(header: string): string {
  return header && encodeText(`${header}`.replaceAll('\n', ' ').trim());
}

/**
 * Returns true if two bodies of requests with the same Id are the same order, however their members are written. The version of the
 * operation does not count, and neither do the options that the orders were read with.
 */
export function isSameOrder(body: string, other: string): boolean {
  return body === other || callFates('isSameOrder', body, other) !== '';
}
