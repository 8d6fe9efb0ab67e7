/**
 * Measures the peak memory of many orders from a generator through createOrders, with a fetch inside the process:
 * `node tests/client/alone/million.mjs [orders]`. The peak of the first tenth is what it needs; the rest must not add to it.
 */
import { client, numbered } from '../clients.mjs';

const [orders = 1_000_000] = process.argv.slice(2).map(Number);
const MIB = 1024 * 1024;

const sender = client.createClient({
  baseUrl: 'https://intake.example.com',
  token: 'a-token',
  fetch: async (_, { body }) => new Response(body, { status: 201 }),
});

function* source() {
  for (let n = 0; n < orders; n++) yield numbered(n);
}

const startedAt = performance.now();
const peaks = [];
let [peak, done, created] = [0, 0, 0];
for await (const { ok } of sender.createOrders(source(), { concurrency: 32 })) {
  if (ok) created++;
  done++;
  if (done % 500 === 0) peak = Math.max(peak, process.memoryUsage.rss());
  if (done % (orders / 10) === 0) {
    peaks.push(Math.round(peak / MIB));
    peak = 0;
  }
}
const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
console.log(JSON.stringify({ orders, created, seconds, peakMibByTenth: peaks }));
