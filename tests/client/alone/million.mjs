/**
 * Measures what createOrders retains of many orders from a generator, with a fetch inside the process:
 * `node --expose-gc tests/client/alone/million.mjs [orders]`. What it retains must not grow with the number of orders.
 */
import { client, numbered } from '../clients.mjs';

const [orders = 1_000_000] = process.argv.slice(2).map(Number);

const sender = client.createClient({
  baseUrl: 'https://intake.example.com',
  token: 'a-token',
  fetch: async (_, { body }) => new Response(body, { status: 201 }),
});

function* source() {
  for (let n = 0; n < orders; n++) yield numbered(n);
}

/** The bytes that remain after a collection, at each tenth of the orders. */
const retained = [];
let [done, created] = [0, 0];
for await (const { ok } of sender.createOrders(source(), { concurrency: 32 })) {
  if (ok) created++;
  if (++done % (orders / 10) > 0) continue;
  /** @type {any} */ (globalThis).gc();
  const { heapUsed, external } = process.memoryUsage();
  retained.push(heapUsed + external);
}
console.log(JSON.stringify({ orders, created, retained }));
