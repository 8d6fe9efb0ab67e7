/**
 * A service on loopback that plays a script of faults: one step a request, in their order, and then creates what comes.
 * It stores orders as the service does, so a test can ask what really happened.
 */
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '../../scripts/ports.mjs';

/**
 * @param script Functions of an exchange, as made below.
 * @returns `baseUrl`; `requests`, all that came, with body and time; `orders`, body, number and creations by id;
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
    requests.push({ method, url, headers, body, at: performance.now() });
    const step = script.shift() ?? always;
    step({ body, headers, response, store: () => store(orders, url, body) });
  });
  return {
    baseUrl: `http://127.0.0.1:${await listen(server)}/intake`,
    requests,
    orders,
    /** What to do once the script is over. */
    playAlways(step) {
      always = step;
    },
    /** Open connections, idle ones included. */
    connections: () =>
      new Promise((resolve, reject) => server.getConnections((error, n) => (error ? reject(error) : resolve(n)))),
    close() {
      server.closeAllConnections();
      return new Promise((closed) => server.close(closed));
    },
  };
}

/** D28: the same bytes again are the same order; others are a conflict, and nothing is overwritten. */
function store(orders, url, body) {
  const id = /ServiceOrder\(([^)]*)\)$/.exec(url)?.[1];
  const stored = orders.get(id);
  const order = stored ?? { body, number: orders.size + 1, creations: 1 };
  orders.set(id, order);
  return { isNew: !stored, isSame: order.body === body, number: order.number };
}

/** Creates the order, and answers with it as the service does: read-only members filled. */
export function creates({ body, response, store }) {
  const { isNew, isSame, number } = store();
  if (!isSame) return answer(409, '{"Message":"Another order has this id."}')({ response });
  return answer(isNew ? 201 : 200, createdBody(body, number))({ response });
}

/** Refuses an id that is there, whatever the body: a service that doesn't know repetition. */
export function createsOnlyOnce({ body, response, store }) {
  const { isNew, number } = store();
  if (isNew) return answer(201, createdBody(body, number))({ response });
  return answer(409, '{"Message":"The order exists."}')({ response });
}

/** Text on text: parsing the body would lose digits. */
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

/** The service stores the order, and then the fault happens. */
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

export function stallsBeforeHeaders(_exchange) {}

export function stallsInBody(exchange) {
  begins(exchange);
}

function begins({ response, body }) {
  const whole = createdBody(body);
  response.writeHead(201, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(whole) });
  response.write(whole.slice(0, whole.length / 2));
}
