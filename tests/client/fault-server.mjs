/**
 * A service on loopback that plays a script of faults, one step per request, and then creates every order. It ends with its process.
 * It stores orders like the real service, so that a test can check what happened.
 */
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '../../scripts/ports.mjs';
import { EXCHANGE, hold, platform, release } from './clock.mjs';

/**
 * @param script Steps such as `creates`, `answer(503)` or `resetsInBody`.
 * @returns `baseUrl`; `requests`, all received requests with body and time on the simulated clock; `orders`, body, number and creations by id;
 * `playAlways()`, `connections()`, `close()`.
 */
export async function startFaultServer(...script) {
  const requests = [];
  const orders = new Map();
  let always = creates;
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request;
    const body = await text(request).catch(() => undefined);
    if (body === undefined) return;
    requests.push({ method, url, headers, body, at: Math.round(platform.now()) });
    const step = script.shift() ?? always;
    step({ body, headers, response, store: () => store(orders, url, body) });
  });
  server.unref().on('connection', (socket) => socket.unref());
  return {
    baseUrl: `http://127.0.0.1:${await listen(server)}/intake`,
    requests,
    orders,
    /** Plays this step for every request after the script. */
    playAlways(step) {
      always = step;
    },
    /** Returns the number of open connections, including idle ones. */
    connections: () =>
      new Promise((resolve, reject) => server.getConnections((error, n) => (error ? reject(error) : resolve(n)))),
    close() {
      server.closeAllConnections();
      return new Promise((closed) => server.close(closed));
    },
  };
}

/**
 * Stores an order unless its id is taken; the same bytes are a replay, others a conflict (D28). Every request that is not
 * a replay counts as a creation: a service without this check would have the order twice.
 */
function store(orders, url, body) {
  const id = /ServiceOrder\(([^)]*)\)$/.exec(url)?.[1];
  const stored = orders.get(id);
  const order = stored ?? { body, number: orders.size + 1, creations: 0 };
  orders.set(id, order);
  if (!stored || stored.body !== body) order.creations++;
  return { isNew: !stored, isSame: order.body === body, number: order.number };
}

/** Creates the order and responds like the service, with the read-only members filled. */
export function creates({ body, response, store }) {
  const { isNew, isSame, number } = store();
  if (!isSame) return answer(409, '{"Message":"Another order has this id."}')({ response });
  return answer(isNew ? 201 : 200, createdBody(body, number))({ response });
}

/** Rejects a stored id, whatever the body, like a service without replays. */
export function createsOnlyOnce({ body, response, store }) {
  const { isNew, number } = store();
  if (isNew) return answer(201, createdBody(body, number))({ response });
  return answer(409, '{"Message":"The order exists."}')({ response });
}

/** Inserts the read-only members into the JSON; parsing the body would lose digits. */
function createdBody(body, number = 1) {
  const readOnly = {
    WasCreatedWithInventoryHold: false,
    DateCreatedUtc: '2026-11-20T10:00:00.0000000+00:00',
    OrderSource: { Id: JSON.parse(body).IntegratorId, Name: 'Loopback' },
    ReceiptNumber: `R-${number}`,
  };
  return `${body.slice(0, -1)},${JSON.stringify(readOnly).slice(1)}`;
}

export function answer(status, body = '', headers = {}) {
  return ({ response }) => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
    response.end(body);
  };
}

/** Refuses with a reason in JSON, as a service does. Proxies respond with pages, or with nothing. */
export function refuses(status, reason = 'The test refuses this order.') {
  return answer(status, JSON.stringify({ Message: reason }));
}

/** A page, as proxies, firewalls and web applications show it. */
export function page(status, headers = {}) {
  const type = { 'Content-Type': 'text/html; charset=utf-8', ...headers };
  return answer(status, '<!doctype html><title>Back soon</title><p>Back soon', type);
}

/** Stores the order, then plays the fault. */
export function afterStoring(fault) {
  return (exchange) => {
    exchange.store();
    return fault(exchange);
  };
}

export function resetsBeforeHeaders({ response }) {
  response.socket.resetAndDestroy();
}

export function resetsInBody(exchange) {
  begins(exchange);
  setTimeout(() => exchange.response.socket?.resetAndDestroy(), 5);
}

export function stallsBeforeHeaders({ headers }) {
  hold(headers[EXCHANGE]);
}

export function stallsInBody(exchange) {
  begins(exchange);
  hold(exchange.headers[EXCHANGE]);
}

/** Plays a step after some time on the simulated clock. */
export function after(ms, step) {
  return (exchange) => {
    hold(exchange.headers[EXCHANGE]);
    platform.after(ms, () => {
      release(exchange.headers[EXCHANGE]);
      step(exchange);
    });
  };
}

function begins({ response, body }) {
  const whole = createdBody(body);
  response.writeHead(201, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(whole) });
  response.write(whole.slice(0, whole.length / 2));
}
