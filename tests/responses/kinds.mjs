/**
 * What each response means, everywhere: the one table that the tests of this folder check and that docs/concepts/order-fates.md
 * shows (`make generate`). The decisions behind it are D26, D31, D33 and D51.
 */
import {
  afterStoring,
  answer,
  creates,
  page,
  refuses,
  resetsBeforeHeaders,
  resetsInBody,
  stallsBeforeHeaders,
} from '../client/fault-server.mjs';

/**
 * A row: responses that mean the same.
 *
 * @typedef {object} Row
 * @property {string} response What comes, for the documentation.
 * @property {Record<string, Step | null>} plays What a service on loopback plays, by title; null: it refuses connections.
 * @property {Resolved | Rejected} client What `createOrder` and `createOrders` do.
 * @property {string} atStart State and outcome in the outbox while the service has created no order.
 * @property {string} others State and outcome in the outbox if the service creates other orders; of a suspect response, the fifth.
 * @property {true} [suspect] The outbox takes the response for suspect: it settles nothing at once.
 * @property {0 | 1 | 4 | 5} send Exit code of `send` with this order alone; its journal then has the order `atStart`.
 *
 * @typedef {(exchange: any) => void} Step
 * @typedef {{ resolves: 'created' | 'already there' | 'accepted', hasOrder: boolean }} Resolved
 * @typedef {{ error: string, outcome: 'not-created' | 'unknown', retryable: boolean }} Rejected
 */

/** @type {Pick<Row, 'atStart' | 'others' | 'send'>} */
const CREATED = { atStart: 'created, created', others: 'created, created', send: 0 };
const REFUSED = 'refused, not-created';

/** @type {Row[]} */
export const ROWS = [
  {
    response: '`201` with the order',
    plays: { '201 with the order': creates },
    client: { resolves: 'created', hasOrder: true },
    ...CREATED,
  },
  {
    response: '`200` with the order, to the first attempt',
    plays: { '200 with the order': afterStoring(creates) },
    client: { resolves: 'already there', hasOrder: true },
    ...CREATED,
  },
  {
    response: '`201` or `204` without a body',
    plays: { '201 without a body': answer(201), 204: answer(204) },
    client: { resolves: 'created', hasOrder: false },
    ...CREATED,
  },
  {
    response: '`202` with `Location`, or `200` with `Location` and the state: a relay delivers the order later',
    plays: { '202 with Location': answer(202, '', { Location: '/orders/1' }), '200 with the state': waitsAtRelay },
    client: { resolves: 'accepted', hasOrder: false },
    atStart: 'waiting, unknown',
    others: 'waiting, unknown',
    send: 5,
  },
  {
    response:
      '`200` or another 2xx with a page, with other JSON or with an order of another Id; `200` or `202` without a body',
    plays: {
      '200 with a page': page(200),
      '201 with a page': page(201),
      '200 with JSON that is not an order': answer(200, '{"status":"ok"}'),
      '200 with a JSON string': answer(200, '"ok"'),
      '201 with an order of another Id': createsAnother(201),
      '200 with an order of another Id': createsAnother(200),
      '200 without a body': answer(200),
      '202 without a body': answer(202),
    },
    client: { error: 'UnexpectedResponseError', outcome: 'unknown', retryable: true },
    suspect: true,
    atStart: 'waiting, unknown',
    others: 'waiting, unknown',
    send: 5,
  },
  {
    response: '`302` or another redirect',
    plays: { 302: page(302, { Location: 'https://elsewhere.example/sorry' }), 307: answer(307, '', { Location: '/' }) },
    client: { error: 'UnexpectedResponseError', outcome: 'unknown', retryable: false },
    suspect: true,
    atStart: 'waiting, unknown',
    others: 'stalled, unknown',
    send: 5,
  },
  {
    response: '`400`, `422` or another 4xx that is not listed, with a reason in JSON',
    plays: { '400 with a reason': refuses(400), '422 with a reason': refuses(422) },
    client: { error: 'RejectedError', outcome: 'not-created', retryable: false },
    atStart: REFUSED,
    others: REFUSED,
    send: 1,
  },
  {
    response: '`409` with a reason in JSON: another order has the Id',
    plays: { '409 with a reason': refuses(409) },
    client: { error: 'ConflictError', outcome: 'not-created', retryable: false },
    atStart: REFUSED,
    others: REFUSED,
    send: 1,
  },
  {
    response: '`403` with a reason in JSON',
    plays: { '403 with a reason': refuses(403) },
    client: { error: 'PermissionError', outcome: 'not-created', retryable: false },
    suspect: true,
    atStart: 'waiting, not-created',
    others: REFUSED,
    send: 5,
  },
  {
    response: '`404` with a reason in JSON',
    plays: { '404 with a reason': refuses(404) },
    client: { error: 'NotFoundError', outcome: 'not-created', retryable: false },
    suspect: true,
    atStart: 'waiting, not-created',
    others: REFUSED,
    send: 5,
  },
  {
    response: '`405` with a reason in JSON',
    plays: { '405 with a reason': refuses(405) },
    client: { error: 'RejectedError', outcome: 'not-created', retryable: false },
    suspect: true,
    atStart: 'waiting, not-created',
    others: REFUSED,
    send: 5,
  },
  {
    response: '`403` with a page or without a body',
    plays: { '403 with a page': page(403), '403 without a body': answer(403) },
    client: { error: 'PermissionError', outcome: 'not-created', retryable: false },
    suspect: true,
    atStart: 'waiting, not-created',
    others: REFUSED,
    send: 5,
  },
  {
    response: '`404` with a page or without a body',
    plays: { '404 with a page': page(404), '404 without a body': answer(404) },
    client: { error: 'NotFoundError', outcome: 'not-created', retryable: false },
    suspect: true,
    atStart: 'waiting, not-created',
    others: REFUSED,
    send: 5,
  },
  {
    response: '`409` with a page or without a body',
    plays: { '409 with a page': page(409), '409 without a body': answer(409) },
    client: { error: 'ConflictError', outcome: 'not-created', retryable: false },
    suspect: true,
    atStart: 'waiting, not-created',
    others: REFUSED,
    send: 5,
  },
  {
    response: 'another 4xx with a page or without a body',
    plays: {
      '400 with a page': page(400),
      '400 without a body': answer(400),
      '400 with JSON without a reason': answer(400, '{}'),
      '405 with a page': page(405),
      '422 with a page': page(422),
      '422 without a body': answer(422),
    },
    client: { error: 'RejectedError', outcome: 'not-created', retryable: false },
    suspect: true,
    atStart: 'waiting, not-created',
    others: REFUSED,
    send: 5,
  },
  {
    response: '`401`, to a new token too',
    plays: { '401 with a reason': refuses(401), '401 without a body': answer(401) },
    client: { error: 'AuthenticationError', outcome: 'not-created', retryable: false },
    atStart: 'waiting, not-created',
    others: 'waiting, not-created',
    send: 4,
  },
  {
    response: '`408`',
    plays: { 408: answer(408) },
    client: { error: 'RejectedError', outcome: 'unknown', retryable: true },
    atStart: 'waiting, unknown',
    others: 'waiting, unknown',
    send: 5,
  },
  {
    response: '`429`',
    plays: { 429: refuses(429) },
    client: { error: 'RateLimitError', outcome: 'not-created', retryable: true },
    atStart: 'waiting, not-created',
    others: 'waiting, not-created',
    send: 5,
  },
  {
    response: '`500`, `503` or another 5xx, with any body',
    plays: { '500 with a reason': refuses(500), '500 without a body': answer(500), '503 with a page': page(503) },
    client: { error: 'ServerError', outcome: 'unknown', retryable: true },
    atStart: 'waiting, unknown',
    others: 'waiting, unknown',
    send: 5,
  },
  {
    response: '`501`, with any body',
    plays: { '501 with a reason': refuses(501), '501 with a page': page(501) },
    client: { error: 'ServerError', outcome: 'unknown', retryable: false },
    suspect: true,
    atStart: 'waiting, unknown',
    others: 'stalled, unknown',
    send: 5,
  },
  {
    response: 'a connection that is lost, or a response that is cut',
    plays: { 'a lost connection': resetsBeforeHeaders, '201, cut in the middle': resetsInBody },
    client: { error: 'ConnectionError', outcome: 'unknown', retryable: true },
    atStart: 'waiting, unknown',
    others: 'waiting, unknown',
    send: 5,
  },
  {
    response: 'no response in time',
    plays: { 'no response': stallsBeforeHeaders },
    client: { error: 'TimeoutError', outcome: 'unknown', retryable: true },
    atStart: 'waiting, unknown',
    others: 'waiting, unknown',
    send: 5,
  },
  {
    response: 'no connection',
    plays: { 'a refused connection': null },
    client: { error: 'ConnectionError', outcome: 'not-created', retryable: true },
    atStart: 'waiting, not-created',
    others: 'waiting, not-created',
    send: 5,
  },
];

/** Every response, with its title and the expectations of its row. */
export const KINDS = ROWS.flatMap((row) => Object.entries(row.plays).map(([title, step]) => ({ title, step, ...row })));

/** Responds as if the service had created another order than the one that was sent. */
function createsAnother(status) {
  return ({ body, response }) => {
    const another = body.replace(/"Id":"[^"]*"/, '"Id":"ffffffff-0000-4000-8000-000000000000"');
    answer(status, another)({ response });
  };
}

/** Nothing listens at this port, which no program gets by chance. */
export const REFUSING = 'http://127.0.0.1:2/';

/** Returns true if no response ever comes. */
export function isEndless({ step }) {
  return step === stallsBeforeHeaders;
}

/**
 * What a server plays if it plays a response for one order and creates all others.
 *
 * @param {{ step: Step | null }} kind
 * @param {string} orderId
 * @returns {Step}
 */
export function playing({ step }, orderId) {
  return (exchange) => (step && exchange.body.includes(orderId) ? step : creates)(exchange);
}

/**
 * The options of a client that shows a response soon: short waits, and a connection that is refused for this order.
 *
 * @param {{ step: Step | null }} kind
 * @param {string} orderId
 */
export function clientOptions({ step }, orderId) {
  const isRefused = (url) => step === null && String(url).includes(orderId);
  return {
    ...(isEndless({ step }) && { timeoutMs: 300 }),
    fetch: (url, init) => fetch(isRefused(url) ? REFUSING : url, init),
  };
}

/** The relay's response to an order that it has accepted before, and not delivered yet. */
function waitsAtRelay({ body, response }) {
  const state = { orderId: JSON.parse(body).Id, state: 'waiting', order: null };
  answer(200, JSON.stringify(state), { Location: '/orders/1' })({ response });
}
