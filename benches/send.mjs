/** P7: compares many orders through `createOrders` with a bare loop of fetch at the same concurrency. */
import { createClient } from '#package/client';
import { newOrderId } from '#package';
import { median } from './measure.mjs';
import { orderOf } from './orders.mjs';

export const CONCURRENCY = 16;
/** Many short turns: what disturbs a machine lasts for seconds, and then disturbs both ways. */
const TURNS = 45;
const LOCATIONS = 4;

/** Returns the median orders per second of both, and their median ratio. */
export async function sending(baseUrl, count = 600) {
  const client = createClient({ baseUrl, token: () => 'a-token' });
  const ways = { own: () => throughClient(client, orders(count)), fetch: () => throughFetch(baseUrl, orders(count)) };
  const rates = { own: [], fetch: [] };
  for (const way of Object.values(ways)) await way(); // warm
  for (let turn = 0; turn < TURNS; turn++) {
    // In alternating order: what the first one leaves in memory is cleared in the time of the second.
    const names = turn % 2 ? ['own', 'fetch'] : ['fetch', 'own'];
    for (const name of names) rates[name].push(await perSecond(ways[name], count));
  }
  const ratio = median(rates.own.map((rate, turn) => rate / rates.fetch[turn]));
  return { perSecond: { own: median(rates.own), fetch: median(rates.fetch) }, ratio: { fetch: ratio } };
}

async function perSecond(way, count) {
  const start = performance.now();
  await way();
  return (count * 1000) / (performance.now() - start);
}

export function* orders(count) {
  const order = orderOf(10);
  for (let i = 0; i < count; i++) yield { ...order, Id: newOrderId() };
}

export async function throughClient(client, source) {
  for await (const result of client.createOrders(source, { concurrency: CONCURRENCY })) {
    if (!result.ok) throw result.error;
  }
}

export async function throughFetch(baseUrl, source) {
  const headers = { Authorization: 'Bearer a-token', Accept: 'application/json', 'Content-Type': 'application/json' };
  const work = async () => {
    for (const order of source) {
      const url = `${baseUrl}/v3/ServiceOrder(${order.Id})`;
      const response = await fetch(url, { method: 'PUT', headers, body: JSON.stringify(order) });
      if (!response.ok) throw new Error(`the server responded with ${response.status}`);
      await response.json();
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
}

/** Yields orders for four locations in turn. */
export function* atLocations(count) {
  let n = 0;
  for (const order of orders(count)) yield { ...order, EntityId: 2000 + (n++ % LOCATIONS) };
}
