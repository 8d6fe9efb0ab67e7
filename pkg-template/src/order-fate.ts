/** Asks the core what became of an order (D57), and whether two orders are equal (D28), for client and outbox. */
import { Fields } from './boundary.js';
import { encodeText } from './json.js';
import { call } from './loader.js';
import type { Issue, ReceivedOrder } from './types.js';

/** A response whose body was read. Headers are null if they are absent. */
export interface JudgedResponse {
  status: number;
  body: string;
  /** Only the closed connection ended the body, so an empty one may have been cut off. */
  endsAtClose: boolean;
  contentType: string | null;
  retryAfter: string | null;
  date: string | null;
  location: string | null;
  /** When it was received, in milliseconds since 1970. */
  receivedAt: number;
}

/** What one attempt to send the order proves. */
export type OrderFate =
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
  relayState: 'refused' | 'stalled' | 'cancelled' | null;
  detail: string | null;
  issues: Issue[];
}

/**
 * Decides what an attempt proves.
 *
 * @param sent The body of the request.
 * @param reply The reply: a response; `lost` if the request was or may have been sent; `not-sent` if it provably was not.
 */
export function orderFate(
  sent: string,
  reply: JudgedResponse | 'lost' | 'not-sent',
  options: { proof: 'order' | 'id'; acceptEmptyBody: boolean },
): OrderFate {
  const response = typeof reply === 'string' ? undefined : reply;
  const facts = response
    ? [
        response.status,
        options.proof,
        options.acceptEmptyBody ? 'empty' : '',
        response.endsAtClose ? 'closed' : '',
        oneLine(response.contentType),
        oneLine(response.retryAfter),
        oneLine(response.date),
        oneLine(response.location),
        Math.max(0, Math.trunc(response.receivedAt)),
        encodeText(response.body),
      ]
    : [reply];
  const fields = new Fields(call('orderFate', sent, facts.join('\n')));
  const fate = JSON.parse(fields.text()) as OrderFate;
  if ('error' in fate) return fate;
  const order = fields.rest();
  fate.order = order === undefined ? null : (JSON.parse(order) as ReceivedOrder);
  return fate;
}

/** Headers have no line breaks, but those of a `fetch` that a program passes may. */
function oneLine(header: string | null): string {
  return header === null ? '' : encodeText(`${header}`.replaceAll('\n', ' '));
}

/**
 * Returns true if two bodies of requests with the same Id are the same order, however their members are written. The version of the
 * operation does not count, and neither do the options that the orders were read with.
 */
export function isSameOrder(body: string, other: string): boolean {
  return body === other || call('isSameOrder', body, other) !== '';
}
