/** What the relay responds about orders and errors. */
import { type Guid, OptionError } from 'sales-order-intake';
import { type Entry, OutboxError } from 'sales-order-intake/outbox';
import type { ProblemName, ServiceResponse } from '#serve';
import { type HttpResponse, problemDetails, type ProblemMembers } from '../http/http-response.js';

const NO_STORE = ['cache-control', 'no-store'] as const;
export const JSON_HEADERS = [['content-type', 'application/json'], NO_STORE] as const;

export function json(status: number, value: object, ...headers: ServiceResponse['headers']): HttpResponse {
  return { status, headers: [...JSON_HEADERS, ...headers], body: JSON.stringify(value) };
}

export const notFound = () => problemDetails('not-found', 'No order has this Id.');
export const unavailable = () => problemDetails('unavailable', 'Send it again.', [['retry-after', '1']]);

export const isWrongState = (error: unknown) => error instanceof OutboxError && error.reason === 'wrong-state';

/** The headers by the options of the outbox that they are. */
const HEADERS: Record<string, string> = { reference: 'X-Order-Reference', by: 'X-Order-By' };

/** Returns the response to an error of the outbox. An option comes from the query of a list, otherwise from a header. */
export function refusalOf(error: unknown, isList = false): HttpResponse {
  if (error instanceof OptionError) {
    const [, name = ''] = /^option \/(\w+?)s?\b/.exec(error.message) ?? [];
    const detail = error.message.replace(/^option \/\w+/, (isList ? undefined : HEADERS[name]) ?? name);
    return problemDetails(isList ? 'invalid-query' : 'invalid-header', detail);
  }
  if (!(error instanceof OutboxError)) throw error;
  if (error.reason === 'not-found') return notFound();
  if (error.reason !== 'wrong-state' || !error.entry) return unavailable();
  return problemOf('wrong-state', error.message, error.entry);
}

/** Returns a problem with the state of an order. */
function problemOf(name: ProblemName, detail: string, entry: Entry, members: ProblemMembers = {}): HttpResponse {
  const { orderId, state, outcome, reason } = entry;
  return problemDetails(name, detail, [locationOf(orderId), NO_STORE], { ...members, orderId, state, outcome, reason });
}

export const locationOf = (orderId: Guid) => ['location', `/orders/${orderId}`] as const;

/** Statuses 4xx that say nothing about the order: the outbox never settles an order as refused by one. */
const NOT_OF_THE_ORDER: readonly number[] = [401, 408, 429];

/** Repeats the service's refusal, with status, reason and issues, because the request comes from the sender of the order. */
export function refusal(entry: Entry): HttpResponse {
  const { reason, status, detail, issues } = entry;
  const isRepeated = status !== null && status >= 400 && status < 500 && !NOT_OF_THE_ORDER.includes(status);
  const errors = issues.map(({ pointer, code, message, params }) => ({ pointer, code, detail: message, params }));
  const ownReason =
    reason === 'OrderValidationError'
      ? 'The order was valid when it was accepted, and is not by the rules of this version.'
      : 'The service has refused the order, without a reason.';
  return problemOf('refused', detail ?? ownReason, entry, {
    status: isRepeated ? status : undefined,
    ...(errors.length > 0 ? { errors } : {}),
  });
}

/** Returns the response to an order if another one has its Id: it may be a correction of that one, or another sale. */
export function conflict(entry: Entry): HttpResponse {
  const { orderId, outcome, can } = entry;
  const [known, advice] = {
    created: ['The service has created that one.', 'correct it at the point of sale'],
    'not-created': ['The service does not have that one.', 'wait until its outcome is known'],
    unknown: ['The service may have that one, or gets it now.', 'wait until its outcome is known'],
  }[outcome];
  const next = `If this one corrects it, ${can.replace ? `send it to PUT /orders/${orderId}` : advice}.`;
  const detail = `Another order with this Id has the state ${entry.state}; it was not changed. ${known} ${next} If this one is another sale, give it an Id of its own.`;
  return problemOf('conflict', detail, entry, { can });
}

/** Returns the response for an order that is not sent any more, which says how to continue. */
export function ended(entry: Entry, name: 'stalled' | 'cancelled'): HttpResponse {
  const { orderId, outcome, body } = entry;
  const isUnknown = outcome === 'unknown';
  const known = isUnknown ? 'It may have been created: do not send it with a new Id.' : 'It was not created.';
  const next =
    name === 'cancelled'
      ? 'If it is wanted nevertheless, send it with a new Id.'
      : body === null
        ? 'Its content has been deleted, so it cannot be sent again.'
        : `POST /orders/${orderId}/retry sends it once more, with the same Id.`;
  const detail = `The relay does not send this order any more. ${known} ${next}`;
  return problemOf(name, detail, entry);
}

/** Returns the state of an order, without the body, which the sender has. */
export const stateOf = ({ body: _1, received: _2, ...state }: Entry): object => state;
