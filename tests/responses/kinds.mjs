/**
 * The meaning of each reply: tests/vectors/fates/replies.json, which the core's own tests read natively, and which
 * documents its members. Here a service plays the replies for client, outbox and command line. The decisions are D26,
 * D31, D33, D51 and D57.
 */
import { readFileSync } from 'node:fs';
import {
  afterStoring,
  creates,
  resetsBeforeHeaders,
  resetsInBody,
  stallsBeforeHeaders,
} from '../client/fault-server.mjs';

/**
 * @typedef {(exchange: any) => void} Step
 * @typedef {object} Kind
 * @property {string} title
 * @property {string} response What comes, for the documentation: the same for the replies of a row.
 * @property {Step | null} step What a service on loopback plays; null: it refuses connections.
 * @property {any} fate What the core decides.
 * @property {string} [client] The name of the client's error, if it is not the core's.
 * @property {string} atStart State and outcome in the outbox while the service has created no order.
 * @property {string} [after] The fault of an attempt before.
 * @property {string} [settles] How long the outbox repeats the order before it has these states.
 * @property {string} others State and outcome in the outbox if the service creates other orders; of a suspect response, the fifth.
 * @property {0 | 1 | 4 | 5} send Exit code of `send` with this order alone; its journal then has the order `atStart`.
 */

/** Faults by their names in the table; null: the connection is refused. */
const FAULTS = { resetsBeforeHeaders, resetsInBody, stallsBeforeHeaders, refusesConnections: null };

const { rows } = JSON.parse(readFileSync(new URL('../vectors/fates/replies.json', import.meta.url), 'utf8'));

/** @type {Kind[][]} The replies of each row, each with its title and the expectations of the row. */
const ROWS = rows.map(({ replies, ...row }) =>
  Object.entries(replies).map(([title, reply]) => ({
    ...{ title, step: stepOf(reply, row.fate), after: reply.after },
    ...row,
  })),
);
export const KINDS = ROWS.flat();

/** The first reply of each row: for tests that take seconds, because the core's own tests show that the others have the same fate. */
export const FIRSTS = ROWS.flatMap(([first]) => first ?? []);

/** @returns {Step | null} */
function stepOf(reply, { hasOrder = false, alreadyThere = false }) {
  if (reply.plays) return FAULTS[reply.plays];
  if (reply.endsAtClose) return cutsBeforeBody(reply.status);
  const { status, type, headers = {} } = reply;
  const step = (exchange) => {
    if (hasOrder) exchange.store();
    exchange.response.writeHead(status, { ...(type && { 'Content-Type': type }), ...headers });
    exchange.response.end(bodyOf(reply, exchange.body));
  };
  return alreadyThere ? afterStoring(step) : step;
}

/** Returns the body of a reply to the order that was sent. */
function bodyOf({ json, order, case: letters, wrapped, cut, body = '' }, sent) {
  const { Id } = JSON.parse(sent);
  if (json !== undefined) return JSON.stringify(json).replaceAll('$Id', Id);
  if (wrapped) return `${wrapped[0]}${sent}${wrapped[1]}`;
  if (cut) return sent.slice(0, -cut);
  if (!order) return body;
  const changed = Object.entries({ ...JSON.parse(sent), ...order }).filter(([, value]) => value !== '$remove');
  const text = JSON.stringify(Object.fromEntries(changed));
  return letters === 'camel'
    ? text.replaceAll(/"(\w)(\w*)":/g, (_, first, rest) => `"${first.toLowerCase()}${rest}":`)
    : text;
}

/** Responds with a status and closes the connection, as a proxy does that dies before the body. */
function cutsBeforeBody(status) {
  return ({ response }) => response.socket.end(`HTTP/1.1 ${status} Created\r\nContent-Type: application/json\r\n\r\n`);
}

/** Nothing listens at this port, which no program gets by chance. */
export const REFUSING = 'http://127.0.0.1:2/';

/** Returns true if no response ever comes. */
export function isEndless({ step }) {
  return step === stallsBeforeHeaders;
}

/**
 * Returns true for a reply that settles an order only after ten minutes.
 *
 * @param {{ settles?: string }} kind
 */
export function isSlow({ settles }) {
  return settles === 'after ten minutes';
}

/**
 * Makes a server play a reply for one order, after the fault of the attempt before, and create all others.
 *
 * @param {{ step: Step | null, after?: string }} kind
 * @param {string} orderId
 * @returns {Step}
 */
export function playing({ step, after }, orderId) {
  let before = after && FAULTS[after];
  return (exchange) => {
    if (!step || !exchange.body.includes(orderId)) return creates(exchange);
    const next = before ?? step;
    before = undefined;
    return next(exchange);
  };
}

/**
 * The options of a client that shows a reply soon: short waits, and a connection that is refused for this order.
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
