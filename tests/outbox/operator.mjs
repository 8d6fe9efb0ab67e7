/** An outbox with its page, as an operator sees it: a service that plays responses, and requests as a browser sends them. */
import { pathToFileURL } from 'node:url';
import { serverOf } from '../../examples/handler-server.mjs';
import { listen } from '../../scripts/ports.mjs';
import { installedFile } from '../node/installed.mjs';
import { createClient, createOutbox, RETRY, TOKEN, until } from './harness.mjs';
import { memoryStore } from './memory-store.mjs';

const { outboxPage } = await import(pathToFileURL(installedFile('dist/esm/outbox/page/index.js')).href);
export { outboxPage };
export const AUTHORIZATION = `Basic ${btoa('operator:secret')}`;
/** Where the page is mounted: deep, so that links which are not relative would show. */
export const ADDRESS = 'https://shop.test/office/orders';
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded', Origin: 'https://shop.test' };

/** Responds as a service that creates the order. @param {{ body: string }} request */
export const creates = ({ body }) => new Response(body, { status: 201 });

/** Responds as a service that refuses the order. @param {string} message */
export const refuses = (message) => () =>
  new Response(JSON.stringify({ detail: message, errors: { 'Items[0].Quantity': [message] } }), {
    status: 422,
    headers: { 'Content-Type': 'application/json', 'X-Request-Id': 'request-1' },
  });

/**
 * Opens an outbox and its page. `respond` of the result is what the service does next; `settled` adds an order and
 * waits until it is.
 *
 * @param {{ after(end: () => Promise<void>): void }} scope
 * @param {object} [options] of the page
 */
export async function openPage(scope, options = {}) {
  const service = { respond: creates };
  const fetch = async (_, request) => service.respond(request);
  const client = createClient({ baseUrl: 'https://intake.test', token: TOKEN, fetch });
  const outbox = createOutbox({ client, store: memoryStore(), retry: RETRY });
  scope.after(() => outbox.stop({ timeoutMs: 0 }));
  const authorize = ({ headers }) => headers.get('authorization') === AUTHORIZATION;
  const page = outboxPage({ outbox, authorize, ...options });
  const ask = async (query, init = {}) => {
    const headers = { Authorization: AUTHORIZATION, ...init.headers };
    const response = await page(new Request(ADDRESS + query, { ...init, headers }));
    return { response, status: response.status, text: await response.text() };
  };
  const get = (query = '') => ask(query);
  /** Sends a form as a browser does. */
  const post = (query, fields, headers = {}) =>
    ask(query, { method: 'POST', headers: { ...FORM, ...headers }, body: new URLSearchParams(fields) });
  const settled = async (order, reference) => {
    await outbox.add(order, { reference });
    return outbox.start().settled(order.Id, { timeoutMs: 60_000 });
  };
  const stateOf = async (order) => (await outbox.get(order.Id))?.state;
  return Object.assign(service, { outbox, page, ask, get, post, settled, stateOf, until });
}

/** Serves a handler over HTTP at any path. @returns {Promise<string>} its origin */
export async function served(scope, handler) {
  const server = serverOf(handler);
  scope.after(async () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${await listen(server)}`;
}
