/**
 * An export: orders of 50 shops from CSV, to a service that loses the connection after 2 % of the orders and responds with
 * 503 to 2 %, by a process that is killed twice. `ORDERS=5000` is a nightly export of a chain.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { listen } from '../../../scripts/ports.mjs';
import { installed } from '../../node/installed.mjs';
import { BLEND, csv, MAPPING, TEA } from '../orders.mjs';
import { folderOf, jsonLines, run, start, TOKEN, until } from '../program.mjs';

const ORDERS = Number(process.env.ORDERS ?? 1000);
const SHOPS = 50;
/** Its prices include tax: the service refuses every order for it. */
const REFUSING_SHOP = 2000 + SHOPS - 1;
/** One request in this number loses its response, and another one is refused with 503. */
const FAULT_EVERY = 50;
const INTEGRATOR = MAPPING.order.IntegratorId.value;

const isInvalid = (n) => n % 100 === 37;
const shopOf = (n) => 2000 + (n % SHOPS);

function rowsOf(n) {
  const tea = `${n},${shopOf(n)},${TEA},${isInvalid(n) ? 0 : 2},19.99,"Order ${n}, please"`;
  return n % 10 === 0 ? [tea, `${n},${shopOf(n)},${BLEND},2.345,12.50,"Order ${n}, please"`] : [tea];
}

/** The reference service over HTTP, in this process: what kills the program does not touch it. */
async function serviceWithFaults(t) {
  const { testing } = await installed();
  const locations = Array.from({ length: SHOPS }, (_, shop) => ({
    id: 2000 + shop,
    ...(2000 + shop === REFUSING_SHOP && { taxPricing: /** @type {const} */ ('Inclusive') }),
  }));
  const server = createServer();
  const baseUrl = `http://127.0.0.1:${await listen(server)}`;
  const service = testing.createTestService({
    baseUrl,
    registry: {
      companies: [{ id: 1000, locations }],
      integrators: [{ id: INTEGRATOR, name: 'Export' }],
      tokens: [{ token: TOKEN, companies: [1000], integrators: [INTEGRATOR] }],
    },
  });
  const injected = { 'drop-after': 0, 503: 0 };
  /** Orders that a fault has hit. */
  const hit = new Set();
  let requests = 0;
  let ended = 0;
  server.on('request', async (request, response) => {
    const fault = faultOf(requests++);
    if (fault) {
      injected[fault]++;
      hit.add(/\((.*)\)/.exec(request.url ?? '')?.[1]);
    }
    const headers = { ...request.headers, ...(fault && { 'X-Fault': fault }) };
    try {
      const chunks = [];
      for await (const chunk of request) chunks.push(chunk);
      const result = await service.fetch(`${baseUrl}${request.url}`, {
        method: 'PUT',
        headers,
        body: Buffer.concat(chunks),
      });
      response.writeHead(result.status, Object.fromEntries(result.headers)).end(await result.text());
    } catch {
      request.socket.destroy();
    }
    ended++;
  });
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { service, baseUrl, injected, hit, ended: () => ended };
}

/** @param {number} n The number of the request. */
function faultOf(n) {
  return { [FAULT_EVERY - 1]: 'drop-after', [FAULT_EVERY / 2]: '503' }[n % FAULT_EVERY];
}

test(`${ORDERS} orders, killed twice: each is at the service once, failed ones are in the report, none is unsettled`, {
  timeout: 900_000,
}, async (t) => {
  const numbers = Array.from({ length: ORDERS }, (_, n) => n);
  const cwd = folderOf(t, { 'orders.csv': csv(...numbers.flatMap(rowsOf)), 'mapping.json': MAPPING });
  const { service, baseUrl, injected, hit, ended } = await serviceWithFaults(t);
  const args = ['send', 'orders.csv', '--map', 'mapping.json', '--base-url', baseUrl, '--concurrency', '32'];
  const env = { SALES_ORDER_INTAKE_TOKEN: TOKEN };

  for (const share of [0.2, 0.6]) {
    const child = start(args, { cwd, env });
    await until(() => ended() >= ORDERS * share, `${share * 100} % of the orders are sent`, 300_000);
    child.kill('SIGKILL');
    assert.equal((await child.ended).code, null);
    // Orders that were in flight may be stored.
    const waiting = await run(['outbox', 'orders.csv', 'list', '--state', 'waiting', '--json'], { cwd });
    for (const { orderId, outcome } of jsonLines(waiting.out)) if (outcome === 'unknown') hit.add(orderId);
  }
  const { code, out, err } = await run(args, { cwd, env });

  const { esm } = await installed();
  const idOf = (n) => esm.deriveOrderId(MAPPING.namespace, String(n));
  const refused = numbers.filter((n) => !isInvalid(n) && shopOf(n) === REFUSING_SHOP);
  const invalid = numbers.filter(isInvalid);
  const good = numbers.filter((n) => !isInvalid(n) && shopOf(n) !== REFUSING_SHOP);
  // An order that may be stored, and that the service then refuses, stalls: a person has to look. No other one does.
  const mayBeStored = refused.map(idOf).filter((id) => hit.has(id));
  const stalled = mayBeStored.length;
  assert.equal(code, stalled > 0 ? 5 : 1, err);
  const numbersOf = `${good.length.toLocaleString('en')} created .*, ${refused.length - stalled} refused`;
  assert.match(
    out,
    new RegExp(`: ${numbersOf}${stalled > 0 ? ', \\d+ stalled' : ''}, ${invalid.length} invalid\\.\\n$`),
  );

  // At the service: every good order, once, as the file has it, and nothing else.
  const stored = new Map(service.orders.map(({ orderId, order }) => [orderId, order]));
  assert.equal(service.orders.length, good.length);
  assert.deepEqual([...stored.keys()].sort(), good.map(idOf).sort());
  for (const n of good) {
    const order = stored.get(idOf(n));
    assert.deepEqual(
      [order.EntityId, order.Notes, order.Items.length],
      [shopOf(n), `Order ${n}, please`, rowsOf(n).length],
    );
  }

  // In the report: what was invalid or refused, each once, with its line.
  const report = jsonLines(readFileSync(join(cwd, 'orders.csv.report.ndjson'), 'utf8'));
  const reported = (...states) =>
    report
      .filter(({ state }) => states.includes(state))
      .map(({ orderId }) => orderId)
      .sort();
  assert.deepEqual(reported('refused', 'stalled'), refused.map(idOf).sort());
  assert.deepEqual(reported('stalled'), mayBeStored.sort());
  assert.deepEqual(reported('invalid'), invalid.map(idOf).sort());
  assert.equal(report.length, refused.length + invalid.length);

  // In the journal: nothing is left.
  for (const state of ['waiting', 'sending']) {
    const list = await run(['outbox', 'orders.csv', 'list', '--state', state, '--json'], { cwd });
    assert.deepEqual([list.code, list.out], [0, ''], state);
  }
  for (const [fault, count] of Object.entries(injected))
    assert.ok(count >= ORDERS / FAULT_EVERY / 2, `${fault}: ${count}`);
});
