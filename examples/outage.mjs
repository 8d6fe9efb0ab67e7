// Part of `make demo`: 24 orders of three locations are added to an outbox while their service can't be reached, fails, or
// is hidden by the pages of a proxy. When it is back, all of them are at the point of sale, each once. Everything runs on this
// machine, with new databases for each run.

import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { createServer, request as send } from 'node:http';
import { fileURLToPath } from 'node:url';

import { createClient } from '../pkg/dist/esm/client/index.js';
import { newOrderId } from '../pkg/dist/esm/index.js';
import { createOutbox, pauseCauses } from '../pkg/dist/esm/outbox/index.js';
import { sqliteStore } from '../pkg/dist/esm/outbox/sqlite/index.js';
import { listen } from '../scripts/ports.mjs';
import { startDemoService } from '../scripts/service.mjs';

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const FILE = at('target/demo-outbox.sqlite');
const SERVICE_FILE = at('target/demo-outage.ndjson');
const ORDERS = 24;
const LOCATIONS = [
  { CompanyId: 1501, EntityId: 2301 },
  { CompanyId: 1501, EntityId: 2302 },
  { CompanyId: 1000, EntityId: 2000 },
];
const PAGE = '<!doctype html><title>Back soon</title><p>We are back soon';
const page = (status) => (response) => response.writeHead(status, { 'Content-Type': 'text/html' }).end(PAGE);

/** What comes instead of the service, one after the other. */
const OUTAGES = [
  { title: 'The service refuses connections', cause: 'unreachable', status: null, play: null },
  {
    title: 'It responds, but with 503',
    cause: 'failures',
    status: 503,
    play: (response) => response.writeHead(503).end(),
  },
  { title: 'A proxy responds for it, with 200 and a page', cause: 'suspect', status: 200, play: page(200) },
  { title: 'The page now has status 403', cause: 'suspect', status: 403, play: page(403) },
];
/** How many pauses each of them causes before the next one begins. */
const PROBES = 2;
const LIMIT_MS = 30_000;

for (const file of [FILE, SERVICE_FILE]) for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
const service = await startDemoService({ keep: SERVICE_FILE });
const proxy = await startProxy(service.baseUrl);
const { order: model } = JSON.parse(readFileSync(new URL('member-v3.json', import.meta.url), 'utf8'));

console.log('The outbox accepts orders while the service is down\n');

let settled = 0;
let closed = [];
const outbox = createOutbox({
  client: createClient({ baseUrl: proxy.baseUrl, token: service.token }),
  store: sqliteStore(FILE),
  retry: { baseMs: 200, capMs: 500 },
  onSettled: () => settled++,
  hooks: {
    onGate({ scope, isOpen, pause }) {
      if (scope === 'service' && isOpen) shown('deliveries resume');
      if (scope === 'service' && !isOpen) closed.push(pause);
    },
  },
}).start();

const orders = [];
try {
  for (const outage of OUTAGES) await playOutage(outage);
  console.log('  The service is back.');
  await proxy.pass();
  await until(() => settled >= ORDERS, 'all orders are settled');
  console.log('\nAt the point of sale\n');
  for (const { CompanyId, EntityId } of LOCATIONS) await showLocation(CompanyId, EntityId);
  console.log('');
} finally {
  await outbox.stop();
  await proxy.stop();
  await service.stop();
}

/** Adds orders while the service is away, and shows what the outbox reports then. */
async function playOutage({ title, cause, status, play }) {
  console.log(`  ${title}.`);
  await proxy.play(play);
  for (let n = 0; n < ORDERS / OUTAGES.length; n++) {
    const order = { ...model, ...LOCATIONS[orders.length % LOCATIONS.length], Id: newOrderId() };
    await outbox.add(order);
    orders.push(order);
  }
  closed = [];
  const isSeen = () => closed.filter((pause) => pause.cause === cause && pause.status === status).length >= PROBES;
  await until(isSeen, title);
  const { waiting, sending, created, refused, pause } = await outbox.counts();
  shown(`deliveries are held back: ${causeText(pause)}`);
  shown(`${waiting + sending} orders wait, ${created} are created, ${refused} are refused`);
}

/** Shows the receipts of a location, as the service lists them, and how often it has each order. */
async function showLocation(company, entity) {
  const response = await fetch(new URL(`/pos/${company}/${entity}.json`, service.baseUrl));
  const { location, orders: stored } = await response.json();
  const added = orders.filter(({ EntityId }) => EntityId === entity);
  console.log(`  ${location.name}: ${added.length} orders were added, the service has ${stored.length}`);
  for (const { Id } of added) {
    const receipts = stored.filter(({ order }) => order.Id === Id).map(({ order }) => order.ReceiptNumber);
    if (receipts.length !== 1) throw new Error(`the service has the order ${Id} ${receipts.length} times`);
    shown(`${Id}  once, receipt ${receipts[0]}`);
  }
}

/** @param {any} pause */
function causeText({ cause, status, mediaType }) {
  const came = [status, mediaType].filter((part) => part !== null).join(', ');
  return `${pauseCauses[cause].meaning}${came && ` (${came})`}`;
}

/** Starts a server in front of the service, which plays outages at an address that stays the same. */
async function startProxy(target) {
  /** @type {((response: any) => void) | null} */
  let respond = null;
  const server = createServer((request, response) => (respond ? respond(response) : forward(request, response)));
  const port = await listen(server);
  async function close() {
    server.closeAllConnections();
    if (server.listening) await new Promise((closing) => server.close(closing));
  }
  async function play(next) {
    respond = next;
    if (server.listening) return;
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  }
  function forward(request, response) {
    const { method, url, headers } = request;
    const forwarded = send(new URL(url, target), { method, headers }, (incoming) => {
      response.writeHead(incoming.statusCode, incoming.headers);
      incoming.pipe(response);
    });
    forwarded.on('error', () => response.destroy());
    request.pipe(forwarded);
  }
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    /** Plays an outage; null: it refuses connections. */
    play: (next) => (next ? play(next) : close()),
    pass: () => play(null),
    stop: close,
  };
}

function shown(text) {
  console.log(`    ${text}`);
}

async function until(condition, what) {
  for (const endsAt = Date.now() + LIMIT_MS; !condition(); ) {
    if (Date.now() > endsAt) throw new Error(`not within ${LIMIT_MS} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
